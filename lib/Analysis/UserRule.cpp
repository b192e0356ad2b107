#include "Analysis/UserRule.h"
#include "Analysis/Conditions.h"
#include "Analysis/FixFinder.h"
#include "Analysis/MemoryBars.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"

namespace parlance {

using namespace ast;

static std::optional<RuleForm> formOf(const Item &Rule) {
  DiagnosticEngine Ignored; // it was checked with the file
  return ruleForm(Rule, Ignored);
}

std::optional<Severity> UserRule::level() const {
  auto Form = formOf(Rule);
  return Form ? std::optional(Form->Level) : std::nullopt;
}

Truth UserRule::violated(const Plan &Resolved) {
  E.forgetLets(); // those of a changed job
  return violated(*formOf(Rule), Resolved);
}

Evaluator::Frame UserRule::frame(const Plan &Resolved) const {
  Evaluator::Frame F = Resolved.frame(&File);
  F.Locals.resize(Rule.FrameSize);
  return F;
}

static std::vector<std::string_view> frameworks(const RuleForm &Form) {
  std::vector<std::string_view> Names;
  for (const Expr *Word : Form.Frameworks)
    Names.push_back(Word->Text);
  return Names;
}

Truth UserRule::violated(const RuleForm &Form, const Plan &Resolved) {
  if (!isFor(frameworks(Form), Resolved))
    return Truth::False;
  Evaluator::Frame F = frame(Resolved);
  Truth When = Form.When ? E.condition(*Form.When, F) : Truth::True;
  Truth Unless = Form.Unless ? E.condition(*Form.Unless, F) : Truth::False;
  return When & !Unless;
}

/// An expression of a message: a part of the file's own text, so that the file's names are in its scope.
const Expr *UserRule::parse(std::string_view Part) {
  std::string_view Whole = P.Sources.file(File.Tree->File).text();
  auto Begin = static_cast<uint32_t>(Part.data() - Whole.data());
  DiagnosticEngine Ignored; // it was checked with the file
  Expr *X = parseExpression(*File.Tree, P.Sources, {File.Tree->File, Begin, Begin + static_cast<uint32_t>(Part.size())},
                            P.Lib.Units, Ignored);
  if (!X)
    return nullptr;
  Scope S;
  S.File = &File;
  S.Self = P.Lib.schema("job");
  S.Derives = true;
  ExprChecker(P.Sources, P.Lib, P.Arena, Ignored).check(*X, S);
  return X;
}

std::string UserRule::text(std::string_view Text, const Plan &Resolved) {
  Evaluator::Frame F = Resolved.frame(&File);
  return interpolate(Text, E, F, [&](std::string_view Part) { return parse(Part); });
}

std::string UserRule::text(const Item *Field, const Plan &Resolved) {
  return Field ? text(Field->Value->Text, Resolved) : "";
}

std::vector<Derivation> UserRule::derivations(const RuleForm &Form, const Plan &Resolved) {
  Evaluator::Frame F = frame(Resolved);
  const Expr *Shown = Form.Explain ? Form.Explain : Form.Unless ? Form.Unless : Form.When;
  return {DerivationBuilder(E, Trees).of(*Shown, F)};
}

Truth UserRule::run(const Plan &Resolved, FixFinder &Fixes) {
  auto Form = formOf(Rule);
  Truth Violated = Form ? violated(*Form, Resolved) : Truth::Unknown;
  if (Violated != Truth::True)
    return Violated;
  Diagnostic D;
  D.Code = userCode(Rule);
  D.Name = Rule.Id.Text;
  D.Level = Form->Level;
  D.Message = text(Form->Message, Resolved);
  D.Quotes = Rule.Id.Range.File;
  D.Range = placeOf(*Resolved.Job, Rule.Base.Text);
  D.CaretText = text(Form->Caret, Resolved);
  if (Form->Explain && P.Sources.text(Form->Explain->Range).starts_with("memory"))
    D.Body = memoryBars(*Resolved.Context);
  for (const Item *N : Form->Notes) {
    SourceRange At = placeOf(*Resolved.Job, P.Sources.text(N->Value->Range));
    D.Notes.push_back({At == D.Range ? SourceRange() : At, text(N->Doc, Resolved)});
  }
  D.Notes.push_back({Rule.Id.Range, fmt::format("rule `{}` is declared here", Rule.Id.Text)});
  D.Derivations = derivations(*Form, Resolved);
  std::vector<FixFinder::Proposal> Proposals;
  for (const Item *Proposed : Form->Fixes)
    Proposals.push_back({P.Sources.text(Proposed->Value->Range), Proposed->Extra});
  D.Fixes = Fixes.find({D.Level, [&](const Plan &Changed) { return violated(Changed); }, isAboutSpread(Rule.Base.Text)},
                       Proposals);
  E.Diags.add(std::move(D));
  return Violated;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// Why a rule does not fire: the part of its condition that decides, with its values.
std::string UserRule::whyNot(const RuleForm &Form, const Plan &Resolved, std::vector<Derivation> &Into) {
  if (auto Targets = frameworks(Form); !isFor(Targets, Resolved))
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
  auto Form = formOf(Rule);
  if (!Form)
    return;
  bool Wanted = Case.Id2.Text == "fires";
  unsigned Before = E.Diags.errors();
  bool Fires = violated(*Form, Resolved) == Truth::True;
  if (Fires == Wanted || E.Diags.errors() != Before)
    return;
  std::vector<Derivation> Why;
  std::string Said;
  if (Wanted) {
    Said = whyNot(*Form, Resolved, Why);
  } else {
    Said = "fires: " + text(Form->Message, Resolved);
    Why = derivations(*Form, Resolved);
  }
  Diagnostic &D = E.Diags.report(diag::TestFailed, Case.Id2.Range, Rule.Id.Text, Said);
  D.Notes.push_back({Rule.Id.Range, fmt::format("rule `{}` is declared here", Rule.Id.Text)});
  D.Derivations = std::move(Why);
}

} // namespace parlance
