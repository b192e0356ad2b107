#include "Units/Format.h"
#include "Basic/Text.h"
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

using namespace parlance;

namespace {

constexpr unsigned PrefixedDigits = 3, PlainDigits = 4;

std::string_view poisonName(Num N) { return N.isOverflow() ? "overflow" : "unknown"; }
bool isFinite(Num N) { return N.isKnown() && std::isfinite(N.real()); }

/// V rounded to significant digits.
double rounded(double V, unsigned Digits) {
  double Result = 0;
  const std::string Text = fmt::format("{:.{}e}", V, Digits - 1);
  std::from_chars(Text.data(), Text.data() + Text.size(), Result);
  return Result;
}

std::string formatReal(double V, unsigned Digits) {
  constexpr double LongestWhole = 1e15; // above, digits are noise
  if (V == 0)
    return "0";
  const double Whole = std::round(V);
  if (std::fabs(Whole) >= std::pow(10.0, Digits) && std::fabs(Whole) < LongestWhole)
    return withThousands(static_cast<int64_t>(Whole));
  return withThousands(std::string_view(fmt::format("{:.{}g}", V, Digits)));
}

struct Prefix {
  double Factor;
  std::string_view Text;
};
constexpr Prefix Decimal[] = {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
constexpr Prefix Binary[] = {
    {1125899906842624, "Pi"}, {1099511627776, "Ti"}, {1073741824, "Gi"}, {1048576, "Mi"}, {1024, "Ki"}};
constexpr Prefix Fractions[] = {{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};

/// How many digits stand in front of a prefix: 3, or 4 where these are exact (a given 989.5 TFLOP/s stays what it is).
unsigned scaledDigits(double V) {
  const double Short = rounded(V, PlainDigits);
  const bool Exact = std::fabs(V - Short) <= 1e-12 * std::fabs(V);
  return Exact ? PlainDigits : PrefixedDigits;
}

/// The largest prefix that leaves at least 1 as it will be printed; `Otherwise` when none does.
Prefix choosePrefix(double V, std::span<const Prefix> Prefixes, Prefix Otherwise) {
  for (const Prefix &P : Prefixes) {
    const double Scaled = std::fabs(V) / P.Factor;
    if (rounded(Scaled, scaledDigits(Scaled)) >= 1)
      return P;
  }
  return Otherwise;
}

std::string withPrefix(double V, Prefix P, const std::string &Unit) {
  return fmt::format("{} {}{}", formatReal(V / P.Factor, scaledDigits(V / P.Factor)), P.Text, Unit);
}

/// The base whose symbol is printed first, when it stands there with exponent 1 and can take a prefix.
std::optional<Base> leadingBase(Dim D) {
  for (unsigned I = 0; I < NumBases; ++I)
    if (D.Exponents[I] > 0)
      return D.Exponents[I] == 1 ? std::optional(static_cast<Base>(I)) : std::nullopt;
  return std::nullopt;
}

std::string formatMoney(double V, const std::string &Unit) {
  const bool WithCents = std::fabs(V) >= 1 && std::fabs(V) < 1e15;
  const std::string Digits =
      WithCents ? withThousands(std::string_view(fmt::format("{:.2f}", V))) : formatReal(V, PlainDigits);
  return Digits + ' ' + Unit;
}

std::string formatPlain(Num N, const std::string &Unit) {
  const std::string Digits = formatNumber(N, PlainDigits);
  // Nothing above the line: `0.5/replica` is what one would write.
  if (Unit.starts_with("1/"))
    return Digits + Unit.substr(1);
  return Unit.empty() ? Digits : Digits + ' ' + Unit;
}

} // namespace

std::string parlance::formatNumber(Num N, unsigned Digits) {
  if (N.isInt())
    return withThousands(N.integer());
  if (!N.isKnown())
    return std::string(poisonName(N));
  if (!isFinite(N))
    return std::isnan(N.real()) ? "unknown" : N.real() < 0 ? "-infinity" : "infinity";
  return formatReal(N.real(), std::max(Digits, 1u));
}

std::string parlance::formatQuantity(Num N, Dim D, bool Binary) {
  if (!N.isKnown())
    return std::string(poisonName(N));
  const std::string Unit = D.str();
  const double V = N.real();
  const auto Leading = leadingBase(D);
  if (!Leading || !isFinite(N))
    return formatPlain(N, Unit);
  constexpr Prefix None{1, ""};
  constexpr double SmallestShortened = 1e4;
  switch (*Leading) {
  case Base::Information:
    if (std::fabs(V) >= 1000)
      return withPrefix(V, choosePrefix(V, Binary ? ::Binary : ::Decimal, None), Unit);
    break;
  case Base::Arithmetic:
    if (std::fabs(V) >= 1000)
      return withPrefix(V, choosePrefix(V, ::Decimal, None), Unit);
    break;
  case Base::Elements:
    if (std::fabs(V) >= SmallestShortened)
      return withPrefix(V, choosePrefix(V, ::Decimal, None), Unit);
    break;
  case Base::Time:
    if (V != 0)
      return withPrefix(V, choosePrefix(V, Fractions, Fractions[3]), Unit);
    break;
  case Base::Money:
    return formatMoney(V, Unit);
  default:
    break;
  }
  return formatPlain(N, Unit);
}

std::string parlance::formatGiB(double Bytes) {
  constexpr double GiB = 1073741824;
  if (std::isnan(Bytes))
    return "unknown";
  const double Value = Bytes / GiB;
  if (std::isinf(Value))
    return Value < 0 ? "-infinity" : "infinity";
  // Small parts must not read as nothing at all.
  if (Value != 0 && std::fabs(Value) < 0.05)
    return fmt::format("{:.2g} GiB", Value);
  return withThousands(std::string_view(fmt::format("{:.1f}", Value))) + " GiB";
}

std::string parlance::formatPercent(double Ratio) {
  const Num Percent(Ratio * 100);
  if (!isFinite(Percent))
    return formatNumber(Percent);
  return formatReal(Percent.real(), PrefixedDigits) + " %";
}

std::string parlance::formatExact(Num N) {
  if (N.isInt())
    return fmt::format("{}", N.integer());
  if (!isFinite(N))
    return "null"; // JSON has no other word for it
  constexpr double LargestExact = 9007199254740992;
  const double V = N.real();
  if (std::trunc(V) == V && std::fabs(V) <= LargestExact && !(V == 0 && std::signbit(V)))
    return fmt::format("{}", static_cast<int64_t>(V));
  char Buffer[32];
  auto *const End = std::to_chars(Buffer, Buffer + sizeof Buffer, V).ptr;
  return std::string(Buffer, End);
}
