// Measured memory: allocator peaks, reserved memory, states between steps.
#include "Sets.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance::validate {

std::vector<Check> simumax(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Memory{.Set = Name, .What = "allocated memory, worst rank", .Unit = "GiB"};
  Memory.Wanted = {.Share = 1, .Text = "each row within 2 %, within 1 % at s = 4096"};
  Memory.Peer = "SimuMax −1.4…−0.1 %, fitted on these rows";
  Check Reserved{.Set = Name, .What = "reserved memory, worst rank", .Unit = "GiB"};
  Check Time{.Set = Name, .What = "step time", .Unit = "s"};
  Time.Peer = "SimuMax −13.5…+0.1 %, with measured efficiencies per shape";
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    auto P = planOf(R, Of, J, {&Memory, &Reserved, &Time});
    if (!P)
      continue;
    // The second digit behind the point is the last one that is published.
    double Digits = 0.005 / R.number("mem_gib");
    compare(Memory, Of, J.allocated(*P, -1) / GiB, R.number("mem_gib"), (Of.Seq == 4096 ? 0.01 : 0.02) + Digits);
    compare(Reserved, Of, J.reserved(*P, -1) / GiB, R.number("reserved_gib"));
    compare(Time, Of, J.step(*P), R.number("step_s"));
  }
  return {Memory, Reserved, Time};
}

/// What sets a test of Megatron's CI apart from a plain training run of its shape; "" for a plain one.
static std::string peculiar(const Row &R, const Run &Of) {
  auto In = [](std::string_view Text, std::string_view Part) { return Text.find(Part) != std::string_view::npos; };
  if (In(Of.Model, "bert") || In(Of.Model, "t5"))
    return "BERT or T5";
  if (In(R.text("note"), "mla") && !Of.KvLora)
    return "latent attention without its widths";
  if (In(Of.Model, "check_grads"))
    return "keeps extra copies of the gradients";
  if (In(Of.Model, "frozen"))
    return "frozen weights";
  if (In(Of.Model, "distill"))
    return "distillation: a second model";
  if (In(Of.Model, "reshard"))
    return "another layout in its second half";
  return {};
}

std::vector<Check> megatronCi(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Steady{.Set = Name, .What = "allocated between steps, last stage", .Unit = "GiB"};
  Steady.Wanted = {.Share = 0.9, .Text = "90 % within 3 % or 0.2 GiB"};
  Check Peak{.Set = Name, .What = "allocated peak, last stage", .Unit = "GiB"};
  Peak.Wanted = {.Median = 0.05, .P90 = 0.15, .Text = "median ≤ 5 %, 90 % within 15 %"};
  Peak.Peer = "Megatron's own formula: far off";
  Check Large{.Set = Name, .What = "allocated peak, last stage, above 8 GiB", .Unit = "GiB"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    if (std::string Why = peculiar(R, Of); !Why.empty()) {
      for (Check *C : {&Steady, &Peak})
        C->skip(Why);
      continue;
    }
    auto P = planOf(R, Of, J, {&Steady, &Peak});
    if (!P)
      continue;
    double Measured = R.number("steady_gib");
    compare(Steady, Of, J.steady(*P, Of.Pp - 1) / GiB, Measured, std::max(0.03, 0.2 / Measured));
    double Predicted = J.allocated(*P, Of.Pp - 1) / GiB;
    compare(Peak, Of, Predicted, R.number("mem_gib"));
    if (R.number("mem_gib") > 8)
      compare(Large, Of, Predicted, R.number("mem_gib"));
  }
  return {Steady, Peak, Large};
}

std::vector<Check> torchtitan(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Memory{.Set = Name, .What = "reserved memory, worst rank", .Unit = "GiB"};
  Memory.Wanted = {.Median = 0.08, .Text = "median ≤ 8 %"};
  Check Time{.Set = Name, .What = "step time", .Unit = "s"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    auto P = planOf(R, Of, J, {&Memory, &Time});
    if (!P)
      continue;
    compare(Memory, Of, J.reserved(*P, -1) / GiB, R.number("mem_gib"));
    compare(Time, Of, J.step(*P), R.number("step_s"));
  }
  return {Memory, Time};
}

/// Memory of one more layer of Llama-2-7B in fp32, as Galvatron's profiler isolates it: the difference between runs of
/// one and two layers per stage. Fully sharded weights; eight sequences over the data-parallel ranks.
static Run galvatronRun(const Row &R, int64_t Layers) {
  Run Of;
  Of.Id = R.text("id");
  Of.Device = "a100_80g_sxm";
  Of.Link = "infiniband_hdr";
  Of.Software = "galvatron";
  Of.Model = "llama2-7b layer";
  Of.Mlp = "swiglu";
  Of.Precision = "fp32";
  Of.Recompute = R.text("recompute");
  Of.Layers = Layers;
  Of.Hidden = 4096;
  Of.Ffn = 11008;
  Of.Heads = Of.KvHeads = 32;
  Of.Vocab = 32000;
  Of.Tp = R.integer("tp", 1);
  Of.Dp = R.integer("dp", 1);
  Of.Gpus = Of.Tp * Of.Dp;
  Of.Zero = 3;
  Of.SequenceParallel = Of.Tp > 1;
  Of.Seq = R.integer("seq", 0);
  Of.Micro = R.integer("gbs", 0) / Of.Dp;
  Of.Global = R.integer("gbs", 0);
  return Of;
}

std::vector<Check> galvatron(const DataSet &Set, const Table &T, Jobs &J) {
  Check States{.Set = std::string(Set.Name), .What = "states of one layer", .Unit = "MiB"};
  Check Activations{.Set = std::string(Set.Name), .What = "activations of one layer", .Unit = "MiB"};
  std::map<std::string, double> OneStates, OneActivations;
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    std::string Id(R.text("id"));
    if (R.text("layers") == "1") {
      OneStates[Id] = R.number("states_mib");
      OneActivations[Id] = R.number("act_mib");
      continue;
    }
    std::string Other = Id;
    if (size_t At = Other.find("-l2-"); At != std::string::npos)
      Other.replace(At, 4, "-l1-");
    if (R.text("pp") != "1" || !OneStates.contains(Other) || R.text("rank") != "0") {
      for (Check *C : {&States, &Activations})
        C->skip(R.text("rank") != "0" ? "a rank that repeats rank 0" : "no run with one layer less");
      continue;
    }
    Run Of = galvatronRun(R, 2);
    Of.Id = Id;
    auto Two = J.plan(Of), One = J.plan(galvatronRun(R, 1));
    if (!Two || !One)
      continue;
    auto Of2 = [&](const char *Q) { return (J.quantity(*Two, Q, {0}) - J.quantity(*One, Q, {0})) / (1 << 20); };
    compare(States, Of, Of2("memory.stage.weights") + Of2("memory.stage.gradients") + Of2("memory.stage.optimizer"),
            R.number("states_mib") - OneStates[Other]);
    compare(Activations, Of, Of2("memory.stage.activations"), R.number("act_mib") - OneActivations[Other]);
  }
  return {States, Activations};
}

} // namespace parlance::validate
