#include "Run.h"
#include "Eval/Support.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::validate {

static bool contains(std::string_view Text, std::string_view Part) { return Text.find(Part) != std::string_view::npos; }

//===----------------------------------------------------------------------===//
// From a row
//===----------------------------------------------------------------------===//

static void modelOf(const Row &R, Run &Out) {
  Out.Layers = R.integer("layers", 0);
  Out.Hidden = R.integer("hidden", 0);
  Out.Ffn = R.integer("ffn", 0);
  Out.Heads = R.integer("heads", 0);
  Out.KvHeads = R.integer("kv_heads", Out.Heads);
  Out.HeadDim = R.integer("head_dim", 0);
  Out.Vocab = R.integer("vocab", 0);
  Out.Experts = R.integer("experts", 0);
  Out.TopK = R.integer("top_k", 0);
  Out.MoeFfn = R.integer("moe_ffn", Out.Ffn);
  Out.SharedFfn = R.integer("shared_ffn", 0);
  Out.DenseLayers = R.integer("dense_layers", 0);
  Out.Mtp = R.integer("mtp", 0);
  Out.QLora = R.integer("q_lora", 0);
  Out.KvLora = R.integer("kv_lora", 0);
  Out.NopeDim = R.integer("nope_dim", 0);
  Out.RopeDim = R.integer("rope_dim", 0);
  Out.VDim = R.integer("v_dim", 0);
  Out.Window = R.integer("window", 0);
  Out.WindowLayers = R.integer("window_layers", 0);
  Out.Tied = R.yes("tied");
  Out.Mlp = R.text("mlp");
  std::string_view Note = R.text("note");
  bool Gpt = Out.Mlp == "gelu";
  Out.Bias = Gpt && !contains(Note, "no-bias");
  // Learned positions where the family has them: BLOOM has ALiBi, and a note may say rotary.
  bool Learned = Gpt && !contains(Out.Model, "BLOOM") && !contains(Note, "rope");
  Out.Positions = Learned ? R.integer("seq", 0) : 0;
  Out.QkNorm = contains(Out.Model, "Qwen3") || contains(Out.Model, "qk_layernorm");
}

/// Kernels and dropout where they differ from what recipes use today. Megatron's functional tests run with its
/// arguments' defaults: unfused cross-entropy, and dropout for the GPT models; their names for attention backends are
/// in the notes.
static void kernelsOf(const Row &R, Run &Out) {
  if (contains(R.text("id"), "megatron_ci")) {
    std::string_view Note = R.text("note");
    Out.CrossEntropy = contains(Out.Model, "cross_entropy_loss_fusion") ? "compiled" : "unfused";
    Out.Dropout = Out.Mlp == "gelu";
    // The container of the golden files named lts_dgxa100_dracooci has no flash attention.
    Out.EagerAttention = contains(Note, "local") || contains(Note, "unfused") || contains(Note, "dracooci") ||
                         contains(R.text("source"), "dracooci");
  }
  // Megatron-LM before FlashAttention, in fp16, and its fork of 2022.
  if (Out.Software == "megatron-deepspeed" || (Out.Software == "megatron" && Out.Precision == "fp16") ||
      contains(Out.Model, "BLOOM"))
    Out.Stack = Out.Software == "megatron-deepspeed" && Out.Zero > 0 ? "megatron_deepspeed_2022" : "megatron_2021";
}

static void layoutOf(const Row &R, Run &Out) {
  Out.Tp = R.integer("tp", 1);
  Out.Pp = R.integer("pp", 1);
  Out.Vpp = R.integer("vpp", 1);
  Out.Cp = R.integer("cp", 1);
  Out.Ep = R.integer("ep", 1);
  Out.Dp = R.integer("dp", 0);
  Out.Zero = R.integer("zero", 0);
  Out.SequenceParallel = R.yes("sp");
  // Megatron-LM gives experts the tensor parallelism of the rest unless it is told otherwise; the recipes of Megatron
  // Bridge and the model zoo set 1, which is the only value that their dp and ep leave room for.
  Out.Etp = R.has("etp") ? R.integer("etp", 1) : Out.Experts > 0 && contains(R.text("id"), "megatron_ci") ? Out.Tp : 1;
  Out.Seq = R.integer("seq", 0);
  Out.Micro = R.integer("mbs", 1);
  Out.Global = R.integer("gbs", 0);
  // torchtitan's batch is the pipeline's: it is cut into as many micro-batches as there are stages
  // (pipeline_parallel_microbatches of December 2024).
  if (Out.Software == "torchtitan" && Out.Pp > 1 && Out.Micro % Out.Pp == 0)
    Out.Micro /= Out.Pp;
  if (Out.Model == "DeepSeek-V3" && Out.Software == "HAI-LLM DualPipe")
    Out.Schedule = "dualpipe";
  if (!Out.Global && R.has("accum") && Out.Dp)
    Out.Global = R.integer("accum", 1) * Out.Micro * Out.Dp;
}

