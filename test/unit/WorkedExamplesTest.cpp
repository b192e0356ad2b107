// Hand-computed numbers (test/data/worked_examples.csv) against the library, each through the language: a row's inputs
// are put into an expression, whose unit has to be the row's as well.
#include "Support.h"
#include <fstream>
#include <sstream>

using namespace parlance;

namespace {

using Inputs = std::map<std::string, std::string>;

struct Row {
  unsigned Line = 0;
  std::string Id, Formula, Expected, Unit, Tolerance;
  Inputs In;
};

void PrintTo(const Row &R, std::ostream *Out) { *Out << "line " << R.Line << ": " << R.Formula; }

std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts;
  std::istringstream In(Text);
  for (std::string Part; std::getline(In, Part, At);)
    Parts.push_back(Part);
  return Parts;
}

std::vector<Row> rows() {
  std::ifstream In(PARLANCE_SOURCE_DIR "/test/data/worked_examples.csv");
  std::vector<Row> Rows;
  unsigned Number = 0;
  for (std::string Line; std::getline(In, Line);) {
    auto Cells = split(Line, ',');
    if (++Number == 1 || Cells.size() != 6)
      continue;
    Row R{Number, Cells[0], Cells[1], Cells[3], Cells[4], Cells[5], {}};
    for (const std::string &Pair : split(Cells[2], ';'))
      R.In[Pair.substr(0, Pair.find('='))] = Pair.substr(Pair.find('=') + 1);
    // A row may have several results: each is a row of its own.
    auto Results = split(Cells[3], ' ');
    for (size_t I = 0; I < Results.size(); ++I) {
      R.Expected = Results[I];
      R.Formula = I == 0 ? Cells[1] : fmt::format("{}_{}", Cells[1], I + 1);
      Rows.push_back(R);
    }
  }
  return Rows;
}

//===----------------------------------------------------------------------===//
// What the rows speak of, as blocks
//===----------------------------------------------------------------------===//

/// The model of a row's inputs. What a row leaves out does not matter to its formula.
std::string shape(const Inputs &In) {
  auto Get = [&](const char *Key, const char *Default) {
    auto It = In.find(Key);
    return It == In.end() ? std::string(Default) : It->second;
  };
  bool Mla = In.contains("kl");
  std::string Heads = Get("nq", "1");
  std::string Text = fmt::format("layers = {}, hidden = {}, heads = {}, vocab = {}, ffn = {}", Get("L", "1"),
                                 Get("h", "1"), Heads, Get("V", "1"), Get("f", Get("fe", "1").c_str()));
  if (Mla)
    Text += fmt::format(", attention {{ kind = mla, q_lora = {}, kv_lora = {}, nope_dim = {}, "
                        "rope_dim = {}, v_dim = {} }}",
                        Get("ql", "0"), In.at("kl"), In.at("dn"), In.at("dr"), In.at("dv"));
  else if (In.contains("hq"))
    Text += fmt::format(", head_dim = {0} / {1}, kv_heads = {2} * {1} / {0}", In.at("hq"), Heads, In.at("hkv"));
  else if (In.contains("d"))
    Text += fmt::format(", head_dim = {}, kv_heads = {}", In.at("d"), Get("nkv", Heads.c_str()));
  if (In.contains("E"))
    Text += fmt::format(", experts = {}, top_k = {}, expert_ffn = {}, shared_experts = {}, dense_layers = {}, "
                        "router_bias = {}",
                        In.at("E"), In.at("k"), Get("fe", "1"), Get("shared", "0"), Get("dense", "0"),
                        Get("router_bias", "0") == "1");
  if (In.contains("tied"))
    Text += ", tied_embeddings = true";
  if (In.contains("qkv_bias"))
    Text += ", bias = qkv";
  if (In.contains("qk_norm"))
    Text += ", qk_norm = true";
  return Text;
}

