// A `rule` of a user's file on one resolved job: the same declaration as the library's, evaluated from its tree.
#pragma once
#include "Analysis/Analyzer.h"
#include "Analysis/RuleReporter.h"

namespace parlance {

class UserRule : public JudgedRule {
public:
  /// Of a rule that was checked without an error.
  UserRule(Program &P, Evaluator &E, LibraryTrees &Trees, Module &File, ast::Item &Rule, const RuleForm &Form)
      : P(P), E(E), Trees(Trees), File(File), Rule(Rule), Form(Form),
        Declared(std::make_shared<DeclaredRule>(Rule, Form, P.Sources)) {}
  /// The same where the rule can be read.
  static std::optional<UserRule> of(Program &P, Evaluator &E, LibraryTrees &Trees, Module &File, ast::Item &Rule);

  /// Whether the job violates the rule; then its diagnostic is reported.
  Truth run(const Plan &Resolved, FixFinder &Fixes);
  /// Reports when the rule does not do on the job what a case of a test says.
  void test(const ast::Item &Case, const Plan &Resolved);

  const RuleDecl &declaration() const override { return Declared->Decl; }
  Truth violated(const Plan &Resolved) override;
  const ast::Expr *expression(std::string_view Text, const Type *Wanted) override;
  const ast::Expr *condition() override { return Form.Unless ? Form.Unless : Form.When; }
  Evaluator::Frame frame(const Plan &Resolved) const override;
  SourceRange place() const override { return Rule.Id.Range; }

private:
  Truth judge(const Plan &Resolved);
  std::string whyNot(const Plan &Resolved, std::vector<Derivation> &Into);

  Program &P;
  Evaluator &E;
  LibraryTrees &Trees;
  Module &File;
  ast::Item &Rule;
  RuleForm Form;
  std::shared_ptr<DeclaredRule> Declared; ///< of all copies
};

} // namespace parlance