Run runOf(const Row &R) {
  Run Out;
  Out.Id = R.text("id");
  Out.Device = R.text("device");
  Out.Link = R.text("link");
  Out.Ports = R.has("ports") ? R.number("ports") : 1;
  Out.Software = R.text("software");
  Out.Model = R.text("model");
  Out.Precision = R.text("precision");
  Out.Recompute = R.text("recompute");
  Out.Gpus = R.integer("gpus", 0);
  Out.PerNode = R.integer("per_node", 8);
  modelOf(R, Out);
  layoutOf(R, Out);
  kernelsOf(R, Out);
  return Out;
}

//===----------------------------------------------------------------------===//
// To a job
//===----------------------------------------------------------------------===//

Jobs::Jobs() : Lib(standardLibrary()), Values(Sources, Lib, Diags) {}

std::string Jobs::problems() {
  std::string Out;
  for (const Diagnostic &D : Diags.take())
    Out += (Out.empty() ? "" : "; ") + D.Message;
  return Out;
}

Record *Jobs::blank(std::string_view Schema) {
  const SchemaDecl *S = Lib.schema(Schema);
  return Values.own({S, S->Name, {}, std::vector<Value>(S->Fields.size()), std::vector<Origin>(S->Fields.size())});
}

/// A field that the schema does not have (yet, or no more) is left out.
void Jobs::set(Record &R, std::string_view Field, Value V) const {
  int I = R.Schema->find(Field);
  if (I < 0)
    return;
  R.Values[static_cast<size_t>(I)] = V;
  R.Origins[static_cast<size_t>(I)].K = Origin::Kind::Given;
}

void Jobs::word(Record &R, std::string_view Field, std::string_view V) const {
  int I = R.Schema->find(Field);
  const EnumDecl *E = I < 0 ? nullptr : R.Schema->Fields[static_cast<size_t>(I)].Ty.Enum;
  int Index = E ? E->find(V) : -1;
  if (Index >= 0)
    set(R, Field, Value::enumerator(static_cast<uint32_t>(Index)));
}

const Record *Jobs::record(std::string_view Name) {
  int I = Lib.record(Name);
  return I < 0 ? nullptr : Values.libraryInstance(static_cast<uint32_t>(I));
}

