// The library's rules: which are violated, what is said, and which changes were verified to clear them.
#include "Analysis/Analyzer.h"
#include "Analysis/MemoryBars.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

bool RuleRunner::applies(const RuleDecl &R, const Plan &P) const {
  if (R.Frameworks.empty())
    return true;
  const FieldDecl &Target = P.Job->Schema->Fields[fields::job::target];
  int Index = P.Job->enumerator(fields::job::target);
  return Index >= 0 && std::ranges::find(R.Frameworks, Target.Ty.Enum->Values[Index]) != R.Frameworks.end();
}

std::vector<uint32_t> RuleRunner::violations(const Plan &P) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < Lib.Rules.size(); ++I)
    if (applies(Lib.Rules[I], P) && Lib.Rules[I].Violated(*P.Context) == Truth::True)
      Result.push_back(I);
  return Result;
}

std::string RuleRunner::text(std::string_view Text, const Plan &P) {
  Evaluator::Frame F = P.frame();
  return interpolate(Text, E, F, [&](std::string_view Part) { return Trees.jobExpression(Part); });
}

Diagnostic RuleRunner::describe(uint32_t Rule, const Plan &P) {
  const RuleDecl &R = Lib.Rules[Rule];
  Diagnostic D;
  D.Code = R.Code;
  D.Name = R.Name;
  D.Level = R.Level;
  D.Message = text(R.Message, P);
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
  addFixes(Rule, P, D);
  return D;
}

//===----------------------------------------------------------------------===//
// Fixes
//===----------------------------------------------------------------------===//

/// "memory 61.2 of 79.6 GiB", "step 4 % slower": what a change does to the job.
static std::vector<std::pair<std::string, std::string>> effects(const Plan &Before, const Plan &After) {
  std::vector<std::pair<std::string, std::string>> Result;
  Num Peak = rt::num(After.Context->derived("memory.peak")), Usable = rt::num(After.Context->derived("memory.usable"));
  if (Peak.isKnown() && Usable.isKnown())
    Result.emplace_back("memory", fmt::format("{:.1f} of {}", Peak.real() / (1 << 30), formatGiB(Usable.real())));
  Num Old = rt::num(Before.Context->derived("time.step")), New = rt::num(After.Context->derived("time.step"));
  if (Old.isKnown() && New.isKnown() && Old.real() > 0) {
    double Change = New.real() / Old.real() - 1;
    if (std::fabs(Change) >= 0.005)
      Result.emplace_back("step", fmt::format("{} {}", formatPercent(std::fabs(Change)), Change > 0 ? "slower" : "faster"));
  }
  return Result;
}

/// A value as it is written in a file.
static std::string written(const Value &V, const FieldDecl &F) {
  const Type &T = V.Alternative ? F.Alternatives[V.Alternative - 1] : F.Ty;
  if (V.K == Value::Kind::Enum)
    return std::string(T.Enum->Values[V.Index]);
  if (V.K == Value::Kind::Bool)
    return V.Flag == Truth::True ? "true" : "false";
  std::string Number = formatExact(V.Number);
  Dim D = T.Dimension.withoutPopulations();
  return D.isNone() ? Number : fmt::format("{} {}", Number, D.str());
}

/// A global batch is changed in the unit in which it was written: tokens, or sequences.
static Value asWritten(Value V, std::string_view Path, const Plan &P) {
  FieldPath Written = fieldAt(*P.Written, Path);
  if (Path != "batch.global" || !Written.Owner || Written.Owner->at(Written.Index).Alternative == 0)
    return V;
  V.Number = V.Number / P.Job->num(fields::job::seq_len);
  V.Alternative = Written.Owner->at(Written.Index).Alternative;
  return V;
}

