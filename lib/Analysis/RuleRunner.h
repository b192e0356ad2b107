// The library's rules on one resolved job.
#pragma once
#include "Eval/LibraryTrees.h"
#include "Plan/Plan.h"

namespace parlance {

class FixFinder;

/// Whether a rule for some targets only applies to a job; for all, where it names none.
bool isFor(std::span<const std::string_view> Frameworks, const Plan &P);

class RuleRunner {
public:
  RuleRunner(const Library &Lib, Evaluator &E, LibraryTrees &Trees) : Lib(Lib), E(E), Trees(Trees) {}

  /// Indices of the rules that a job violates, in code order, and of those that are undecided.
  std::vector<uint32_t> violations(const Plan &P, std::vector<uint32_t> *Undecided = nullptr) const;
  /// The diagnostic of a violated rule, with derivation and verified fixes.
  Diagnostic describe(uint32_t Rule, const Plan &P, FixFinder &Fixes);

private:
  const Library &Lib;
  Evaluator &E;
  LibraryTrees &Trees;
};

} // namespace parlance
