// Units: named exact scale factors of a dimension, and the unit expressions that users write behind numbers.
#pragma once
#include "Basic/Source.h"
#include "Units/Dim.h"
#include "Units/Num.h"
#include <span>
#include <string_view>

namespace parlance {

/// What a unit carries beside its dimension; part of a quantity's type.
enum class Qualifier : uint8_t { None, PerDirection, Bidirectional, Dense, Sparse };

/// An exact positive scale factor Numerator / Denominator * 10^Exp10 (GiB: 2^30; ns: 10^-9; bit: 1/8).
struct Scale {
  int64_t Numerator = 1, Denominator = 1;
  int Exp10 = 0;
  constexpr bool operator==(const Scale &) const = default;
};
/// Empty when the exact factor leaves 64 bits.
std::optional<Scale> multiply(Scale A, Scale B, int Exponent);

/// One spelling of a unit, with its prefix applied ("GiB", "params", "TFLOPS").
struct UnitName {
  std::string_view Name;
  Dim Dimension;
  Scale Factor;
  std::string_view Doc; ///< "byte", "second"
};
/// A spelling that is refused, with the sentence that says why and what to write ("bit or byte? write Gbit or GB").
struct RefusedUnit {
  std::string_view Name;
  std::string_view Message;
  std::span<const std::string_view> Replacements; ///< spellings to offer
};

/// All unit names; sorted by name. Generated from std/units.parl.
class UnitTable {
public:
  UnitTable() = default;
  UnitTable(std::span<const UnitName> Names, std::span<const RefusedUnit> Refused) : Names(Names), Refused(Refused) {}
  const UnitName *find(std::string_view Name) const;
  const RefusedUnit *refused(std::string_view Name) const;
  std::span<const UnitName> names() const { return Names; }
  std::span<const RefusedUnit> refusedNames() const { return Refused; }

private:
  std::span<const UnitName> Names;
  std::span<const RefusedUnit> Refused;
};

/// One factor of a written unit: `GB` or `/s` or `^2`.
struct UnitTerm {
  std::string_view Name;
  SourceRange Range;
  int Exponent = 1;
};
/// `TFLOP/s/gpu sparse`: as written; the checker resolves it against the table.
struct UnitExpr {
  std::vector<UnitTerm> Terms;
  Qualifier Qual = Qualifier::None;
  SourceRange QualRange;
  SourceRange Range;
};

/// The magnitudes written directly behind a number: k M G T, Ki Mi Gi Ti. Empty for anything else.
std::optional<Scale> magnitude(std::string_view Suffix);

/// The exact value of decimal digits (with `_`, a fraction, an exponent) times a factor. A count when it is integral
/// and `Counted`; a double otherwise; overflow when an integral count does not fit 64 bits.
Num literalValue(std::string_view Digits, Scale Factor, bool Counted);

} // namespace parlance