const Record *Jobs::device(std::string_view Name) {
  if (auto It = Devices.find(Name); It != Devices.end())
    return It->second;
  const Record *Found = record(Name);
  // torchtitan's H100s: 96 GB of HBM2e at 2.4 TB/s and 500 W.
  if (!Found && Name.starts_with("h100_sxm_9"))
    if (const Record *Base = record("h100_sxm")) {
      Record *Own = Values.own(*Base);
      set(*Own, "memory", Value::of(Num(96'000'000'000)));
      set(*Own, "usable", Value::of(Num(static_cast<int64_t>(97871) << 20)));
      set(*Own, "bandwidth", Value::of(Num(2.4e12)));
      Found = Own;
    }
  return Devices[std::string(Name)] = Found;
}

Value Jobs::dtype(std::string_view Name) const {
  const EnumDecl *E = Lib.enumNamed("dtype");
  int I = E ? E->find(Name) : -1;
  return I < 0 ? Value() : Value::enumerator(static_cast<uint32_t>(I));
}

const Record *Jobs::model(const Run &R) {
  Record *M = blank("model");
  count(*M, "layers", R.Layers);
  count(*M, "hidden", R.Hidden);
  count(*M, "ffn", R.Ffn);
  count(*M, "heads", R.Heads);
  count(*M, "kv_heads", R.KvHeads);
  if (R.HeadDim)
    count(*M, "head_dim", R.HeadDim);
  count(*M, "vocab", R.Vocab);
  count(*M, "positions", R.Positions);
  flag(*M, "tied_embeddings", R.Tied);
  flag(*M, "dropout", R.Dropout);
  word(*M, "activation", R.Mlp == "squared_relu" ? "relu" : R.Mlp);
  word(*M, "norm", R.Mlp == "swiglu" ? "rmsnorm" : "layernorm");
  flag(*M, "qk_norm", R.QkNorm);
  word(*M, "bias", R.Bias ? "all" : "none");
  if (R.Experts) {
    count(*M, "experts", R.Experts);
    count(*M, "top_k", R.TopK);
    count(*M, "expert_ffn", R.MoeFfn);
    // The tables give the width of all shared experts together.
    count(*M, "shared_experts", R.SharedFfn ? std::max<int64_t>(1, R.SharedFfn / R.MoeFfn) : 0);
    if (R.SharedFfn)
      count(*M, "shared_expert_ffn", R.SharedFfn / std::max<int64_t>(1, R.SharedFfn / R.MoeFfn));
    count(*M, "dense_layers", R.DenseLayers);
  }
  count(*M, "mtp_layers", R.Mtp);
  Record *A = blank("attention");
  if (R.KvLora) {
    word(*A, "kind", "mla");
    count(*A, "q_lora", R.QLora);
    count(*A, "kv_lora", R.KvLora);
    count(*A, "nope_dim", R.NopeDim);
    count(*A, "rope_dim", R.RopeDim);
    count(*A, "v_dim", R.VDim);
  }
  // A window in every second layer only is more than the schema can say, unless it has a field for it.
  if (R.Window && (!R.WindowLayers || R.WindowLayers == R.Layers || A->Schema->find("window_layers") >= 0)) {
    count(*A, "window", R.Window);
    if (R.WindowLayers)
      count(*A, "window_layers", R.WindowLayers);
  }
  set(*M, "attention", Value::record(A));
  return M;
}

/// GPUs that share the scale-up links. GB200 and GB300 trays of four are parts of an NVL72 rack, which training runs
/// use in multiples of 64.
static int64_t scaleUpDomain(const Run &R) {
  if (!R.Device.starts_with("gb") || R.Gpus <= R.PerNode)
    return std::min(R.PerNode, R.Gpus);
  for (int64_t Size = std::min<int64_t>(72, R.Gpus); Size > 1; --Size)
    if (R.Gpus % Size == 0)
      return Size;
  return R.PerNode;
}

const Record *Jobs::cluster(const Run &R) {
  const Record *Device = device(R.Device), *Link = record(R.Link);
  if (!Device || !R.Gpus)
    return nullptr;
  Record *C = blank("cluster");
  int64_t PerNode = scaleUpDomain(R);
  Value Node;
  Node.K = Value::Kind::Scaled;
  Node.Number = Num(PerNode);
  Node.Rec = Device;
  set(*C, "node", Node);
  count(*C, "nodes", (R.Gpus + PerNode - 1) / PerNode);
  set(*C, "inter", Value::record(Link));
  set(*C, "ports", Value::of(Num(R.Ports)));
  return C;
}

/// What a table's word for recompute is in the schema's. "Every second layer" of torchtitan and the module lists of
/// Megatron have no word of their own: the nearest one is taken.
static std::string_view recomputeOf(const Run &R) {
  if (R.Recompute.starts_with("full"))
    return "full";
  if (R.Recompute == "op")
    return "op";
  return R.Recompute.empty() || R.Recompute == "none" || R.Recompute == "?" ? "none" : "selective";
}

const Record *Jobs::layout(const Run &R) {
  Record *L = blank("layout");
  count(*L, "tp", R.Tp);
  flag(*L, "sequence_parallel", R.SequenceParallel);
  flag(*L, "keep_gathered", R.KeepGathered);
  // NVIDIA's recipes, and its table in Megatron-LM's README, overlap tensor-parallel communication.
  flag(*L, "tp_overlap",
       R.Tp > 1 && (R.Software == "nemo" || R.Software.starts_with("bridge") || R.Id.starts_with("megatron_readme")));
  count(*L, "pp", R.Pp);
  count(*L, "virtual_stages", R.Vpp);
  count(*L, "cp", R.Cp);
  count(*L, "ep", R.Ep);
  count(*L, "etp", R.Etp);
  if (R.Dp)
    count(*L, "dp", R.Dp);
  count(*L, "zero", R.Zero);
  word(*L, "schedule", R.Schedule);
  word(*L, "recompute", recomputeOf(R));
  return L;
}

const Record *Jobs::batch(const Run &R) {
  Record *B = blank("batch");
  count(*B, "micro", R.Micro);
  if (R.Global) {
    Value Global = Value::of(Num(R.Global));
    Global.Alternative = 1; // sequences
    set(*B, "global", Global);
  }
  return B;
}

/// Element type of the gradients that a run keeps and sends, by its software.
static std::string_view gradsOf(const Run &R) {
  if (!R.Grads.empty())
    return R.Grads;
  if (R.Software.starts_with("bridge") || R.Software == "nemo" || R.Software == "internevo")
    return "bf16"; // grad_reduce_in_fp32 is off in the performance recipes
  if (R.Precision == "pure_bf16")
    return "bf16";
  // Megatron-LM of 2021 reduced fp16 gradients; with bf16 it accumulates and reduces in fp32.
  return R.Precision == "fp16" && R.Software == "megatron-deepspeed" ? "fp16" : "fp32";
}

const Record *Jobs::precision(const Run &R) {
  Record *P = blank("precision");
  std::string_view Compute = R.Precision;
  if (Compute == "float8" || Compute == "amp_fp8")
    Compute = "fp8";
  if (Compute == "amp_bf16" || Compute == "pure_bf16")
    Compute = "bf16";
  word(*P, "compute", Compute);
  word(*P, "grads", gradsOf(R));
  return P;
}

static std::string_view targetOf(const Run &R) {
  if (R.Software == "nanotron" || R.Software == "torchtitan")
    return R.Software;
  if (R.Software == "llm-foundry")
    return "accelerate";
  if (R.Software == "automodel")
    return "torchtitan";
  if (R.Software == "internevo" || (R.Software == "megatron-deepspeed" && R.Zero > 0))
    return "deepspeed";
  return "megatron";
}

std::optional<Plan> Jobs::plan(const Run &R) {
  const Record *Cluster = cluster(R);
  if (!Cluster || !R.Layers || !R.Vocab || !R.Seq)
    return std::nullopt;
  Record *J = blank("job");
  J->Name = "row";
  set(*J, "model", Value::record(model(R)));
  set(*J, "cluster", Value::record(Cluster));
  set(*J, "layout", Value::record(layout(R)));
  set(*J, "batch", Value::record(batch(R)));
  set(*J, "precision", Value::record(precision(R)));
  count(*J, "seq_len", R.Seq);
  word(*J, "target", targetOf(R));
  if (!R.Stack.empty())
    set(*J, "stack", Value::record(record(R.Stack)));
  if (R.EagerAttention)
    word(*J, "attention_kernel", "eager");
  word(*J, "cross_entropy", R.CrossEntropy);
  return resolve(*Values.complete(*J), Values);
}

//===----------------------------------------------------------------------===//
// Quantities
//===----------------------------------------------------------------------===//

static double number(const Value &V) {
  if (V.K == Value::Kind::Bool)
    return V.Flag == Truth::Unknown ? std::nan("") : V.Flag == Truth::True;
  return rt::num(V).real();
}

double Jobs::quantity(const Plan &P, std::string_view Name, std::initializer_list<int64_t> Args) const {
  int I = Lib.derive(Name);
  if (I < 0)
    return std::nan("");
  std::vector<Value> Given;
  for (int64_t A : Args)
    Given.push_back(Value::of(Num(A)));
  return number(P.Context->derived(static_cast<uint32_t>(I), Given.data()));
}

double Jobs::call(std::string_view Name, const std::vector<Value> &Args) const {
  int I = Lib.function(Name);
  if (I < 0 || Lib.Functions[static_cast<size_t>(I)].Params.size() != Args.size())
    return std::nan("");
  return number(Lib.Functions[static_cast<size_t>(I)].Native(Calibration(), Args.data()));
}

double Jobs::callByName(std::string_view Name, const std::map<std::string, Value, std::less<>> &Args) const {
  int I = Lib.function(Name);
  if (I < 0)
    return std::nan("");
  std::vector<Value> Given;
  for (const ParamDecl &P : Lib.Functions[static_cast<size_t>(I)].Params) {
    auto It = Args.find(P.Name);
    if (It == Args.end())
      return std::nan("");
    Given.push_back(It->second);
  }
  return call(Name, Given);
}

template <typename F> double Jobs::worst(const Plan &P, int64_t Stage, F Of) const {
  if (Stage >= 0)
    return Of(Stage);
  double Most = 0;
  int64_t Stages = P.Job->rec(fields::job::layout)->num(fields::layout::pp).toInteger();
  for (int64_t I = 0; I < Stages; ++I)
    Most = std::max(Most, Of(I));
  return Most;
}

double Jobs::allocated(const Plan &P, int64_t Stage) const {
  return worst(P, Stage, [&](int64_t I) { return quantity(P, "memory.stage.allocated", {I}); });
}

double Jobs::reserved(const Plan &P, int64_t Stage) const {
  return worst(P, Stage, [&](int64_t I) { return quantity(P, "memory.stage.reserved", {I}); });
}

double Jobs::used(const Plan &P, int64_t Stage) const {
  return worst(P, Stage, [&](int64_t I) { return quantity(P, "memory.stage.used", {I}); });
}

double Jobs::steady(const Plan &P, int64_t Stage) const {
  return worst(P, Stage, [&](int64_t I) { return quantity(P, "memory.stage.steady", {I}); });
}

} // namespace parlance::validate
