// nanotron's YAML: what each option means, and what its strict reader refuses.
#include "ForeignSupport.h"

using namespace parlance;

namespace {

/// A small configuration that nanotron takes; `Edit` replaces a text in it.
std::string config(std::vector<std::pair<std::string, std::string>> Edits = {}) {
  std::string Text = R"(general:
  project: test
parallelism:
  dp: 4
  pp: 2
  tp: 2
  pp_engine: 1f1b
  tp_mode: reduce_scatter
  tp_linear_async_communication: true
model:
  dtype: bfloat16
  init_method:
    std: 0.02
  model_config:
    hidden_size: 512
    intermediate_size: 1536
    num_attention_heads: 8
    num_key_value_heads: 4
    num_hidden_layers: 12
    vocab_size: 32000
    tie_word_embeddings: true
tokens:
  sequence_length: 2048
  train_steps: 100
  micro_batch_size: 2
  batch_accumulation_per_replica: 8
optimizer:
  zero_stage: 1
  weight_decay: 0.1
  clip_grad: 1.0
  accumulate_grad_in_fp32: true
  optimizer_factory:
    name: adamW
    adam_eps: 1.0e-8
    adam_beta1: 0.9
    adam_beta2: 0.95
    torch_adam_is_fused: true
  learning_rate_scheduler:
    learning_rate: 3.0e-4
    lr_warmup_style: linear
data_stages:
- name: first
  start_training_step: 1
  data:
    seed: 1
    dataset:
      hf_dataset_or_datasets: some/dataset
)";
  for (auto &[Old, New] : Edits) {
    size_t At = Text.find(Old);
    EXPECT_NE(At, std::string::npos) << Old;
    Text.replace(At, Old.size(), New);
  }
  return Text;
}

struct Nano : ForeignRead {
  explicit Nano(std::vector<std::pair<std::string, std::string>> Edits = {})
      : ForeignRead("config.yaml", config(std::move(Edits)), "h100_sxm*8*2") {}
};

TEST(Nanotron, OptionsAreFields) {
  Nano N;
  EXPECT_EQ(N.said(), "");
  EXPECT_EQ(N.field("target"), "nanotron");
  EXPECT_EQ(N.field("model.layers"), "12");
  EXPECT_EQ(N.from("model.layers"), "12");
  EXPECT_EQ(N.field("model.hidden"), "512");
  EXPECT_EQ(N.field("model.kv_heads"), "4");
  EXPECT_EQ(N.field("model.ffn"), "1536");
  EXPECT_EQ(N.field("model.tied_embeddings"), "true");
  EXPECT_EQ(N.field("model.activation"), "swiglu");
  EXPECT_EQ(N.field("model.bias"), "none");
  EXPECT_EQ(N.field("model.experts"), "0");
  EXPECT_EQ(N.field("layout.dp"), "4");
  EXPECT_EQ(N.field("layout.pp"), "2");
  EXPECT_EQ(N.field("layout.tp"), "2");
  EXPECT_EQ(N.field("layout.schedule"), "1f1b");
  EXPECT_EQ(N.field("layout.sequence_parallel"), "true");
  EXPECT_EQ(N.from("layout.sequence_parallel"), "reduce_scatter");
  EXPECT_EQ(N.field("layout.keep_gathered"), "false");
  EXPECT_EQ(N.field("layout.tp_overlap"), "true");
  EXPECT_EQ(N.field("layout.recompute"), "none");
  EXPECT_EQ(N.field("layout.zero"), "1");
  EXPECT_EQ(N.field("batch.micro"), "2");
  EXPECT_EQ(N.field("batch.accum"), "8");
  EXPECT_EQ(N.field("seq_len"), "2048");
  EXPECT_EQ(N.field("precision.compute"), "bf16");
  EXPECT_EQ(N.field("precision.grads"), "fp32");
  EXPECT_EQ(N.field("precision.master"), "fp32");
  EXPECT_EQ(N.field("optimizer"), "adamw");
}

TEST(Nanotron, DefaultsAreCautious) {
  Nano N({{"  pp_engine: 1f1b\n", ""},
          {"  tp_mode: reduce_scatter\n", ""},
          {"  dtype: bfloat16\n", ""},
          {"    num_key_value_heads: 4\n", ""}});
  EXPECT_EQ(N.said(), "");
  EXPECT_EQ(N.field("layout.schedule"), "gpipe");
  EXPECT_EQ(N.field("layout.sequence_parallel"), "false");
  EXPECT_EQ(N.field("precision.compute"), "bf16");
  EXPECT_EQ(N.field("model.kv_heads"), "8");
}

