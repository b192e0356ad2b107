#include "Analysis/FixFinder.h"
#include "Analysis/FixText.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "std/Std.h"
#include <algorithm>
#include <cmath>
#include <utility>

namespace parlance {

/// Fixes of one violation.
static constexpr size_t MaxFixes = 3;
/// A step that is longer by less is not slower: the estimate is not that exact.
static constexpr double SameStep = 1.01;
/// A change that costs so much more than another one is not worth to be shown.
static constexpr double MuchSlower = 1.2;

static double stepOf(const Plan &P) {
  Num Step = rt::num(P.Context->derived(quantities::time_step));
  return Step.isKnown() ? Step.real() : INFINITY;
}

/// How much slower than the fastest a time is, in steps that an estimate can tell apart.
static double speedClass(double Time, double Fastest) {
  return std::isfinite(Time) ? std::floor(std::log(Time / Fastest) / std::log(SameStep)) : 0;
}

static Truth fits(const Plan &P) {
  return lessEqual(rt::num(P.Context->derived(quantities::memory_peak)),
                   rt::num(P.Context->derived(quantities::memory_usable)));
}

std::vector<Fix> FixFinder::find(const Violation &V, const std::vector<Proposal> &Proposals) {
  if (V.Level == Severity::Error && E.Diags.suppressedErrors())
    return {};                                // it is counted, not shown
  bool Outer = std::exchange(E.Silent, true); // faults of a changed job are not the file's
  std::vector<Offer> Offers;
  for (const Proposal &Of : Proposals)
    propose(V, Of, Offers);
  auto IsFree = [&](const Offer &O) { return isFree(O); };
  if (V.Search && V.Level <= Severity::Warning && std::ranges::none_of(Offers, IsFree))
    search(V, Offers);
  E.Silent = Outer;
  if (!Claims.empty())
    E.forgetLets(); // those of a changed job
  double Fastest = INFINITY;
  for (const Offer &O : Offers)
    Fastest = std::min(Fastest, O.perSequence());
  std::ranges::stable_sort(Offers, {}, [&](const Offer &O) { return speedClass(O.perSequence(), Fastest); });
  auto Free = std::ranges::find_if(Offers, IsFree);
  // A hint is not a fault: what to do about it is for a person.
  bool AnyFree = Free != Offers.end() && V.Level <= Severity::Warning;
  if (AnyFree)
    std::rotate(Offers.begin(), Free, Free + 1);
  std::vector<Fix> Result;
  for (const Offer &O : Offers) {
    Fix F = describeFix(P, O.After, O.To.Changes, E);
    if (&O == Offers.data() && AnyFree && F.Trust == Applicability::Maybe)
      F.Trust = Applicability::Machine;
    // In a framework's file two changes of the job may be one of its options.
    if (std::ranges::find(Result, F.Title, &Fix::Title) == Result.end())
      Result.push_back(std::move(F));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Judging a changed job
//===----------------------------------------------------------------------===//

/// What a job violates: rules of the library, then claims, by number.
std::set<size_t> FixFinder::findings(const Plan &Of) const {
  auto Violated = Rules.violations(Of);
  std::set<size_t> Result(Violated.begin(), Violated.end());
  for (size_t I = 0; I < Claims.size(); ++I)
    if (Claims[I].Violated(Of))
      Result.insert(E.Lib.Rules.size() + I);
  return Result;
}

Severity FixFinder::levelOf(size_t Finding) const {
  size_t Rules = E.Lib.Rules.size();
  return Finding < Rules ? E.Lib.Rules[Finding].Level : Claims[Finding - Rules].Level;
}

/// Whether a changed job raises nothing new that is graver than a severity.
bool FixFinder::admits(const Plan &Changed, Severity Worst) {
  if (!Before)
    Before = findings(P);
  return std::ranges::none_of(findings(Changed), [&](size_t F) { return levelOf(F) < Worst && !Before->contains(F); });
}

/// Whether a change can be made without asking: it is about how the run is spread only, keeps the batch, raises nothing
/// new and makes the step no longer. A job that cannot run has no step to lose, but it must be known what the changed
/// one needs: where memory or speed cannot be told, only what follows from the other fields is free.
bool FixFinder::isFree(const Offer &O) const {
  if (!O.Quiet || keepsBatch(O) != Truth::True || !std::ranges::all_of(O.To.Changes, isSpread, &FieldChange::Path))
    return false;
  bool Follows = std::ranges::all_of(O.To.Changes, [](const FieldChange &C) { return C.Path == "batch.accum"; });
  if (!Follows && fits(O.After) == Truth::Unknown)
    return false;
  if (couldRun(P) == Truth::False)
    return true;
  double Now = stepOf(P);
  return std::isfinite(Now) && std::isfinite(O.Step) ? O.Step <= SameStep * Now : Follows;
}

//===----------------------------------------------------------------------===//
// What a rule proposes
//===----------------------------------------------------------------------===//

void FixFinder::propose(const Violation &V, const Proposal &Of, std::vector<Offer> &Into) {
  FieldPath At = fieldAt(*P.Job, Of.Field);
  if (!At.Owner || !Of.Candidates)
    return;
  auto Candidates = candidates(Of, At);
  // A change that raises nothing new is better than the nearest one, and one that keeps GPUs and batch better than one
  // that does not.
  for (Severity Worst : {Severity::Hint, Severity::Warning})
    for (const Value &C : Candidates)
      for (bool Follow : {true, false}) {
        FieldChange Change{Of.Field, C};
        std::optional<Neighbour> To = Neighbour{{Change}, 1};
        if (Follow)
          To = isSpread(Of.Field) ? near().with(Change) : std::nullopt;
        auto Changed = To ? withFields(P, To->Changes, E) : std::nullopt;
        if (!Changed || V.Holds(*Changed) != Truth::False || !admits(*Changed, Worst))
          continue;
        double Step = stepOf(*Changed);
        Into.push_back({std::move(*To), std::move(*Changed), Worst == Severity::Hint, Step});
        return;
      }
}

/// The values that are proposed, in the first unit of the field, the nearest to the current one first.
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
  const Type &Proposed = X->Kind == ast::ExprKind::List && !X->Args.empty() ? X->Args[0]->Ty : X->Ty;
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
    const FieldDecl &Field = At.decl();
    return !C.Number.isKnown() || (Wanted.isCount() && !C.Number.isInt()) ||
           C.Number.real() < static_cast<double>(Field.Minimum.value_or(0)) ||
           C.Number.real() > static_cast<double>(Field.Maximum.value_or(INT64_MAX)) ||
           equal(C.Number, rt::num(Current)) == Truth::True;
  });
  if (Current.K == Value::Kind::Quantity)
    std::ranges::stable_sort(Result, {},
                             [&](const Value &C) { return std::fabs(rt::num(C).real() - Current.Number.real()); });
  return Result;
}

