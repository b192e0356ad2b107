#include "Analysis/Analyzer.h"
#include "Analysis/Conditions.h"
#include "Analysis/FixFinder.h"
#include "Analysis/RuleRunner.h"
#include "Analysis/UserRule.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Plan/Options.h"
#include "Sema/ItemChecker.h"
#include "Sema/Soundness.h"
#include <algorithm>

namespace parlance {

using namespace ast;

void Analyzer::run() {
  for (const auto &M : P.modules())
    runFile(*M);
}

void Analyzer::runFile(Module &M) {
  Evaluator::Frame F;
  F.File = &M;
  for (Item *I : M.Tree->Items)
    switch (I->Kind) {
    case ItemKind::Let:
      E.letValue(*I, F);
      break;
    case ItemKind::Require:
    case ItemKind::Warn:
      runStatement(*I, F);
      break;
    case ItemKind::Test:
      if (&M == P.modules().front().get()) // those of a used file run when that file is checked
        runTest(M, *I);
      break;
    case ItemKind::Record:
      if (I->Declared.Schema && I->Declared.Schema->Name == "job")
        runJob(M, *I);
      else
        E.instance(M, *I);
      break;
    default:
      break;
    }
}

/// Whether bytes are written in GB and the like: then memory is shown in them too, not in GiB.
static bool mentionsDecimalBytes(const Expr &X) {
  if (X.Unit)
    for (const UnitTerm &T : X.Unit->Terms)
      if (T.Name.size() == 2 && T.Name[1] == 'B')
        return true;
  return std::ranges::any_of(X.Args, [](const Expr *A) { return mentionsDecimalBytes(*A); });
}

/// Whether an expression reads a record that could not be made (a failed import): that was reported there.
bool Analyzer::refersToNothing(const Expr &X, const Evaluator::Frame &F) {
  if (X.Target.K == Ref::Kind::UserRecord && F.File && !E.instance(*F.File, *X.Target.Decl))
    return true;
  return std::ranges::any_of(X.Args, [&](const Expr *A) { return refersToNothing(*A, F); });
}

/// Whether a statement, and all that it reads, could be typed.
static bool isJudged(const Item &I) { return I.Value && I.Value->Ty.K == Type::Kind::Bool && isSound(*I.Value); }

/// A statement in a changed job.
Truth Analyzer::holds(const Item &Statement, Evaluator::Frame F) {
  E.forgetLets();
  F.Locals.resize(Statement.FrameSize);
  return E.condition(*Statement.Value, F);
}

Diagnostic *Analyzer::runStatement(const Item &I, Evaluator::Frame F) {
  if (!isJudged(I))
    return nullptr;
  F.Locals.resize(I.FrameSize);
  unsigned Before = E.Diags.errors();
  Truth Holds = E.condition(*I.Value, F);
  if (Holds == Truth::True || E.Diags.errors() != Before)
    return nullptr;
  if (Holds == Truth::Unknown) {
    if (!refersToNothing(*I.Value, F) && !E.wasReported(*I.Value))
      E.Diags.report(diag::UnknownValue, I.Value->Range, quoted(P.Sources.text(I.Value->Range)));
    return nullptr;
  }
  const Expr &False = decisive(*I.Value, Truth::False, E, F);
  std::string_view Source = P.Sources.text(False.Range);
  bool Require = I.Kind == ItemKind::Require;
  std::string Message = fmt::format("{} does not hold: `{}`", Require ? "requirement" : "expectation", quoted(Source));
  if (!I.Doc.empty())
    Message = fmt::format("{}: `{}` does not hold", oneLine(unescape(I.Doc)), quoted(Source));
  Diagnostic &D = Require ? E.Diags.report(diag::RequirementFailed, False.Range, Message)
                          : E.Diags.report(diag::WarningRaised, False.Range, Message);
  DerivationBuilder Builder(E, Trees, mentionsDecimalBytes(False));
  D.CaretText = comparison(False, Truth::False, Builder, E, F);
  D.Derivations = sides(False, Builder, F);
  return &D;
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

/// Whether a record's part gives it a value, rather than claiming something of it.
static bool givesValue(const Item &Part, bool OfJob) {
  return !OfJob || Part.Kind == ItemKind::Field || Part.Kind == ItemKind::Block || Part.Kind == ItemKind::Assume;
}

/// The blocks of files that a value names, in a term of it too: `8 * own_device`.
static void collectRecords(const Expr &X, std::vector<const Expr *> &Into) {
  if (X.Target.K == Ref::Kind::UserRecord)
    Into.push_back(&X);
  for (const Expr *Part : X.Args)
    collectRecords(*Part, Into);
}

/// Whether a record, its bases or the records that it refers to have errors in their fields. Judging such a job would
/// report one mistake several times.
bool Analyzer::isBroken(Module &M, const Item &R) const {
  const DiagnosticEngine &Diags = E.Diags;
  if (R.Declared.isError() || R.Incomplete || Diags.errorWithin(R.Id.Range) ||
      (R.Base && Diags.errorWithin(R.Base.Range)) || (R.Value && Diags.errorWithin(R.Value->Range)))
    return true;
  if (R.Base) {
    FileSymbol Base = lookup(M, P.Lib, R.Base.Text);
    if (Base.Item ? isBroken(*Base.Owner, *Base.Item) : Base.LibraryRecord < 0)
      return true;
  }
  return std::ranges::any_of(R.Items, [&](const ast::Item *I) {
    if (!givesValue(*I, R.Declared.Schema->Name == "job"))
      return false;
    if (I->Incomplete || Diags.errorWithin(I->Range) || !isSound(*I))
      return true;
    std::vector<const Expr *> Named;
    if (I->Value)
      collectRecords(*I->Value, Named);
    return std::ranges::any_of(Named, [&](const Expr *Name) {
      FileSymbol Found = lookup(M, P.Lib, Name->Text);
      return Found.Item && isBroken(*Found.Owner, *Found.Item);
    });
  });
}

/// Whether an error of the text stands in something that a record reads: itself, its bases, what its fields and claims
/// name. What is wrong with the job may come from there.
bool Analyzer::readsError(Module &M, const Item &R, std::set<const Item *> &Seen) const {
  if (!Seen.insert(&R).second)
    return false;
  if (R.Incomplete || E.Diags.errorWithin(R.Range))
    return true;
  if (R.Base)
    if (FileSymbol Base = lookup(M, P.Lib, R.Base.Text); Base.Item && readsError(*Base.Owner, *Base.Item, Seen))
      return true;
  return (R.Value && readsError(M, *R.Value, Seen)) ||
         std::ranges::any_of(R.Items, [&](const ast::Item *I) { return readsError(M, *I, Seen); });
}

bool Analyzer::readsError(Module &M, const Expr &X, std::set<const Item *> &Seen) const {
  if (X.Target.Decl && readsError(ownerOf(M, *X.Target.Decl), *X.Target.Decl, Seen))
    return true;
  return std::ranges::any_of(X.Args, [&](const Expr *A) { return readsError(M, *A, Seen); });
}

/// What takes the place of a base's statement: a rule of the same name, a requirement or warning with the same text.
static std::pair<ItemKind, std::string_view> nameOf(const Item &I) {
  return {I.Kind, I.Kind == ItemKind::Rule || I.Kind == ItemKind::Let ? I.Id.Text : I.Doc};
}

std::vector<Analyzer::Statement> Analyzer::statementsOf(Module &M, Item &Job) const {
  std::vector<Statement> Result;
  if (Job.Base)
    if (FileSymbol Base = lookup(M, P.Lib, Job.Base.Text); Base.Item)
      Result = statementsOf(*Base.Owner, *Base.Item);
  for (Statement &S : Result)
    S.Inherited = true;
  for (Item *I : Job.Items) {
    if (I->Kind != ItemKind::Let && I->Kind != ItemKind::Require && I->Kind != ItemKind::Warn &&
        I->Kind != ItemKind::Rule)
      continue;
    if (!nameOf(*I).second.empty())
      std::erase_if(Result, [&](const Statement &S) { return S.Inherited && nameOf(*S.Of) == nameOf(*I); });
    Result.push_back({I, &M, false});
  }
  return Result;
}

void Analyzer::runJob(Module &M, Item &Item) {
  AnalyzedJob &Job = Jobs.emplace_back(AnalyzedJob{Item.Id.Text, &M, &Item, std::nullopt, {}});
  const Record *R = E.instance(M, Item);
  if (!R || isBroken(M, Item))
    return;
  E.Diags.beginJob(Item.Id.Text);
  E.forgetLets(); // those of a base may have been evaluated for another job
  Job.Resolved = resolve(*R, E);
  if (Job.Resolved) {
    Job.Resolved = withOptions(*Job.Resolved, E);
    judge(M, Item, Job);
  }
  E.Diags.endJob();
}

void Analyzer::judge(Module &M, Item &Item, AnalyzedJob &Job) {
  const Plan &Resolved = *Job.Resolved;
  const std::vector<Statement> Own = statementsOf(M, Item);
  RuleRunner Runner(P.Lib, E, Trees);
  FixFinder Fixes(Runner, claimsOf(Own), Resolved, E);
  if (std::set<const ast::Item *> Seen; readsError(M, Item, Seen))
    Fixes.disable();
  runRules(Job, Runner, Fixes);
  runStatements(Own, Item, Resolved, Fixes);
}

void Analyzer::runStatements(std::span<const Statement> Own, const Item &Job, const Plan &Resolved, FixFinder &Fixes) {
  for (const auto &[I, Owner, Inherited] : Own)
    switch (I->Kind) {
    case ItemKind::Let: {
      Evaluator::Frame F = Resolved.frame(Owner);
      E.letValue(*I, F);
      break;
    }
    case ItemKind::Require:
    case ItemKind::Warn:
      if (Diagnostic *D = runStatement(*I, Resolved.frame(Owner))) {
        if (Inherited)
          D->Notes.push_back({Job.Id.Range, fmt::format("job `{}` inherits it", Job.Id.Text)});
        D->Fixes = Fixes.find(
            {D->Level, [&, I = I, Owner = Owner](const Plan &Changed) { return !holds(*I, Changed.frame(Owner)); },
             true},
            {});
      }
      break;
    default:
      runUserRule(*Owner, *I, Resolved, Fixes);
      break;
    }
}

/// What the program's rules and a job's own statements demand of it.
std::vector<Claim> Analyzer::claimsOf(std::span<const Statement> Own) {
  std::vector<Claim> Result;
  auto AddRule = [&](Module &File, Item &I) {
    if (E.Diags.errorWithin(I.Range))
      return;
    if (auto Rule = UserRule::of(P, E, Trees, File, I))
      Result.push_back(
          {Rule->declaration().Level, [Rule](const Plan &Changed) mutable { return Rule->violated(Changed); }});
  };
  for (const auto &File : P.modules())
    for (Item *I : File->Tree->Items)
      if (I->Kind == ItemKind::Rule)
        AddRule(*File, *I);
  for (const Statement &S : Own)
    if (S.Of->Kind == ItemKind::Rule)
      AddRule(*S.Owner, *S.Of);
    else if (S.Of->Kind != ItemKind::Let && isJudged(*S.Of))
      Result.push_back({S.Of->Kind == ItemKind::Require ? Severity::Error : Severity::Warning,
                        [this, S](const Plan &Changed) { return !holds(*S.Of, Changed.frame(S.Owner)); }});
  return Result;
}

//===----------------------------------------------------------------------===//
// Tests of rules
//===----------------------------------------------------------------------===//

void Analyzer::runTest(Module &M, const Item &Test) {
  FileSymbol Rule = lookup(M, P.Lib, Test.Id.Text);
  if (!Rule.Item || Rule.Ambiguous || Rule.Item->Kind != ItemKind::Rule)
    return;
  for (ast::Item *I : Test.Items)
    if (I->Kind == ItemKind::Case)
      runCase(M, *I, *Rule.Owner, *Rule.Item);
}

void Analyzer::runCase(Module &M, ast::Item &Case, Module &Owner, ast::Item &Rule) {
  const Record *R = E.instance(M, Case);
  if (!R || isBroken(M, Case) || E.Diags.errorWithin(Rule.Range))
    return;
  unsigned Before = E.Diags.errors();
  auto Resolved = resolve(*R, E);
  auto Tested = UserRule::of(P, E, Trees, Owner, Rule);
  if (Resolved && Tested)
    Tested->test(Case, withOptions(*Resolved, E));
  else if (Tested && E.Diags.errors() == Before)
    E.Diags.report(diag::TestFailed, Case.Id2.Range, Rule.Id.Text,
                   "cannot be tested on a search space: give each field one value");
}

void Analyzer::runForeign(const Record &Job) {
  AnalyzedJob &Analyzed = Jobs.emplace_back(AnalyzedJob{Job.Name, nullptr, nullptr, std::nullopt, {}});
  Analyzed.Resolved = resolve(Job, E);
  if (!Analyzed.Resolved)
    return;
  Analyzed.Resolved->HasOptions = Analyzed.Resolved->Foreign = true;
  RuleRunner Runner(P.Lib, E, Trees);
  FixFinder Fixes(Runner, claimsOf({}), *Analyzed.Resolved, E);
  runRules(Analyzed, Runner, Fixes);
}

/// The rules of the library and those that the files declare.
void Analyzer::runRules(AnalyzedJob &Job, RuleRunner &Runner, FixFinder &Fixes) {
  const Plan &Resolved = *Job.Resolved;
  std::vector<uint32_t> Open;
  for (uint32_t Rule : Runner.violations(Resolved, &Open))
    E.Diags.add(Runner.describe(Rule, Resolved, Fixes));
  for (uint32_t Rule : Open)
    Undecided.push_back({P.Lib.Rules[Rule].Code, P.Lib.Rules[Rule].Name});
  Job.Verdict = verdictOf(Resolved, Open, E, Trees);
  Job.Verdict.Name = Job.Name;
  for (const auto &File : P.modules())
    for (ast::Item *I : File->Tree->Items)
      if (I->Kind == ItemKind::Rule)
        runUserRule(*File, *I, Resolved, Fixes);
}

void Analyzer::runUserRule(Module &M, Item &Rule, const Plan &Resolved, FixFinder &Fixes) {
  if (E.Diags.errorWithin(Rule.Range)) // what it would say is not worth reading
    return;
  auto Judged = UserRule::of(P, E, Trees, M, Rule);
  if (!Judged || Judged->run(Resolved, Fixes) == Truth::Unknown)
    Undecided.push_back({userCode(Rule), Rule.Id.Text});
}

} // namespace parlance
