// Changes of one field that clear a violated rule. Each is applied to a copy of the job and judged
// again before it is offered, with what it does to memory and step time.
#pragma once
#include "Analysis/Analyzer.h"

namespace parlance {

class FixFinder {
public:
  /// Proposed values of one field: an expression of the job's scope, checked against the field's
  /// type.
  struct Proposal {
    std::string_view Field;
    const ast::Expr *Candidates;
  };
  /// `Violated` tells whether a changed job still violates what is to be mended.
  FixFinder(const RuleRunner &Rules, const Plan &P, Evaluator &E,
            std::function<bool(const Plan &)> Violated);
  std::vector<Fix> find(const std::vector<Proposal> &Proposals);

private:
  std::vector<Value> candidates(const Proposal &Of, const FieldPath &At);
  bool clears(const Proposal &Of, const Value &Candidate, Severity Worst, std::vector<Fix> &Into);
  Fix describeOptions(std::string_view Field, const Value &Candidate, const Plan &Changed) const;
  Fix describe(std::string_view Field, const Value &Candidate, const Plan &Changed) const;
  std::string written(Value V, std::string_view Path, const FieldDecl &F) const;
  std::optional<Edit> insertion(const Record &Block, std::string_view Field) const;

  const RuleRunner &Rules;
  const Plan &P;
  Evaluator &E;
  std::function<bool(const Plan &)> Violated;
  std::set<uint32_t> Before; ///< what the job violates already
};

} // namespace parlance
