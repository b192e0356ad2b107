// A `rule` of a user's file on one resolved job: the same declaration as the library's, evaluated from its tree.
#pragma once
#include "Analysis/Analyzer.h"

namespace parlance {

class FixFinder;

class UserRule {
public:
  UserRule(Program &P, Evaluator &E, LibraryTrees &Trees, Module &File, ast::Item &Rule)
      : P(P), E(E), Trees(Trees), File(File), Rule(Rule) {}
  /// Whether the job violates the rule; then its diagnostic is reported.
  Truth run(const Plan &Resolved, FixFinder &Fixes);
  /// Reports when the rule does not do on the job what a case of a test says.
  void test(const ast::Item &Case, const Plan &Resolved);
  /// Whether a job, or a changed one, violates the rule.
  Truth violated(const Plan &Resolved);
  /// Its severity; empty for a rule that was refused.
  std::optional<Severity> level() const;

private:
  Truth violated(const RuleForm &Form, const Plan &Resolved);
  std::string whyNot(const RuleForm &Form, const Plan &Resolved, std::vector<Derivation> &Into);
  std::vector<Derivation> derivations(const RuleForm &Form, const Plan &Resolved);
  const ast::Expr *parse(std::string_view Part);
  std::string text(const ast::Item *Field, const Plan &Resolved);
  std::string text(std::string_view Text, const Plan &Resolved);
  Evaluator::Frame frame(const Plan &Resolved) const;

  Program &P;
  Evaluator &E;
  LibraryTrees &Trees;
  Module &File;
  ast::Item &Rule;
};

} // namespace parlance
