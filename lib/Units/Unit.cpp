#include "Units/Unit.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

using namespace parlance;

namespace {

__extension__ using Wide = __int128;
constexpr int64_t Largest = std::numeric_limits<int64_t>::max();

template <typename Row> const Row *findSorted(std::span<const Row> Rows, std::string_view Name) {
  const auto At = std::lower_bound(Rows.begin(), Rows.end(), Name,
                                   [](const Row &Entry, std::string_view N) { return Entry.Name < N; });
  return At != Rows.end() && At->Name == Name ? &*At : nullptr;
}

Wide greatestDivisor(Wide A, Wide B) {
  while (B != 0) {
    const Wide Rest = A % B;
    A = B;
    B = Rest;
  }
  return A;
}

/// Lowest terms, with factors of ten moved into the exponent so that equal factors look equal.
Scale normal(Scale S) {
  const int64_t Divisor = std::gcd(S.Numerator, S.Denominator);
  S.Numerator /= Divisor;
  S.Denominator /= Divisor;
  for (; S.Numerator % 10 == 0; S.Numerator /= 10)
    ++S.Exp10;
  for (; S.Denominator % 10 == 0; S.Denominator /= 10)
    --S.Exp10;
  return S;
}

std::optional<Scale> product(Scale A, Scale B) {
  // Crosswise reduction first: only what is left can overflow for real.
  const int64_t Left = std::gcd(A.Numerator, B.Denominator);
  const int64_t Right = std::gcd(B.Numerator, A.Denominator);
  Scale R;
  if (__builtin_mul_overflow(A.Numerator / Left, B.Numerator / Right, &R.Numerator) ||
      __builtin_mul_overflow(A.Denominator / Right, B.Denominator / Left, &R.Denominator) ||
      __builtin_add_overflow(A.Exp10, B.Exp10, &R.Exp10))
    return std::nullopt;
  return normal(R);
}

/// Digits * 10^Exp10, as written, without zeros at either end ("" for zero).
struct Decimal {
  std::string Digits;
  int64_t Exp10 = 0;
  bool Plain = true; ///< neither fraction nor exponent was written
  /// The digits as a number; empty when it does not fit.
  std::optional<Wide> mantissa() const {
    constexpr size_t AlwaysFit = 38;
    if (Digits.size() > AlwaysFit)
      return std::nullopt;
    Wide Value = 0;
    for (const char C : Digits)
      Value = Value * 10 + (C - '0');
    return Value;
  }
};

/// Reads an exponent; one that leaves any range of doubles is cut off, as its exact value cannot matter.
std::optional<int64_t> parseExponent(std::string_view Text) {
  constexpr int64_t Limit = 1'000'000'000;
  const bool Negative = Text.starts_with('-');
  if (Negative || Text.starts_with('+'))
    Text.remove_prefix(1);
  int64_t Value = 0;
  bool AnyDigit = false;
  for (const char C : Text) {
    if (C == '_')
      continue;
    if (C < '0' || C > '9')
      return std::nullopt;
    AnyDigit = true;
    Value = std::min(Value * 10 + (C - '0'), Limit);
  }
  if (!AnyDigit)
    return std::nullopt;
  return Negative ? -Value : Value;
}

std::optional<Decimal> parseDecimal(std::string_view Text) {
  Decimal D;
  bool AnyDigit = false, InFraction = false;
  const size_t Mark = std::min(Text.find_first_of("eE"), Text.size());
  for (const char C : Text.substr(0, Mark)) {
    if (C == '_')
      continue;
    if (C == '.' && !InFraction) {
      InFraction = true;
      continue;
    }
    if (C < '0' || C > '9')
      return std::nullopt;
    AnyDigit = true;
    D.Exp10 -= InFraction;
    if (C != '0' || !D.Digits.empty())
      D.Digits += C;
  }
  if (!AnyDigit)
    return std::nullopt;
  D.Plain = !InFraction && Mark == Text.size();
  if (Mark < Text.size()) {
    const auto Exponent = parseExponent(Text.substr(Mark + 1));
    if (!Exponent)
      return std::nullopt;
    D.Exp10 += *Exponent;
  }
  for (; D.Digits.ends_with('0'); D.Digits.pop_back())
    ++D.Exp10;
  return D;
}

/// What a literal is as a count.
struct Count {
  enum { Exact, TooLarge, NotIntegral } Kind = NotIntegral;
  int64_t Value = 0;
};

/// Decides exactly whether D * F is a count. D is not zero.
Count countOf(const Decimal &D, Scale F) {
  const auto Mantissa = D.mantissa();
  int64_t Exp10 = D.Exp10 + F.Exp10;
  const Count WhenLong{Exp10 >= 0 ? Count::TooLarge : Count::NotIntegral};
  if (!Mantissa)
    return WhenLong;
  const Wide Common = greatestDivisor(*Mantissa, F.Denominator);
  const Wide Shared = greatestDivisor(F.Numerator, F.Denominator / Common);
  Wide Above = *Mantissa / Common, Below = F.Denominator / Common / Shared;
  if (__builtin_mul_overflow(Above, F.Numerator / Shared, &Above))
    return WhenLong;
  for (; Exp10 > 0; --Exp10) {
    const Wide Shorten = greatestDivisor(10, Below);
    Below /= Shorten;
    // Below fits 64 bits, so a numerator over 127 bits is a count over 63.
    if (__builtin_mul_overflow(Above, 10 / Shorten, &Above))
      return {Count::TooLarge};
  }
  // In lowest terms a denominator never goes away again, however many tens follow.
  for (; Exp10 < 0 && Below == 1; ++Exp10) {
    const Wide Shorten = greatestDivisor(10, Above);
    Above /= Shorten;
    Below = 10 / Shorten;
  }
  if (Below != 1)
    return {Count::NotIntegral};
  if (Above > Largest)
    return {Count::TooLarge};
  return {Count::Exact, static_cast<int64_t>(Above)};
}

std::string toString(Wide Value) {
  std::string Text;
  for (; Value > 0; Value /= 10)
    Text.insert(Text.begin(), static_cast<char>('0' + static_cast<int>(Value % 10)));
  return Text;
}

/// The nearest number to Digits * 10^Exp10; infinity and zero out of range.
template <typename Real> Real convert(const std::string &Digits, int64_t Exp10) {
  const std::string Text = Digits + 'e' + std::to_string(Exp10);
  Real Value = 0;
  const auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc::result_out_of_range)
    return Value;
  const bool IsLarge = static_cast<int64_t>(Digits.size()) + Exp10 > 0;
  return IsLarge ? std::numeric_limits<Real>::infinity() : 0;
}

