#include "Analysis/FixFinder.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

FixFinder::FixFinder(const RuleRunner &Rules, const Plan &P, Evaluator &E,
                     std::function<bool(const Plan &)> Violated)
    : Rules(Rules), P(P), E(E), Violated(std::move(Violated)) {
  auto Now = Rules.violations(P);
  Before.insert(Now.begin(), Now.end());
}

std::vector<Fix> FixFinder::find(const std::vector<Proposal> &Proposals) {
  std::vector<Fix> Found;
  for (const Proposal &Of : Proposals) {
    FieldPath At = fieldAt(*P.Job, Of.Field);
    if (!At.Owner || !Of.Candidates)
      continue;
    auto Candidates = candidates(Of, At);
    // A change that raises nothing new is better than the nearest one.
    for (Severity Worst : {Severity::Hint, Severity::Warning})
      if (std::ranges::any_of(Candidates,
                              [&](const Value &C) { return clears(Of, C, Worst, Found); }))
        break;
  }
  return Found;
}

/// The values that are proposed, in the first unit of the field, the nearest to the current one
/// first.
std::vector<Value> FixFinder::candidates(const Proposal &Of, const FieldPath &At) {
  const Type &Wanted = At.decl().Ty;
  const ast::Expr *X = Of.Candidates;
  Evaluator::Frame F = P.frame();
  Value V = E.eval(*X, F);
  std::vector<Value> Result;
  if (V.K == Value::Kind::List)
    Result = *V.Items;
  else if (!V.isAbsent())
    Result.push_back(V);
  // `batch.global` may be proposed in sequences.
  const Type &Proposed =
      X->Kind == ast::ExprKind::List && !X->Args.empty() ? X->Args[0]->Ty : X->Ty;
  bool InSequences = Proposed.isQuantity() && Proposed.Dimension == Dim::of(Base::Sequences) &&
                     Wanted.Dimension == Dim::of(Base::Tokens);
  const Value Current = At.Owner->at(At.Index);
  std::erase_if(Result, [&](Value &C) {
    if (C.K != Value::Kind::Quantity)
      return false;
    if (InSequences)
      C.Number = C.Number * P.Job->num(fields::job::seq_len);
    if (C.Number.isIntegral())
      C.Number = Num(C.Number.toInteger());
    return !C.Number.isKnown() || C.Number.real() <= 0 ||
           equal(C.Number, rt::num(Current)) == Truth::True;
  });
  if (Current.K == Value::Kind::Quantity)
    std::ranges::stable_sort(Result, {}, [&](const Value &C) {
      return std::fabs(rt::num(C).real() - Current.Number.real());
    });
  return Result;
}

/// "memory 61.2 of 79.6 GiB", "step 4 % slower": what a change does to the job.
static std::vector<std::pair<std::string, std::string>> effects(const Plan &Before,
                                                                const Plan &After) {
  std::vector<std::pair<std::string, std::string>> Result;
  Num Peak = rt::num(After.Context->derived("memory.peak")),
      Usable = rt::num(After.Context->derived("memory.usable"));
  if (Peak.isKnown() && Usable.isKnown())
    Result.emplace_back(
        "memory", fmt::format("{:.1f} of {}", Peak.real() / (1 << 30), formatGiB(Usable.real())));
  Num Old = rt::num(Before.Context->derived("time.step")),
      New = rt::num(After.Context->derived("time.step"));
  if (Old.isKnown() && New.isKnown() && Old.real() > 0) {
    double Change = New.real() / Old.real() - 1;
    if (std::fabs(Change) >= 0.005)
      Result.emplace_back("step", fmt::format("{} {}", formatPercent(std::fabs(Change)),
                                              Change > 0 ? "slower" : "faster"));
  }
  return Result;
}

/// A value as it is written in a file; a global batch in the unit in which it was written before.
std::string FixFinder::written(Value V, std::string_view Path, const FieldDecl &F) const {
  if (V.K == Value::Kind::Enum)
    return std::string(F.Ty.Enum->Values[V.Index]);
  if (V.K == Value::Kind::Bool)
    return V.Flag == Truth::True ? "true" : "false";
  FieldPath Source = fieldAt(*P.Written, Path);
  if (Source.Owner && Source.Owner->at(Source.Index).Alternative) {
    V.Alternative = Source.Owner->at(Source.Index).Alternative;
    V.Number = V.Number / P.Job->num(fields::job::seq_len);
  }
  const Type &T = V.Alternative ? F.Alternatives[V.Alternative - 1] : F.Ty;
  Dim D = T.Dimension.withoutPopulations();
  return D.isNone() ? formatExact(V.Number) : fmt::format("{} {}", formatExact(V.Number), D.str());
}

