#include "Analysis/UserRule.h"
#include "Analysis/FixFinder.h"

namespace parlance {

using namespace ast;

bool UserRule::violated(const RuleForm &Form, const Plan &Resolved) {
  Evaluator::Frame F = Resolved.frame(&File);
  F.Locals.resize(Rule.FrameSize);
  Truth When = Form.When ? E.condition(*Form.When, F) : Truth::True;
  Truth Unless = Form.Unless ? E.condition(*Form.Unless, F) : Truth::False;
  return (When & !Unless) == Truth::True;
}

/// An expression of a message: a part of the file's own text, so that the file's names are in its
/// scope.
const Expr *UserRule::parse(std::string_view Part) {
  std::string_view Whole = P.Sources.file(File.Tree->File).text();
  auto Begin = static_cast<uint32_t>(Part.data() - Whole.data());
  DiagnosticEngine Ignored; // it was checked with the file
  Expr *X = parseExpression(*File.Tree, P.Sources,
                            {File.Tree->File, Begin, Begin + static_cast<uint32_t>(Part.size())},
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

void UserRule::run(const Plan &Resolved) {
  DiagnosticEngine Ignored; // the form was checked with the file
  auto Form = ruleForm(Rule, Ignored);
  if (!Form || !violated(*Form, Resolved))
    return;
  Diagnostic D;
  D.Code = Rule.Id2 ? Rule.Id2.Text : std::string_view("PL9000");
  D.Name = Rule.Id.Text;
  D.Level = Form->Level;
  D.Message = text(Form->Message->Value->Text, Resolved);
  D.Range = placeOf(*Resolved.Job, Rule.Base.Text);
  D.CaretText = text(Form->Caret, Resolved);
  for (const Item *N : Form->Notes) {
    SourceRange At = placeOf(*Resolved.Job, P.Sources.text(N->Value->Range));
    D.Notes.push_back({At == D.Range ? SourceRange() : At, text(N->Doc, Resolved)});
  }
  D.Notes.push_back({Rule.Id.Range, fmt::format("rule `{}` is declared here", Rule.Id.Text)});
  Evaluator::Frame F = Resolved.frame(&File);
  DerivationBuilder Builder(E, Trees);
  D.Derivations.push_back(Builder.of(Form->Unless ? *Form->Unless : *Form->When, F));
  std::vector<FixFinder::Proposal> Proposals;
  for (const Item *Proposed : Form->Fixes)
    Proposals.push_back({P.Sources.text(Proposed->Value->Range), Proposed->Extra});
  RuleRunner Rules(P.Lib, E, Trees);
  D.Fixes = FixFinder(Rules, Resolved, E, [&](const Plan &Changed) {
              return violated(*Form, Changed);
            }).find(Proposals);
  E.Diags.add(std::move(D));
}

} // namespace parlance
