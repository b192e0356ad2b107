// Source of every row: transformers, src/transformers/models/FAMILY/configuration_FAMILY.py (keys, defaults) and
// modeling_FAMILY.py (which layers have a bias, a norm, a router's bias).
#include "Frameworks/HuggingFace/Families.h"
#include "Frameworks/HuggingFace/ConfigReader.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::huggingface {
namespace {

namespace M = fields::model;
namespace A = fields::attention;
using When = Limit::When;

//===----------------------------------------------------------------------===//
// Options that many families share
//===----------------------------------------------------------------------===//

constexpr int64_t FromFile = -1; ///< no default: the file must say
constexpr int64_t Follows = 0;   ///< kv_heads = heads, head_dim = hidden / heads

constexpr Option count(std::string_view Key, unsigned Field, int64_t Default) {
  Option O{{Key}, Field};
  O.Default = Default;
  return O;
}
constexpr Option flag(std::string_view Key, unsigned Field, bool Default, Conversion How = Conversion::Flag) {
  Option O{{Key}, Field, How};
  O.Default = Default;
  return O;
}
constexpr Option shape(std::string_view Key, std::string_view Alias, unsigned Field, int64_t Default) {
  Option O = count(Key, Field, Default);
  O.Keys[1] = Alias;
  O.Shape = true;
  return Default == FromFile ? O.required() : O;
}
constexpr Option tied(bool Default) {
  Option O = flag("tie_word_embeddings", M::tied_embeddings, Default);
  O.AlsoOutside = true;
  return O;
}
constexpr Option activation(std::string_view Default) {
  Option O{{"hidden_act", "hidden_activation", "activation_function"}, M::activation, Conversion::Activation};
  O.Word = Default;
  return O;
}

/// The row of a family: the defaults of its class.
struct Row {
  int64_t Hidden, Layers, Heads, KvHeads, HeadDim, Ffn, Vocab;
  bool Tied = false;
  std::string_view Act = "silu";
};
constexpr std::array<Option, 9> decoder(Row R) {
  const Option Kv = count("num_key_value_heads", M::kv_heads, R.KvHeads).nullIsNone();
  const Option Dim = count("head_dim", M::head_dim, R.HeadDim).nullIsNone();
  return {shape("hidden_size", "", M::hidden, R.Hidden),
          shape("num_hidden_layers", "", M::layers, R.Layers),
          shape("num_attention_heads", "", M::heads, R.Heads),
          R.KvHeads == Follows ? Kv.orSchema() : Kv,
          R.HeadDim == Follows ? Dim.orSchema() : Dim,
          shape("intermediate_size", "", M::ffn, R.Ffn),
          shape("vocab_size", "", M::vocab, R.Vocab),
          tied(R.Tied),
          activation(R.Act)};
}

constexpr Option Window = count("sliding_window", A::window, 0).orSchema().nullIsNone().inAttention();
constexpr Option MtpLayers = count("num_nextn_predict_layers", M::mtp_layers, 0);
constexpr Option experts(std::string_view Key, std::string_view Alias, int64_t Default) {
  Option O = count(Key, M::experts, Default);
  O.Keys[1] = Alias;
  return O;
}
constexpr Option topK(int64_t Default) { return count("num_experts_per_tok", M::top_k, Default); }
constexpr Option expertFfn(int64_t Default) { return count("moe_intermediate_size", M::expert_ffn, Default); }
constexpr Option MlpOnlyLayers{{"mlp_only_layers"}, M::dense_layers, Conversion::LeadingLayers};

constexpr Fixed RmsNorms[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "none"}};
constexpr Fixed RmsNormsQkv[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "qkv"}};
constexpr Fixed RmsNormsOnly[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 2}}; // the bias is read
constexpr Fixed QkNorms[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "none"}, {M::qk_norm, 1}};
constexpr Fixed FourNorms[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 4}, {M::bias, 0, "none"}};
constexpr Fixed FourNormsQk[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 4}, {M::bias, 0, "none"}, {M::qk_norm, 1}};
constexpr Fixed LayerNorms[] = {{M::norm, 0, "layernorm"}, {M::norms, 2}, {M::bias, 0, "all"}};
constexpr Fixed LayerNormsOnly[] = {{M::norm, 0, "layernorm"}, {M::norms, 2}};
constexpr Fixed FalconNorms[] = {{M::norm, 0, "layernorm"}};

