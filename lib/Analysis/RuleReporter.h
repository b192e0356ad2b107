// Writes what was found of a violated rule, the library's or a user's.
#pragma once
#include "Eval/DerivationBuilder.h"
#include "Plan/Plan.h"

namespace parlance {

class FixFinder;

/// A rule that can be judged on jobs, with the expressions that its texts hold.
class JudgedRule {
public:
  virtual ~JudgedRule() = default;
  virtual const RuleDecl &declaration() const = 0;
  /// Whether a job, or a changed one, violates it.
  virtual Truth violated(const Plan &P) = 0;
  /// An expression that stands in its declaration, typed; null where it has an error.
  virtual const ast::Expr *expression(std::string_view Text, const Type *Wanted = nullptr) = 0;
  /// What does not hold: its `unless`, or else its `when`; null where it cannot be read.
  virtual const ast::Expr *condition() = 0;
  /// What its expressions see.
  virtual Evaluator::Frame frame(const Plan &P) const = 0;
  /// Where the user can read it; nowhere for the library's.
  virtual SourceRange place() const { return {}; }
};

class RuleReporter {
public:
  RuleReporter(JudgedRule &Rule, const Plan &P, Evaluator &E, LibraryTrees &Trees)
      : Rule(Rule), R(Rule.declaration()), P(P), E(E), Trees(Trees) {}

  /// The diagnostic, with derivation and verified fixes.
  Diagnostic report(FixFinder &Fixes);
  /// Its message with the job's values.
  std::string message() { return text(R.Message); }
  /// How what it explains, or else its condition, came about.
  std::vector<Derivation> derivations();

private:
  std::string text(std::string_view Text);
  const ast::Expr *explained();
  bool isAboutMemory();
  std::vector<Fix> fixes(FixFinder &Fixes);

  JudgedRule &Rule;
  const RuleDecl &R;
  const Plan &P;
  Evaluator &E;
  LibraryTrees &Trees;
};

} // namespace parlance
