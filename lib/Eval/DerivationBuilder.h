// Derivations: how a value came about, as data. Every formula with its numbers in place, down to what the user wrote.
#pragma once
#include "Eval/Evaluator.h"
#include "Eval/LibraryTrees.h"

namespace parlance {

class DerivationBuilder {
public:
  /// Memory is shown in GiB, or in GB with `Decimal`.
  DerivationBuilder(Evaluator &E, LibraryTrees &Trees, bool Decimal = false) : E(E), Trees(Trees), Decimal(Decimal) {}

  /// The derivation of an expression; `Name` heads it ("" for an expression of the user's own).
  Derivation of(const ast::Expr &Expression, Evaluator::Frame &F, std::string Name = {});
  /// The derivation of a derived quantity of the job.
  Derivation ofDerived(uint32_t Index, const std::vector<Value> &Args, Evaluator::Frame &F);
  /// An expression with values in place of names: `2 * (16 - 1) / 16 * 3.2 GB / (50 GB/s)`.
  std::string substituted(const ast::Expr &Expression, Evaluator::Frame &F);
  /// A value as it is shown: with its unit, an enumerator by its word.
  std::string shown(const Value &V, const Type &T) const;

private:
  using Frame = Evaluator::Frame;
  template <typename Build> Derivation fitting(Build B);
  Derivation derived(uint32_t Index, const std::vector<Value> &Args, Frame &F);
  Derivation describe(const ast::Expr &X, Frame &F, unsigned Depth);
  void terms(const ast::Expr &X, Frame &F, Derivation &Into, unsigned Depth);
  void addTerm(Derivation &Into, Derivation Term);
  std::optional<Derivation> leaf(const ast::Expr &X, Frame &F, unsigned Depth);
  Derivation hidden(std::string Name, SourceRange At) const;
  Derivation given(const ast::Expr &X, Frame &F);
  Derivation call(const ast::Expr &X, Frame &F, unsigned Depth);
  void reduction(const ast::Expr &X, Frame &F, Derivation &Into, unsigned Depth);
  const ast::Expr *withoutNothing(const ast::Expr &X, Frame &F);
  bool isIdentity(const ast::Expr &X);
  bool extremum(const ast::Expr &X, Frame &F, Derivation &Into, unsigned Depth);
  std::string print(const ast::Expr &X, Frame &F, int Outer, bool Values);
  void setValue(Derivation &D, const Value &V, const Type &T) const;

  Evaluator &E;
  LibraryTrees &Trees;
  bool Decimal;
  bool Binary = false;               ///< bytes are shown in GiB at the moment
  unsigned Budget = 0, MaxDepth = 0; ///< terms and levels that may still be added
  std::set<std::string, std::less<>> Seen;
};

/// The origin of a field of a record reached by an expression such as `layout.tp`: what a caret can point at.
struct FieldOrigin {
  SourceRange Range;
  std::string Where; ///< "default", "std/models.parl:31", a reason; "" when the range says it
};
/// Whether an expression holds a value or a declaration of a file that is not to be shown. What the library computes
/// from such a value is not one.
bool readsOutside(const ast::Expr &X, Evaluator &E, Evaluator::Frame &F);
/// What stands for such a value.
inline constexpr std::string_view NotShown = "…";
FieldOrigin originOf(const ast::Expr &X, Evaluator &E, Evaluator::Frame &F);

} // namespace parlance