/// The edit that writes a field into a block which leaves it to its default; none for a block of
/// the library.
std::optional<Edit> FixFinder::insertion(const Record &Block, std::string_view Field) const {
  if (!Block.NameRange)
    return std::nullopt;
  std::string_view Text = E.Sources.file(Block.NameRange.File).text();
  size_t Brace = Text.find_first_of("{\n", Block.NameRange.End);
  if (Brace == std::string_view::npos || Text[Brace] != '{')
    return std::nullopt;
  auto At = static_cast<uint32_t>(Brace + 1);
  size_t Next = Text.find_first_not_of(" \t\r", At);
  bool OwnLine = Next != std::string_view::npos && Text[Next] == '\n';
  return Edit{{Block.NameRange.File, At, At},
              OwnLine ? fmt::format("\n  {}", Field) : fmt::format(" {},", Field)};
}

bool FixFinder::clears(const Proposal &Of, const Value &Candidate, Severity Worst,
                       std::vector<Fix> &Into) {
  auto Changed = withField(P, Of.Field, Candidate, E);
  if (!Changed || Violated(*Changed))
    return false;
  for (uint32_t V : Rules.violations(*Changed))
    if (E.Lib.Rules[V].Level < Worst && !Before.contains(V))
      return false;
  Into.push_back(describe(Of.Field, Candidate, *Changed));
  return true;
}

/// A value of an option in place of another one: quotes stay.
static std::string optionText(const Value &V, const FieldDecl &F, std::string_view Old) {
  std::string Text = V.K == Value::Kind::Enum     ? std::string(F.Ty.Enum->Values[V.Index])
                     : V.K == Value::Kind::Bool   ? (V.Flag == Truth::True ? "true" : "false")
                     : V.K == Value::Kind::String ? std::string(V.Text)
                                                  : formatExact(V.Number);
  bool Quoted = Old.size() >= 2 && (Old[0] == '"' || Old[0] == '\'') && Old.back() == Old[0];
  return Quoted ? Old[0] + Text + Old[0] : Text;
}

/// A change in the framework's own file: of options that are written there. One that would have to
/// be added or taken away is only shown.
Fix FixFinder::describeOptions(std::string_view Field, const Value &Candidate,
                               const Plan &Changed) const {
  Fix F;
  F.Trust = Applicability::Maybe;
  F.Effect = effects(P, Changed);
  for (const OptionChange &C : optionChanges(P, Changed, E)) {
    std::string_view Old = C.Before.Range ? E.Sources.text(C.Before.Range) : std::string_view();
    std::string Key(C.Option->Spelling.empty() ? C.Option->Name : C.Option->Spelling);
    F.Title += F.Title.empty() ? "" : ", ";
    if (!rt::knownValue(C.After)) {
      F.Title += fmt::format("without `{}`", Key);
      F.Trust = Applicability::Display;
      continue;
    }
    std::string Text = optionText(C.After, *C.Option, Old);
    F.Title += fmt::format("`{} = {}`", Key, Text);
    if (Old.empty() || C.Before.K != Origin::Kind::Given)
      F.Trust = Applicability::Display;
    else
      F.Edits.push_back({C.Before.Range, Text});
  }
  if (F.Title.empty()) { // no option says it: the launcher or the model does
    FieldPath At = fieldAt(*P.Job, Field);
    F.Title = fmt::format("`{} = {}`", Field, written(Candidate, Field, At.decl()));
    F.Trust = Applicability::Display;
  }
  if (F.Trust == Applicability::Display)
    F.Edits.clear();
  return F;
}

Fix FixFinder::describe(std::string_view Field, const Value &Candidate, const Plan &Changed) const {
  if (P.Foreign)
    return describeOptions(Field, Candidate, Changed);
  FieldPath At = fieldAt(*P.Job, Field);
  std::string Text = written(Candidate, Field, At.decl());
  Fix F;
  F.Title = fmt::format("`{} = {}`", At.decl().Name, Text);
  F.Trust = Applicability::Maybe;
  F.Effect = effects(P, Changed);
  const Origin &O = At.Owner->Origins[At.Index];
  if (O.Range && (O.K == Origin::Kind::Given || O.K == Origin::Kind::Deduced))
    F.Edits.push_back({O.Range, Text});
  else if (auto Inserted = insertion(*At.Owner, fmt::format("{} = {}", At.decl().Name, Text)))
    F.Edits.push_back(std::move(*Inserted));
  else
    F.Trust = Applicability::Display;
  return F;
}

} // namespace parlance
