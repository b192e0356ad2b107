#include "Units/Unit.h"
#include <array>
#include <gtest/gtest.h>
#include <limits>

using namespace parlance;

namespace {

constexpr int64_t Max = std::numeric_limits<int64_t>::max();
constexpr Scale One{}, Kilo{1, 1, 3}, Giga{1, 1, 9}, Gibi{static_cast<int64_t>(1) << 30, 1, 0}, Bit{1, 8, 0},
    Nano{1, 1, -9}, Minute{60, 1, 0}, Percent{1, 1, -2};

int64_t count(std::string_view Digits, Scale Factor = One) {
  const Num N = literalValue(Digits, Factor, true);
  EXPECT_TRUE(N.isInt()) << Digits;
  return N.isInt() ? N.integer() : -1;
}
double real(std::string_view Digits, Scale Factor = One, bool Counted = false) {
  const Num N = literalValue(Digits, Factor, Counted);
  EXPECT_EQ(N.rep(), Num::Rep::Real) << Digits;
  return N.real();
}

TEST(Scale, ProductsAreExact) {
  EXPECT_EQ(multiply(One, Kilo, 1), (Scale{1, 1, 3}));
  EXPECT_EQ(multiply(Kilo, Kilo, -1), One);
  EXPECT_EQ(multiply(Giga, Bit, 1), (Scale{1, 8, 9}));
  EXPECT_EQ(multiply(Gibi, Bit, 1), (Scale{int64_t(1) << 27, 1, 0}));
  EXPECT_EQ(multiply(One, Bit, -1), (Scale{8, 1, 0}));
  EXPECT_EQ(multiply(One, Minute, 2), (Scale{36, 1, 2}));
  EXPECT_EQ(multiply(One, Nano, 3), (Scale{1, 1, -27}));
  EXPECT_EQ(multiply(Minute, Kilo, 0), (Scale{6, 1, 1}));
  // The same factor, however it was written.
  EXPECT_EQ(multiply(One, Scale{1000, 1, 0}, 1), multiply(One, Kilo, 1));
  EXPECT_EQ(multiply(One, Scale{6, 600, 0}, 1), multiply(One, Percent, 1));
}

TEST(Scale, OverflowIsNoticed) {
  EXPECT_EQ(multiply(One, Gibi, 2), (Scale{int64_t(1) << 60, 1, 0}));
  EXPECT_EQ(multiply(One, Gibi, 3), std::nullopt);
  EXPECT_EQ(multiply(One, Gibi, -3), std::nullopt);
  EXPECT_EQ(multiply(One, Kilo, 1000000), std::nullopt);
  EXPECT_EQ(multiply(One, Kilo, std::numeric_limits<int>::min()), std::nullopt);
  EXPECT_EQ(multiply(Scale{Max, 1, 0}, Scale{1, Max, 0}, 1), One); // reduced crosswise first
  EXPECT_EQ(multiply(Scale{1, 1, std::numeric_limits<int>::max()}, Kilo, 1), std::nullopt);
}

TEST(Magnitude, PowersOf1000And1024) {
  EXPECT_EQ(magnitude("k"), Kilo);
  EXPECT_EQ(magnitude("M"), (Scale{1, 1, 6}));
  EXPECT_EQ(magnitude("G"), Giga);
  EXPECT_EQ(magnitude("T"), (Scale{1, 1, 12}));
  EXPECT_EQ(magnitude("Ki"), (Scale{1024, 1, 0}));
  EXPECT_EQ(magnitude("Mi"), (Scale{1 << 20, 1, 0}));
  EXPECT_EQ(magnitude("Gi"), Gibi);
  EXPECT_EQ(magnitude("Ti"), (Scale{int64_t(1) << 40, 1, 0}));
  for (const std::string_view Other : {"", "K", "m", "B", "ki", "P", "kk", "Mib", "KI"})
    EXPECT_EQ(magnitude(Other), std::nullopt) << Other;
}

TEST(Literal, Counts) {
  EXPECT_EQ(count("4096"), 4096);
  EXPECT_EQ(count("1_000_000"), 1000000);
  EXPECT_EQ(count("7e9"), 7000000000);
  EXPECT_EQ(count("0"), 0);
  EXPECT_EQ(count("000"), 0);
  EXPECT_EQ(count("0.000"), 0);
  EXPECT_EQ(count("0e99999999999999999999"), 0);
  EXPECT_EQ(count("007"), 7);
  EXPECT_EQ(count("3.35", Scale{1, 1, 12}), 3350000000000);
  EXPECT_EQ(count("0.1", Giga), 100000000);
  EXPECT_EQ(count("0.5", Gibi), 536870912);
  EXPECT_EQ(count("79.6", Scale{int64_t(1) << 30, 1, 1}), 854698491904); // 79.6 * 10 * 2^30
  EXPECT_EQ(count("4", Scale{1 << 20, 1, 0}), 4194304);
  EXPECT_EQ(count("400", Scale{1, 8, 9}), 50000000000);
  EXPECT_EQ(count("8", Bit), 1);
  EXPECT_EQ(count("1.50", Scale{2, 1, 0}), 3);
  EXPECT_EQ(count("1500e-2", Scale{1, 3, 0}), 5);
  EXPECT_EQ(count("2E3"), 2000);
  EXPECT_EQ(count("2e+3"), 2000);
  EXPECT_EQ(count("1_0e0_2"), 1000);
}

TEST(Literal, CountsAtTheEdge) {
  EXPECT_EQ(count("9223372036854775807"), Max);
  EXPECT_EQ(count("9_223_372_036_854_775.807", Kilo), Max);
  EXPECT_EQ(count("9.223372036854775807e18"), Max);
  EXPECT_TRUE(literalValue("9223372036854775808", One, true).isOverflow());
  EXPECT_TRUE(literalValue("99999999999999999999999999999999999999999", One, true).isOverflow());
  EXPECT_TRUE(literalValue("10000000000", Giga, true).isOverflow());
  EXPECT_TRUE(literalValue("8", Scale{int64_t(1) << 60, 1, 0}, true).isOverflow());
  EXPECT_EQ(count("7", Scale{int64_t(1) << 60, 1, 0}), int64_t(7) << 60);
  EXPECT_EQ(real("1e19", One, true), 1e19); // written as an approximation
  EXPECT_EQ(real("9223372036854775808.0", One, true), 9223372036854775808.0);
  // A product over 127 bits that the denominator brings back below 64.
  EXPECT_EQ(count("9223372036854775807e3", Scale{1, 1, -3}), Max);
}

TEST(Literal, WhatIsNoCountIsReal) {
  EXPECT_EQ(real("1.5", One, true), 1.5);
  EXPECT_EQ(real("1", Bit, true), 0.125);
  EXPECT_EQ(real("0.1", Gibi, true), 107374182.4);
  EXPECT_EQ(real("1e-3", One, true), 0.001);
  EXPECT_EQ(real("95", Percent, true), 0.95);
  EXPECT_EQ(real("3"), 3.0); // not counted
  EXPECT_EQ(real("0"), 0.0);
}

TEST(Literal, DoublesAreRoundedOnce) {
  EXPECT_EQ(real("0.3", Scale{1, 1, -3}), 0.3e-3);
  EXPECT_EQ(real("989", Scale{1, 1, 12}), 989e12);
  EXPECT_EQ(real("1.1", Nano), 1.1e-9);
  EXPECT_EQ(real("0.1", Scale{1, 8, 0}), 0.0125);
  EXPECT_EQ(real("41.2", Percent), 0.412);
  EXPECT_EQ(real("3.35", Scale{1, 1, 12}), 3.35e12);
  EXPECT_EQ(real("2.5", Minute), 150.0);
  EXPECT_DOUBLE_EQ(real("1", Scale{1, 3, 0}), 1.0 / 3);
  EXPECT_EQ(real("0.1000000000000000055511151231257827021181583404541015625"), 0.1);
  EXPECT_EQ(real("9007199254740993"), 9007199254740992.0); // ties to even
  EXPECT_EQ(real("9007199254740993.0000000000000000000000000000000000001"), 9007199254740994.0);
  for (int I = 1; I < 2000; ++I) { // as the compiler reads them
    const std::string Digits = std::to_string(I / 100.0);
    EXPECT_EQ(real(Digits, Scale{1, 1, -6}), std::stod(Digits + "e-6")) << Digits;
  }
}

TEST(Literal, HostileDigits) {
  EXPECT_TRUE(literalValue("1e999", One, false).isOverflow());
  EXPECT_TRUE(literalValue("1e999999999999999999999999", One, true).isOverflow());
  EXPECT_EQ(real("1e-999", One, true), 0.0);
  EXPECT_EQ(real("1e-99999999999999999999", One, false), 0.0);
  const std::string Long(100000, '7');
  EXPECT_TRUE(literalValue(Long, One, true).isOverflow());
  EXPECT_TRUE(literalValue(Long, One, false).isOverflow());
  EXPECT_EQ(real("0." + Long, One, true), 0.777777777777777777777);
  EXPECT_EQ(count("0." + std::string(5000, '0') + "1e5001"), 1);
  EXPECT_EQ(count(std::string(5000, '0') + "12"), 12);
  EXPECT_EQ(count("1" + std::string(5000, '0') + "e-5000"), 1);
  for (const std::string_view Bad : {"", ".", "_", "e5", "1e", "1e+", "1.2.3", "0x10", "1 ", "-1", "1e5.", "1e--5"})
    EXPECT_TRUE(literalValue(Bad, One, true).isUnknown()) << Bad;
  EXPECT_TRUE(literalValue("1", Scale{0, 1, 0}, true).isUnknown());
  EXPECT_TRUE(literalValue("1", Scale{1, 0, 0}, true).isUnknown());
}

TEST(UnitTable, FindsNames) {
  constexpr std::array<UnitName, 3> Names{{{"B", Dim::of(Base::Information), {}, "byte"},
                                           {"GiB", Dim::of(Base::Information), Gibi, "byte"},
                                           {"s", Dim::of(Base::Time), {}, "second"}}};
  constexpr std::array<RefusedUnit, 2> Refused{
      {{"Gb", "bit or byte? write Gbit or GB", {}}, {"Mb", "bit or byte?", {}}}};
  const UnitTable Table(Names, Refused);
  ASSERT_NE(Table.find("GiB"), nullptr);
  EXPECT_EQ(Table.find("GiB")->Factor, Gibi);
  EXPECT_EQ(Table.find("s")->Doc, "second");
  EXPECT_EQ(Table.find("gib"), nullptr);
  EXPECT_EQ(Table.find(""), nullptr);
  EXPECT_EQ(Table.find("zzz"), nullptr);
  ASSERT_NE(Table.refused("Mb"), nullptr);
  EXPECT_EQ(Table.refused("GB"), nullptr);
  EXPECT_EQ(UnitTable().find("B"), nullptr);
}

} // namespace
