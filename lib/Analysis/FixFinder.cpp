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

/// How much slower than the fastest a time is, in steps that an estimate can tell apart.
static double speedClass(double Time, double Fastest) {
  return std::isfinite(Time) ? std::floor(std::log(Time / Fastest) / std::log(SameStep)) : 0;
}

std::vector<Fix> FixFinder::find(const Violation &V, const std::vector<Proposal> &Proposals) {
  // What is counted and not shown needs none.
  if (Disabled || (V.Level == Severity::Error && E.Diags.suppressedErrors()))
    return {};
  bool Outer = std::exchange(E.Silent, true); // faults of a changed job are not the file's
  std::vector<Offer> Offers = offers(V, Proposals);
  const bool FreeFirst = sortOffers(Offers, V.Level);
  std::vector<Fix> Result;
  for (const Offer &O : Offers) {
    Fix F = described(O);
    if (&O == Offers.data() && FreeFirst && F.Trust == Applicability::Maybe)
      F.Trust = Applicability::Machine;
    // In a framework's file two changes of the job may be one of its options.
    if (std::ranges::find(Result, F.Title, &Fix::Title) == Result.end())
      Result.push_back(std::move(F));
  }
  E.Silent = Outer;
  if (Judge.hasClaims())
    E.forgetLets(); // those of a changed job
  return Result;
}

std::vector<FixFinder::Offer> FixFinder::offers(const Violation &V, const std::vector<Proposal> &Proposals) {
  Dear.reset();
  std::vector<Offer> Result;
  for (const Proposal &Of : Proposals)
    propose(V, Of, Result);
  if (V.Search && V.Level <= Severity::Warning &&
      std::ranges::none_of(Result, [&](const Offer &O) { return isFree(O); }))
    search(V, Result);
  if (Result.empty() && Dear)
    Result.push_back(*Dear);
  return Result;
}

/// The fastest first, before it one that is free; whether there is such.
bool FixFinder::sortOffers(std::vector<Offer> &Offers, Severity Level) const {
  double Fastest = INFINITY;
  for (const Offer &O : Offers)
    Fastest = std::min(Fastest, timePerSequence(O.After));
  std::ranges::stable_sort(Offers, {}, [&](const Offer &O) { return speedClass(timePerSequence(O.After), Fastest); });
  auto Free = std::ranges::find_if(Offers, [&](const Offer &O) { return isFree(O); });
  // A hint is not a fault: what to do about it is for a person.
  if (Free == Offers.end() || Level > Severity::Warning)
    return false;
  std::rotate(Offers.begin(), Free, Free + 1);
  return true;
}

/// Whether the framework's options say a change, and in its own file nothing else with it: without shards torchtitan
/// computes in another precision.
bool FixFinder::canBeSaid(const Plan &After, std::span<const FieldChange> Changes) {
  if (!P.Foreign)
    return expressible(After, Changes, E);
  if (!Unsaid)
    Unsaid = notExpressed(P, E);
  return std::ranges::all_of(notExpressed(After, E), [&](const LostField &L) {
    return std::ranges::find(Changes, L.Path, &FieldChange::Path) == Changes.end() &&
           std::ranges::find(*Unsaid, L.Path, &LostField::Path) != Unsaid->end();
  });
}

Fix FixFinder::described(const Offer &O) {
  FixStanding Standing = FixStanding::Sound;
  if (Judge.isBesideMemory(O.After))
    Standing = FixStanding::BesideMemory;
  else if (Judge.isDear(O.After))
    Standing = FixStanding::Dear;
  else if (P.Foreign && !canBeSaid(O.After, O.To.Changes))
    Standing = FixStanding::Unsaid;
  return describeFix(P, O.After, O.To.Changes, Standing, E);
}

/// Whether a change can be made without asking: it is about how the run is spread only, keeps the batch, raises nothing
/// new, fits into memory and makes the step no longer. A job that cannot run has no step to lose.
bool FixFinder::isFree(const Offer &O) const {
  if (!O.Quiet || Judge.keepsBatch(O.After) != Truth::True || !Judge.surelyFits(O.After) ||
      !std::ranges::all_of(O.To.Changes, isSpread, &FieldChange::Path))
    return false;
  if (couldRun(P) == Truth::False)
    return true;
  const double Now = stepOf(P), Then = stepOf(O.After);
  return std::isfinite(Now) && std::isfinite(Then) && Then <= SameStep * Now;
}

/// Keeps the cheapest of what clears a violation at a price that no fix may have.
void FixFinder::noteDear(const Offer &O) {
  if (!Dear || timePerSequence(O.After) < timePerSequence(Dear->After))
    Dear = O;
}