constexpr std::string_view EveryProjectionBiased =
    "all four projections of attention get a bias, and `bias` knows none, qkv and all";
constexpr std::string_view SomeLayersSlide = "only some layers use a sliding window; all are taken as full attention";
constexpr std::string_view EveryLayerMoe = "layers with and without experts alternate";
constexpr Limit AttentionBias{"attention_bias", When::True, EveryProjectionBiased};
constexpr Limit SomeSlide{"use_sliding_window", When::True, SomeLayersSlide, true};

//===----------------------------------------------------------------------===//
// Llama and its relatives
//===----------------------------------------------------------------------===//

/// A bias everywhere is `bias = all`, one on either half alone has no name.
void llamaBias(ConfigReader &R) {
  const bool Attention = R.flag("attention_bias", false), Mlp = R.flag("mlp_bias", false);
  if (Attention && !Mlp)
    R.refuse("attention_bias", EveryProjectionBiased);
  else if (Mlp && !Attention)
    R.refuse("mlp_bias", "only the feed-forward network gets a bias, and `bias` knows none, qkv and all");
  else
    R.setWord(M::bias, Mlp ? "all" : "none", Mlp ? "mlp_bias" : "");
}

constexpr auto Llama = decoder({4096, 32, 32, Follows, Follows, 11008, 32000});
constexpr auto SmolLM3 = decoder({2048, 36, 16, 4, Follows, 11008, 128256, true});
constexpr auto Mistral = decoder({4096, 32, 32, 8, Follows, 14336, 32000});
constexpr Option MistralExtra[] = {count("sliding_window", A::window, 4096).nullIsNone().inAttention()};
constexpr Limit MistralLimits[] = {{"layer_types", When::Present, SomeLayersSlide, true}};
constexpr Option MixtralExtra[] = {experts("num_local_experts", "num_experts", 8), topK(2), Window};
constexpr auto Phi3 = decoder({3072, 32, 32, Follows, Follows, 8192, 32064});
constexpr Option WindowOnly[] = {Window};
constexpr Limit BiasLimit[] = {AttentionBias};

constexpr auto Llama4 = [] {
  auto Options = decoder({5120, 48, 40, 8, 128, 16384, 202048});
  Options[5] = shape("intermediate_size_mlp", "", M::ffn,
                     16384); // intermediate_size is the width of one expert
  return Options;
}();
constexpr Option Llama4Extra[] = {experts("num_local_experts", "", 16), topK(1),
                                  count("intermediate_size", M::expert_ffn, 8192)};
// use_qk_norm is a norm without weights.
constexpr Fixed Llama4Always[] = {
    {M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "none"}, {M::qk_norm, 0}, {M::shared_experts, 1}};
constexpr Limit Llama4Limits[] = {AttentionBias,
                                  {"interleave_moe_layer_step", When::NotOne, EveryLayerMoe},
                                  {"moe_layers", When::NotAllLayers, EveryLayerMoe},
                                  {"attention_chunk_size", When::Present,
                                   "three of four layers attend within chunks; all are taken as full attention", true}};

//===----------------------------------------------------------------------===//
// Qwen
//===----------------------------------------------------------------------===//

constexpr auto Qwen2 = decoder({4096, 32, 32, 32, Follows, 22016, 151936});
constexpr auto Qwen2Moe = decoder({2048, 24, 16, 16, Follows, 5632, 151936});
constexpr auto Qwen3 = decoder({4096, 32, 32, 32, 128, 22016, 151936});
constexpr auto Qwen3Moe = decoder({2048, 24, 32, 4, Follows, 6144, 151936});
constexpr auto MiMo = decoder({FromFile, FromFile, FromFile, Follows, Follows, FromFile, FromFile});
constexpr Option MtpOnly[] = {MtpLayers};
constexpr Limit Qwen2Limits[] = {SomeSlide};
constexpr Limit Qwen3Limits[] = {SomeSlide, AttentionBias};
constexpr Option Qwen2MoeExtra[] = {experts("num_experts", "num_local_experts", 60),
                                    topK(4),
                                    expertFfn(1408),
                                    MlpOnlyLayers,
                                    count("shared_expert_intermediate_size", M::shared_expert_ffn, 5632),
                                    flag("qkv_bias", M::bias, true, Conversion::BiasQkv)};
