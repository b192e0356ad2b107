// Changes that clear a violation of one job: those that its rule proposes, then the neighbourhood. Each is applied to a
// copy of the job and judged again before it is offered.
#pragma once
#include "Analysis/Analyzer.h"
#include "Analysis/ChangeJudge.h"
#include "Analysis/Neighbourhood.h"
#include "Plan/Options.h"

namespace parlance {

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
      : Judge(Rules, std::move(Claims), P, E), P(P), E(E) {}

  /// The fixes of a violation, at most one of them to be applied blindly, and that one first. The neighbourhood is
  /// searched for errors and warnings that no proposal clears for free. Where every way costs too much, the cheapest is
  /// shown.
  std::vector<Fix> find(const Violation &V, const std::vector<Proposal> &Proposals);
  /// From now on nothing is found: an error in what the job reads may be the cause of every violation.
  void disable() { Disabled = true; }

private:
  /// A change that clears the violation.
  struct Offer {
    Neighbour To;
    Plan After;
    bool Quiet = true; ///< it raises no new warning
    bool movesSame(const Offer &Other) const;
  };
  std::vector<Value> candidates(const Proposal &Of, const FieldPath &At);
  void propose(const Violation &V, const Proposal &Of, std::vector<Offer> &Into);
  std::optional<Neighbour> changed(const FieldChange &Change, bool Follow);
  void search(const Violation &V, std::vector<Offer> &Into);
  std::vector<Offer> clearing(const Violation &V, const std::vector<Neighbour> &Near);
  void choose(std::vector<Offer> &Clearing, Severity Worst, std::vector<Offer> &Into);
  void noteDear(const Offer &O);
  std::vector<Offer> offers(const Violation &V, const std::vector<Proposal> &Proposals);
  bool sortOffers(std::vector<Offer> &Offers, Severity Level) const;
  Fix described(const Offer &O);
  bool canBeSaid(const Plan &After, std::span<const FieldChange> Changes);
  Neighbourhood &near();
  bool isFree(const Offer &O) const;

  ChangeJudge Judge;
  const Plan &P;
  Evaluator &E;
  bool Disabled = false;
  std::optional<Neighbourhood> Near;
  std::optional<std::vector<LostField>> Unsaid; ///< what the framework's options do not say of the job as it is
  std::optional<Offer> Dear;                    ///< the cheapest of what clears a violation and costs too much
};

} // namespace parlance