/// Bytes per parameter in the words of a job.
std::string widths(const Inputs &In) {
  if (!In.contains("o"))
    return "";
  bool Accumulator = In.contains("acc");
  std::string Compute = In.at("w") == "4" ? "fp32" : "bf16", States = In.at("o") == "4" ? "bf16" : "fp32";
  return fmt::format("precision {{ compute = {}, grads = {}, master = {}, moments = {} }}, target = {}", Compute,
                     Accumulator || In.at("g") == "4" ? "fp32" : "bf16", States, States,
                     Accumulator ? "nanotron" : "megatron");
}

const char *const Model = "model m { $shape }";
const char *const Gpt = "model m { layers = $L, hidden = $h, heads = 1, ffn = 4 * $h, vocab = $V, positions = $C, "
                        "activation = gelu, norm = layernorm, bias = all, tied_embeddings = true }";
/// As many weights in products as a row has parameters.
const char *const Weights = "model w { layers = 1, hidden = 1, heads = 1, vocab = 1, ffn = ($P) / "
                            "2 - 2, activation = gelu }";
const char *const Stages = "layout l { pp = $p, virtual_stages = $v }";
const char *const Sharded = "layout l from example_layout { tp = 1, sequence_parallel = false, pp "
                            "= 1, dp = $d, zero = $zero }\n"
                            "job j from example_job { layout = l, $widths, LETS }";
const char *const Grid = "model m { $shape }\nlayout l from example_layout { tp = $t, "
                         "sequence_parallel = $sp, pp = $p, dp = 1 }\n"
                         "job j from example_job { model = m, layout = l, LETS }";
const char *const Flight = "layout l from example_layout { pp = $p, virtual_stages = $v, schedule = $schedule }\n"
                           "job j from example_job { layout = l, batch { accum = $m }, LETS }";
const char *const Head =
    "model m { $shape }\nlayout l from example_layout { tp = 1, sequence_parallel = false, pp = 1, "
    "dp = 1 }\n"
    "job j from example_job { model = m, layout = l, seq_len = $s tok/seq, target = accelerate, "
    "batch { micro = $b seq/replica/microbatch }, LETS }";
const char *const Phases = "layout l from example_layout { tp = 1, sequence_parallel = false, pp = 1, dp = $d }\n"
                           "job j from example_job { model = llama2_7b, layout = l, seq_len = $T tok/seq, "
                           "batch { micro = 1 seq/replica/microbatch }, LETS }";
const char *const Measured =
    "model llama31_405b_kv16 from llama31_405b { kv_heads = 16 }\nmodel m from $model { layers = "
    "$L }\n"
    "layout l from example_layout { tp = $t, pp = $p, cp = $c, dp = $d, sequence_parallel = $sp }\n"
    "job j from example_job { model = m, layout = l, seq_len = $s tok/seq, "
    "batch { micro = 1 seq/replica/microbatch, accum = 8 }, LETS }";
const char *const Any = "job j from example_job { $widths, LETS }";
const char *const Six = "model m { params = $P elem }\njob j from example_job { model = m, LETS }";

/// How a formula of the table is written with the library's. `$name` is an input of the row.
struct Mapping {
  const char *Formula, *Blocks, *Expression;
  /// Inputs that a row may leave out, or that the mapping adds.
  Inputs More = {};
};

