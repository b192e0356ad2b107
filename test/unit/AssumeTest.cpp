// What a job assumes: it acts on everything of that job, natively and from trees, and on nothing else; the library's
// constants themselves.
#include "Report/UsedConstants.h"
#include "Support.h"
#include "std/Std.h"
#include <algorithm>

using namespace parlance;

namespace {

std::string job(std::string_view Body, std::string_view Before = "") {
  return fmt::format("use std/example\n{}job j from example_job {{\n{}\n}}\n", Before, Body);
}

Num derived(Checked &C, Quantity Q, std::string_view Job = "j") { return rt::num(C.plan(Job)->Context->derived(Q)); }

TEST(Assume, ChangesMemoryAndTime) {
  Checked Library(job("")), Memory(job("assume context_memory = 3 GiB")),
      Time(job("assume contention = 150%, assume scale_out_efficiency = 50%"));
  double Peak = derived(Library, quantities::memory_peak).real(), Step = derived(Library, quantities::time_step).real();
  EXPECT_NEAR(derived(Memory, quantities::memory_peak).real() - Peak, 3.0 * (1 << 30) - 0.6e9, 8);
  EXPECT_EQ(derived(Memory, quantities::time_step).real(), Step);
  EXPECT_GT(derived(Time, quantities::time_step).real(), Step);
  EXPECT_EQ(derived(Time, quantities::memory_peak).real(), Peak);
  for (Checked *C : {&Library, &Memory, &Time})
    EXPECT_EQ(C->reported(), "");
}

TEST(Assume, ActsInTheJobOnly) {
  Checked C("use std/example\n"
            "let file = contention()\n"
            "fn twice() -> ratio = 2 * contention()\n"
            "job a from example_job { assume contention = 3\n let own = contention()\n"
            " let called = twice()\n let outer = file }\n"
            "job b from example_job { let own = contention()\n let called = twice() }\n");
  EXPECT_EQ(C.numberIn("a", "own").real(), 3);
  EXPECT_EQ(C.numberIn("a", "called").real(), 6);
  EXPECT_EQ(C.numberIn("a", "outer").real(), 1.1);
  EXPECT_EQ(C.numberIn("b", "own").real(), 1.1);
  EXPECT_EQ(C.numberIn("b", "called").real(), 2.2);
  EXPECT_EQ(C.number("file").real(), 1.1);
  EXPECT_EQ(C.reported(), "");
}

TEST(Assume, IsInheritedAndOverridden) {
  Checked C(job("assume contention = 3, assume negligible = 2%") +
            "job k from j { assume contention = 4\n let a = contention()\n let b = negligible() }\n"
            "job l from k { let a = contention() }\n");
  EXPECT_EQ(C.numberIn("k", "a").real(), 4);
  EXPECT_EQ(C.numberIn("k", "b").real(), 0.02);
  EXPECT_EQ(C.numberIn("l", "a").real(), 4);
  EXPECT_EQ(C.reported(), "");
}

/// A fix is tried on a copy of the job, which assumes what the job does.
TEST(Assume, StaysWhenAFieldIsChanged) {
  Checked C(job("assume context_memory = 3 GiB"));
  auto Changed = withField(*C.plan("j"), "layout.zero", Value::of(Num(0)), C.Values);
  ASSERT_TRUE(Changed);
  int Index = C.Lib.function("context_memory");
  const FunctionDecl &F = C.Lib.Functions[static_cast<size_t>(Index)];
  EXPECT_EQ(rt::num(F.Native(Changed->Context->calibration(), nullptr)).real(), 3.0 * (1 << 30));
}

TEST(Assume, RulesSeeIt) {
  Checked Library(job("")), Full(job("assume context_memory = 40 GB"));
  Library.analyze();
  Full.analyze();
  EXPECT_EQ(Library.reported().find("PL3"), std::string::npos);
  EXPECT_NE(Full.reported().find("PL3"), std::string::npos) << "the memory does not fit";
}

TEST(Assume, ReadsAreNoted) {
  Checked C(job("assume context_memory = 3 GiB, assume contention = 1"));
  JobContext Fresh(C.Lib, *C.plan("j")->Job);
  EXPECT_TRUE(usedConstants(Fresh).empty());
  Fresh.derived(quantities::memory_overhead);
  std::vector<UsedConstant> Used = usedConstants(Fresh);
  auto Named = [&](std::string_view Name) {
    return std::ranges::find(Used, Name, [](const UsedConstant &U) { return U.Constant->Name; });
  };
  ASSERT_NE(Named("context_memory"), Used.end());
  EXPECT_TRUE(Named("context_memory")->Assumed);
  ASSERT_NE(Named("communicator_memory"), Used.end());
  EXPECT_FALSE(Named("communicator_memory")->Assumed);
  EXPECT_EQ(Named("contention"), Used.end()) << "memory reads no time";
  EXPECT_EQ(Named("context_memory")->unit(), "B/gpu");
}

/// Every constant has a slot of its own.
TEST(Assume, EveryConstantCanBeAssumed) {
  const Library &Lib = standardLibrary();
  unsigned Count = Lib.constants();
  ASSERT_GT(Count, 20u);
  Assumptions All(Count);
  for (unsigned I = 0; I < Count; ++I)
    All[I].Value = Num(static_cast<int64_t>(1000 + I));
  Calibration K(&All);
  for (const FunctionDecl &F : Lib.Functions) {
    if (F.Constant < 0)
      continue;
    auto I = static_cast<unsigned>(F.Constant);
    EXPECT_FALSE(K.wasRead(I)) << F.Name;
    EXPECT_EQ(rt::num(F.Native(K, nullptr)).integer(), 1000 + F.Constant) << F.Name;
    EXPECT_TRUE(K.wasRead(I)) << F.Name;
    EXPECT_FALSE(rt::num(F.Native(Calibration(), nullptr)).isUnknown()) << F.Name;
  }
}

TEST(Assume, ValuesAreChecked) {
  Checked C(job("assume contention = -1\nassume grouped_streams = 1.5"));
  C.plan("j");
  EXPECT_EQ(C.reported(), "PL0106 3:21\nPL0105 4:26");
}

/// Few numbers, each with where it is from and how well it fits.
TEST(Calibration, NamesItsSources) {
  static constexpr std::string_view Sources[] = {
      "aiconfigurator", "SimuMax",    "ml-engineering", "Ultra-Scale Playbook", "Megatron",
      "vTrain",         "BLOOM",      "DeepSpeed",      "torch/nn/parallel",    "Transformer Engine",
      "std/hardware",   "validation", "a choice",       "transformer_engine",   "pytorch/module"};
  unsigned Count = 0;
  for (const FunctionDecl &F : standardLibrary().Functions) {
    if (F.Source.File != "std/calibration.parl")
      continue;
    ++Count;
    EXPECT_EQ(F.Constant >= 0, F.Params.empty()) << F.Name;
    for (const ParamDecl &P : F.Params)
      EXPECT_TRUE(P.Ty.K != Type::Kind::Record || P.Ty.Schema->Name == "device")
          << F.Name << " depends on more than hardware";
    size_t End = F.Doc.find(". ");
    ASSERT_NE(End, std::string_view::npos) << F.Name << " does not say where it is from";
    std::string_view From = F.Doc.substr(End + 2);
    EXPECT_TRUE(
        std::ranges::any_of(Sources, [&](std::string_view S) { return From.find(S) != std::string_view::npos; }))
        << F.Name << ": " << From;
    bool Fitted = From.find("Not fitted: ") == std::string_view::npos;
    EXPECT_TRUE(!Fitted || (From.find(" %") != std::string_view::npos && From.find("median") != std::string_view::npos))
        << F.Name << " does not say how well it fits";
  }
  EXPECT_GT(Count, 30u);
  EXPECT_LE(Count, 60u);
}

} // namespace
