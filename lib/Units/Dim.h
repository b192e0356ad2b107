// Dimensions: products of base dimensions with exact integer exponents.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// The base dimensions, in the order in which messages print them. std/units.parl declares the units over them.
enum class Base : uint8_t {
  Information,
  Elements,
  Arithmetic,
  Tokens,
  Sequences,
  Time,
  Money,
  // Populations: things that are counted. A bare integer may adopt them.
  Gpu,
  Node,
  Replica,
  Stage,
  Layer,
  Microbatch,
};
inline constexpr unsigned NumBases = 13;
inline constexpr unsigned FirstPopulation = static_cast<unsigned>(Base::Gpu);

/// "information", "elements", …, "gpu": the name of the dimension in std/units.parl.
std::string_view baseName(Base B);
/// "B", "elem", "FLOP", "tok", …: how a dimension is written in messages.
std::string_view baseSymbol(Base B);
std::optional<Base> baseNamed(std::string_view Name);

class Dim {
public:
  constexpr Dim() = default;
  static constexpr Dim of(Base B, int Exponent = 1) {
    Dim D;
    D.Exponents[static_cast<unsigned>(B)] = static_cast<int8_t>(Exponent);
    return D;
  }
  constexpr int operator[](Base B) const { return Exponents[static_cast<unsigned>(B)]; }
  constexpr bool operator==(const Dim &) const = default;
  constexpr Dim operator*(Dim O) const { return combine(O, 1); }
  constexpr Dim operator/(Dim O) const { return combine(O, -1); }
  constexpr Dim power(int N) const {
    Dim R;
    for (unsigned I = 0; I < NumBases; ++I)
      R.Exponents[I] = static_cast<int8_t>(Exponents[I] * N);
    return R;
  }
  constexpr bool isNone() const { return *this == Dim(); }
  /// Only populations, at least one (`gpu/stage`): what a bare integer may adopt.
  constexpr bool isPopulation() const { return !isNone() && withoutPopulations().isNone(); }
  constexpr Dim withoutPopulations() const {
    Dim R = *this;
    for (unsigned I = FirstPopulation; I < NumBases; ++I)
      R.Exponents[I] = 0;
    return R;
  }
  constexpr bool hasPopulations() const { return withoutPopulations() != *this; }
  /// FLOP, seconds and money are measured, never counted: values in them are doubles.
  constexpr bool isMeasured() const { return (*this)[Base::Arithmetic] || (*this)[Base::Time] || (*this)[Base::Money]; }
  /// How many base dimensions occur.
  unsigned size() const;
  /// Exponents that would leave the int8 range are refused by the checker before they arise:
  /// |exponent| <= 32.
  constexpr bool inRange() const {
    for (int8_t E : Exponents)
      if (E > 32 || E < -32)
        return false;
    return true;
  }
  /// "B/s/gpu", "elem·FLOP/(tok·B)", "1/replica"; "" for none.
  std::string str() const;

  std::array<int8_t, NumBases> Exponents{};

private:
  constexpr Dim combine(Dim O, int Sign) const {
    Dim R;
    for (unsigned I = 0; I < NumBases; ++I)
      R.Exponents[I] = static_cast<int8_t>(Exponents[I] + Sign * O.Exponents[I]);
    return R;
  }
};

} // namespace parlance