const Mapping Mappings[] = {
    {"gpt_params", Gpt, "params_total(m)"},
    {"dense_params", Model, "params_total(m)"},
    {"moe_params_total", Model, "params_total(m)"},
    {"moe_params_active", Model, "params_active(m)"},
    {"mla_params", Model, "attention_params(m) * 1 layer"},
    {"mla_moe_params_total", Model, "params_total(m)"},
    {"mla_moe_params_active", Model, "params_active(m)"},
    {"mla_moe_params_active_without_input_embedding", Model, "params_active(m) - params_embedding(m)"},
    {"mtp_params", "model m { $shape, mtp_layers = 1 }", "mtp_params(m)"},
    {"block_params", Model, "dense_layer_params(m) * 1 layer", {{"nq", "64"}}},

    {"train_flops_six", Six, "flops.conventions.six_pt * $T tok"},
    {"backward_flops", Weights, "2 * flops_linear(w) * $T tok"},
    {"flops_per_token_palm", "", "flops_palm(llama3_8b, $s tok/seq)"},
    {"flops_per_token_llm_foundry", "", "flops_llm_foundry(llama3_8b, $s tok/seq)"},
    {"flops_per_token_torchtitan", "", "flops_torchtitan(llama3_8b, $s tok/seq)"},
    {"flops_per_token_nanotron", Model, "flops_nanotron(m, $s tok/seq)"},
    {"flops_per_token_megatron", Model, "flops_megatron(m, $s tok/seq, 1)"},
    {"nanotron_over_megatron", Model, "flops_nanotron(m, $s tok/seq) / flops_megatron(m, $s tok/seq, 1)"},
    {"attention_flops_causal_forward", Model, "flops_attention_causal(m, $s tok/seq)"},
    {"flops_per_token_mla_moe_causal", Model,
     "3 * (flops_linear(m) + flops_attention_full(m, $s tok/seq) / 2 + flops_logits($h, $V))"},
    {"step_flops_full_recompute", "", "narayanan_hardware_flops($B seq, $s tok/seq, $L, $h, $V)"},
    {"step_flops_model", "", "narayanan_model_flops($B seq, $s tok/seq, $L, $h, $V)"},
    {"recompute_full_alpha_gpt", Gpt,
     "alpha_full(flops_linear(m), flops_attention_full(m, $s tok/seq), flops_logits($h, $V))"},
    {"recompute_full_alpha_causal",
     "model m { $shape }\nlayout l from example_layout { recompute = full }\n"
     "job j from example_job { model = m, layout = l, seq_len = $s tok/seq, LETS }",
     "flops.recompute_alpha"},
    {"recompute_selective_alpha_gpt", Gpt,
     "alpha_selective(flops_linear(m), flops_attention_full(m, $s tok/seq), flops_logits($h, $V))"},
    {"recompute_selective_published", Gpt,
     "3 * alpha_selective(flops_linear(m), flops_attention_full(m, $s tok/seq), flops_logits($h, "
     "$V))"},
    {"mfu", Weights, "mfu_of(3 * flops_linear(w), $T tok, $t s, $n gpu, $F FLOP/s/gpu)"},
    {"hfu", Weights, "hfu_of(3 * flops_linear(w), $alpha, $T tok, $t s, $n gpu, $F FLOP/s/gpu)"},
    {"mfu_from_hfu", "", "mfu_from_hfu($hfu, $alpha)"},
    {"attention_share", Gpt, "flops_attention_full(m, $s tok/seq) / flops_linear(m)"},

    {"state_bytes", Any,
     "(memory.weight_width + memory.gradient_width + memory.master_width + memory.moments_width) * "
     "$P elem"},
    {"zero1_bytes",
     Sharded,
     "(memory.stage.weights(0) + memory.stage.gradients(0) + memory.stage.optimizer(0)) / "
     "memory.stage.params(0) * $P elem",
     {{"zero", "1"}}},
    {"zero2_bytes",
     Sharded,
     "(memory.stage.weights(0) + memory.stage.gradients(0) + memory.stage.optimizer(0)) / "
     "memory.stage.params(0) * $P elem",
     {{"zero", "2"}}},
    {"zero3_bytes",
     Sharded,
     "(memory.stage.weights(0) + memory.stage.gradients(0) + memory.stage.optimizer(0)) / "
     "memory.stage.params(0) * $P elem",
     {{"zero", "3"}}},
    {"stage_params", Grid, "memory.stage.params($i) * 1 gpu", {{"sp", "true"}}},

    {"activation_bytes_gpt", "", "korthikanti_activations($s * $b tok, $s tok/seq, $h, $a) * 1 layer"},
    {"activation_bytes_gpt_tp", "", "korthikanti_activations_rank($s * $b tok, $s tok/seq, $h, $a, $t) * 1 layer"},
    {"activation_bytes_gpt_tp_sp", "", "korthikanti_activations($s * $b tok, $s tok/seq, $h, $a) / $t * 1 layer"},
    {"activation_bytes_gpt_tp_sp_selective", "",
     "korthikanti_activations($s * $b tok, $s tok/seq, $h, 0) / $t * 1 layer"},
    {"activation_bytes_gpt_full_recompute",
     Grid,
     "memory.checkpoint_kept * $s * $b tok * 1 layer * 1 gpu/stage",
     {{"t", "1"}, {"sp", "false"}, {"p", "1"}}},
    {"attention_core_share", "",
     "34 * korthikanti_activations(1 tok, $s tok/seq, $h, $a) / korthikanti_activations(1 tok, $s "
     "tok/seq, $h, 0) - 34"},
    {"activation_bytes_layer", Model, "layer_activations(m, 2 B/elem)"},
    {"activation_bytes_layer_tp_sp", Grid, "memory.dense_layer_kept * 1 gpu/stage", {{"sp", "true"}, {"p", "1"}}},
    {"activation_bytes_layer_tp", Grid, "memory.dense_layer_kept * 1 gpu/stage", {{"sp", "false"}, {"p", "1"}}},
    {"activation_bytes_experts", Model, "expert_activations(m, 2 B/elem)"},
    {"in_flight", Flight, "memory.stage.in_flight($i)"},
    {"logits_fp32_bytes", Head, "memory.stage.logits(0) / memory.logit_width * width(fp32) * 1 gpu"},
    {"cross_entropy_unfused_bytes", Head, "memory.stage.logits(0) * 1 gpu"},
    {"fsdp_working_set", "", "fsdp_gathered($block elem/gpu, $prefetch, 2 B/elem) * 1 gpu"},
    {"deepspeed_live_cap", "", "fsdp_gathered($max_live elem/gpu, 0, 2 B/elem) * 1 gpu"},
    {"adam_seconds",
     Any,
     "optimizer_time($P elem/gpu, memory.gradient_width + 2 * (memory.master_width + "
     "memory.moments_width)"
     " + memory.weight_width, $HBM B/s/gpu)",
     {{"w", "2"}, {"g", "4"}, {"o", "12"}}},
    {"allocator_block", "", "allocator_block($request B)"},
    {"allocator_block_2", "", "allocator_segment($request B)"},
    {"phase_first_step_peak", Phases, "(memory.stage.forward(0) - memory.stage.overhead(0)) * 1 gpu + $C B"},
    {"phase_optimizer", Phases, "(memory.stage.update(0) - memory.stage.overhead(0)) * 1 gpu + $C B"},
    {"phase_later_step_peak", Phases, "(memory.stage.steady_forward(0) - memory.stage.overhead(0)) * 1 gpu + $C B"},
    // The formula of the example leaves out what context parallelism keeps twice.
    {"rank_peak_megatron", Measured,
     "(memory.stage.peak($i) - memory.stage.overhead($i) - memory.stage.attention_copies($i)) * 1 "
     "gpu"},

    {"all_reduce_seconds", "", "ring_all_reduce($S B/gpu, $n, $B B/s/gpu, $alpha s)", {{"alpha", "0"}}},
    {"all_gather_seconds", "", "ring_all_gather($S B/gpu, $n, $B B/s/gpu, $alpha s)"},
    {"all_reduce_bus_bandwidth", "", "bus_bandwidth_all_reduce($algbw B/s/gpu, $n) * 1 gpu"},
    {"trace_bus_bandwidth", "", "bus_bandwidth_$collective($elements elem/gpu * $width B/elem / ($us us), $n) * 1 gpu"},
    {"flat_ring_seconds", "", "ring_all_reduce($S B/gpu, $n, rail_bandwidth($g, $Bnvl B/s/gpu, $Bnic B/s, 1), 0 s)"},
    {"hierarchical_serial_seconds", "", "hierarchical_all_reduce($S B/gpu, $g, $k, $Bnvl B/s/gpu, $Bnic B/s/gpu)"},
    {"hierarchical_overlapped_seconds", "",
     "max(all_reduce_bytes($S B/gpu, $g) / ($Bnvl B/s/gpu), all_reduce_bytes($S B/gpu, $k) / $g / "
     "($Bnic B/s/gpu))"},
    {"dp_bytes", "", "data_parallel_bytes($P elem/gpu, $bg B/elem, $d) * 1 gpu"},
    {"zero3_bytes_sent", "", "fully_sharded_bytes($P elem/gpu, $bg B/elem, $bw B/elem, $d) * 1 gpu"},
    // Forward and backward pass. With sequence parallelism the backward pass gathers both inputs once more.
    {"tp_bytes", "",
     "2 * tensor_parallel_bytes($s * $b tok/microbatch, $h, $width B/elem, $t) * 1 gpu * 1 layer * "
     "1 microbatch"},
    {"tp_sp_bytes", "",
     "2 * tensor_parallel_bytes($s * $b tok/microbatch, $h, $width B/elem, $t) * 1 gpu * 1 layer * "
     "1 microbatch"
     " + 2 * all_gather_bytes($s * $b * $h * 1 elem/gpu * $width B/elem, $t) * 1 gpu"},
    {"pp_bytes", "", "boundary_bytes($s * $b tok/microbatch, $h, $width B/elem, $t) * 1 gpu * 1 microbatch"},
    {"cp_ring_bytes", "",
     "($c - 1) * ring_attention_bytes($s * $b / $c * 1 tok/microbatch, 2 * $hkv, $width B/elem) * "
     "1 gpu * 1 layer * 1 microbatch"},
    {"ulysses_bytes", "",
     "ulysses_bytes($s * $b / $n * 1 tok/microbatch, $hq, 2 * $hkv, $width B/elem, $n) * 1 gpu * 1 "
     "layer * 1 microbatch"},
    {"ep_dispatch_bytes", "",
     "dispatch_bytes($T tok/microbatch, $k, $h, $bd B/elem, $e) * 1 gpu * 1 layer * 1 microbatch"},
    {"expert_nodes_per_token", "", "expert_nodes($E, $N, $k)"},

    {"dp_overlap",
     Weights,
     "data_parallel_bytes($P elem/gpu, $b B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(2 * flops_linear(w), $T tok, 1 gpu, $F FLOP/s/gpu)",
     {{"P", "7e9"}}},
    // The ratio falls with the tokens: for one token it is the number at which it reaches 1.
    {"dp_break_even_tokens",
     Weights,
     "data_parallel_bytes($P elem/gpu, $b B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(2 * flops_linear(w), 1 tok, 1 gpu, $F FLOP/s/gpu) * 1 tok",
     {{"P", "7e9"}}},
    {"zero3_overlap_forward",
     Weights,
     "all_gather_bytes($P elem/gpu * $bw B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, 1 gpu, $F FLOP/s/gpu)",
     {{"P", "855654400"}}},
    {"zero3_overlap_lesson_code",
     Weights,
     "all_reduce_bytes($P elem/gpu * $bw B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, 1 gpu, $F FLOP/s/gpu)",
     {{"P", "855654400"}}},
    {"zero3_overlap_backward",
     Weights,
     "all_gather_bytes($P elem/gpu * ($bw + $bg) * 1 B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(2 * flops_linear(w), $T tok, 1 gpu, $F FLOP/s/gpu)",
     {{"P", "855654400"}}},
    {"zero3_break_even_tokens",
     Weights,
     "all_gather_bytes($P elem/gpu * $bw B/elem, $d) / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), 1 tok, 1 gpu, $F FLOP/s/gpu) * 1 tok",
     {{"P", "855654400"}}},
    {"tp_overlap_linear",
     Weights,
     "all_gather_bytes($T * $h * 1 elem/gpu * $b B/elem, $t) / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, $t gpu, $F FLOP/s/gpu)",
     {{"P", "$m * $h * $h"}, {"T", "4096"}}},
    // The lesson takes elements for bytes: its ratio is the right one for elements of one byte.
    {"tp_overlap_lesson_compact",
     Weights,
     "all_gather_bytes($T * $h * 1 elem/gpu * 1 B/elem, $t) / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, $t gpu, $F FLOP/s/gpu)",
     {{"P", "$h * $h"}, {"T", "4096"}}},
    {"tp_overlap_layer",
     Weights,
     "tensor_parallel_bytes($T tok/microbatch, $h, $b B/elem, $t) * 1 layer * 1 microbatch / ($B "
     "B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, $t gpu, $F FLOP/s/gpu)",
     {{"P", "$layer"}, {"T", "4096"}}},
    {"pp_overlap",
     Weights,
     "boundary_bytes($T tok/microbatch, $h, $b B/elem, 1) * 1 microbatch / ($B B/s/gpu)"
     " / compute_time(flops_linear(w), $T tok, 1 gpu, $F FLOP/s/gpu)",
     {{"P", "$m * $h * $h * $L"}, {"T", "4096"}}},
    {"cp_ring_overlap_causal",
     "model m { $shape }",
     "ring_attention_bytes($local tok/microbatch, 2 * $hkv, $b B/elem) * 1 layer * 1 microbatch / "
     "($B B/s/gpu)"
     " / compute_time(attention_flops_per_key(m) * 1 layer * $local / 2, $local tok, 1 gpu, $F "
     "FLOP/s/gpu)",
     {{"nq", "64"}}},
    {"ep_overlap", "",
     "dispatch_bytes(4096 tok/microbatch, 8, 7168, $bd B/elem, $e) * 1 layer * 1 microbatch / ($B "
     "B/s/gpu)"
     " / compute_time(2 FLOP/tok * mlp_matrices(deepseek_v3) * 7168 * $fe * 8, 4096 tok, 1 gpu, $F "
     "FLOP/s/gpu)"},

    {"bubble_over_ideal", Stages, "bubble_over_compute(bubble_passes(l), $m)"},
    {"bubble_over_step", Stages, "bubble_of_step(bubble_passes(l), $m)"},
    {"bubble_zb_h1", "layout l { pp = $p, schedule = zero_bubble }", "bubble_passes(l) * ($tf + $tb + $tw)"},
    {"bubble_dualpipe", "layout l { pp = $p, schedule = dualpipe }", "bubble_passes(l) * ($f + $b)"},
    {"ridge", "", "ridge($F FLOP/s/gpu, $BW B/s/gpu)"},
    {"gemm_intensity", "", "gemm_intensity($M, $N, $K, $b B/elem)"},
    {"tile_efficiency", "", "wave_efficiency($M, $N, $tm, $tn, $sms)"},
    {"batch_tokens", "", "batch_tokens($mbs seq/replica/microbatch, $ga microbatch, $dp replica, $s tok/seq)"},
    {"critical_batch_tokens", "", "critical_batch($loss)"},
    {"step_seconds", Stages, "step_time($m, bubble_passes(l), ($tf + $tb) * 1 s, $exposed s)"},
    {"full_recompute_backward_ratio",
     "layout l from example_layout { recompute = full }\njob j from example_job { layout = l, LETS "
     "}",
     "(flops.layers_forward * $tb_over_tf + flops.recompute) / flops.layers_forward"},
    {"exposed_layer_slowdown", "", "step_time(1, 0, 1 s, $R * 1 s) / (1 s)"},
};

