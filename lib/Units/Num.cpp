#include "Units/Num.h"
#include <limits>
#include <optional>

using namespace parlance;

namespace {

constexpr int64_t Smallest = std::numeric_limits<int64_t>::min();
constexpr double TwoTo63 = 9223372036854775808.0;

/// A result in floating point: out of range is an overflow as for counts, and no number (0 * inf) is unknown.
Num checked(double V) {
  if (std::isnan(V))
    return Num::unknown();
  return std::isinf(V) ? Num::overflow() : Num(V);
}

/// What an operation on a poison yields: an overflow is reported, an unknown stays silent, so the overflow wins.
Num poison(Num A, Num B) { return A.isOverflow() || B.isOverflow() ? Num::overflow() : Num::unknown(); }
bool areKnown(Num A, Num B) { return A.isKnown() && B.isKnown(); }
bool areInts(Num A, Num B) { return A.isInt() && B.isInt(); }
bool isZero(Num A) { return A.isInt() ? A.integer() == 0 : A.real() == 0; }

/// Exact, although neither type holds all values of the other.
std::partial_ordering compareMixed(int64_t I, double D) {
  if (std::isnan(D))
    return std::partial_ordering::unordered;
  if (D >= TwoTo63)
    return std::partial_ordering::less;
  if (D < -TwoTo63)
    return std::partial_ordering::greater;
  const auto Whole = static_cast<int64_t>(D);
  if (I != Whole)
    return I <=> Whole;
  return 0.0 <=> D - static_cast<double>(Whole);
}

std::partial_ordering compare(Num A, Num B) {
  if (!areKnown(A, B))
    return std::partial_ordering::unordered;
  if (areInts(A, B))
    return A.integer() <=> B.integer();
  if (A.isInt())
    return compareMixed(A.integer(), B.real());
  if (B.isInt())
    return 0 <=> compareMixed(B.integer(), A.real());
  return A.real() <=> B.real();
}

Truth truthOf(std::partial_ordering Order, bool Holds) {
  return Order == std::partial_ordering::unordered ? Truth::Unknown : truth(Holds);
}

/// The count with this value; a double where it has no place in 64 bits (measured values may be that large).
Num countOf(double Integral) {
  if (Integral >= -TwoTo63 && Integral < TwoTo63)
    return static_cast<int64_t>(Integral);
  return checked(Integral);
}

Num powerOfInt(int64_t Base, uint64_t N) {
  int64_t Result = 1;
  while (true) {
    if ((N & 1) && __builtin_mul_overflow(Result, Base, &Result))
      return Num::overflow();
    N >>= 1;
    if (N == 0)
      return Result;
    if (__builtin_mul_overflow(Base, Base, &Base))
      return Num::overflow();
  }
}

} // namespace

