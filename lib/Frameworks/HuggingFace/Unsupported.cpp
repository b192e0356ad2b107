// Families and options that are known and that a `model` block cannot express, each with the reason.
#include "Frameworks/HuggingFace/Families.h"
#include <algorithm>

namespace parlance::huggingface {
namespace {

constexpr std::string_view Encoder = "it is an encoder, with embeddings and heads of its own";
constexpr std::string_view EncoderDecoder = "it has an encoder beside the decoder";
constexpr std::string_view StateSpace = "state-space (Mamba) layers take the place of attention";
constexpr std::string_view LinearAttention = "most layers use linear attention";
constexpr std::string_view NormsOverHeads = "query and key norms run over all heads together";
constexpr std::string_view SparseIndexer = "the indexer of its sparse attention adds weights to every layer";

constexpr UnsupportedFamily Unsupported[] = {
    {"bamba", StateSpace, {}},
    {"bart", EncoderDecoder, {}},
    {"bert", Encoder, {}},
    {"bloom", "a norm follows the embedding, and positions are ALiBi", {}},
    {"cohere", "layer norms have no bias, and query and key norms are per head", {"use_qk_norm"}},
    {"cohere2", "layer norms have no bias", {}},
    {"dbrx", "layer norms have no bias", {}},
    {"deberta", Encoder, {}},
    {"deberta-v2", Encoder, {}},
    {"deepseek_v32", SparseIndexer, {"index_head_dim", "index_topk"}},
    {"deepseek_v4",
     "hyper-connections and compressed attention add weights to every layer",
     {"hc_mult", "compress_ratios"}},
    {"falcon_h1", StateSpace, {}},
    {"gemma3n", "every layer has embeddings of its own", {"hidden_size_per_layer_input"}},
    {"gemma3n_text", "every layer has embeddings of its own", {"hidden_size_per_layer_input"}},
    {"gemma4",
     "heads have two widths, and experts stand beside a dense network",
     {"global_head_dim", "enable_moe_block"}},
    {"gemma4_text",
     "heads have two widths, and experts stand beside a dense network",
     {"global_head_dim", "enable_moe_block"}},
    {"glm_moe_dsa", SparseIndexer, {"index_head_dim", "index_topk"}},
    {"gpt_oss",
     "attention sinks, the router and every expert have biases of their own",
     {"swiglu_limit", "attention_bias"}},
    {"gptj", "the output head has a bias", {}},
    {"jamba", StateSpace, {}},
    {"mamba", StateSpace, {}},
    {"mamba2", StateSpace, {}},
    {"minimax_m2", NormsOverHeads, {"qk_norm_type", "use_qk_norm"}},
    {"mpt", "layer norms have no bias", {}},
    {"mt5", EncoderDecoder, {}},
    {"nemotron-nas", "every layer has a shape of its own", {"block_configs"}},
    {"nemotron_h", StateSpace, {"hybrid_override_pattern"}},
    {"olmo", "norms have no weights", {}},
    {"olmo2", NormsOverHeads, {}},
    {"olmo3", NormsOverHeads, {}},
    {"phi", "the output head has a bias", {}},
    {"phimoe", "norms, attention and the output head have a bias, experts have none", {"lm_head_bias"}},
    {"qwen3_5_moe", LinearAttention, {"layer_types", "full_attention_interval"}},
    {"qwen3_5_moe_text", LinearAttention, {"layer_types", "full_attention_interval"}},
    {"qwen3_5_text", LinearAttention, {"layer_types", "full_attention_interval"}},
    {"qwen3_next", LinearAttention, {"layer_types", "full_attention_interval"}},
    {"roberta", Encoder, {}},
    {"rwkv", "there is no attention", {}},
    {"t5", EncoderDecoder, {}},
    {"whisper", EncoderDecoder, {}},
    {"xlm-roberta", Encoder, {}},
    {"zamba", StateSpace, {}},
    {"zamba2", StateSpace, {}},
};
static_assert(std::ranges::is_sorted(Unsupported, {}, &UnsupportedFamily::Name), "found by binary search");

using When = Limit::When;
constexpr Limit Common[] = {
    {"attention_k_eq_v", When::True, "keys and values share one projection"},
    {"attn_output_gate", When::True, "the output of attention has a gate with weights"},
    {"block_configs", When::Present, "every layer has a shape of its own"},
    {"compress_ratios", When::Present, "compressed attention adds weights"},
    {"enable_moe_block", When::True, "experts stand beside a dense network"},
    {"global_head_dim", When::Present, "heads have two widths"},
    {"hc_mult", When::Present, "hyper-connections add weights"},
    {"hidden_size_per_layer_input", When::Positive, "every layer has embeddings of its own"},
    {"hybrid_layer_pattern", When::Present, "layers are of several kinds"},
    {"hybrid_override_pattern", When::Present, "layers are of several kinds"},
    {"index_head_dim", When::Present, SparseIndexer},
    {"index_topk", When::Present, SparseIndexer},
    {"is_encoder_decoder", When::True, EncoderDecoder},
    {"layer_types", When::OtherLayerTypes, "this kind of layer has weights of its own"},
    {"lm_head_bias", When::True, "the output head has a bias"},
    {"num_kv_shared_layers", When::Positive, "layers share keys and values"},
    {"o_lora_rank", When::Present, "the output projection is factored"},
    {"qk_norm_type", When::NotWord, "query and key norms are counted per head", false, "per_head"},
    {"quantization_config", When::Present,
     "it says how the checkpoint is stored; `precision` of the job decides how it is trained", true},
    {"shared_intermediate_size", When::Positive, "this family's experts are known without a shared one"},
};

} // namespace

const UnsupportedFamily *unsupportedFamily(std::string_view Name) {
  const auto *Found = std::ranges::lower_bound(Unsupported, Name, {}, &UnsupportedFamily::Name);
  return Found != std::end(Unsupported) && Found->Name == Name ? Found : nullptr;
}

std::span<const Limit> commonLimits() { return Common; }

} // namespace parlance::huggingface