/// Formulas that the library does not have.
struct Missing {
  const char *Formula, *Reason;
};
const Missing Absent[] = {
    {"trace_compute", "nothing reads kernel traces"},          {"trace_comm", "nothing reads kernel traces"},
    {"trace_overlap", "nothing reads kernel traces"},          {"trace_exposed_comm", "nothing reads kernel traces"},
    {"trace_exposed_mem_only", "nothing reads kernel traces"}, {"trace_idle", "nothing reads kernel traces"},
    {"trace_window", "nothing reads kernel traces"},
};

const Mapping *mapping(std::string_view Formula) {
  for (const Mapping &M : Mappings)
    if (M.Formula == Formula)
      return &M;
  return nullptr;
}

bool isAbsent(std::string_view Formula) {
  for (const Missing &M : Absent)
    if (M.Formula == Formula)
      return true;
  return false;
}

/// Puts inputs in place of `$name`, inputs of inputs first.
std::string substitute(std::string Text, const Inputs &In) {
  for (size_t At = 0; (At = Text.find('$', At)) != std::string::npos;) {
    size_t End = At + 1;
    while (End < Text.size() && (std::isalnum(static_cast<unsigned char>(Text[End])) || Text[End] == '_'))
      ++End;
    auto It = In.find(Text.substr(At + 1, End - At - 1));
    if (It == In.end()) {
      ADD_FAILURE() << "no input " << Text.substr(At, End - At);
      return Text;
    }
    Text.replace(At, End - At, It->second);
  }
  return Text;
}

