// Published utilisation against what the library's FLOP conventions make of the published step time: no model of time
// is involved, so these have to agree to the last printed digit.
#include "Sets.h"
#include <algorithm>

namespace parlance::validate {

/// Rates that the newer tables of Megatron Bridge print in coarse steps, up to 2.3 % from their own TFLOP/s.
static double rateRounding(const Run &Of) {
  for (const char *Coarse : {"bridge 26.04.01", "bridge 26.06.01", "bridge 26.08"})
    if (Of.Software == Coarse)
      return 0.023;
  return 0;
}

/// The convention that a source names, as a derived quantity.
static std::string_view convention(const DataSet &Set) {
  if (Set.Name == "llm_foundry_mpt")
    return "flops.conventions.llm_foundry";
  // NeMo 24.07 counts attention without the causal mask, Megatron Bridge halves it.
  return Set.Name == "nemo_2407" ? "flops.conventions.nanotron" : "flops.conventions.megatron";
}

static double perGpu(double FlopPerToken, const Run &Of, double StepSeconds) {
  return FlopPerToken * static_cast<double>(Of.Global) * static_cast<double>(Of.Seq) / StepSeconds /
         static_cast<double>(Of.Gpus) / 1e12;
}

std::vector<Check> publishedUtilisation(const DataSet &Set, const Table &T, Jobs &J) {
  Check C{.Set = std::string(Set.Name), .What = "TFLOP/s from the published step time", .Unit = "TFLOP/s"};
  C.Wanted = {.Share = 0.99, .Text = "99 % of unflagged rows within 0.5 % and their rounding"};
  Check Time{.Set = std::string(Set.Name), .What = "step time", .Unit = "s"};
  Check Bf16{.Set = std::string(Set.Name), .What = "step time, bf16 rows", .Unit = "s"};
  bool Bridge = Set.Name == "megatron_bridge";
  if (Bridge)
    Bf16.Wanted = {.Median = 0.10, .Text = "median ≤ 10 %"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    auto P = planOf(R, Of, J, {&C, &Time, &Bf16});
    if (!P)
      continue;
    double Step = R.number("step_s");
    double Measured = R.has("mfu") ? R.number("mfu") * R.number("peak_tflops") : R.number("tflops");
    double Digits = R.has("mfu") ? 0.5e-4 / R.number("mfu") : 0.5 / Measured;
    if (R.has("flag"))
      C.skip("flagged as not reproducible");
    else
      compare(C, Of, perGpu(J.quantity(*P, convention(Set)), Of, Step), Measured, 0.005 + Digits + rateRounding(Of));
    compare(Time, Of, J.step(*P), Step);
    if (Bridge && Of.Precision != "bf16")
      Bf16.skip("not bf16");
    else
      compare(Bf16, Of, J.step(*P), Step);
  }
  return Bridge ? std::vector{C, Bf16, Time} : std::vector{C, Time};
}

/// Hardware operations by the formulas of the BLOOM chronicles: 96 B s L h² (1 + s/6h + V/16Lh) from pull request 251
/// on, 8 × 12 L h² per token before it.
static double bloomFlops(const Row &R, const Run &Of, Jobs &J) {
  auto Int = [](int64_t V) { return Value::of(Num(V)); };
  if (R.text("convention") == "8core_only")
    return 8.0 * 12.0 * static_cast<double>(Of.Layers) * static_cast<double>(Of.Hidden) *
           static_cast<double>(Of.Hidden);
  double Step =
      J.call("narayanan_hardware_flops", {Int(Of.Global), Int(Of.Seq), Int(Of.Layers), Int(Of.Hidden), Int(Of.Vocab)});
  return Step / static_cast<double>(Of.Global) / static_cast<double>(Of.Seq);
}

std::vector<Check> bloom(const DataSet &Set, const Table &T, Jobs &J) {
  Check C{.Set = std::string(Set.Name), .What = "TFLOP/s from the published step time", .Unit = "TFLOP/s"};
  C.Wanted = {.Share = 0.99, .Text = "99 % of unflagged rows within 0.5 % and their rounding"};
  Check Memory{.Set = std::string(Set.Name), .What = "memory as nvidia-smi shows it", .Unit = "GiB"};
  Memory.Wanted = {.Median = 0.08, .Text = "median ≤ 8 %"};
  Check Time{.Set = std::string(Set.Name), .What = "step time", .Unit = "s"};
  Time.Wanted = {.Median = 0.10, .Text = "median ≤ 10 %"};
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    auto P = planOf(R, Of, J, {&C, &Memory, &Time});
    if (!P)
      continue;
    double Step = R.number("step_s"), Published = R.number("tflops");
    if (R.text("flag").find("mfu_not_reproduced") != std::string_view::npos)
      C.skip("flagged as not reproducible");
    else
      compare(C, Of, perGpu(bloomFlops(R, Of, J), Of, Step), Published, 0.005 + 0.005 / Published);
    compare(Memory, Of, J.used(*P, -1) / GiB, R.number("mem_gib"));
    compare(Time, Of, J.step(*P), Step);
  }
  return {C, Memory, Time};
}

} // namespace parlance::validate
