// A number at run time, in base units: an exact 64-bit count, a double, or one of two poisons.
#pragma once
#include <cmath>
#include <compare>
#include <cstdint>

namespace parlance {

/// Three-valued truth: what depends on an unknown is unknown, and no rule fires on it.
enum class Truth : uint8_t { False, True, Unknown };
constexpr Truth truth(bool B) { return B ? Truth::True : Truth::False; }
constexpr Truth operator!(Truth T) { return T == Truth::Unknown ? T : truth(T == Truth::False); }
constexpr Truth operator&(Truth A, Truth B) {
  if (A == Truth::False || B == Truth::False)
    return Truth::False;
  return A == Truth::True && B == Truth::True ? Truth::True : Truth::Unknown;
}
constexpr Truth operator|(Truth A, Truth B) { return !((!A) & (!B)); }

/// Counts stay exact; an overflow poisons the result and is reported by whoever reads it. Division is exact when it
/// comes out even and a double otherwise. Generated and interpreted formulas use this one class.
class Num {
public:
  enum class Rep : uint8_t { Int, Real, Overflow, Unknown };
  constexpr Num() : Num(static_cast<int64_t>(0)) {}
  constexpr Num(int64_t V) : I(V), R(Rep::Int) {}
  constexpr Num(int V) : Num(static_cast<int64_t>(V)) {}
  constexpr Num(double V) : D(V), R(Rep::Real) {}
  static constexpr Num overflow() { return Num(Rep::Overflow); }
  static constexpr Num unknown() { return Num(Rep::Unknown); }

  constexpr Rep rep() const { return R; }
  constexpr bool isInt() const { return R == Rep::Int; }
  constexpr bool isKnown() const { return R <= Rep::Real; }
  constexpr bool isOverflow() const { return R == Rep::Overflow; }
  constexpr bool isUnknown() const { return R == Rep::Unknown; }
  /// The exact count; only for isInt().
  constexpr int64_t integer() const { return I; }
  /// The value as a double; NaN for a poison.
  constexpr double real() const {
    return R == Rep::Int ? static_cast<double>(I) : R == Rep::Real ? D : __builtin_nan("");
  }
  /// An exact count, also from a double that is integral and below 2^53.
  bool isIntegral() const {
    return isInt() || (R == Rep::Real && std::trunc(D) == D && std::fabs(D) <= 9007199254740992.0);
  }
  int64_t toInteger() const { return isInt() ? I : static_cast<int64_t>(D); }

private:
  constexpr explicit Num(Rep Poison) : I(0), R(Poison) {}
  union {
    int64_t I;
    double D;
  };
  Rep R;
};

/// The operations for all operands. The operators below do in place what neither overflows nor is unknown: an estimate
/// is some thousand of them.
Num add(Num A, Num B);
Num subtract(Num A, Num B);
Num multiply(Num A, Num B);
Num divide(Num A, Num B);

inline Num operator+(Num A, Num B) {
  if (A.isInt() && B.isInt()) {
    if (int64_t R; !__builtin_add_overflow(A.integer(), B.integer(), &R))
      return R;
  } else if (A.isKnown() && B.isKnown()) {
    if (double R = A.real() + B.real(); std::isfinite(R))
      return R;
  }
  return add(A, B);
}
inline Num operator-(Num A, Num B) {
  if (A.isInt() && B.isInt()) {
    if (int64_t R; !__builtin_sub_overflow(A.integer(), B.integer(), &R))
      return R;
  } else if (A.isKnown() && B.isKnown()) {
    if (double R = A.real() - B.real(); std::isfinite(R))
      return R;
  }
  return subtract(A, B);
}
inline Num operator*(Num A, Num B) {
  if (A.isInt() && B.isInt()) {
    if (int64_t R; !__builtin_mul_overflow(A.integer(), B.integer(), &R))
      return R;
  } else if (A.isKnown() && B.isKnown()) {
    if (double R = A.real() * B.real(); std::isfinite(R))
      return R;
  }
  return multiply(A, B);
}
/// By zero: an unknown (the checker reports it where it can be seen).
inline Num operator/(Num A, Num B) {
  if (!(A.isInt() && B.isInt()) && A.isKnown() && B.isKnown() && B.real() != 0)
    if (double R = A.real() / B.real(); std::isfinite(R))
      return R;
  return divide(A, B);
}
Num operator-(Num A);
/// Remainder of two integers with the sign of the divisor (as Python); unknown for a zero divisor or non-integers.
Num mod(Num A, Num B);
Num power(Num A, int N);
Num minimum(Num A, Num B);
Num maximum(Num A, Num B);
Num absolute(Num A);
Num floorOf(Num A);
Num ceilOf(Num A);
Num roundOf(Num A);
Num sqrtOf(Num A);
Num log2Of(Num A);
/// A^B for real exponents (dimensionless only).
Num powReal(Num A, Num B);
Truth less(Num A, Num B);
Truth lessEqual(Num A, Num B);
Truth equal(Num A, Num B);
/// B % A == 0 for integers.
Truth divides(Num A, Num B);
inline Num select(Truth T, Num A, Num B) { return T == Truth::True ? A : T == Truth::False ? B : Num::unknown(); }

} // namespace parlance
