// The library's rules: which are violated, and what is said about them.
#include "Analysis/Analyzer.h"
#include "Analysis/FixFinder.h"
#include "Analysis/MemoryBars.h"
#include "Eval/Support.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

bool isFor(std::span<const std::string_view> Frameworks, const Plan &P) {
  if (Frameworks.empty())
    return true;
  const FieldDecl &Target = P.Job->Schema->Fields[fields::job::target];
  int Index = P.Job->enumerator(fields::job::target);
  return Index >= 0 && std::ranges::find(Frameworks, Target.Ty.Enum->Values[Index]) != Frameworks.end();
}

std::vector<uint32_t> RuleRunner::violations(const Plan &P, std::vector<uint32_t> *Undecided) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < Lib.Rules.size(); ++I) {
    if (!isFor(Lib.Rules[I].Frameworks, P))
      continue;
    Truth Violated = Lib.Rules[I].Violated(*P.Context);
    if (Violated == Truth::True)
      Result.push_back(I);
    else if (Violated == Truth::Unknown && Undecided)
      Undecided->push_back(I);
  }
  return Result;
}

std::string RuleRunner::text(std::string_view Text, const Plan &P) {
  Evaluator::Frame F = P.frame();
  return interpolate(Text, E, F, [&](std::string_view Part) { return Trees.jobExpression(Part); });
}

Diagnostic RuleRunner::describe(uint32_t Rule, const Plan &P, FixFinder &Fixes) {
  const RuleDecl &R = Lib.Rules[Rule];
  Diagnostic D;
  D.Code = R.Code;
  D.Name = R.Name;
  D.Level = R.Level;
  D.Message = text(R.Message, P);
  D.Quotes = 0; // the library's text; `text` leaves out what is not to be shown
  D.Range = placeOf(*P.Job, R.Field);
  D.CaretText = text(R.Caret, P);
  for (const RuleNoteDecl &N : R.Notes) {
    SourceRange At = placeOf(*P.Job, N.Field);
    D.Notes.push_back({At == D.Range ? SourceRange() : At, text(N.Message, P)});
  }
  Evaluator::Frame F = P.frame();
  DerivationBuilder Builder(E, Trees);
  if (!R.Explains.empty()) {
    if (R.Explains.starts_with("memory"))
      D.Body = memoryBars(*P.Context);
    if (int Index = Lib.derive(R.Explains); Index >= 0)
      D.Derivations.push_back(Builder.ofDerived(static_cast<uint32_t>(Index), {}, F));
  } else if (const ast::Item *Tree = Trees.rule(Rule)) {
    DiagnosticEngine Ignored;
    if (auto Form = ruleForm(*Tree, Ignored))
      D.Derivations.push_back(Builder.of(Form->Unless ? *Form->Unless : *Form->When, F));
  }
  D.Fixes = fixes(Rule, P, Fixes);
  return D;
}

std::vector<Fix> RuleRunner::fixes(uint32_t Rule, const Plan &P, FixFinder &Fixes) {
  const RuleDecl &R = Lib.Rules[Rule];
  std::vector<FixFinder::Proposal> Proposals;
  for (const RuleFixDecl &F : R.Fixes) {
    FieldPath At = fieldAt(*P.Job, F.Field);
    const Type *Wanted = At.Owner && At.decl().Ty.K == Type::Kind::Enum ? &At.decl().Ty : nullptr;
    Proposals.push_back({F.Field, Trees.jobExpression(F.Candidates, Wanted)});
  }
  // In a framework's own file another spread is no answer to an option that it refuses: the changed job is judged with
  // options of our own.
  const bool Search = isAboutSpread(R.Field) && (R.Code < "PL6" || !P.Foreign);
  return Fixes.find({R.Level, [&](const Plan &Changed) { return R.Violated(*Changed.Context); }, Search,
                     R.Explains.starts_with("memory")},
                    Proposals);
}

} // namespace parlance
