#include "Analysis/UserRule.h"
#include "Analysis/Conditions.h"
#include "Analysis/RuleRunner.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"

namespace parlance {

using namespace ast;

std::optional<UserRule> UserRule::of(Program &P, Evaluator &E, LibraryTrees &Trees, Module &File, Item &Rule) {
  DiagnosticEngine Ignored; // it was checked with the file
  auto Form = ruleForm(Rule, Ignored);
  return Form ? std::optional<UserRule>(std::in_place, P, E, Trees, File, Rule, *Form) : std::nullopt;
}

Evaluator::Frame UserRule::frame(const Plan &Resolved) const {
  Evaluator::Frame F = Resolved.frame(&File);
  F.Locals.resize(Rule.FrameSize);
  return F;
}

Truth UserRule::violated(const Plan &Resolved) {
  E.forgetLets(); // those of another job
  return judge(Resolved);
}

Truth UserRule::judge(const Plan &Resolved) {
  if (!isFor(declaration().Frameworks, Resolved))
    return Truth::False;
  Evaluator::Frame F = frame(Resolved);
  Truth When = Form.When ? E.condition(*Form.When, F) : Truth::True;
  Truth Unless = Form.Unless ? E.condition(*Form.Unless, F) : Truth::False;
  return When & !Unless;
}

/// A part of the file's own text, so that the file's names are in its scope.
const Expr *UserRule::expression(std::string_view Text, const Type *Wanted) {
  std::string_view Whole = P.Sources.file(File.Tree->File).text();
  auto Begin = static_cast<uint32_t>(Text.data() - Whole.data());
  DiagnosticEngine Ignored; // it was checked with the file
  Expr *X = parseExpression(*File.Tree, P.Sources, {File.Tree->File, Begin, Begin + static_cast<uint32_t>(Text.size())},
                            P.Lib.Units, Ignored);
  if (!X)
    return nullptr;
  Scope S;
  S.File = &File;
  S.Self = P.Lib.schema("job");
  S.Derives = true;
  ExprChecker(P.Sources, P.Lib, P.Arena, Ignored).check(*X, S, Wanted);
  return X;
}

Truth UserRule::run(const Plan &Resolved, FixFinder &Fixes) {
  Truth Violated = judge(Resolved);
  if (Violated == Truth::True)
    E.Diags.add(RuleReporter(*this, Resolved, E, Trees).report(Fixes));
  return Violated;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Why a rule does not fire: the part of its condition that decides, with its values.
std::string UserRule::whyNot(const Plan &Resolved, std::vector<Derivation> &Into) {
  if (auto Targets = declaration().Frameworks; !isFor(Targets, Resolved))
    return fmt::format("does not fire: it is for {}, not for the job's target", joinList(Targets));
  Evaluator::Frame F = frame(Resolved);
  DerivationBuilder Builder(E, Trees);
  Truth When = Form.When ? E.condition(*Form.When, F) : Truth::True;
  bool ByUnless = When == Truth::True;
  const Expr &Condition = ByUnless ? *Form.Unless : *Form.When;
  Truth Is = ByUnless ? E.condition(Condition, F) : When;
  const Expr &Part = decisive(Condition, Is, E, F);
  Into = sides(Part, Builder, F);
  std::string_view Said = Is == Truth::Unknown ? "not known" : Is == Truth::True ? "true" : "false";
  std::string Values = Is == Truth::Unknown ? "" : comparison(Part, Is, Builder, E, F);
  return fmt::format("does not fire: `{}` is {}{}", quoted(P.Sources.text(Part.Range)), Said,
                     Values.empty() ? "" : fmt::format(" ({})", Values));
}

void UserRule::test(const Item &Case, const Plan &Resolved) {
  bool Wanted = Case.Id2.Text == "fires";
  unsigned Before = E.Diags.errors();
  bool Fires = judge(Resolved) == Truth::True;
  if (Fires == Wanted || E.Diags.errors() != Before)
    return;
  std::vector<Derivation> Why;
  std::string Said;
  if (Wanted) {
    Said = whyNot(Resolved, Why);
  } else {
    RuleReporter Reporter(*this, Resolved, E, Trees);
    Said = "fires: " + Reporter.message();
    Why = Reporter.derivations();
  }
  Diagnostic &D = E.Diags.report(diag::TestFailed, Case.Id2.Range, Rule.Id.Text, Said);
  D.Notes.push_back({Rule.Id.Range, fmt::format("rule `{}` is declared here", Rule.Id.Text)});
  D.Derivations = std::move(Why);
}

} // namespace parlance