/// The row as a file: `result` is what the library says, `expected` what the row does.
std::string file(const Row &R, const Mapping &M) {
  Inputs In = R.In;
  In.insert(M.More.begin(), M.More.end());
  const Inputs Defaults = {{"v", "1"},
                           {"i", "0"},
                           {"p", "1"},
                           {"c", "1"},
                           {"C", "0"},
                           {"V", "1"},
                           {"L", "1"},
                           {"shape", shape(In)},
                           {"widths", widths(In)},
                           {"sp", In.contains("t") && In.at("t") != "1" ? "true" : "false"}};
  In.insert(Defaults.begin(), Defaults.end());
  std::string Unit = R.Unit == "GiB" ? "B" : R.Unit == "FLOP/step" ? "FLOP" : R.Unit == "tf" ? "ratio" : R.Unit;
  std::string Suffix = Unit == "ratio" ? "" : R.Unit == "FLOP/step" ? " FLOP" : " " + R.Unit;
  std::string Blocks = substitute(M.Blocks, In);
  std::string Let = fmt::format("let result: {} = {}", Unit, substitute(M.Expression, In));
  if (size_t At = Blocks.find("LETS"); At != std::string::npos)
    Blocks.replace(At, 4, Let);
  else
    Blocks += "\n" + Let;
  return fmt::format("use std/example\nuse std/models\nuse std/hardware\n{}\nlet expected: {} = {}{}\n", Blocks, Unit,
                     R.Expected, Suffix);
}