constexpr Fixed Qwen2MoeAlways[] = {
    {M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::shared_experts, 1}, {M::shared_expert_gate, 1}};
constexpr Option Qwen3MoeExtra[] = {experts("num_experts", "num_local_experts", 128), topK(8), expertFfn(768),
                                    MlpOnlyLayers};
constexpr Limit Qwen2MoeLimits[] = {SomeSlide, {"decoder_sparse_step", When::NotOne, EveryLayerMoe}};
constexpr Limit Qwen3MoeLimits[] = {SomeSlide, AttentionBias, {"decoder_sparse_step", When::NotOne, EveryLayerMoe}};

//===----------------------------------------------------------------------===//
// DeepSeek and those built like it
//===----------------------------------------------------------------------===//

// Latent attention has widths of its own: head_dim of newer files is the rotary one.
constexpr std::array<Option, 8> latent(Row R) {
  auto D = decoder(R);
  return {D[0], D[1], D[2], D[3], D[5], D[6], D[7], D[8]};
}
constexpr auto DeepSeekV2 = latent({4096, 32, 32, Follows, Follows, 11008, 32000});
constexpr auto DeepSeekV3 = latent({7168, 61, 128, 128, Follows, 18432, 129280});

struct LatentRow {
  int64_t Experts, TopK, ExpertFfn, Shared, Dense;
};
constexpr std::array<Option, 12> latentExtra(LatentRow R) {
  return {experts("n_routed_experts", "num_local_experts", R.Experts).nullIsNone(),
          R.TopK == FromFile ? topK(0).required() : topK(R.TopK),
          expertFfn(R.ExpertFfn),
          count("n_shared_experts", M::shared_experts, R.Shared).nullIsNone(),
          count("first_k_dense_replace", M::dense_layers, R.Dense),
          MtpLayers,
          count("q_lora_rank", A::q_lora, 1536).nullIsNone().inAttention(),
          count("kv_lora_rank", A::kv_lora, 512).inAttention(),
          count("qk_nope_head_dim", A::nope_dim, 128).inAttention(),
          count("qk_rope_head_dim", A::rope_dim, 64).inAttention(),
          count("v_head_dim", A::v_dim, 128).inAttention(),
          Option{{"topk_method"},
                 M::router_bias,
                 Conversion::IsWord,
                 0,
                 Absence::Default,
                 false,
                 false,
                 false,
                 false,
                 0,
                 "noaux_tc"}};
}
constexpr auto DeepSeekV2Extra = latentExtra({64, FromFile, 1407, 2, 0});
constexpr auto DeepSeekV3All = latentExtra({256, 8, 2048, 1, 3});
// e_score_correction_bias is there whatever topk_method says.
constexpr auto DeepSeekV3Extra = std::span(DeepSeekV3All).first(11);
constexpr Fixed LatentAlways[] = {
    {M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "none"}, {A::kind, 0, "mla", true}};
constexpr Fixed LatentV3Always[] = {
    {M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::bias, 0, "none"}, {M::router_bias, 1}, {A::kind, 0, "mla", true}};
constexpr Limit LatentLimits[] = {AttentionBias, {"moe_layer_freq", When::NotOne, EveryLayerMoe}};

constexpr auto Glm4Moe = decoder({4096, 46, 96, 8, Follows, 10944, 151552});
constexpr Option Glm4MoeExtra[] = {experts("n_routed_experts", "num_local_experts", 128),
                                   topK(8),
                                   expertFfn(1408),
                                   count("n_shared_experts", M::shared_experts, 1),
                                   count("first_k_dense_replace", M::dense_layers, 1),
                                   MtpLayers,
                                   flag("use_qk_norm", M::qk_norm, false),
                                   flag("attention_bias", M::bias, false, Conversion::BiasQkv)};
