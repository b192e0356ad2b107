#include "Sets.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance::validate {

static constexpr DataSet All[] = {
    {"llm_foundry_mpt", "llm_foundry_mpt.csv", publishedUtilisation},
    {"nemo_2407", "nemo_2407_h100.csv", publishedUtilisation},
    {"megatron_bridge", "megatron_bridge.csv", publishedUtilisation},
    {"bloom", "bloom_a100.csv", bloom},
    {"simumax_b200", "simumax_b200.csv", simumax},
    {"megatron_ci_golden", "megatron_ci_golden.csv", megatronCi},
    {"torchtitan", "torchtitan.csv", torchtitan},
    {"ultrascale_playbook", "ultrascale_playbook.csv", playbook},
    {"galvatron", "galvatron_layer_memory.csv", galvatron},
    {"papers", "papers.csv", papers},
    {"vtrain_a100_multi", "vtrain_a100_multi.csv", vtrain},
    {"vtrain_a100_single", "vtrain_a100_single.csv", vtrain},
    {"megatron_readme", "megatron_readme_h100.csv", stepTimes},
    {"automodel_moezoo", "automodel_moezoo.csv", stepTimes},
    {"internevo", "internevo.csv", internevo},
    {"nemo_long_seq", "nemo_long_seq.csv", longSequences},
    {"gemm_measured", "gemm_measured.csv", gemms},
    {"comm_bandwidth", "comm_bandwidth.csv", collectives},
};

std::span<const DataSet> dataSets() { return All; }

std::string shortLayout(const Run &R) {
  std::string Out;
  auto Part = [&](std::string_view Name, int64_t V, int64_t Usual) {
    if (V != Usual)
      Out += fmt::format("{}{}{}", Out.empty() ? "" : " ", Name, V);
  };
  Out = R.Model.substr(0, 40);
  Part("gpus", R.Gpus, 0);
  Part("tp", R.Tp, 1);
  Part("pp", R.Pp, 1);
  Part("vpp", R.Vpp, 1);
  Part("cp", R.Cp, 1);
  Part("ep", R.Ep, 1);
  Part("dp", R.Dp, 0);
  Part("zero", R.Zero, 0);
  Part("mbs", R.Micro, 0);
  Part("gbs", R.Global, 0);
  Part("seq", R.Seq, 0);
  if (!R.Recompute.empty() && R.Recompute != "none")
    Out += " recompute:" + R.Recompute;
  return Out;
}

std::string unusable(const Row &R, const Run &Of) {
  std::string_view Flag = R.text("flag");
  if (Flag.find("gpus unknown") != std::string_view::npos)
    return "number of GPUs not published";
  if (!Of.Layers || !Of.Hidden)
    return "architecture outside the tables' columns";
  if (!Of.Vocab)
    return "vocabulary not published";
  if (Of.Model.find("LoRA") != std::string::npos)
    return "LoRA: frozen weights";
  if (Of.Dp && Of.replicaGpus() * Of.Dp != Of.Gpus)
    return "layout does not give the number of GPUs";
  return {};
}

std::optional<Plan> planOf(const Row &R, const Run &Of, Jobs &J, std::initializer_list<Check *> Checks) {
  std::string Reason = unusable(R, Of);
  std::optional<Plan> P = Reason.empty() ? J.plan(Of) : std::nullopt;
  if (Reason.empty() && !P)
    Reason = J.record(Of.Device) ? "cannot be resolved" : "device not in the library";
  if (!P)
    for (Check *C : Checks)
      C->skip(Reason);
  return P;
}

void compare(Check &C, const Run &Of, double Predicted, double Measured, double Tolerance) {
  if (std::isnan(Measured))
    return C.skip("not measured");
  if (!std::isfinite(Predicted) || Predicted <= 0)
    return C.skip("no prediction");
  C.Samples.push_back({Of.Id, shortLayout(Of), Predicted, Measured, Tolerance, true});
}

} // namespace parlance::validate
