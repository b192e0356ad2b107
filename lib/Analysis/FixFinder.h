// Changes of one field that clear a violated rule. Each is applied to a copy of the job and judged again before it is
// offered, with what it does to memory and step time.
#pragma once
#include "Analysis/Analyzer.h"

namespace parlance {

class FixFinder {
public:
  FixFinder(const RuleRunner &Rules, uint32_t Rule, const Plan &P, Evaluator &E, LibraryTrees &Trees);
  std::vector<Fix> find();

private:
  std::vector<Value> candidates(const RuleFixDecl &Decl, const FieldPath &At);
  bool clears(const RuleFixDecl &Decl, const Value &Candidate, Severity Worst, std::vector<Fix> &Into);
  Fix describe(const RuleFixDecl &Decl, const Value &Candidate, const Plan &Changed) const;
  std::string written(Value V, std::string_view Path, const FieldDecl &F) const;
  std::optional<Edit> insertion(const Record &Block, std::string_view Field) const;

  const RuleRunner &Rules;
  uint32_t Rule;
  const Plan &P;
  Evaluator &E;
  LibraryTrees &Trees;
  std::set<uint32_t> Before; ///< what the job violates already
};

} // namespace parlance