class WorkedExamples : public testing::TestWithParam<Row> {};

TEST_P(WorkedExamples, Agree) {
  const Row &R = GetParam();
  const Mapping *M = mapping(R.Formula);
  if (!M) {
    EXPECT_TRUE(isAbsent(R.Formula)) << R.Formula << " is neither mapped nor listed as absent";
    return;
  }
  std::string Text = file(R, *M);
  Checked C(Text);
  ASSERT_EQ(C.reported(), "") << Text;
  Num Got = C.item("j") ? C.numberIn("j", "result") : C.number("result"), Want = C.number("expected");
  ASSERT_EQ(C.reported(), "") << Text;
  ASSERT_TRUE(Got.isKnown() && Want.isKnown()) << Text;
  if (R.Tolerance == "exact")
    EXPECT_EQ(equal(Got, Want), Truth::True) << Got.real() << " for " << Want.real() << "\n" << Text;
  else
    EXPECT_NEAR(Got.real() / Want.real(), 1, std::stod(R.Tolerance)) << Got.real() << " for " << Want.real() << "\n"
                                                                     << Text;
}

INSTANTIATE_TEST_SUITE_P(Csv, WorkedExamples, testing::ValuesIn(rows()), [](const auto &Info) {
  return fmt::format("Line{}_{}_{}", Info.param.Line, Info.param.Id, Info.param.Formula);
});

TEST(WorkedExamplesTable, IsRead) { EXPECT_EQ(rows().size(), 177u); }

TEST(WorkedExamplesTable, EveryFormulaIsMappedOnce) {
  std::set<std::string> InTable, Listed;
  for (const Row &R : rows())
    InTable.insert(R.Formula);
  for (const Mapping &M : Mappings)
    EXPECT_TRUE(Listed.insert(M.Formula).second) << M.Formula << " is mapped twice";
  for (const Missing &M : Absent) {
    EXPECT_TRUE(Listed.insert(M.Formula).second) << M.Formula << " is mapped and listed as absent";
    EXPECT_LT(standardLibrary().function(M.Formula), 0) << M.Formula << " exists now: map it";
    EXPECT_LT(standardLibrary().derive(M.Formula), 0) << M.Formula << " exists now: map it";
  }
  EXPECT_EQ(InTable, Listed);
}

} // namespace