constexpr Fixed Glm4MoeAlways[] = {{M::norm, 0, "rmsnorm"}, {M::norms, 2}, {M::router_bias, 1}};

//===----------------------------------------------------------------------===//
// GPT and its relatives
//===----------------------------------------------------------------------===//

constexpr Option FfnOfGpt2 = [] {
  Option O{{"n_inner"}, M::ffn};
  O.IfAbsent = Absence::FourHidden;
  return O;
}();
constexpr Option Gpt2[] = {shape("n_embd", "hidden_size", M::hidden, 768),
                           shape("n_layer", "num_hidden_layers", M::layers, 12),
                           shape("n_head", "num_attention_heads", M::heads, 12),
                           FfnOfGpt2,
                           shape("vocab_size", "", M::vocab, 50257),
                           tied(true),
                           activation("gelu_new")};
constexpr Option Gpt2Extra[] = {[] {
  Option O = count("n_positions", M::positions, 1024);
  O.Keys[1] = "max_position_embeddings";
  return O;
}()};
constexpr Limit Gpt2Limits[] = {{"add_cross_attention", When::True, "cross-attention adds weights to every layer"}};

constexpr auto GptNeoX = decoder({6144, 44, 64, Follows, Follows, 24576, 50432, false, "gelu"});
constexpr Limit GptNeoXLimits[] = {
    {"attention_bias", When::False,
     "attention has no bias and the feed-forward network has one; `bias` knows none, qkv and all"}};

constexpr auto StarCoder2 = decoder({3072, 30, 24, 2, Follows, 12288, 49152, true, "gelu_pytorch_tanh"});
constexpr Option StarCoder2Extra[] = {flag("use_bias", M::bias, true, Conversion::BiasAll), Window};

constexpr Option Opt[] = {shape("hidden_size", "d_model", M::hidden, 768),
                          shape("num_hidden_layers", "", M::layers, 12),
                          shape("num_attention_heads", "", M::heads, 12),
                          shape("ffn_dim", "", M::ffn, 3072),
                          shape("vocab_size", "", M::vocab, 50272),
                          tied(true),
                          activation("relu")};
// OPTLearnedPositionalEmbedding keeps two rows in front.
constexpr Option OptExtra[] = {[] {
  Option O = count("max_position_embeddings", M::positions, 2048);
  O.Add = 2;
  return O;
}()};
constexpr Limit OptLimits[] = {
    {"do_layer_norm_before", When::False, "there is no norm behind the last layer"},
    {"enable_bias", When::False, "only the norms have a bias"},
    {"layer_norm_elementwise_affine", When::False, "the norms have no weights"},
};
void optProjection(ConfigReader &R) {
  if (auto Width = R.count("word_embed_proj_dim"); Width && R.number(M::hidden) && *Width != *R.number(M::hidden))
    R.refuse("word_embed_proj_dim", "embeddings of another width are projected in and out");
}

constexpr Option Falcon[] = {shape("hidden_size", "n_embed", M::hidden, 4544),
                             shape("num_hidden_layers", "n_layer", M::layers, 32),
                             shape("num_attention_heads", "n_head", M::heads, 71),
                             [] {
                               Option O{{"ffn_hidden_size"}, M::ffn};
                               O.IfAbsent = Absence::FourHidden;
                               return O;
                             }(),
                             shape("vocab_size", "", M::vocab, 65024),
                             tied(true),
                             [] {
                               Option O = activation("gelu");
                               O.Keys = {"activation"};
                               return O;
                             }()};
constexpr Option FalconExtra[] = {flag("bias", M::bias, false, Conversion::BiasAll)};
/// Heads and norms depend on the generation (modeling_falcon.py, FalconDecoderLayer).
void falconGeneration(ConfigReader &R) {
  if (R.flag("new_decoder_architecture", false)) {
    const char *Key = R.value("num_kv_heads") ? "num_kv_heads" : "n_head_kv";
    if (auto Kv = R.count(Key))
      R.setNumber(M::kv_heads, *Kv, Key);
    R.setNumber(M::norms, R.count("num_ln_in_parallel_attn").value_or(2), "num_ln_in_parallel_attn");
    return;
  }
  if (R.flag("multi_query", true))
    R.setNumber(M::kv_heads, 1, "multi_query");
  R.setNumber(M::norms, R.flag("parallel_attn", true) ? 1 : 2, "parallel_attn");
}

