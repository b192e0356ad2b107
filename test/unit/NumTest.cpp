#include "Units/Num.h"
#include <gtest/gtest.h>
#include <limits>

using namespace parlance;

namespace {

constexpr int64_t Min = std::numeric_limits<int64_t>::min();
constexpr int64_t Max = std::numeric_limits<int64_t>::max();
constexpr double Infinity = std::numeric_limits<double>::infinity();
const Num Overflow = Num::overflow(), Unknown = Num::unknown();

/// The same representation and value.
testing::AssertionResult same(Num A, Num B) {
  const bool Equal = A.rep() == B.rep() && (!A.isInt() || A.integer() == B.integer()) &&
                     (A.rep() != Num::Rep::Real || A.real() == B.real());
  if (Equal)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "rep " << static_cast<int>(A.rep()) << " value " << A.real() << " against rep "
                                     << static_cast<int>(B.rep()) << " value " << B.real();
}

TEST(Num, SumsStayExact) {
  EXPECT_TRUE(same(Num(2) + Num(3), 5));
  EXPECT_TRUE(same(Num(Max) + Num(0), Max));
  EXPECT_TRUE(same(Num(Max) + Num(1), Overflow));
  EXPECT_TRUE(same(Num(Min) + Num(-1), Overflow));
  EXPECT_TRUE(same(Num(Min) - Num(1), Overflow));
  EXPECT_TRUE(same(Num(0) - Num(Min), Overflow));
  EXPECT_TRUE(same(Num(-1) - Num(Min), Max));
  EXPECT_TRUE(same(Num(1) + Num(0.5), 1.5));
  EXPECT_TRUE(same(Num(0.5) - Num(1), -0.5));
}

TEST(Num, ProductsStayExact) {
  EXPECT_TRUE(same(Num(int64_t(1) << 31) * Num(int64_t(1) << 31), int64_t(1) << 62));
  EXPECT_TRUE(same(Num(int64_t(1) << 32) * Num(int64_t(1) << 31), Overflow));
  EXPECT_TRUE(same(Num(9'000'000'000'000'000'000) * Num(3), Overflow));
  EXPECT_TRUE(same(Num(Min) * Num(-1), Overflow));
  EXPECT_TRUE(same(Num(Min) * Num(1), Min));
  EXPECT_TRUE(same(Num(2) * Num(1.5), 3.0));
}

TEST(Num, QuotientsAreExactWhenEven) {
  EXPECT_TRUE(same(Num(12) / Num(4), 3));
  EXPECT_TRUE(same(Num(-12) / Num(4), -3));
  EXPECT_TRUE(same(Num(1) / Num(4), 0.25));
  EXPECT_TRUE(same(Num(Min) / Num(-1), Overflow));
  EXPECT_TRUE(same(Num(Max) / Num(-1), -Max));
  EXPECT_TRUE(same(Num(Min) / Num(Min), 1));
  EXPECT_TRUE(same(Num(4.0) / Num(2), 2.0));
  EXPECT_TRUE(same(Num(1) / Num(0), Unknown));
  EXPECT_TRUE(same(Num(0) / Num(0), Unknown));
  EXPECT_TRUE(same(Num(1.5) / Num(0.0), Unknown));
  EXPECT_TRUE(same(Num(1.5) / Num(-0.0), Unknown));
}

TEST(Num, DoublesOutOfRangeArePoison) {
  EXPECT_TRUE(same(Num(1e308) * Num(10), Overflow));
  EXPECT_TRUE(same(Num(1e308) + Num(1e308), Overflow));
  EXPECT_TRUE(same(Num(1e300) / Num(1e-300), Overflow));
  EXPECT_TRUE(same(Num(Infinity) - Num(Infinity), Unknown));
  EXPECT_TRUE(same(Num(Infinity) * Num(0), Unknown));
  EXPECT_TRUE(same(Num(1) / Num(Infinity), 0.0));
}

TEST(Num, PoisonSpreads) {
  for (const Num Other : {Num(1), Num(0), Num(1.5)}) {
    EXPECT_TRUE(same(Other + Unknown, Unknown));
    EXPECT_TRUE(same(Unknown * Other, Unknown));
    EXPECT_TRUE(same(Overflow - Other, Overflow));
    EXPECT_TRUE(same(Overflow / Other, Overflow));
    EXPECT_TRUE(same(mod(Unknown, Other), Unknown));
    EXPECT_TRUE(same(minimum(Other, Overflow), Overflow));
    EXPECT_TRUE(same(maximum(Unknown, Other), Unknown));
    EXPECT_EQ(less(Other, Unknown), Truth::Unknown);
    EXPECT_EQ(equal(Overflow, Other), Truth::Unknown);
    EXPECT_EQ(lessEqual(Overflow, Overflow), Truth::Unknown);
  }
  // What is reported wins over what stays silent.
  EXPECT_TRUE(same(Overflow + Unknown, Overflow));
  EXPECT_TRUE(same(Unknown / Overflow, Overflow));
  EXPECT_TRUE(same(powReal(Unknown, Overflow), Overflow));
  for (Num (*F)(Num) : {absolute, floorOf, ceilOf, roundOf, sqrtOf, log2Of}) {
    EXPECT_TRUE(same(F(Unknown), Unknown));
    EXPECT_TRUE(same(F(Overflow), Overflow));
  }
  EXPECT_TRUE(same(-Overflow, Overflow));
  EXPECT_TRUE(same(power(Unknown, 0), Unknown));
}

TEST(Num, Signs) {
  EXPECT_TRUE(same(-Num(Min), Overflow));
  EXPECT_TRUE(same(-Num(Max), Min + 1));
  EXPECT_TRUE(same(absolute(Num(Min)), Overflow));
  EXPECT_TRUE(same(absolute(Num(-3)), 3));
  EXPECT_TRUE(same(absolute(Num(-2.5)), 2.5));
}

TEST(Num, RemainderHasTheSignOfTheDivisor) {
  EXPECT_TRUE(same(mod(7, 3), 1));
  EXPECT_TRUE(same(mod(-7, 3), 2));
  EXPECT_TRUE(same(mod(7, -3), -2));
  EXPECT_TRUE(same(mod(-7, -3), -1));
  EXPECT_TRUE(same(mod(6, -3), 0));
  EXPECT_TRUE(same(mod(1, 0), Unknown));
  EXPECT_TRUE(same(mod(Min, -1), 0));
  EXPECT_TRUE(same(mod(Min, Max), Max - 1));
  EXPECT_TRUE(same(mod(7.0, 3), 1)); // integral doubles count
  EXPECT_TRUE(same(mod(7.5, 3), Unknown));
  EXPECT_TRUE(same(mod(1e300, 3), Unknown)); // no exact count
  EXPECT_TRUE(same(mod(7, 0.0), Unknown));
  EXPECT_EQ(divides(8, 64), Truth::True);
  EXPECT_EQ(divides(3, 64), Truth::False);
  EXPECT_EQ(divides(0, 64), Truth::Unknown);
  EXPECT_EQ(divides(2.5, 5), Truth::Unknown);
  EXPECT_EQ(divides(8, Unknown), Truth::Unknown);
}

TEST(Num, Powers) {
  EXPECT_TRUE(same(power(2, 10), 1024));
  EXPECT_TRUE(same(power(0, 0), 1));
  EXPECT_TRUE(same(power(2, 62), int64_t(1) << 62));
  EXPECT_TRUE(same(power(2, 63), Overflow));
  EXPECT_TRUE(same(power(-2, 63), Min)); // just fits
  EXPECT_TRUE(same(power(-2, 64), Overflow));
  EXPECT_TRUE(same(power(3037000499, 2), 9223372030926249001));
  EXPECT_TRUE(same(power(3037000500, 2), Overflow));
  EXPECT_TRUE(same(power(10, 1000000000), Overflow));
  EXPECT_TRUE(same(power(-1, std::numeric_limits<int>::min()), 1));
  EXPECT_TRUE(same(power(-1, -3), -1));
  EXPECT_TRUE(same(power(2, -1), 0.5));
  EXPECT_TRUE(same(power(0, -1), Unknown));
  EXPECT_TRUE(same(power(0.0, -1), Unknown));
  EXPECT_TRUE(same(power(1.5, 2), 2.25));
  EXPECT_TRUE(same(power(1e200, 2), Overflow));
  EXPECT_TRUE(same(powReal(2, 3), 8));
  EXPECT_TRUE(same(powReal(4, 0.5), 2.0));
  EXPECT_TRUE(same(powReal(-4, 0.5), Unknown));
  EXPECT_TRUE(same(powReal(0, -0.5), Unknown));
  EXPECT_TRUE(same(powReal(2.0, 1e15), Overflow));
}

TEST(Num, Rounding) {
  EXPECT_TRUE(same(floorOf(2.7), 2));
  EXPECT_TRUE(same(floorOf(-2.1), -3));
  EXPECT_TRUE(same(ceilOf(2.1), 3));
  EXPECT_TRUE(same(roundOf(2.5), 3));
  EXPECT_TRUE(same(roundOf(-2.5), -3));
  EXPECT_TRUE(same(floorOf(7), 7));
  EXPECT_TRUE(same(floorOf(1e300), 1e300)); // no place in 64 bits
  EXPECT_TRUE(same(floorOf(9223372036854775808.0), 9223372036854775808.0));
  EXPECT_TRUE(same(floorOf(-9223372036854775808.0), Min));
  EXPECT_TRUE(same(floorOf(Num(std::nan(""))), Unknown));
  EXPECT_TRUE(same(ceilOf(Num(Infinity)), Overflow));
}

TEST(Num, RootsAndLogarithms) {
  EXPECT_TRUE(same(sqrtOf(16), 4));
  EXPECT_TRUE(same(sqrtOf(2), std::sqrt(2.0)));
  EXPECT_TRUE(same(sqrtOf(-1), Unknown));
  EXPECT_TRUE(same(sqrtOf(Max), std::sqrt(double(Max)))); // root rounds up: its square overflows
  EXPECT_TRUE(same(sqrtOf(9223372030926249001), 3037000499));
  EXPECT_TRUE(same(log2Of(8), 3));
  EXPECT_TRUE(same(log2Of(1), 0));
  EXPECT_TRUE(same(log2Of(6), std::log2(6.0)));
  EXPECT_TRUE(same(log2Of(0.5), -1.0));
  EXPECT_TRUE(same(log2Of(0), Unknown));
  EXPECT_TRUE(same(log2Of(-8), Unknown));
  EXPECT_TRUE(same(log2Of(Min), Unknown));
}

TEST(Num, ComparisonsOfMixedNumbersAreExact) {
  EXPECT_EQ(less(Num(1), Num(1.5)), Truth::True);
  EXPECT_EQ(less(Num(-1), Num(-1.5)), Truth::False);
  EXPECT_EQ(less(Num(-2), Num(-1.5)), Truth::True);
  EXPECT_EQ(equal(Num(2), Num(2.0)), Truth::True);
  EXPECT_EQ(equal(Num(0), Num(-0.0)), Truth::True);
  // 2^53 + 1 is not a double: converting it would make these equal.
  const int64_t Odd = (static_cast<int64_t>(1) << 53) + 1;
  EXPECT_EQ(equal(Num(Odd), Num(9007199254740992.0)), Truth::False);
  EXPECT_EQ(less(Num(9007199254740992.0), Num(Odd)), Truth::True);
  EXPECT_EQ(equal(Num(Max), Num(9223372036854775808.0)), Truth::False);
  EXPECT_EQ(less(Num(Max), Num(9223372036854775808.0)), Truth::True);
  EXPECT_EQ(equal(Num(Min), Num(-9223372036854775808.0)), Truth::True);
  EXPECT_EQ(less(Num(-1e19), Num(Min)), Truth::True);
  EXPECT_EQ(less(Num(Min), Num(-Infinity)), Truth::False);
  EXPECT_EQ(lessEqual(Num(3), Num(3.0)), Truth::True);
  EXPECT_EQ(lessEqual(Num(0.1) + Num(0.2), Num(0.3)), Truth::False); // IEEE, no tolerance
  EXPECT_EQ(less(Num(1), Num(std::nan(""))), Truth::Unknown);
}

TEST(Num, MinimumKeepsTheExactOne) {
  EXPECT_TRUE(same(minimum(3, 2.5), 2.5));
  EXPECT_TRUE(same(minimum(2, 2.5), 2));
  EXPECT_TRUE(same(maximum(3, 2.5), 3));
  EXPECT_TRUE(same(minimum(2.0, 2), 2));
  EXPECT_TRUE(same(minimum(2, 2.0), 2));
  EXPECT_TRUE(same(maximum(2.0, 2), 2));
  EXPECT_TRUE(same(minimum(Num(std::nan("")), 2), Unknown));
}

TEST(Num, IntegralDoubles) {
  EXPECT_TRUE(Num(4.0).isIntegral());
  EXPECT_FALSE(Num(4.5).isIntegral());
  EXPECT_FALSE(Num(1e300).isIntegral());
  EXPECT_FALSE(Num(Infinity).isIntegral());
  EXPECT_FALSE(Unknown.isIntegral());
  EXPECT_EQ(Num(-4.0).toInteger(), -4);
  EXPECT_TRUE(std::isnan(Overflow.real()));
}

TEST(Truth, ThreeValues) {
  using enum Truth;
  EXPECT_EQ(Unknown & False, False);
  EXPECT_EQ(Unknown & True, Unknown);
  EXPECT_EQ(Unknown | True, True);
  EXPECT_EQ(Unknown | False, Unknown);
  EXPECT_EQ(!Unknown, Unknown);
  EXPECT_EQ(!True, False);
  EXPECT_TRUE(select(Unknown, 1, 2).isUnknown());
  EXPECT_EQ(select(False, 1, 2).integer(), 2);
}

} // namespace
