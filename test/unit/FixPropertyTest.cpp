// Every fix that is offered clears its violation: random broken jobs, each fix applied to the text, and the text judged
// anew.
#include "Analysis/RuleRunner.h"
#include "Plan/Options.h"
#include "Support.h"
#include <future>
#include <random>

using namespace parlance;

namespace {

constexpr unsigned BrokenJobs = 2000;

/// Texts of random jobs. Most of what they draw is sensible by itself and little of it together.
class Jobs {
public:
  explicit Jobs(unsigned Seed) : Random(Seed) {}

  std::string text() {
    std::string Layout = fmt::format("tp = {}, pp = {}", pick({1, 2, 3, 4, 8, 16}), pick({1, 1, 2, 4, 5, 8}));
    sometimes(Layout, "cp", {"1", "2", "4"});
    sometimes(Layout, "ep", {"1", "2", "8", "6"});
    sometimes(Layout, "dp", {"auto", "1", "2", "8", "16"});
    sometimes(Layout, "zero", {"0", "1", "2", "3"});
    sometimes(Layout, "sequence_parallel", {"true", "false"});
    sometimes(Layout, "virtual_stages", {"1", "2", "5"});
    sometimes(Layout, "recompute", {"none", "selective", "full"});
    std::string Batch = fmt::format("micro = {} seq", pick({1, 2, 4}));
    sometimes(Batch, "global", {"64 seq", "128 seq", "1024 seq", "4M tok", "100 seq", "4Mi tok"});
    sometimes(Batch, "accum", {"1", "4", "16"});
    std::string Demand = Random() % 4 ? "" : std::string(pickWord(Demands));
    return fmt::format(
        "use std/hardware\nuse std/models\n"
        "cluster c {{ node = 8 * {}, nodes = {}, inter = {} }}\n"
        "layout l {{\n  {}\n}}\n"
        "job j {{\n  model = {}, cluster = c, layout = l, target = {}\n"
        "  seq_len = {} tok/seq\n  batch {{ {} }}\n  {}\n}}\n",
        pickWord({"h100_sxm", "a100_80g_sxm", "h200"}), pick({1, 2, 8, 16}),
        pickWord({"infiniband_ndr", "infiniband_hdr"}), Layout,
        pickWord({"llama3_8b", "llama3_70b", "llama32_1b", "mixtral_8x7b", "gpt3_175b", "qwen3_30b_a3b"}),
        pickWord({"megatron", "deepspeed", "torchtitan", "nanotron"}), pick({2048, 4096, 8192, 32768}), Batch, Demand);
  }

private:
  static constexpr std::string_view Demands[] = {
      "require overlap.dp <= 1", "require bubble <= 10%", "require memory.peak <= 60 GiB/gpu",
      "let headroom = memory.usable - memory.peak\n  require headroom >= 10 GiB/gpu"};

  int pick(std::initializer_list<int> From) { return From.begin()[Random() % From.size()]; }
  std::string_view pickWord(std::span<const std::string_view> From) { return From[Random() % From.size()]; }
  std::string_view pickWord(std::initializer_list<std::string_view> From) {
    return pickWord(std::span(From.begin(), From.size()));
  }
  void sometimes(std::string &Block, std::string_view Field, std::initializer_list<std::string_view> Values) {
    if (Random() % 2)
      Block += fmt::format(", {} = {}", Field, pickWord(Values));
  }

  std::mt19937 Random;
};

/// What is wrong with a job: codes of errors, and demands that fail.
std::set<std::string> errorsIn(const std::string &Text) {
  Checked C(Text);
  std::set<std::string> Result;
  const Plan *P = C.plan("j");
  for (const Diagnostic &D : C.take())
    if (D.Level == Severity::Error)
      Result.insert(std::string(D.Code));
  if (!P || !Result.empty())
    return Result;
  Plan Judged = withOptions(*P, C.Values);
  for (uint32_t Rule : RuleRunner(C.Lib, C.Values, C.Trees).violations(Judged))
    Result.insert(std::string(C.Lib.Rules[Rule].Code));
  std::erase_if(Result, [&](const std::string &Code) {
    auto Rule = std::ranges::find(C.Lib.Rules, Code, &RuleDecl::Code);
    return Rule->Level != Severity::Error;
  });
  for (const ast::Item *I : C.item("j")->Items) {
    Evaluator::Frame F = Judged.frame(&C.Main);
    if (I->Kind == ast::ItemKind::Require && C.Values.condition(*I->Value, F) == Truth::False)
      Result.insert("PL0101");
  }
  return Result;
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
void checkFix(const std::string &Text, const Diagnostic &D, const Fix &F, const std::set<std::string> &Before) {
  std::string Changed = applied(Text, F);
  std::set<std::string> After = errorsIn(Changed), New;
  std::ranges::set_difference(After, Before, std::inserter(New, New.end()));
  EXPECT_FALSE(After.contains(std::string(D.Code))) << D.Message << "\nfix " << F.Title << "\n" << Changed;
  EXPECT_TRUE(New.empty()) << D.Message << "\nfix " << F.Title << " raises " << *New.begin() << "\n" << Changed;
}

Counts checkJob(unsigned Seed) {
  Counts N;
  std::string Text = Jobs(Seed).text();
  Checked C(Text);
  C.analyze();
  auto Found = C.take();
  std::erase_if(Found, [](const Diagnostic &D) { return D.Level != Severity::Error; });
  std::set<std::string> Before;
  for (const Diagnostic &D : Found)
    Before.insert(std::string(D.Code));
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
  std::vector<std::future<Counts>> Parts;
  for (unsigned Share = 0; Share < Shares; ++Share)
    Parts.push_back(std::async(std::launch::async, [Share] {
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
  EXPECT_GT(All.Fixed * 2, All.Violations);
}

} // namespace