TEST(Nanotron, OtherValues) {
  Nano N({{"  tp_mode: reduce_scatter\n",
           "  tp_mode: REDUCE_SCATTER\n  tp_recompute_allgather: false\n  recompute_layer: true\n"
           "  context_parallel_size: 2\n"},
          {"  zero_stage: 1\n", "  zero_stage: 3\n"},
          {"accumulate_grad_in_fp32: true", "accumulate_grad_in_fp32: false"}});
  EXPECT_EQ(N.said(), "");
  EXPECT_EQ(N.field("layout.keep_gathered"), "true");
  EXPECT_EQ(N.field("layout.recompute"), "full");
  EXPECT_EQ(N.field("layout.cp"), "2");
  EXPECT_EQ(N.field("layout.zero"), "1"); // any stage shards optimizer states alone
  EXPECT_EQ(N.field("precision.grads"), "bf16");
  EXPECT_EQ(N.field("precision.master"), "bf16");
  EXPECT_EQ(N.field("precision.moments"), "bf16");
}

TEST(Nanotron, Experts) {
  const std::string Moe = "    moe_config:\n      num_experts: 16\n      top_k: 4\n"
                          "      moe_intermediate_size: 384\n      enable_shared_expert: true\n"
                          "      shared_expert_intermediate_size: 768\n";
  Nano N({{"    vocab_size: 32000\n", "    vocab_size: 32000\n" + Moe}});
  EXPECT_EQ(N.said(), "");
  EXPECT_EQ(N.field("model.experts"), "16");
  EXPECT_EQ(N.field("model.top_k"), "4");
  EXPECT_EQ(N.field("model.expert_ffn"), "384");
  EXPECT_EQ(N.field("model.shared_experts"), "1");
  EXPECT_EQ(N.field("model.shared_expert_ffn"), "768");
  EXPECT_EQ(N.field("model.shared_expert_gate"), "true");
  EXPECT_EQ(N.field("model.dense_layers"), "0");
  Nano Some({{"    vocab_size: 32000\n",
              "    vocab_size: 32000\n" + Moe + "      layers: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]\n"}});
  EXPECT_EQ(Some.field("model.dense_layers"), "2");
}

TEST(Nanotron, ClassesOfModels) {
  // Llama models pass over the option, Qwen2 models have the biases.
  Nano Llama({{"    vocab_size: 32000\n", "    vocab_size: 32000\n    attention_bias: true\n"}});
  EXPECT_EQ(Llama.field("model.bias"), "none");
  Nano Qwen({{"    vocab_size: 32000\n",
              "    vocab_size: 32000\n    attention_bias: true\n    sliding_window_size: 1024\n"}});
  EXPECT_EQ(Qwen.said(), "");
  EXPECT_EQ(Qwen.field("model.bias"), "qkv");
  EXPECT_EQ(Qwen.field("model.attention.window"), "1024");
  Nano Neither(
      {{"    vocab_size: 32000\n", "    vocab_size: 32000\n    is_llama_config: true\n    no_rope_layer: 4\n"}});
  EXPECT_EQ(Neither.said(), "PL7030 `no_rope_layer` `model.model_config.no_rope_layer` is not an option "
                            "of nanotron, which refuses it");
}

TEST(Nanotron, WhatItRefuses) {
  EXPECT_EQ(Nano({{"  dp: 4\n", "  dp: 4\n  cp: 2\n"}}).said(),
            "PL7030 `cp` `parallelism.cp` is not an option of nanotron, which refuses it");
  EXPECT_EQ(Nano({{"  dp: 4\n", ""}}).said(), "PL7035 `parallelism` nanotron needs `parallelism.dp`");
  EXPECT_EQ(Nano({{"general:\n  project: test\n", ""}}).said().substr(0, 6), "PL7035");
  EXPECT_EQ(Nano({{"sequence_length: 2048", "sequence_length: 4k"}}).said(),
            "PL7032 `4k` `tokens.sequence_length` takes a whole number, not \"4k\"");
  EXPECT_EQ(Nano({{"learning_rate: 3.0e-4", "learning_rate: 3e-4"}}).Errors, 1u);
  EXPECT_EQ(Nano({{"pp_engine: 1f1b", "pp_engine: interleaved"}}).Errors, 1u);
  EXPECT_EQ(Nano({{"dtype: bfloat16", "dtype: bf16"}}).Errors, 1u);
  EXPECT_EQ(Nano({{"lr_warmup_style: linear", "lr_warmup_style: linear\n    lr_decay_style: exp"}}).said(),
            "PL7033 `exp` `optimizer.learning_rate_scheduler.lr_decay_style` cannot be `exp`; "
            "nanotron knows linear, cosine or 1-sqrt");
  EXPECT_EQ(Nano({{"lr_warmup_style: linear", "lr_warmup_style: cosine"}}).Errors, 1u);
  EXPECT_EQ(Nano({{"    adam_beta1: 0.9\n", ""}}).said(),
            "PL7035 `optimizer_factory` nanotron needs `optimizer.optimizer_factory.adam_beta1`");
  EXPECT_EQ(Nano({{"    seed: 1\n", "    sed: 1\n"}}).said(),
            "PL7030 `sed` `data_stages.data.sed` is not an option of nanotron, which refuses it");
}

