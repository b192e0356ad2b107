// Three workloads on which other estimators were run: what they say and what the library says, side by side.
#include "Report.h"
#include "Sets.h"
#include <fmt/format.h>

namespace parlance::validate {

namespace {

/// A: Llama-2 7B on 8 GPUs. B: GPT-3 175B on 512. C: Llama-3 70B on 128. 16-bit weights, ZeRO-1, Adam.
Run workload(char Name, std::string_view Recompute) {
  Run R;
  R.Id = Name;
  R.Device = Name == 'B' ? "a100_80g_sxm" : "h100_sxm";
  R.Link = Name == 'B' ? "infiniband_hdr" : "infiniband_ndr";
  R.Software = "megatron";
  R.Mlp = Name == 'B' ? "gelu" : "swiglu";
  R.Precision = "bf16";
  R.Recompute = Recompute;
  R.Zero = 1;
  R.Tied = R.Bias = Name == 'B';
  auto Shape = [&](int64_t Layers, int64_t Hidden, int64_t Ffn, int64_t Heads, int64_t KvHeads, int64_t Vocab) {
    R.Layers = Layers;
    R.Hidden = Hidden;
    R.Ffn = Ffn;
    R.Heads = Heads;
    R.KvHeads = KvHeads;
    R.Vocab = Vocab;
  };
  auto Layout = [&](int64_t Tp, int64_t Pp, int64_t Dp, int64_t Global, int64_t Seq) {
    R.Tp = Tp;
    R.Pp = Pp;
    R.Dp = Dp;
    R.Gpus = Tp * Pp * Dp;
    R.Global = Global;
    R.Seq = Seq;
    R.SequenceParallel = Tp > 1;
  };
  if (Name == 'A') {
    Shape(32, 4096, 11008, 32, 32, 32000);
    Layout(1, 1, 8, 128, 4096);
  } else if (Name == 'B') {
    Shape(96, 12288, 49152, 96, 96, 51200);
    Layout(8, 8, 8, 512, 2048);
  } else {
    Shape(80, 8192, 28672, 64, 8, 128256);
    Layout(8, 4, 4, 128, 8192);
  }
  R.Positions = R.Bias ? R.Seq : 0;
  return R;
}

std::string ours(Jobs &J, char Name, std::string_view Recompute) {
  auto P = J.plan(workload(Name, Recompute));
  if (!P)
    return {};
  auto At = [&](const char *Q) { return J.quantity(*P, Q, {0}) / GiB; };
  double Step = J.step(*P);
  return fmt::format("| {} {} | **Parlance** | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} "
                     "| step {:.2f} s on {} |\n",
                     Name, Recompute, J.quantity(*P, "params.total") / 1e9, At("memory.stage.weights"),
                     At("memory.stage.gradients"), At("memory.stage.optimizer"), At("memory.stage.activations"),
                     J.allocated(*P, 0) / GiB, Step, Name == 'B' ? "A100" : "H100");
}

} // namespace

std::string workloads(const Table &Peers) {
  Jobs J;
  std::string Out = "\n## Three workloads beside other estimators\n\n"
                    "A: Llama-2 7B, dp 8, 16 micro-batches of one sequence of 4,096. B: GPT-3 175B, tp 8, pp 8, "
                    "dp 8, "
                    "64 micro-batches of 2,048. C: Llama-3 70B, tp 8, pp 4, dp 4, 32 micro-batches of 8,192. "
                    "16-bit "
                    "weights, ZeRO-1, Adam, sequence parallelism where the tool has it. GiB of the most loaded "
                    "or first "
                    "stage; ours is the first stage's allocated peak with logits and working memory.\n\n"
                    "| case, recompute | tool | parameters [B] | weights | gradients | optimizer | activations | "
                    "total | |\n"
                    "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";
  std::string Last;
  for (size_t I = 0; I < Peers.Rows.size(); ++I) {
    Row R(Peers, I);
    std::string Case(R.text("case"));
    if (Case != Last)
      Out += ours(J, Case[0], std::string_view(Case).substr(2));
    Last = Case;
    Out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", Case, R.text("tool"), R.text("params_b"),
                       R.text("weights"), R.text("gradients"), R.text("optimizer"), R.text("activations"),
                       R.text("total"), R.text("note"));
  }
  return Out;
}

} // namespace parlance::validate