//===----------------------------------------------------------------------===//
// The neighbourhood
//===----------------------------------------------------------------------===//

Neighbourhood &FixFinder::near() {
  if (!Near)
    Near.emplace(P, E);
  return *Near;
}

void FixFinder::search(const Violation &V, std::vector<Offer> &Into) {
  std::vector<Offer> Loud;
  for (bool Pairs : {false, true}) {
    auto Found = clearing(V, Pairs ? near().pairs() : near().singles());
    choose(Found, Severity::Hint, Into);
    if (std::ranges::any_of(Into, &Offer::Quiet))
      return;
    std::ranges::move(Found, std::back_inserter(Loud));
  }
  // A run with a new warning is better than none.
  if (Into.empty() && V.Level == Severity::Error)
    choose(Loud, Severity::Warning, Into);
}

std::vector<FixFinder::Offer> FixFinder::clearing(const Violation &V, const std::vector<Neighbour> &Neighbours) {
  std::vector<Offer> Result;
  double Fastest = INFINITY;
  // What does not fit is an error of its own, unless the job has that already.
  bool MustFit = V.Memory || fits(P) != Truth::False;
  auto Holds = [&](const Plan &Changed) {
    return MustFit && fits(Changed) == Truth::False ? Truth::True : V.Holds(Changed);
  };
  for (const Neighbour &N : Neighbours)
    if (const Plan *After = near().without(Holds, N)) {
      Result.push_back({N, *After, true, stepOf(*After)});
      Fastest = std::min(Fastest, Result.back().perSequence());
    }
  auto Cost = [&](const Offer &O) {
    return std::tuple(keepsBatch(O) == Truth::False, speedClass(O.perSequence(), Fastest), O.To.Changes.size(),
                      O.To.Distance);
  };
  std::ranges::stable_sort(Result, {}, Cost);
  return Result;
}

static Num sequencesOf(const Plan &P) { return P.Job->rec(fields::job::batch)->num(fields::batch::sequences); }

Truth FixFinder::keepsBatch(const Offer &O) const { return equal(sequencesOf(P), sequencesOf(O.After)); }

double FixFinder::Offer::perSequence() const {
  Num Sequences = sequencesOf(After);
  return Sequences.isKnown() ? Step / Sequences.real() : INFINITY;
}

bool FixFinder::Offer::movesSame(const Offer &Other) const {
  auto Moved = [](const Offer &O) { return std::span(O.To.Changes).first(O.To.Moved); };
  return std::ranges::equal(Moved(*this), Moved(Other), {}, &FieldChange::Path, &FieldChange::Path);
}

/// Takes the cheapest of what clears a violation, each in another field, and none that is slower than what is offered
/// already. That a larger batch is faster is no reason against the batch that is asked for.
void FixFinder::choose(std::vector<Offer> &Clearing, Severity Worst, std::vector<Offer> &Into) {
  double Limit = INFINITY, SameBatch = INFINITY;
  auto Lower = [&](const Offer &O, double Factor) {
    Limit = std::min(Limit, Factor * O.perSequence());
    if (keepsBatch(O) != Truth::False)
      SameBatch = std::min(SameBatch, Factor * O.perSequence());
  };
  for (const Offer &O : Into)
    if (O.Quiet)
      Lower(O, SameStep);
  for (Offer &O : Clearing) {
    if (Into.size() >= MaxFixes || O.perSequence() > (keepsBatch(O) != Truth::False ? SameBatch : Limit))
      return;
    if (std::ranges::any_of(Into, [&](const Offer &Other) { return O.movesSame(Other); }) || !admits(O.After, Worst) ||
        !expressible(O.After, O.To.Changes, E))
      continue;
    O.Quiet = Worst == Severity::Hint;
    Lower(O, MuchSlower);
    Into.push_back(O);
  }
}

} // namespace parlance