TEST(Nanotron, WrittenAndReadAgain) {
  for (const auto &Edits : std::vector<std::vector<std::pair<std::string, std::string>>>{
           {},
           {{"  pp_engine: 1f1b\n", ""}, {"  tp_mode: reduce_scatter\n", ""}},
           {{"  pp: 2\n", "  pp: 1\n"}, {"  tp: 2\n", "  tp: 1\n"}},
           {{"accumulate_grad_in_fp32: true", "accumulate_grad_in_fp32: false"},
            {"  zero_stage: 1\n", "  zero_stage: 0\n"}},
           {{"dtype: bfloat16", "dtype: float32"}},
           {{"    vocab_size: 32000\n",
             "    vocab_size: 32000\n    attention_bias: true\n    sliding_window_size: 1024\n"}},
           {{"    vocab_size: 32000\n",
             "    vocab_size: 32000\n    moe_config:\n      num_experts: 16\n      top_k: 4\n"}}}) {
    Nano N(Edits);
    ASSERT_EQ(N.Errors, 0u) << N.said();
    auto P = N.plan();
    ASSERT_TRUE(P);
    // Without its own block, so that everything follows from the fields.
    Record *Bare = N.Values.own(*P->Job);
    OptionsBlock Block = optionsBlock(N.Values.Lib, "nanotron");
    Bare->Values[Block.Field] = {};
    Plan Plain{P->Written, Bare, std::make_shared<JobContext>(N.Values.Lib, *Bare), false};
    const Record *Options = writeOptions(Plain, "nanotron", N.Values);
    for (const LostField &L : notExpressed(*P, "nanotron", *Options, {}, N.Values))
      ADD_FAILURE() << L.Path << " is lost";
  }
}

TEST(Nanotron, RealFilesAreReadOrRefusedForAReason) {
  const std::filesystem::path Folder = PARLANCE_SOURCE_DIR "/../shared/corpus/nanotron";
  if (!std::filesystem::exists(Folder))
    GTEST_SKIP() << "no ../shared";
  // Keys of optimizer_factory stood in `optimizer` once; the sets of a folder had weights in a mapping. What the
  // classes of DoReMi, Mamba and LlaMoE add is theirs.
  auto NoOptions = [](std::string_view Section, const std::vector<std::string_view> &Keys) {
    std::string Lines;
    for (std::string_view Key : Keys)
      Lines += fmt::format("{}PL7030 `{}` `{}{}` is not an option of nanotron, which refuses it",
                           Lines.empty() ? "" : "\n", Key, Section, Key);
    return Lines;
  };
  const std::string OldOptimizer =
      "PL7035 `optimizer` nanotron needs `optimizer.optimizer_factory`\n" +
      NoOptions("optimizer.", {"adam_beta1", "adam_beta2", "adam_eps", "torch_adam_is_fused"});
  const std::map<std::string, std::string> Refused = {
      {"examples__config_nanoset.yaml",
       "PL7032 `datasets/SlimPajama-6B/tokenized: 0.8\n        datasets/c4-es/tokenized: 0.2` "
       "`data_stages.data.dataset.dataset_folder` takes a list, not an object"},
      {"examples__contributor-guide__debug_config_tiny_llama.yaml", OldOptimizer},
      {"examples__doremi__configs__config_2.8b_llama.yaml", OldOptimizer},
      {"examples__doremi__configs__config_2.8b_llama_with_tuned_weights.yaml", OldOptimizer},
      {"examples__doremi__configs__config_280m_llama.yaml", OldOptimizer},
      {"examples__mamba__config_mamba.yaml", OldOptimizer},
      {"examples__mup__configs__mup_350m_llama_config.yaml",
       OldOptimizer + "\n" + NoOptions("lighteval.", {"checkpoints_path"})}};
  unsigned Seen = 0;
  for (const auto &Entry : std::filesystem::directory_iterator(Folder)) {
    ++Seen;
    std::string File = Entry.path().filename();
    SCOPED_TRACE(File);
    ForeignRead R("config.yaml", textOfFile(Entry.path()));
    std::string Errors = R.said(Severity::Error);
    auto Why = Refused.find(File);
    EXPECT_EQ(Errors, Why == Refused.end() ? "" : Why->second);
    EXPECT_TRUE(R.job());
  }
  EXPECT_EQ(Seen, 12u);
}

} // namespace
