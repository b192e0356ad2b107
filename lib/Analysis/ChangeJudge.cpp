#include "Analysis/ChangeJudge.h"
#include "Analysis/Neighbourhood.h"
#include "Eval/Support.h"
#include "std/Std.h"
#include <algorithm>
#include <cmath>

namespace parlance {

/// A change that makes the step longer by more is no fix, only an answer.
static constexpr double MostSlowdown = 2;

static Num quantity(const Plan &P, Quantity What) { return rt::num(P.Context->derived(What)); }
static Truth flag(const Plan &P, Quantity What) { return rt::flag(P.Context->derived(What)); }

static Num sequencesOf(const Plan &P) { return P.Job->rec(fields::job::batch)->num(fields::batch::sequences); }

Truth fits(const Plan &P) {
  return lessEqual(quantity(P, quantities::memory_peak), quantity(P, quantities::memory_usable));
}

double stepOf(const Plan &P) {
  Num Step = quantity(P, quantities::time_step);
  return Step.isKnown() ? Step.real() : INFINITY;
}

double timePerSequence(const Plan &P) {
  Num Sequences = sequencesOf(P);
  return Sequences.isKnown() && Sequences.real() > 0 ? stepOf(P) / Sequences.real() : INFINITY;
}

bool memoryIsJudged(const Plan &P) {
  return flag(P, quantities::valid_memory) == Truth::True && fits(P) != Truth::Unknown;
}

bool stepIsJudged(const Plan &P) { return couldRun(P) == Truth::True && std::isfinite(stepOf(P)); }

ChangeJudge::Findings ChangeJudge::findings(const Plan &Of) const {
  std::vector<uint32_t> Undecided;
  auto Violated = Rules.violations(Of, &Undecided);
  Findings Result{
      {Violated.begin(), Violated.end()}, {Undecided.begin(), Undecided.end()}, memoryIsJudged(Of), stepIsJudged(Of)};
  for (size_t I = 0; I < Claims.size(); ++I)
    switch (Claims[I].Violated(Of)) {
    case Truth::True:
      Result.Violated.insert(E.Lib.Rules.size() + I);
      break;
    case Truth::Unknown:
      Result.Open.insert(E.Lib.Rules.size() + I);
      break;
    case Truth::False:
      break;
    }
  return Result;
}

Severity ChangeJudge::levelOf(size_t Finding) const {
  size_t Rules = E.Lib.Rules.size();
  return Finding < Rules ? E.Lib.Rules[Finding].Level : Claims[Finding - Rules].Level;
}

/// A layout of another size than the cluster's is no worse where it is not touched.
bool ChangeJudge::usesTheGpus(const Plan &Changed) const {
  if (flag(Changed, quantities::valid_world) != Truth::False)
    return true;
  return flag(P, quantities::valid_world) == Truth::False &&
         equal(quantity(P, quantities::world), quantity(Changed, quantities::world)) == Truth::True;
}

bool ChangeJudge::admits(const Plan &Changed, Severity Worst) {
  // A step on nothing is none.
  if (equal(sequencesOf(Changed), Num(0)) == Truth::True || !usesTheGpus(Changed))
    return false;
  const bool SameMemory =
      equal(quantity(P, quantities::memory_peak), quantity(Changed, quantities::memory_peak)) == Truth::True;
  if (fits(Changed) == Truth::False && !(isBesideMemory(Changed) && SameMemory))
    return false;
  if (!Before)
    Before = findings(P);
  const Findings After = findings(Changed);
  if ((Before->Memory && !After.Memory) || (Before->Step && !After.Step))
    return false;
  // Of a job that cannot run many rules are not asked, and may turn out as open.
  if (Before->Step && !std::ranges::includes(Before->Open, After.Open))
    return false;
  return std::ranges::none_of(After.Violated,
                              [&](size_t F) { return levelOf(F) < Worst && !Before->Violated.contains(F); });
}

bool ChangeJudge::surelyFits(const Plan &Changed) const {
  return memoryIsJudged(Changed) && fits(Changed) == Truth::True;
}

double ChangeJudge::slowdown(const Plan &Changed) const {
  const double Now = timePerSequence(P), Then = timePerSequence(Changed);
  return couldRun(P) != Truth::False && std::isfinite(Now) && std::isfinite(Then) && Now > 0 ? Then / Now : 1;
}

bool ChangeJudge::isDear(const Plan &Changed) const { return slowdown(Changed) > MostSlowdown; }

Truth ChangeJudge::keepsBatch(const Plan &Changed) const { return equal(sequencesOf(P), sequencesOf(Changed)); }

} // namespace parlance