/// The double nearest to D * F: exactly rounded when the denominator is a power of two (all prefixes, bits), and within
/// the last bit otherwise. D is not zero.
Num realOf(const Decimal &D, Scale F) {
  const int64_t Exp10 = D.Exp10 + F.Exp10;
  const int TwosAbove = __builtin_ctzll(static_cast<uint64_t>(F.Numerator));
  const int TwosBelow = __builtin_ctzll(static_cast<uint64_t>(F.Denominator));
  const int64_t OddAbove = F.Numerator >> TwosAbove, OddBelow = F.Denominator >> TwosBelow;
  const auto Mantissa = D.mantissa();
  Wide Product = 0;
  double Value;
  if (OddAbove == 1 && OddBelow == 1)
    Value = convert<double>(D.Digits, Exp10);
  else if (Mantissa && OddBelow == 1 && !__builtin_mul_overflow(*Mantissa, static_cast<Wide>(OddAbove), &Product))
    Value = convert<double>(toString(Product), Exp10);
  else
    Value = static_cast<double>(convert<long double>(D.Digits, Exp10) * static_cast<long double>(OddAbove) /
                                static_cast<long double>(OddBelow));
  Value = std::scalbn(Value, TwosAbove - TwosBelow); // exact
  return std::isinf(Value) ? Num::overflow() : Num(Value);
}

} // namespace

std::optional<Scale> parlance::multiply(Scale A, Scale B, int Exponent) {
  constexpr int MaxExponent = 64; // 2^64 leaves the range; a factor of 10 alone never needs more
  if (Exponent > MaxExponent || Exponent < -MaxExponent)
    return std::nullopt;
  if (Exponent < 0) {
    std::swap(B.Numerator, B.Denominator);
    B.Exp10 = -B.Exp10;
    Exponent = -Exponent;
  }
  std::optional<Scale> Result = normal(A);
  B = normal(B);
  for (int I = 0; I < Exponent && Result; ++I)
    Result = product(*Result, B);
  return Result;
}

const UnitName *UnitTable::find(std::string_view Name) const { return findSorted(Names, Name); }
const RefusedUnit *UnitTable::refused(std::string_view Name) const { return findSorted(Refused, Name); }

std::optional<Scale> parlance::magnitude(std::string_view Suffix) {
  constexpr std::string_view Letters = "kMGT", BinaryLetters = "KMGT";
  if (Suffix.size() == 1)
    if (const size_t I = Letters.find(Suffix[0]); I != std::string_view::npos)
      return Scale{1, 1, 3 * (static_cast<int>(I) + 1)};
  if (Suffix.size() == 2 && Suffix[1] == 'i')
    if (const size_t I = BinaryLetters.find(Suffix[0]); I != std::string_view::npos)
      return Scale{static_cast<int64_t>(1) << 10 * (I + 1), 1, 0};
  return std::nullopt;
}

Num parlance::literalValue(std::string_view Digits, Scale Factor, bool Counted) {
  const auto D = parseDecimal(Digits);
  if (!D || Factor.Numerator <= 0 || Factor.Denominator <= 0)
    return Num::unknown();
  if (D->Digits.empty())
    return Counted ? Num(0) : Num(0.0);
  if (!Counted)
    return realOf(*D, Factor);
  const Count Exact = countOf(*D, Factor);
  if (Exact.Kind == Count::Exact)
    return Exact.Value;
  return Exact.Kind == Count::TooLarge && D->Plain ? Num::overflow() : realOf(*D, Factor);
}
