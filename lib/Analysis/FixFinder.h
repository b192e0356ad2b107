// Changes that clear a violation of one job: those that its rule proposes, then the neighbourhood. Each is applied to a
// copy of the job and judged again before it is offered.
#pragma once
#include "Analysis/Analyzer.h"
#include "Analysis/Neighbourhood.h"
#include "Analysis/RuleRunner.h"
#include <set>

namespace parlance {

/// What a user's file demands of a job: a statement or a rule.
struct Claim {
  Severity Level;
  std::function<bool(const Plan &)> Violated;
};

class FixFinder {
public:
  /// Proposed values of one field: an expression of the job's scope, checked against the field's type.
  struct Proposal {
    std::string_view Field;
    const ast::Expr *Candidates;
  };
  /// What is to be mended.
  struct Violation {
    Severity Level;
    std::function<Truth(const Plan &)> Holds; ///< whether a changed job still has it
    bool Search = false;                      ///< it is about how the run is spread: the neighbourhood may have a fix
    bool Memory = false;                      ///< it is that memory is exceeded
  };

  /// Does nothing before it is asked: a sound job costs nothing.
  FixFinder(const RuleRunner &Rules, std::vector<Claim> Claims, const Plan &P, Evaluator &E)
      : Rules(Rules), Claims(std::move(Claims)), P(P), E(E) {}

  /// The fixes of a violation, at most one of them to be applied blindly, and that one first. The neighbourhood is
  /// searched for errors and warnings that no proposal clears for free.
  std::vector<Fix> find(const Violation &V, const std::vector<Proposal> &Proposals);

private:
  /// A change that clears the violation.
  struct Offer {
    Neighbour To;
    Plan After;
    bool Quiet = true; ///< it raises no new warning
    double Step = 0;   ///< seconds; infinite where they are not known
    bool movesSame(const Offer &Other) const;
    double perSequence() const; ///< seconds; infinite where they are not known
  };
  std::vector<Value> candidates(const Proposal &Of, const FieldPath &At);
  void propose(const Violation &V, const Proposal &Of, std::vector<Offer> &Into);
  void search(const Violation &V, std::vector<Offer> &Into);
  std::vector<Offer> clearing(const Violation &V, const std::vector<Neighbour> &Near);
  void choose(std::vector<Offer> &Clearing, Severity Worst, std::vector<Offer> &Into);
  Neighbourhood &near();
  bool admits(const Plan &Changed, Severity Worst);
  bool isFree(const Offer &O) const;
  Truth keepsBatch(const Offer &O) const;
  std::set<size_t> findings(const Plan &Of) const;
  Severity levelOf(size_t Finding) const;

  const RuleRunner &Rules;
  std::vector<Claim> Claims;
  const Plan &P;
  Evaluator &E;
  std::optional<std::set<size_t>> Before; ///< what the job violates already
  std::optional<Neighbourhood> Near;
};

} // namespace parlance
