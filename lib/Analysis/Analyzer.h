// Runs everything that a program claims: requirements, the library's rules and the user's own, on every job.
#pragma once
#include "Analysis/Message.h"
#include "Analysis/Verdict.h"
#include "Plan/Plan.h"
#include "Sema/ItemChecker.h"
#include <set>

namespace parlance {

/// A job of a file and what it resolved to. File and item are null for a job of foreign files.
struct AnalyzedJob {
  std::string_view Name;
  const Module *File = nullptr;
  const ast::Item *Item = nullptr;
  std::optional<Plan> Resolved; ///< empty when the job cannot be resolved
  JobVerdict Verdict;           ///< what was judged of it
};

/// A rule of which it cannot be said whether a job violates it: something is not known.
struct UndecidedRule {
  std::string_view Code, Name;
};
class FixFinder;
class RuleRunner;
struct Claim;

class Analyzer {
public:
  Analyzer(Program &P, Evaluator &E, LibraryTrees &Trees) : P(P), E(E), Trees(Trees) {}

  /// Evaluates all files of the program and reports what does not hold.
  void run();
  /// Judges a job that no file of the program declares: one read from a framework's own files. The rules of the
  /// program's files apply to it too.
  void runForeign(const Record &Job);
  const std::vector<AnalyzedJob> &jobs() const { return Jobs; }
  const std::vector<UndecidedRule> &undecided() const { return Undecided; }

private:
  void runFile(Module &M);
  /// What was reported of a statement that does not hold; else null.
  Diagnostic *runStatement(const ast::Item &I, Evaluator::Frame F);
  Truth holds(const ast::Item &Statement, Evaluator::Frame F);
  /// What a job states itself and what the jobs that it is from state, those first.
  struct Statement {
    ast::Item *Of;
    Module *Owner; ///< the file in which its names are looked up
    bool Inherited;
  };
  std::vector<Statement> statementsOf(Module &M, ast::Item &Job) const;
  std::vector<Claim> claimsOf(std::span<const Statement> Own);
  void runTest(Module &M, const ast::Item &Test);
  void runCase(Module &M, ast::Item &Case, Module &Owner, ast::Item &Rule);
  bool refersToNothing(const ast::Expr &X, const Evaluator::Frame &F);
  void runJob(Module &M, ast::Item &Item);
  void judge(Module &M, ast::Item &Item, AnalyzedJob &Job);
  void runStatements(std::span<const Statement> Own, const ast::Item &Job, const Plan &Resolved, FixFinder &Fixes);
  bool isBroken(Module &M, const ast::Item &R) const;
  bool readsError(Module &M, const ast::Item &R, std::set<const ast::Item *> &Seen) const;
  bool readsError(Module &M, const ast::Expr &X, std::set<const ast::Item *> &Seen) const;
  void runRules(AnalyzedJob &Job, RuleRunner &Runner, FixFinder &Fixes);
  void runUserRule(Module &M, ast::Item &Rule, const Plan &Resolved, FixFinder &Fixes);

  Program &P;
  Evaluator &E;
  LibraryTrees &Trees;
  std::vector<AnalyzedJob> Jobs;
  std::vector<UndecidedRule> Undecided;
};

} // namespace parlance