//===----------------------------------------------------------------------===//
// Gemma
//===----------------------------------------------------------------------===//

constexpr auto Gemma = decoder({3072, 28, 16, 16, 256, 24576, 256000, true, "gelu_pytorch_tanh"});
constexpr auto Gemma2 = decoder({2304, 26, 8, 4, 256, 9216, 256000, true, "gelu_pytorch_tanh"});
constexpr auto Gemma3 = decoder({2304, 26, 8, 4, 256, 9216, 262208, true, "gelu_pytorch_tanh"});
constexpr Limit GemmaWindows[] = {AttentionBias, {"sliding_window", When::Present, SomeLayersSlide, true}};

constexpr Family Families[] = {
    {"deepseek_v2", true, DeepSeekV2, DeepSeekV2Extra, LatentAlways, LatentLimits},
    {"deepseek_v3", true, DeepSeekV3, DeepSeekV3Extra, LatentV3Always, LatentLimits},
    {"falcon", false, Falcon, FalconExtra, FalconNorms, {}, falconGeneration},
    {"gemma", true, Gemma, {}, RmsNorms, BiasLimit},
    {"gemma2", true, Gemma2, {}, FourNorms, GemmaWindows},
    {"gemma3_text", true, Gemma3, {}, FourNormsQk, GemmaWindows},
    {"glm4_moe", true, Glm4Moe, Glm4MoeExtra, Glm4MoeAlways, {}},
    {"gpt2", false, Gpt2, Gpt2Extra, LayerNorms, Gpt2Limits},
    {"gpt_neox", false, GptNeoX, {}, LayerNorms, GptNeoXLimits},
    {"kimi_k2", true, DeepSeekV3, DeepSeekV3Extra, LatentV3Always, LatentLimits},
    {"llama", true, Llama, {}, RmsNormsOnly, {}, llamaBias},
    {"llama4_text", true, Llama4, Llama4Extra, Llama4Always, Llama4Limits},
    {"mimo", true, MiMo, MtpOnly, RmsNormsQkv, Qwen2Limits},
    {"mistral", true, Mistral, MistralExtra, RmsNorms, MistralLimits},
    {"mixtral", true, Mistral, MixtralExtra, RmsNorms, {}},
    {"opt", false, Opt, OptExtra, LayerNorms, OptLimits, optProjection},
    {"phi3", true, Phi3, WindowOnly, RmsNorms, BiasLimit},
    {"qwen2", true, Qwen2, {}, RmsNormsQkv, Qwen2Limits},
    {"qwen2_moe", true, Qwen2Moe, Qwen2MoeExtra, Qwen2MoeAlways, Qwen2MoeLimits},
    {"qwen3", true, Qwen3, {}, QkNorms, Qwen3Limits},
    {"qwen3_moe", true, Qwen3Moe, Qwen3MoeExtra, QkNorms, Qwen3MoeLimits},
    {"qwen3_vl_moe_text", true, Qwen3Moe, Qwen3MoeExtra, QkNorms, Qwen3MoeLimits},
    {"qwen3_vl_text", true, Qwen3, {}, QkNorms, Qwen3Limits},
    {"smollm3", true, SmolLM3, {}, RmsNormsOnly, Qwen2Limits, llamaBias},
    {"starcoder2", false, StarCoder2, StarCoder2Extra, LayerNormsOnly, {}},
};
static_assert(std::ranges::is_sorted(Families, {}, &Family::Name), "families are found by binary search");

} // namespace

std::span<const Family> families() { return Families; }

const Family *familyNamed(std::string_view Name) {
  const auto *Found = std::ranges::lower_bound(Families, Name, {}, &Family::Name);
  return Found != std::end(Families) && Found->Name == Name ? Found : nullptr;
}

} // namespace parlance::huggingface
