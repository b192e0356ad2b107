// Why a value is not known: the fields that nobody gave and no formula gives.
#pragma once
#include "Eval/Evaluator.h"
#include "Eval/LibraryTrees.h"

namespace parlance {

/// A field without a value that a formula needs.
struct UnknownField {
  std::string Name;       ///< "model.vocab", "h100_sxm.peak.fp8"
  const FieldDecl *Field; ///< its declaration
  const Record *Of;       ///< the record that lacks it
  SourceRange Range;      ///< where it was given, and what is given is not known; empty: nowhere
  bool operator==(const UnknownField &Other) const { return Name == Other.Name; }
};

/// Follows formulas of the library down to what they lack.
class UnknownFinder {
public:
  UnknownFinder(Evaluator &E, LibraryTrees &Trees, const Record &Job) : E(E), Trees(Trees), Job(Job) {}

  /// What a derived quantity of the job lacks; nothing for one that is known, or that does not apply.
  std::vector<UnknownField> ofDerived(uint32_t Index, Evaluator::Frame F);
  /// What a condition lacks to be decided.
  std::vector<UnknownField> ofCondition(const ast::Expr &X, Evaluator::Frame F);

private:
  using Frame = Evaluator::Frame;
  void visit(const ast::Expr &X, Frame &F);
  void visitParts(const ast::Expr &X, Frame &F);
  void visitCall(const ast::Expr &X, Frame &F);
  void visitReduction(const ast::Expr &X, Frame &F);
  void visitDerived(uint32_t Index, std::vector<Value> Args, Frame &F);
  void visitField(const ast::Expr &X, Frame &F);
  std::string nameOf(const Record &Of) const;

  Evaluator &E;
  LibraryTrees &Trees;
  const Record &Job;
  std::vector<UnknownField> Found;
  std::set<std::string> Seen;           ///< derived quantities that were followed, with their arguments
  std::set<unsigned> *Locals = nullptr; ///< parameters of the function that is followed, as far as they are not known
};

} // namespace parlance