/// The edit that writes a field into a block which leaves it to its default; none for a block of the library.
std::optional<Edit> RuleRunner::insertion(const Record &Block, std::string_view Field) const {
  if (!Block.NameRange)
    return std::nullopt;
  std::string_view Text = E.Sources.file(Block.NameRange.File).text();
  size_t Brace = Text.find_first_of("{\n", Block.NameRange.End);
  if (Brace == std::string_view::npos || Text[Brace] != '{')
    return std::nullopt;
  auto At = static_cast<uint32_t>(Brace + 1);
  size_t Next = Text.find_first_not_of(" \t\r", At);
  bool OwnLine = Next != std::string_view::npos && Text[Next] == '\n';
  return Edit{{Block.NameRange.File, At, At}, OwnLine ? fmt::format("\n  {}", Field) : fmt::format(" {},", Field)};
}

bool RuleRunner::tryFix(uint32_t Rule, const RuleFixDecl &Decl, const Value &Candidate, const Plan &P,
                        const std::set<uint32_t> &Before, Severity Worst, Diagnostic &D) {
  FieldPath At = fieldAt(*P.Job, Decl.Field);
  auto Changed = withField(P, Decl.Field, Candidate, E);
  if (!At.Owner || !Changed)
    return false;
  for (uint32_t V : violations(*Changed))
    if (V == Rule || (Lib.Rules[V].Level < Worst && !Before.contains(V)))
      return false;
  std::string_view Name = At.decl().Name;
  std::string Text = written(asWritten(Candidate, Decl.Field, P), At.decl());
  Fix F;
  F.Title = fmt::format("`{} = {}`", Name, Text);
  F.Trust = Applicability::Maybe;
  F.Effect = effects(P, *Changed);
  const Origin &O = At.Owner->Origins[At.Index];
  bool Written = O.Range && (O.K == Origin::Kind::Given || O.K == Origin::Kind::Deduced);
  if (Written)
    F.Edits.push_back({O.Range, Text});
  else if (auto Inserted = insertion(*At.Owner, fmt::format("{} = {}", Name, Text)))
    F.Edits.push_back(std::move(*Inserted));
  else
    F.Trust = Applicability::Display;
  D.Fixes.push_back(std::move(F));
  return true;
}

void RuleRunner::addFixes(uint32_t Rule, const Plan &P, Diagnostic &D) {
  auto Violated = violations(P);
  std::set<uint32_t> Before(Violated.begin(), Violated.end());
  for (const RuleFixDecl &Decl : Lib.Rules[Rule].Fixes) {
    FieldPath At = fieldAt(*P.Job, Decl.Field);
    if (!At.Owner)
      continue;
    const Type &Wanted = At.decl().Ty;
    const ast::Expr *X = Trees.jobExpression(Decl.Candidates, Wanted.K == Type::Kind::Enum ? &Wanted : nullptr);
    if (!X)
      continue;
    Evaluator::Frame F = P.frame();
    Value V = E.eval(*X, F);
    std::vector<Value> Candidates;
    if (V.K == Value::Kind::List)
      Candidates = *V.Items;
    else if (!V.isAbsent())
      Candidates.push_back(V);
    for (Value &C : Candidates)
      if (C.K == Value::Kind::Quantity && C.Number.isIntegral())
        C.Number = Num(C.Number.toInteger());
    const Value Current = At.Owner->at(At.Index);
    if (Current.K == Value::Kind::Quantity)
      std::ranges::stable_sort(Candidates, {}, [&](const Value &C) {
        return std::fabs(rt::num(C).real() - Current.Number.real());
      });
    std::erase_if(Candidates, [&](const Value &C) {
      return C.K == Value::Kind::Quantity &&
             (!C.Number.isKnown() || equal(C.Number, rt::num(Current)) == Truth::True);
    });
    // A change that raises nothing new is better than the nearest one.
    for (Severity Worst : {Severity::Hint, Severity::Warning})
      if (std::ranges::any_of(Candidates,
                              [&](const Value &C) { return tryFix(Rule, Decl, C, P, Before, Worst, D); }))
        break;
  }
}

} // namespace parlance
