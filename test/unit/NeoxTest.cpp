// GPT-NeoX's YAML: what its keys mean, several files as one configuration, what is refused.
#include "FrameworkFiles.h"

using namespace parlance;

namespace {

constexpr std::string_view Base = R"({
  "pipe_parallel_size": 2, "model-parallel-size": 4,
  "num_layers": 16, "hidden_size": 2048, "num_attention_heads": 16,
  "seq_length": 2048, "max_position_embeddings": 2048, "padded_vocab_size": 50304,
  "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2,
)";

/// The base with further keys, on two nodes of eight GPUs.
class Neox : public ReadFiles {
public:
  explicit Neox(std::string_view More = {}) : ReadFiles({{"model.yml", std::string(Base) + std::string(More) + "}"}}) {}
};

struct Meaning {
  std::string_view Keys, Field, Value;
};

TEST(Neox, KeysMeanFields) {
  for (auto [Keys, Field, Value] : {
           Meaning{"", "layout.tp", "4"},
           Meaning{"", "layout.pp", "2"},
           Meaning{"", "layout.dp", "2"},
           Meaning{"\"pipe-parallel-size\": 0", "layout.pp", "1"},
           Meaning{"", "batch.sequences", "16"},
           Meaning{"", "model.ffn", "8192"},
           // Gate and rest share the width: a third of it each, rounded up.
           Meaning{"\"activation\": \"swiglu\", \"mlp_multiple_of\": 256", "model.ffn", "2816"},
           Meaning{"\"activation\": \"swiglu\", \"intermediate_size\": 32768, \"mlp_multiple_of\": 256", "model.ffn",
                   "11008"},
           Meaning{"\"expansion_factor\": 3.5", "model.ffn", "7168"},
           Meaning{"\"activation\": \"swiglu\"", "model.activation", "swiglu"},
           Meaning{"", "model.activation", "gelu"},
           Meaning{"", "model.norm", "layernorm"},
           Meaning{"\"norm\": \"rmsnorm\"", "model.norm", "rmsnorm"},
           Meaning{"", "model.positions", "2048"},
           Meaning{"\"pos_emb\": \"rotary\"", "model.positions", "0"},
           Meaning{"", "model.tied_embeddings", "true"},
           Meaning{"\"no-weight-tying\": true", "model.tied_embeddings", "false"},
           Meaning{"\"num_kv_heads\": 4", "model.kv_heads", "4"},
           Meaning{"", "model.bias", "all"},
           Meaning{"\"use_bias_in_mlp\": false", "model.bias", "qkv"},
           Meaning{"\"use_bias_in_mlp\": false, \"use_bias_in_attn_linear\": false", "model.bias", "none"},
           Meaning{"", "model.dropout", "false"},
           Meaning{"\"hidden_dropout\": 0.1", "model.dropout", "true"},
           Meaning{"\"zero_optimization\": {\"stage\": 1}", "layout.zero", "1"},
           Meaning{"\"checkpoint_activations\": true", "layout.recompute", "full"},
           Meaning{"", "precision.compute", "fp32"},
           Meaning{"\"fp16\": {\"enabled\": true}", "precision.compute", "fp16"},
           Meaning{"\"bf16\": {\"enabled\": true}", "precision.compute", "bf16"},
           Meaning{"\"precision\": \"bfloat16\"", "precision.compute", "bf16"},
           Meaning{"\"precision\": \"bfloat16\", \"data_types\": {\"grad_accum_dtype\": \"fp32\"}", "precision.grads",
                   "fp32"},
           Meaning{"\"attention-config\": [[[\"flash\"], 16]]", "attention_kernel", "flash"},
           Meaning{"\"attention-config\": [[[\"global\"], 16]]", "attention_kernel", "eager"},
           Meaning{"", "attention_kernel", "eager"},
           Meaning{"\"moe_num_experts\": 8", "model.experts", "8"},
           Meaning{"\"moe_num_experts\": 8, \"moe_expert_interval\": 2", "model.dense_layers", "8"},
           Meaning{"\"optimizer\": {\"type\": \"Lion\", \"params\": {\"lr\": 0.1}}", "optimizer", "lion"},
       }) {
    Neox N(Keys);
    EXPECT_EQ(N.at(Field), Value) << Keys << " " << Field;
    EXPECT_EQ(N.said(), "") << Keys;
  }
}

TEST(Neox, FilesAreOneConfiguration) {
  ReadFiles N({{"model.yml", R"({"num_layers": 12, "hidden_size": 768, "num_attention_heads": 12,
                                 "seq_length": 2048, "max_position_embeddings": 2048,
                                 "train_micro_batch_size_per_gpu": 4, "model_parallel_size": 1})"},
               {"setup.yml", R"({"vocab-file": "/v", "num_nodes": 4, "num_gpus": 8,
                                 "model-parallel-size": 2})"}},
              "");
  EXPECT_EQ(N.at("model.layers"), "12");
  EXPECT_EQ(N.at("layout.tp"), "2");
  EXPECT_EQ(N.at("cluster.nodes"), "4");
  EXPECT_EQ(N.at("layout.dp"), "16");
  EXPECT_EQ(N.at("model.vocab"), "?"); // the tokenizer's
  EXPECT_EQ(N.place("layout.tp"), "setup.yml:2:57");
}

TEST(Neox, UnknownKeysAreRefused) {
  Neox N("\"num_layer\": 12");
  EXPECT_EQ(N.said(), "PL7030 error 6:1");
}

} // namespace
