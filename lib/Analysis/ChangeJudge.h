// Whether a changed job is a mended one: what was judged of the job is judged of it, nothing in it is worse, and it
// runs on the same GPUs in about the same time.
#pragma once
#include "Analysis/RuleRunner.h"
#include "Plan/Plan.h"
#include <set>

namespace parlance {

/// What a user's file demands of a job: a statement or a rule.
struct Claim {
  Severity Level;
  std::function<Truth(const Plan &)> Violated;
};

/// Whether the peak of memory is within what the device has.
Truth fits(const Plan &P);

class ChangeJudge {
public:
  ChangeJudge(const RuleRunner &Rules, std::vector<Claim> Claims, const Plan &P, Evaluator &E)
      : Rules(Rules), Claims(std::move(Claims)), P(P), E(E) {}

  /// Whether a change may be shown at all: nothing graver than `Worst` is new, nothing that was judged is not any more,
  /// the layout uses the GPUs that there are, and the job fits into memory, or is in no better and no worse a place
  /// than before.
  bool admits(const Plan &Changed, Severity Worst);
  /// Whether a change leaves a job that does not fit into memory as it is: it is about something else, and what it
  /// would cost or gain cannot be said.
  bool isBesideMemory(const Plan &Changed) const { return fits(P) == Truth::False && fits(Changed) == Truth::False; }
  /// Whether memory is judged of a changed job, and fits.
  bool surelyFits(const Plan &Changed) const;
  /// How much longer a step takes that trains on as much; 1 where one of the two is not known, or the job cannot run.
  double slowdown(const Plan &Changed) const;
  /// Whether it costs more than a fix may.
  bool isDear(const Plan &Changed) const;
  /// Whether a step trains on as many sequences as before.
  Truth keepsBatch(const Plan &Changed) const;
  bool hasClaims() const { return !Claims.empty(); }

private:
  /// What can be said of a job: rules of the library, then claims, by number.
  struct Findings {
    std::set<size_t> Violated, Open;
    bool Memory = false, Step = false; ///< judged
  };
  Findings findings(const Plan &Of) const;
  Severity levelOf(size_t Finding) const;
  bool usesTheGpus(const Plan &Changed) const;

  const RuleRunner &Rules;
  std::vector<Claim> Claims;
  const Plan &P;
  Evaluator &E;
  std::optional<Findings> Before; ///< of the job as it is
};

/// Whether the memory of a job is known, and its layout is one that can be laid out: else the numbers are of another
/// job.
bool memoryIsJudged(const Plan &P);
/// The same of its step.
bool stepIsJudged(const Plan &P);
/// Seconds of a step; infinite where they are not known.
double stepOf(const Plan &P);
/// Seconds for each sequence of a step; infinite where they are not known.
double timePerSequence(const Plan &P);

} // namespace parlance