//===----------------------------------------------------------------------===//
// What a rule proposes
//===----------------------------------------------------------------------===//

/// The change, with what follows from it or as it is; empty where it does not come out even.
std::optional<Neighbour> FixFinder::changed(const FieldChange &Change, bool Follow) {
  if (!Follow)
    return Neighbour{{Change}, 1};
  return isSpread(Change.Path) ? near().with(Change) : std::nullopt;
}

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
        auto To = changed({Of.Field, C}, Follow);
        auto After = To ? withFields(P, To->Changes, E) : std::nullopt;
        // Of a framework's file a layout is none that the framework has no options for.
        const bool MustBeSaid = P.Foreign && Of.Field.starts_with("layout.");
        if (!After || V.Holds(*After) != Truth::False || !Judge.admits(*After, Worst) ||
            (MustBeSaid && !canBeSaid(*After, To->Changes)))
          continue;
        Offer O{std::move(*To), std::move(*After), Worst == Severity::Hint};
        if (Judge.isDear(O.After)) {
          noteDear(O);
          continue;
        }
        Into.push_back(std::move(O));
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
  auto Try = [&](const std::vector<Neighbour> &Neighbours) {
    auto Found = clearing(V, Neighbours);
    choose(Found, Severity::Hint, Into);
    std::ranges::move(Found, std::back_inserter(Loud));
    return std::ranges::any_of(Into, &Offer::Quiet);
  };
  // What relieves memory at the price of time comes when no way to spread the run does.
  if (Try(near().singles()) || Try(near().pairs()) ||
      (V.Memory && (Try(near().reliefs()) || Try(near().reliefPairs()))))
    return;
  // A run with a new warning is better than none.
  if (Into.empty() && V.Level == Severity::Error)
    choose(Loud, Severity::Warning, Into);
}

/// What clears a violation and fits into memory, the cheapest first.
std::vector<FixFinder::Offer> FixFinder::clearing(const Violation &V, const std::vector<Neighbour> &Neighbours) {
  std::vector<Offer> Result;
  double Fastest = INFINITY;
  auto Holds = [&](const Plan &Changed) { return fits(Changed) == Truth::False ? Truth::True : V.Holds(Changed); };
  for (const Neighbour &N : Neighbours)
    if (const Plan *After = near().without(Holds, N)) {
      Result.push_back({N, *After, true});
      Fastest = std::min(Fastest, timePerSequence(*After));
    }
  auto Cost = [&](const Offer &O) {
    return std::tuple(Judge.keepsBatch(O.After) == Truth::False, speedClass(timePerSequence(O.After), Fastest),
                      O.To.Changes.size(), O.To.Distance);
  };
  std::ranges::stable_sort(Result, {}, Cost);
  return Result;
}

bool FixFinder::Offer::movesSame(const Offer &Other) const {
  auto Moved = [](const Offer &O) { return std::span(O.To.Changes).first(O.To.Moved); };
  return std::ranges::equal(Moved(*this), Moved(Other), {}, &FieldChange::Path, &FieldChange::Path);
}

/// Takes the cheapest of what clears a violation, each in another field, and none that is slower than what is offered
/// already. That a larger batch is faster is no reason against the batch that is asked for.
void FixFinder::choose(std::vector<Offer> &Clearing, Severity Worst, std::vector<Offer> &Into) {
  double Limit = INFINITY, SameBatch = INFINITY;
  auto Keeps = [&](const Offer &O) { return Judge.keepsBatch(O.After) != Truth::False; };
  auto Lower = [&](const Offer &O, double Factor) {
    Limit = std::min(Limit, Factor * timePerSequence(O.After));
    if (Keeps(O))
      SameBatch = std::min(SameBatch, Factor * timePerSequence(O.After));
  };
  for (const Offer &O : Into)
    if (O.Quiet)
      Lower(O, SameStep);
  for (Offer &O : Clearing) {
    const bool IsDear = Judge.isDear(O.After);
    if (Into.size() >= MaxFixes || timePerSequence(O.After) > (Keeps(O) ? SameBatch : Limit))
      return;
    if ((IsDear && Dear) || std::ranges::any_of(Into, [&](const Offer &Other) { return O.movesSame(Other); }) ||
        !Judge.admits(O.After, Worst) || !canBeSaid(O.After, O.To.Changes))
      continue;
    O.Quiet = Worst == Severity::Hint;
    if (IsDear) {
      noteDear(O);
      continue;
    }
    Lower(O, MuchSlower);
    Into.push_back(O);
  }
}

} // namespace parlance
