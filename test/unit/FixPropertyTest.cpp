// Every fix that is offered clears its violation, fits into memory, loses nothing that was judged and takes at most
// twice the time: random broken jobs, each fix applied to the text, and the text judged anew.
#include "Analysis/ChangeJudge.h"
#include "Analysis/Neighbourhood.h"
#include "Analysis/RuleRunner.h"
#include "Plan/Options.h"
#include "RandomJobs.h"
#include "Support.h"
#include <cmath>
#include <future>

using namespace parlance;

namespace {

/// What can be said of a job.
struct Verdict {
  std::set<std::string> Errors; ///< codes of errors, and demands that fail
  std::set<std::string> Open;   ///< rules that are not decided
  bool Judged = false, Memory = false;
  Truth Fits = Truth::Unknown;
  double Time = INFINITY; ///< of a sequence, where the job could run
};

void addFindings(Checked &C, const Plan &P, Verdict &V) {
  std::vector<uint32_t> Open;
  for (uint32_t Rule : RuleRunner(C.Lib, C.Values, C.Trees).violations(P, &Open))
    if (C.Lib.Rules[Rule].Level == Severity::Error)
      V.Errors.insert(std::string(C.Lib.Rules[Rule].Code));
  for (uint32_t Rule : Open)
    V.Open.insert(std::string(C.Lib.Rules[Rule].Code));
  for (const ast::Item *I : C.item("j")->Items) {
    Evaluator::Frame F = P.frame(&C.Main);
    if (I->Kind == ast::ItemKind::Require && C.Values.condition(*I->Value, F) == Truth::False)
      V.Errors.insert("PL0101");
  }
}

Verdict verdictOn(const std::string &Text) {
  Checked C(Text);
  Verdict V;
  const Plan *P = C.plan("j");
  for (const Diagnostic &D : C.take())
    if (D.Level == Severity::Error)
      V.Errors.insert(std::string(D.Code));
  if (!P || !V.Errors.empty())
    return V;
  Plan Judged = withOptions(*P, C.Values);
  V.Judged = true;
  V.Fits = fits(Judged);
  V.Memory = rt::flag(Judged.Context->derived(quantities::valid_memory)) == Truth::True && V.Fits != Truth::Unknown;
  if (couldRun(Judged) == Truth::True)
    V.Time = timePerSequence(Judged);
  addFindings(C, Judged, V);
  return V;
}

std::string applied(std::string Text, const Fix &F) {
  std::vector<Edit> Edits = F.Edits;
  std::ranges::stable_sort(Edits, {}, [](const Edit &E) { return E.Range.Begin; });
  for (size_t I = Edits.size(); I-- > 0;)
    Text.replace(Edits[I].Range.Begin, Edits[I].Range.End - Edits[I].Range.Begin, Edits[I].NewText);
  return Text;
}

struct Counts {
  unsigned Broken = 0, Violations = 0, Fixed = 0, Offered = 0, Machine = 0;
  void add(const Counts &C) {
    Broken += C.Broken, Violations += C.Violations, Fixed += C.Fixed;
    Offered += C.Offered, Machine += C.Machine;
  }
};

/// Applies one fix to a text and judges the text.
void checkFix(const std::string &Text, const Diagnostic &D, const Fix &F, const Verdict &Before) {
  std::string Changed = applied(Text, F);
  SCOPED_TRACE(D.Message + "\nfix " + F.Title + "\n" + Changed);
  const Verdict After = verdictOn(Changed);
  std::set<std::string> New;
  std::ranges::set_difference(After.Errors, Before.Errors, std::inserter(New, New.end()));
  EXPECT_FALSE(After.Errors.contains(std::string(D.Code)));
  EXPECT_TRUE(New.empty()) << *New.begin() << " is new";
  EXPECT_NE(After.Fits, Truth::False);
  EXPECT_TRUE(After.Judged);
  EXPECT_TRUE(After.Memory || !Before.Memory);
  EXPECT_TRUE(std::isfinite(After.Time) || !std::isfinite(Before.Time));
  if (std::isfinite(Before.Time)) { // of a job that cannot run some rules are not asked
    EXPECT_TRUE(std::ranges::includes(Before.Open, After.Open));
    EXPECT_LE(After.Time, 2 * Before.Time);
  }
  if (F.Trust == Applicability::Machine)
    EXPECT_EQ(After.Fits, Truth::True);
}

Counts checkJob(unsigned Seed) {
  Counts N;
  std::string Text = Jobs(Seed).text();
  Checked C(Text);
  C.analyze();
  auto Found = C.take();
  std::erase_if(Found, [](const Diagnostic &D) { return D.Level != Severity::Error; });
  const Verdict Before = Found.empty() ? Verdict() : verdictOn(Text);
  N.Broken = !Found.empty();
  for (const Diagnostic &D : Found) {
    ++N.Violations;
    N.Fixed += !D.Fixes.empty();
    for (const Fix &F : D.Fixes) {
      N.Machine += F.Trust == Applicability::Machine;
      EXPECT_EQ(F.Edits.empty(), F.Trust == Applicability::Display) << F.Title;
      if (F.Edits.empty())
        continue;
      ++N.Offered;
      checkFix(Text, D, F, Before);
    }
  }
  return N;
}

TEST(FixProperty, EveryFixClearsItsViolation) {
  constexpr unsigned Shares = 8;
  const unsigned BrokenJobs = randomJobs(400);
  std::vector<std::future<Counts>> Parts;
  for (unsigned Share = 0; Share < Shares; ++Share)
    Parts.push_back(std::async(std::launch::async, [Share, BrokenJobs] {
      Counts N;
      for (unsigned Seed = Share; N.Broken < BrokenJobs / Shares && Seed < 10 * BrokenJobs; Seed += Shares)
        N.add(checkJob(Seed));
      return N;
    }));
  Counts All;
  for (auto &Part : Parts)
    All.add(Part.get());
  fmt::print("{} broken jobs, {} violations, {} of them with a fix; {} fixes, {} for a machine\n", All.Broken,
             All.Violations, All.Fixed, All.Offered, All.Machine);
  EXPECT_EQ(All.Broken, BrokenJobs) << "most random jobs should be broken";
  EXPECT_GT(All.Fixed * 5, All.Violations * 2);
}

} // namespace
