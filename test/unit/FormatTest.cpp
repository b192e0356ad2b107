#include "Units/Format.h"
#include <gtest/gtest.h>
#include <limits>

using namespace parlance;

namespace {

const Dim B = Dim::of(Base::Information), Elem = Dim::of(Base::Elements), Flop = Dim::of(Base::Arithmetic),
          Tok = Dim::of(Base::Tokens), Seq = Dim::of(Base::Sequences), S = Dim::of(Base::Time),
          Usd = Dim::of(Base::Money), Gpu = Dim::of(Base::Gpu), Replica = Dim::of(Base::Replica), None;
constexpr double GiB = 1073741824;

TEST(Format, PlainNumbers) {
  EXPECT_EQ(formatNumber(4194304), "4,194,304");
  EXPECT_EQ(formatNumber(-1234), "-1,234");
  EXPECT_EQ(formatNumber(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(formatNumber(1.34), "1.34");
  EXPECT_EQ(formatNumber(0.0349), "0.0349");
  EXPECT_EQ(formatNumber(1.2e-9), "1.2e-09");
  EXPECT_EQ(formatNumber(976.5625), "976.6");
  EXPECT_EQ(formatNumber(976.5625, 7), "976.5625");
  EXPECT_EQ(formatNumber(9999.7), "10,000");
  EXPECT_EQ(formatNumber(1234.4), "1,234");
  EXPECT_EQ(formatNumber(1234567.8), "1,234,568");
  EXPECT_EQ(formatNumber(1e20), "1e+20");
  EXPECT_EQ(formatNumber(0.0), "0");
  EXPECT_EQ(formatNumber(-0.0), "0");
  EXPECT_EQ(formatNumber(Num::unknown()), "unknown");
  EXPECT_EQ(formatNumber(Num::overflow()), "overflow");
  EXPECT_EQ(formatNumber(std::nan("")), "unknown");
  EXPECT_EQ(formatNumber(-std::numeric_limits<double>::infinity()), "-infinity");
}

TEST(Format, Information) {
  EXPECT_EQ(formatQuantity(80'000'000'000, B), "80 GB");
  EXPECT_EQ(formatQuantity(85'520'809'984, B, true), "79.6 GiB");
  EXPECT_EQ(formatQuantity(80 * GiB, B / Gpu, true), "80 GiB/gpu");
  EXPECT_EQ(formatQuantity(450e9, B / S), "450 GB/s");
  EXPECT_EQ(formatQuantity(3.35e12, B / S / Gpu), "3.35 TB/s/gpu");
  EXPECT_EQ(formatQuantity(2, B / Elem), "2 B/elem");
  EXPECT_EQ(formatQuantity(0.5, B / Elem), "0.5 B/elem");
  EXPECT_EQ(formatQuantity(0, B), "0 B");
  EXPECT_EQ(formatQuantity(999, B), "999 B");
  EXPECT_EQ(formatQuantity(1000, B, true), "1,000 B");
  EXPECT_EQ(formatQuantity(1536, B, true), "1.5 KiB");
  EXPECT_EQ(formatQuantity(131720, B / Tok), "132 kB/tok");
  EXPECT_EQ(formatQuantity(999'999'999, B), "1 GB"); // rounds into the next prefix
  EXPECT_EQ(formatQuantity(1023 * GiB, B, true), "1,023 GiB");
  EXPECT_EQ(formatQuantity(-3.2e9, B), "-3.2 GB");
  EXPECT_EQ(formatQuantity(5e18, B), "5,000 PB");
}

TEST(Format, Rates) {
  EXPECT_EQ(formatQuantity(989e12, Flop / S), "989 TFLOP/s");
  EXPECT_EQ(formatQuantity(989.5e12, Flop / S / Gpu), "989.5 TFLOP/s/gpu"); // 4 exact digits stay
  EXPECT_EQ(formatQuantity(40.4321e9, Flop / Tok), "40.4 GFLOP/tok");
  EXPECT_EQ(formatQuantity(6.0, Flop / Elem / Tok), "6 FLOP/elem/tok");
  EXPECT_EQ(formatQuantity(1.2345e24, Flop), "1,234,500,000 PFLOP");
}

TEST(Format, Times) {
  EXPECT_EQ(formatQuantity(0.0123, S), "12.3 ms");
  EXPECT_EQ(formatQuantity(0.12013, S), "120 ms");
  EXPECT_EQ(formatQuantity(2.0, S), "2 s");
  EXPECT_EQ(formatQuantity(0.9999, S), "999.9 ms");
  EXPECT_EQ(formatQuantity(0.99999, S), "1 s");
  EXPECT_EQ(formatQuantity(4.2e-6, S), "4.2 us");
  EXPECT_EQ(formatQuantity(3e-9, S), "3 ns");
  EXPECT_EQ(formatQuantity(1e-12, S), "0.001 ns");
  EXPECT_EQ(formatQuantity(0.0, S), "0 s");
  EXPECT_EQ(formatQuantity(86400.0, S), "86,400 s");
}

TEST(Format, Counts) {
  EXPECT_EQ(formatQuantity(4194304, Tok), "4,194,304 tok");
  EXPECT_EQ(formatQuantity(31250, Tok / Gpu), "31,250 tok/gpu");
  EXPECT_EQ(formatQuantity(976.5625, Seq), "976.6 seq");
  EXPECT_EQ(formatQuantity(31250.4, Tok / S), "31,250 tok/s");
  EXPECT_EQ(formatQuantity(16, Gpu), "16 gpu");
  EXPECT_EQ(formatQuantity(6738415616, Elem), "6.74 Gelem");
  EXPECT_EQ(formatQuantity(9999, Elem), "9,999 elem");
  EXPECT_EQ(formatQuantity(12345, Elem), "12.3 kelem");
  EXPECT_EQ(formatQuantity(842e6, Elem / Gpu), "842 Melem/gpu");
  EXPECT_EQ(formatQuantity(70e9, Elem * Flop / (Tok * B)), "70 Gelem·FLOP/(B·tok)");
  EXPECT_EQ(formatQuantity(5e9, Elem * Elem), "5,000,000,000 elem^2");
  EXPECT_EQ(formatQuantity(0.5, None / Replica), "0.5/replica");
  EXPECT_EQ(formatQuantity(3, None / (S * S)), "3/s^2");
}

TEST(Format, MoneyAndRatios) {
  EXPECT_EQ(formatQuantity(12345.6, Usd), "12,345.60 USD");
  EXPECT_EQ(formatQuantity(2.5, Usd / S), "2.50 USD/s");
  EXPECT_EQ(formatQuantity(1.5e-7, Usd / Tok), "1.5e-07 USD/tok");
  EXPECT_EQ(formatQuantity(0.1330947, None), "0.1331");
  EXPECT_EQ(formatQuantity(8, None), "8");
}

TEST(Format, Poison) {
  EXPECT_EQ(formatQuantity(Num::unknown(), B), "unknown");
  EXPECT_EQ(formatQuantity(Num::overflow(), Tok), "overflow");
  EXPECT_EQ(formatQuantity(std::nan(""), B), "unknown B");
  EXPECT_EQ(formatQuantity(std::numeric_limits<double>::infinity(), S), "infinity s");
}

TEST(Format, GiBAndPercent) {
  EXPECT_EQ(formatGiB(61.2 * GiB), "61.2 GiB");
  EXPECT_EQ(formatGiB(8 * GiB), "8.0 GiB");
  EXPECT_EQ(formatGiB(0), "0.0 GiB");
  EXPECT_EQ(formatGiB(1048576), "0.00098 GiB");
  EXPECT_EQ(formatGiB(12345 * GiB), "12,345.0 GiB");
  EXPECT_EQ(formatGiB(std::nan("")), "unknown");
  EXPECT_EQ(formatPercent(0.412), "41.2 %");
  EXPECT_EQ(formatPercent(0.08), "8 %");
  EXPECT_EQ(formatPercent(1), "100 %");
  EXPECT_EQ(formatPercent(12.34), "1,234 %");
  EXPECT_EQ(formatPercent(0.00012), "0.012 %");
  EXPECT_EQ(formatPercent(std::nan("")), "unknown");
}

TEST(Format, ExactTextReadsBack) {
  EXPECT_EQ(formatExact(4194304), "4194304");
  EXPECT_EQ(formatExact(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(formatExact(8e10), "80000000000");
  EXPECT_EQ(formatExact(0.1), "0.1");
  EXPECT_EQ(formatExact(-0.0), "-0");
  EXPECT_EQ(formatExact(1e300), "1e+300");
  EXPECT_EQ(formatExact(Num::unknown()), "null");
  EXPECT_EQ(formatExact(std::nan("")), "null");
  for (const double V : {1.0 / 3, 0.133094123456789, 5e-324, 1.7976931348623157e308, 123456.789})
    EXPECT_EQ(std::strtod(formatExact(V).c_str(), nullptr), V);
}

} // namespace
