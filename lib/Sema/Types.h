// Types in words, resolution of written units and types, and what is said when two sides do not fit.
#pragma once
#include "Sema/Library.h"
#include <deque>

namespace parlance {

/// "`B/gpu`" without the backticks; "ratio", "bool", "model", "none | selective | full".
std::string typeName(const Type &T);

/// Storage of enumerations that are written in place in a type.
class TypeArena {
public:
  const EnumDecl *enumeration(std::vector<std::string_view> Values, std::string_view Name = {},
                              std::string_view Doc = {});
  const std::deque<EnumDecl> &enums() const { return Enums; }

private:
  std::deque<EnumDecl> Enums;
  std::deque<std::vector<std::string_view>> Stores;
};

/// The number that a unit stands behind, or nothing. What is offered for the unit must not change the value.
struct NumberBefore {
  SourceRange Range; ///< of digits and magnitude
  std::string_view Digits, Magnitude;
};
/// Reports a word that is not a unit, with what keeps the value: `4M tok` for `4 Mtok`, `300 s` for `5 min`.
void reportUnknownUnit(DiagnosticEngine &Diags, const UnitTable &Units, const ast::Name &Word,
                       const NumberBefore &Number);

/// Turns written units and types into dimensions, factors and types; reports what it cannot resolve.
class TypeResolver {
public:
  TypeResolver(const Library &Lib, TypeArena &Arena, DiagnosticEngine &Diags) : Lib(Lib), Arena(Arena), Diags(Diags) {}

  struct ResolvedUnit {
    Dim Dimension;
    Scale Factor;
    Qualifier Qual = Qualifier::None;
  };
  /// Empty after an error, which is reported at the unit.
  std::optional<ResolvedUnit> unit(const UnitExpr &Unit, const NumberBefore &Number = {});
  /// All alternatives of a written type, the first one first; `Type::Kind::Error` after an error.
  std::vector<Type> alternatives(const ast::TypeExpr &Written);
  /// A type without alternatives.
  Type type(const ast::TypeExpr &Written);

private:
  std::optional<Type> word(const ast::Name &Word);
  const Library &Lib;
  TypeArena &Arena;
  DiagnosticEngine &Diags;
};

/// Whether a value of type `Actual` may stand where `Expected` is wanted; bare integers adopt populations.
bool fits(const Type &Expected, const Type &Actual);
/// The same for a field, where populations that the field implies may be left out.
bool fitsField(const Type &Expected, const Type &Actual);

/// Adds the notes of a unit mismatch: the missing factor, and one likely crossing when the difference is simple.
void explainMismatch(Diagnostic &D, Dim Expected, Dim Actual);

} // namespace parlance