namespace parlance {

Num add(Num A, Num B) {
  if (areInts(A, B)) {
    int64_t R;
    return __builtin_add_overflow(A.integer(), B.integer(), &R) ? Num::overflow() : Num(R);
  }
  return areKnown(A, B) ? checked(A.real() + B.real()) : poison(A, B);
}

Num subtract(Num A, Num B) {
  if (areInts(A, B)) {
    int64_t R;
    return __builtin_sub_overflow(A.integer(), B.integer(), &R) ? Num::overflow() : Num(R);
  }
  return areKnown(A, B) ? checked(A.real() - B.real()) : poison(A, B);
}

Num multiply(Num A, Num B) {
  if (areInts(A, B)) {
    int64_t R;
    return __builtin_mul_overflow(A.integer(), B.integer(), &R) ? Num::overflow() : Num(R);
  }
  return areKnown(A, B) ? checked(A.real() * B.real()) : poison(A, B);
}

Num divide(Num A, Num B) {
  if (!areKnown(A, B))
    return poison(A, B);
  if (isZero(B))
    return Num::unknown();
  if (!areInts(A, B))
    return checked(A.real() / B.real());
  if (B.integer() == -1)
    return -A; // the one quotient that can overflow
  if (A.integer() % B.integer() == 0)
    return A.integer() / B.integer();
  return A.real() / B.real();
}

Num operator-(Num A) {
  if (A.isInt())
    return A.integer() == Smallest ? Num::overflow() : Num(-A.integer());
  return A.isKnown() ? Num(-A.real()) : A;
}

Num mod(Num A, Num B) {
  if (!areKnown(A, B))
    return poison(A, B);
  if (!A.isIntegral() || !B.isIntegral() || isZero(B))
    return Num::unknown();
  const int64_t Divisor = B.toInteger();
  if (Divisor == -1)
    return 0; // the hardware traps on INT64_MIN % -1
  const int64_t R = A.toInteger() % Divisor;
  return R != 0 && (R < 0) != (Divisor < 0) ? R + Divisor : R;
}

Num power(Num A, int N) {
  if (!A.isKnown())
    return A;
  if (N < 0 && isZero(A))
    return Num::unknown();
  if (!A.isInt())
    return checked(std::pow(A.real(), N));
  if (N >= 0)
    return powerOfInt(A.integer(), static_cast<uint64_t>(N));
  if (A.integer() == 1 || A.integer() == -1)
    return N % 2 == 0 ? Num(1) : A;
  return checked(std::pow(A.real(), N));
}

Num minimum(Num A, Num B) {
  const auto Order = compare(A, B);
  if (Order == std::partial_ordering::unordered)
    return poison(A, B);
  if (Order == 0)
    return A.isInt() ? A : B; // 2 and 2.0: the exact one, in either order
  return Order < 0 ? A : B;
}

Num maximum(Num A, Num B) {
  const auto Order = compare(A, B);
  if (Order == std::partial_ordering::unordered)
    return poison(A, B);
  if (Order == 0)
    return A.isInt() ? A : B;
  return Order > 0 ? A : B;
}

Num absolute(Num A) {
  if (A.isInt())
    return A.integer() < 0 ? -A : A;
  return A.isKnown() ? Num(std::fabs(A.real())) : A;
}

Num floorOf(Num A) { return A.isInt() || !A.isKnown() ? A : countOf(std::floor(A.real())); }
Num ceilOf(Num A) { return A.isInt() || !A.isKnown() ? A : countOf(std::ceil(A.real())); }
Num roundOf(Num A) { return A.isInt() || !A.isKnown() ? A : countOf(std::round(A.real())); }

Num sqrtOf(Num A) {
  if (!A.isKnown())
    return A;
  const double Root = std::sqrt(A.real());
  if (A.isInt() && A.integer() >= 0) {
    const auto Whole = static_cast<int64_t>(Root);
    int64_t Square;
    if (!__builtin_mul_overflow(Whole, Whole, &Square) && Square == A.integer())
      return Whole;
  }
  return checked(Root);
}

Num log2Of(Num A) {
  if (!A.isKnown())
    return A;
  if (A.real() <= 0)
    return Num::unknown();
  if (A.isInt() && (A.integer() & (A.integer() - 1)) == 0)
    return static_cast<int64_t>(__builtin_ctzll(static_cast<uint64_t>(A.integer())));
  return checked(std::log2(A.real()));
}

Num powReal(Num A, Num B) {
  if (!areKnown(A, B))
    return poison(A, B);
  if (B.isIntegral() && std::fabs(B.real()) <= std::numeric_limits<int>::max())
    return power(A, static_cast<int>(B.toInteger()));
  if (isZero(A) && B.real() < 0)
    return Num::unknown();
  return checked(std::pow(A.real(), B.real()));
}

Truth less(Num A, Num B) {
  const auto Order = compare(A, B);
  return truthOf(Order, Order < 0);
}

Truth lessEqual(Num A, Num B) {
  const auto Order = compare(A, B);
  return truthOf(Order, Order <= 0);
}

Truth equal(Num A, Num B) {
  const auto Order = compare(A, B);
  return truthOf(Order, Order == 0);
}

Truth divides(Num A, Num B) { return equal(mod(B, A), 0); }

} // namespace parlance
