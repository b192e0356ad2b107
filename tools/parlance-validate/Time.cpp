// Measured step times, and the memory that papers print.
#include "Sets.h"
#include <algorithm>

namespace parlance::validate {

std::vector<Check> stepTimes(const DataSet &Set, const Table &T, Jobs &J) {
  Check C{.Set = std::string(Set.Name), .What = "step time", .Unit = "s"};
  if (Set.Name == "megatron_readme")
    C.Wanted = {.Median = 0.10, .Text = "median ≤ 10 %"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    // The table does not say how the pipelines interleave, but that their communication overlaps, which takes
    // interleaving: one layer in a chunk.
    if (Set.Name == "megatron_readme" && Of.Pp > 1)
      Of.Vpp = Of.Layers / Of.Pp;
    if (auto P = planOf(R, Of, J, {&C}))
      compare(C, Of, J.step(*P), R.number("step_s"));
  }
  return {C};
}

std::vector<Check> vtrain(const DataSet &Set, const Table &T, Jobs &J) {
  bool Multi = Set.Name == "vtrain_a100_multi";
  Check C{.Set = std::string(Set.Name), .What = "step time", .Unit = "s"};
  if (Multi) {
    C.Wanted = {.Mean = 0.08, .Text = "mean ≤ 8 %"};
    C.Peer = "calculon 12.9–15.4 %, llm-analysis 16.4–17.0 %, one fitted constant 14.7 % (103 of "
             "109 rows)";
  } else {
    C.Wanted = {.Mean = 0.10, .Text = "mean ≤ 10 %"};
  }
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    if (!Of.Gpus)
      Of.Gpus = Of.replicaGpus() * Of.Dp;
    if (auto P = planOf(R, Of, J, {&C}))
      compare(C, Of, J.step(*P), R.number("step_s"));
  }
  return {C};
}

std::vector<Check> internevo(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Time{.Set = Name, .What = "step time", .Unit = "s"};
  Check Memory{.Set = Name, .What = "memory as nvidia-smi shows it", .Unit = "GiB"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    if (R.text("flag").find("ambiguous") != std::string_view::npos)
      Memory.Notes = "rows whose sequence length is not restated; loose";
    auto P = planOf(R, Of, J, {&Time, &Memory});
    if (!P)
      continue;
    compare(Time, Of, J.step(*P), R.number("step_s"));
    compare(Memory, Of, J.used(*P, -1) / GiB, R.number("mem_gib"));
  }
  return {Time, Memory};
}

/// Only rates are published, by a formula that is not: full attention, as NeMo counted in 24.07.
std::vector<Check> longSequences(const DataSet &Set, const Table &T, Jobs &J) {
  Check C{.Set = std::string(Set.Name), .What = "TFLOP/s", .Unit = "TFLOP/s"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    if (!R.has("tp")) {
      C.skip("layout not published");
      continue;
    }
    auto P = planOf(R, Of, J, {&C});
    if (!P)
      continue;
    double Tokens = static_cast<double>(Of.Global) * static_cast<double>(Of.Seq);
    double Rate = J.quantity(*P, "flops.conventions.nanotron") * Tokens / J.step(*P) / static_cast<double>(Of.Gpus);
    compare(C, Of, Rate / 1e12, R.number("tflops"));
  }
  return {C};
}

namespace {

bool in(std::string_view Text, std::string_view Part) { return Text.find(Part) != std::string_view::npos; }

/// Step times in papers, each paper a check of its own.
Check *paper(const Row &R, Check &Sc21, Check &Korthikanti, Check &MegaScale, Check &Others) {
  std::string_view Source = R.text("source");
  return in(Source, "cases_april2021") ? &Sc21
         : in(Source, "2205.05198")    ? &Korthikanti
         : in(Source, "MegaScale")     ? &MegaScale
                                       : &Others;
}

void stepTime(const Row &R, const Run &Of, Jobs &J, Check &C) {
  if (in(R.text("note"), "parallel block"))
    return C.skip("parallel block and sliding window");
  if (!R.has("mbs") && R.text("model") != "DeepSeek-V3")
    return C.skip("layout not published");
  if (auto P = planOf(R, Of, J, {&C}))
    compare(C, Of, J.step(*P), R.number("step_s"));
}

/// Figure 1 of Korthikanti et al.: states and activations of the first stage, as its authors computed them.
void figure(const Row &R, Run Of, Jobs &J, Check &States, Check &Activations) {
  Of.Grads = "fp32"; // 18 bytes per parameter in that figure
  auto P = planOf(R, Of, J, {&States, &Activations});
  if (!P)
    return;
  compare(States, Of,
          (J.quantity(*P, "memory.stage.weights", {0}) + J.quantity(*P, "memory.stage.gradients", {0}) +
           J.quantity(*P, "memory.stage.optimizer", {0})) /
              GiB,
          R.number("steady_gib"));
  if (Of.Recompute != "selective")
    return Activations.skip("eager attention keeps its scores");
  compare(Activations, Of, J.quantity(*P, "memory.stage.activations", {0}) / GiB, R.number("act_gib"));
}

} // namespace

std::vector<Check> papers(const DataSet &, const Table &T, Jobs &J) {
  Check Sc21{.Set = "sc21", .What = "step time", .Unit = "s"};
  Sc21.Wanted = {.Median = 0.10, .Text = "median ≤ 10 %"};
  Check Korthikanti{.Set = "korthikanti", .What = "step time", .Unit = "s"};
  Korthikanti.Wanted = {.Mean = 0.0365, .Text = "mean ≤ 3.65 % over all eight"};
  Korthikanti.Peer = "calculon 3.65 % over all eight, fitted on them";
  Check MegaScale{.Set = "megascale", .What = "step time of Megatron-LM", .Unit = "s"};
  Check Others{.Set = "papers", .What = "step time, other papers", .Unit = "s"};
  Check States{.Set = "korthikanti", .What = "states of the first stage", .Unit = "GiB"};
  States.Peer = "calculon: mean 8.5 %";
  Check Activations{.Set = "korthikanti", .What = "activations of the first stage", .Unit = "GiB"};
  Activations.Peer = "calculon: mean 2.1 %";
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    if (Of.Device == "tpu_v4" || Of.Device.empty())
      continue;
    if (R.has("act_gib"))
      figure(R, Of, J, States, Activations);
    else if (R.has("step_s"))
      stepTime(R, Of, J, *paper(R, Sc21, Korthikanti, MegaScale, Others));
  }
  return {Sc21, Korthikanti, MegaScale, Others, States, Activations};
}

} // namespace parlance::validate
