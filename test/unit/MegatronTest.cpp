// Megatron-LM's command line: what its options mean, what is refused, and where each field came from.
#include "Config/ConfigWriter.h"
#include "FrameworkFiles.h"
#include "Frameworks/Megatron/Patterns.h"
#include "Frameworks/Megatron/Write.h"

using namespace parlance;

namespace {

using Words = std::vector<std::string>;

const Words Base{"--num-layers",
                 "32",
                 "--hidden-size",
                 "4096",
                 "--num-attention-heads",
                 "32",
                 "--seq-length",
                 "2048",
                 "--max-position-embeddings",
                 "4096",
                 "--micro-batch-size",
                 "2",
                 "--vocab-size",
                 "50304",
                 "--global-batch-size",
                 "64"};

Words split(std::string_view Text) {
  Words Result;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find(' ', Begin), Text.size());
    Result.emplace_back(Text.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Result;
}

std::string json(const Words &All) {
  std::string Text = "[";
  for (const std::string &W : All)
    Text += (Text.size() > 1 ? ", \"" : "\"") + W + "\"";
  return Text + "]";
}

/// The command line of a small model with further flags, on two nodes of eight GPUs.
class Flags : public ReadFiles {
public:
  explicit Flags(std::string_view More = {}) : ReadFiles({{"args.json", text(More)}}) {}

private:
  static std::string text(std::string_view More) {
    Words All = Base;
    for (std::string &W : split(More))
      All.push_back(std::move(W));
    return json(All);
  }
};

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

struct Meaning {
  std::string_view Flags, Field, Value;
};

const Meaning Meanings[] = {
    // The model. Megatron-LM's defaults are GPT-2's.
    {"", "model.layers", "32"},
    {"", "model.kv_heads", "32"},
    {"--num-query-groups 8", "model.kv_heads", "32"},
    {"--group-query-attention --num-query-groups 8", "model.kv_heads", "8"},
    {"--group-query-attention", "model.kv_heads", "1"},
    {"", "model.head_dim", "128"},
    {"--kv-channels 64", "model.head_dim", "64"},
    {"", "model.ffn", "16384"},
    {"--swiglu", "model.ffn", "10880"},
    {"--swiglu --ffn-hidden-size 11008", "model.ffn", "11008"},
    {"", "model.vocab", "50304"},
    {"", "model.positions", "4096"},
    {"--position-embedding-type rope", "model.positions", "0"},
    {"--use-rotary-position-embeddings", "model.positions", "0"},
    {"", "model.tied_embeddings", "true"},
    {"--untie-embeddings-and-output-weights", "model.tied_embeddings", "false"},
    {"", "model.activation", "gelu"},
    {"--swiglu", "model.activation", "swiglu"},
    {"--quick-geglu", "model.activation", "geglu"},
    {"--squared-relu", "model.activation", "relu"},
    {"--openai-gelu", "model.activation", "gelu"},
    {"", "model.norm", "layernorm"},
    {"--normalization RMSNorm", "model.norm", "rmsnorm"},
    {"", "model.qk_norm", "false"},
    {"--qk-layernorm", "model.qk_norm", "true"},
    {"", "model.bias", "all"},
    {"--disable-bias-linear", "model.bias", "none"},
    {"--disable-bias-linear --add-qkv-bias", "model.bias", "qkv"},
    {"", "model.dropout", "true"},
    {"--hidden-dropout 0 --attention-dropout 0.0", "model.dropout", "false"},
    {"--mtp-num-layers 2 --position-embedding-type rope", "model.mtp_layers", "2"},
    {"--multi-latent-attention", "model.attention.kind", "mla"},
    {"--multi-latent-attention", "model.attention.kv_lora", "32"},
    {"--multi-latent-attention --q-lora-rank 1536", "model.attention.q_lora", "1536"},
    {"--multi-latent-attention", "model.attention.nope_dim", "128"},
    {"--multi-latent-attention --qk-layernorm", "model.qk_norm", "false"},
    {"--window-size 4096,0", "model.attention.window", "4097"},
    {"--window-size (127,0) --window-attn-skip-freq 2", "model.attention.window_layers", "16"},
    // Experts.
    {"--num-experts 8", "model.experts", "8"},
    {"--num-experts 8", "model.top_k", "2"},
    {"--num-experts 8", "model.expert_ffn", "16384"},
    {"--num-experts 8 --moe-ffn-hidden-size 1024", "model.expert_ffn", "1024"},
    {"--num-experts 8 --moe-ffn-hidden-size 1024 --moe-shared-expert-intermediate-size 2048", "model.shared_experts",
     "2"},
    {"--num-experts 8 --moe-ffn-hidden-size 1024 --moe-shared-expert-intermediate-size 1536", "model.shared_experts",
     "1"},
    {"--num-experts 8 --moe-ffn-hidden-size 1024 --moe-shared-expert-intermediate-size 1536", "model.shared_expert_ffn",
     "1536"},
    {"--num-experts 8 --moe-router-enable-expert-bias", "model.router_bias", "true"},
    {"--num-experts 8", "model.dense_layers", "0"},
    {"--num-experts 8 --moe-layer-freq ([0]*3+[1]*29)", "model.dense_layers", "3"},
    {"--num-experts 8 --moe-layer-freq 2", "model.dense_layers", "16"},
    // The layout.
    {"--tensor-model-parallel-size 4", "layout.tp", "4"},
    {"--tensor-model-parallel-size=4", "layout.tp", "4"},
    {"--sequence-parallel", "layout.sequence_parallel", "false"},
    {"--sequence-parallel --tensor-model-parallel-size 2", "layout.sequence_parallel", "true"},
    {"--pipeline-model-parallel-size 2 --num-virtual-stages-per-pipeline-rank 4", "layout.virtual_stages", "4"},
    {"--pipeline-model-parallel-size 2 --num-layers-per-virtual-pipeline-stage 4", "layout.virtual_stages", "4"},
    {"--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout E|(t|)*31,t|L|", "layout.virtual_stages", "17"},
    {"--tensor-model-parallel-size 2 --num-experts 8", "layout.etp", "2"},
    {"--tensor-model-parallel-size 2 --num-experts 8 --expert-tensor-parallel-size 1", "layout.etp", "1"},
    {"", "layout.zero", "0"},
    {"--use-distributed-optimizer", "layout.zero", "1"},
    {"--use-megatron-fsdp", "layout.zero", "3"},
    {"--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads", "layout.zero", "2"},
    {"--use-torch-fsdp2", "layout.zero", "3"},
    {"--use-torch-fsdp2 --torch-fsdp2-no-reshard-after-forward", "layout.zero", "2"},
    {"--tp-comm-overlap", "layout.tp_overlap", "true"},
    {"--num-experts 8 --moe-token-dispatcher-type flex", "layout.ep_dedup", "true"},
    {"", "layout.recompute", "none"},
    {"--recompute-activations", "layout.recompute", "selective"},
    {"--recompute-granularity selective", "layout.recompute", "selective"},
    {"--recompute-granularity selective --recompute-modules mlp moe", "layout.recompute", "none"},
    {"--recompute-granularity selective --recompute-modules mlp core_attn", "layout.recompute", "selective"},
    {"--recompute-granularity full --recompute-method uniform --recompute-num-layers 1", "layout.recompute", "full"},
    {"--use-tp-pp-dp-mapping", "layout.order", "tp-cp-ep-pp-dp"},
    // The batch.
    {"", "batch.micro", "2"},
    {"--micro-batch-size 1_6", "batch.micro", "16"}, // a number to Python
    {"", "batch.sequences", "64"},
    {"", "seq_len", "2048"},
    // Element types.
    {"", "precision.compute", "fp32"},
    {"--bf16", "precision.compute", "bf16"},
    {"--bf16", "precision.grads", "fp32"},
    {"--bf16 --grad-reduce-in-bf16", "precision.grads", "bf16"},
    {"--fp16", "precision.grads", "fp16"},
    {"--fp16 --accumulate-allreduce-grads-in-fp32", "precision.grads", "fp32"},
    {"--bf16 --fp8-format hybrid", "precision.compute", "fp8"},
    {"--bf16 --fp8-format hybrid", "precision.weights", "bf16"},
    {"--bf16 --fp8-format hybrid --fp8-param-gather", "precision.weights", "fp8"},
    {"--bf16 --exp-avg-dtype bf16", "precision.moments", "fp32"},
    {"--bf16 --use-precision-aware-optimizer --exp-avg-dtype bf16", "precision.moments", "bf16"},
    {"--bf16 --use-precision-aware-optimizer --main-params-dtype fp16", "precision.master", "fp16"},
    // Optimizer and kernels.
    {"", "optimizer", "adamw"},
    {"--optimizer muon", "optimizer", "muon"},
    {"", "attention_kernel", "flash"},
    {"--attention-backend auto", "attention_kernel", "flash"},
    {"--attention-backend unfused", "attention_kernel", "eager"},
    {"--transformer-impl local", "attention_kernel", "eager"},
    {"--transformer-impl local --use-flash-attn", "attention_kernel", "flash"},
    {"--transformer-impl local", "kernels", "pytorch"},
    {"", "cross_entropy", "unfused"},
    {"--cross-entropy-loss-fusion", "cross_entropy", "compiled"},
    {"--cross-entropy-loss-fusion --cross-entropy-fusion-impl te", "cross_entropy", "fused"},
};

TEST(Megatron, OptionsMeanFields) {
  for (const Meaning &M : Meanings) {
    Flags F(M.Flags);
    EXPECT_EQ(F.at(M.Field), M.Value) << M.Flags << " " << M.Field;
  }
}

TEST(Megatron, WithoutGlobalBatchEachReplicaHasOneMicroBatch) {
  Words Few = Base;
  Few.resize(Few.size() - 2);
  ReadFiles F({{"args.json", json(Few)}});
  EXPECT_EQ(F.at("batch.accum"), "1");
  EXPECT_EQ(F.at("batch.sequences"), "32"); // 2 times 16 replicas
}

//===----------------------------------------------------------------------===//
// Where a value is
//===----------------------------------------------------------------------===//

TEST(Megatron, FieldsPointAtTheirOptions) {
  ReadFiles F({{"args.json", "[\"--num-layers\", \"4\",\n \"--hidden-size=256\",\n"
                             " \"--num-attention-heads\", \"8\", \"--seq-length\", \"64\",\n"
                             " \"--max-position-embeddings\", \"64\", \"--micro-batch-size\", \"1\",\n"
                             " \"--recompute-activations\", \"--vocab-size\", \"100\"]"}});
  EXPECT_EQ(F.place("model.layers"), "args.json:1:18");
  EXPECT_EQ(F.place("model.hidden"), "args.json:2:2");
  EXPECT_EQ(F.place("layout.recompute"), "args.json:5:2");
  EXPECT_EQ(F.place("layout.tp"), "args.json:1:1"); // left to its default: the command line
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

struct Refusal {
  std::string_view Flags, Code;
};

TEST(Megatron, RefusedFlags) {
  for (auto [More, Code] : {
           Refusal{"--tensor-parallel-size 8", "PL7030"}, // the name of another framework
           Refusal{"--num_layers 8", "PL7030"},           // argparse does not take `_` for `-`
           Refusal{"--use-mcore-models 2", "PL7030"},     // a flag without value
           Refusal{"--use-mcore-models=2", "PL7032"},
           Refusal{"--dense-layers 3", "PL7030"}, // no option: what a pattern comes to
           Refusal{"--recompute-granularity partial", "PL7033"},
           Refusal{"--attention-backend flash3", "PL7033"},
           Refusal{"--num-experts 4.0", "PL7032"},
           Refusal{"--num-experts many", "PL7032"},
           Refusal{"--num-experts 1__6", "PL7032"},
           Refusal{"--num-experts", "PL7032"},
           Refusal{"--lr fast", "PL7032"},
           Refusal{"--num-experts 0", "PL7034"},
           Refusal{"--num-experts 8 --moe-layer-freq abc", "PL7032"},
           Refusal{"--num-experts 8 --moe-layer-freq [0]*1+[1", "PL7032"},
           Refusal{"--num-experts 8 --moe-layer-freq ([0]*3+[1]*58)", "PL7008"},
           Refusal{"--num-experts 8 --moe-layer-freq ([2]*32)", "PL7008"},
           Refusal{"--window-size wide", "PL7032"},
       }) {
    std::string Said = Flags(More).said();
    EXPECT_TRUE(Said.starts_with(std::string(Code) + " error")) << More << ": " << Said;
    EXPECT_EQ(Said.find('\n'), std::string::npos) << More << ": " << Said;
  }
}

TEST(Megatron, AcceptedSpellings) {
  for (std::string_view More :
       {"--no-fp8-wgrad", "--disable-fp8-wgrad", "--persistent-save-interval 10", "--override-opt_param-scheduler",
        "--override-opt-param-scheduler", "--null-tokenizer-pad-id -1", "--min-lr -0.5", "--data-path 0.3 a 0.7 b",
        "--cp-comm-type a2a p2p", "--moe-layer-freq 1", "--no-rl-partial-rollouts", "--attention-backend auto"})
    EXPECT_EQ(Flags(More).said(), "") << More;
}

TEST(Megatron, NearestNameIsProposed) {
  Flags F("--tensor-model-parallel-sise 8");
  auto Said = F.Diags.take();
  ASSERT_EQ(Said.size(), 1u);
  ASSERT_EQ(Said[0].Fixes.size(), 1u);
  EXPECT_EQ(Said[0].Fixes[0].Title, "`--tensor-model-parallel-size`");
}

TEST(Megatron, RequiredOptions) {
  ReadFiles F({{"args.json", R"(["--num-layers", "8", "--hidden-size", "64"])"}});
  auto Said = F.Diags.take();
  ASSERT_FALSE(Said.empty());
  EXPECT_EQ(Said[0].Code, "PL7035");
  EXPECT_NE(Said[0].Message.find("`--num-attention-heads`"), std::string::npos) << Said[0].Message;
}

TEST(Megatron, WhatACheckpointDecidesIsUnknown) {
  ReadFiles F({{"args.json", R"(["--use-checkpoint-args", "--load", "/x", "--micro-batch-size", "1"])"}});
  EXPECT_EQ(F.said(), "");
  for (std::string_view Field : {"model.layers", "model.experts", "model.dropout"})
    EXPECT_EQ(F.at(Field), "?") << Field;
}

TEST(Megatron, LayersOfAnEncoder) {
  ReadFiles F({{"args.json", R"(["--encoder-num-layers", "12", "--decoder-num-layers", "6",
    "--hidden-size", "64", "--num-attention-heads", "8", "--encoder-seq-length", "512",
    "--max-position-embeddings", "512", "--micro-batch-size", "1", "--vocab-size", "100"])"}});
  EXPECT_EQ(F.said(), "PL7011 hint 1:26");
  EXPECT_EQ(F.at("model.layers"), "12");
  EXPECT_EQ(F.at("seq_len"), "512");
}

//===----------------------------------------------------------------------===//
// Recipes and environment
//===----------------------------------------------------------------------===//

constexpr std::string_view Recipe = R"(ENV_VARS:
  CUDA_DEVICE_MAX_CONNECTIONS: 1
  SOMETHING_ELSE: 2
MODEL_ARGS:
  --num-layers: 8
  --hidden-size: 512
  --num-attention-heads: 8
  --seq-length: 1024
  --max-position-embeddings: 1024
  --micro-batch-size: 4
  --global-batch-size: 32
  --tensor-model-parallel-size: 2
  --sequence-parallel: true
  --swiglu: false
  --vocab-size: 1000
  --save: ${CHECKPOINTS}
)";

TEST(Megatron, Recipe) {
  ReadFiles F({{"recipe.yaml", std::string(Recipe)}});
  EXPECT_EQ(F.at("layout.tp"), "2");
  EXPECT_EQ(F.at("layout.sequence_parallel"), "true");
  EXPECT_EQ(F.at("model.activation"), "gelu");
  EXPECT_EQ(F.at("megatron.cuda_device_max_connections"), "1");
  EXPECT_EQ(F.place("layout.tp"), "recipe.yaml:12:33");
}

TEST(Megatron, ArgumentsWithEnvironmentAndWorld) {
  ReadFiles F(
      {{"job.json", fmt::format(R"({{"args": {}, "env": {{"NCCL_ALGO": "Ring"}}, "world_size": 24}})", json(Base))}},
      "");
  EXPECT_EQ(F.at("megatron.nccl_algo"), "Ring");
  EXPECT_EQ(F.at("layout.dp"), "24");
  EXPECT_EQ(F.at("cluster.nodes"), "3");
}

//===----------------------------------------------------------------------===//
// Scripts
//===----------------------------------------------------------------------===//

constexpr std::string_view Script = R"(#!/bin/bash
#SBATCH --nodes=4
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS=8
TP=2
MODEL_ARGS=(
    --num-layers 8
    --hidden-size 512
    --num-attention-heads 8
    --seq-length 1024
    --max-position-embeddings 1024
    --vocab-size 1000
)
torchrun --nproc_per_node $GPUS --nnodes $SLURM_NNODES pretrain_gpt.py \
    ${MODEL_ARGS[@]} \
    --tensor-model-parallel-size ${TP} --micro-batch-size 1 --global-batch-size $GBS "$@"
)";

TEST(Megatron, LaunchScript) {
  ReadFiles F({{"train.sh", std::string(Script)}}, "");
  EXPECT_EQ(F.at("model.layers"), "8");
  EXPECT_EQ(F.at("layout.tp"), "2");
  EXPECT_EQ(F.place("layout.tp"), "train.sh:5:4");
  EXPECT_EQ(F.place("model.hidden"), "train.sh:8:19");
  EXPECT_EQ(F.at("megatron.cuda_device_max_connections"), "1");
  EXPECT_EQ(F.at("batch.global"), "?");
  EXPECT_EQ(F.at("cluster.nodes"), "4"); // as Slurm was asked for
  std::vector<std::string> Symbols;
  for (const Symbol &S : F.Read->Symbols)
    Symbols.push_back(S.Text + " " + S.Option);
  EXPECT_EQ(Symbols, std::vector<std::string>{"$GBS --global-batch-size"}); // not of `"$@"`
}

TEST(Megatron, FindingsStandWhereAFlagIsWritten) {
  ReadFiles F({{"train.sh", R"(#!/bin/bash
ARGS=(
  --num-layers 8 --hidden-size 64 --num-attention-heads 8 --seq-length 64
  --max-position-embeddings 64 --micro-batch-size 1 --vocab-size 100
  --use-flash-attention
)
torchrun --nproc-per-node 8 pretrain_gpt.py ${ARGS[@]}
)"}},
              "");
  EXPECT_EQ(F.said(), "PL7030 error 5:3");
}

TEST(Megatron, MegatronDeepSpeedScript) {
  ReadFiles F({{"train.sh", R"(#!/bin/bash
ZERO=2
CONFIG=ds.json
cat <<END > $CONFIG
{ "train_batch_size": 64, "train_micro_batch_size_per_gpu": 2, "zero_optimization": {"stage": $ZERO} }
END
deepspeed --num_gpus 8 --num_nodes 2 pretrain_gpt.py --num-layers 8 --hidden-size 512 \
  --num-attention-heads 8 --num-key-value-heads 2 --seq-length 1024 --max-position-embeddings 1024 \
  --micro-batch-size 2 --global-batch-size 64 --normalization rmsnorm --no-pipeline-parallel \
  --checkpoint-activations --deepspeed --deepspeed_config $CONFIG --zero-stage=$ZERO --vocab-size 1000
)"}},
              "");
  EXPECT_EQ(F.at("model.kv_heads"), "2");
  EXPECT_EQ(F.at("model.norm"), "rmsnorm");
  EXPECT_EQ(F.at("layout.recompute"), "full");
  EXPECT_EQ(F.at("layout.zero"), "2");
  EXPECT_EQ(F.at("layout.dp"), "16");
  for (const Diagnostic &D : F.Diags.take())
    EXPECT_EQ(D.Level, Severity::Hint) << D.Message;
}

/// A small model that Megatron-DeepSpeed trains with further flags.
std::string deepSpeedScript(std::string_view More) {
  return fmt::format(R"(#!/bin/bash
OPTIONS=" --num-layers 30 --hidden-size 512 --num-attention-heads 8 --seq-length 1024
  --max-position-embeddings 1024 --micro-batch-size 1 --global-batch-size 64 --vocab-size 1000 {}"
deepspeed --num_gpus 8 --num_nodes 2 pretrain_gpt.py --deepspeed $OPTIONS
)",
                     More);
}

TEST(Megatron, FlagsOfMegatronDeepSpeed) {
  constexpr Meaning OfFork[] = {
      {"--ds-sequence-parallel-size 2", "layout.cp", "2"},
      {"--num-experts 1", "model.experts", "0"},
      {"--multi-latent-attention --qk-rope-head-dim 32", "model.attention.rope_dim", "32"},
      {"--recompute-granularity selective --recompute-modules mlp $MORE", "layout.recompute", "none"},
      {"--num-experts 8 --moe-expert-parallel-size 4", "layout.ep", "4"},
      {"--num-experts 8 --moe-expert-parallel-size 4", "model.top_k", "1"},
      {"--num-experts 8 --moe-expert-parallel-size 4", "model.dense_layers", "15"},
      {"--num-experts 8 --moe-expert-parallel-size 4 --topk 2 --expert-interval 1", "model.top_k", "2"},
      {"--num-experts 8 --moe-expert-parallel-size 4 --topk 2 --expert-interval 1", "model.dense_layers", "0"},
      {"--position-embedding-type alibi", "model.positions", "0"},
      {"--position-embedding-type rotary", "model.positions", "0"},
      {"--position-embedding-type other", "model.positions", "?"},
      {"--tokenizer-type PretrainedFromHF", "megatron.tokenizer_type", "?"},
      {"--pp-partition-method type:transformer|embedding", "megatron.account_for_loss_in_pipeline_split", "true"},
      {"--save <PATH TO CHECKPOINTS> --swiglu", "model.activation", "swiglu"},
  };
  for (const Meaning &M : OfFork) {
    ReadFiles F({{"train.sh", deepSpeedScript(M.Flags)}}, "");
    EXPECT_EQ(F.at(M.Field), M.Value) << M.Flags << " " << M.Field;
    for (const Diagnostic &D : F.Diags.take())
      EXPECT_EQ(D.Level, Severity::Hint) << M.Flags << ": " << D.Message;
  }
}

TEST(Megatron, PlaceholdersWithBlanks) {
  ReadFiles F({{"train.sh", R"(#!/bin/bash
OPTIONS="--num-layers 8 --hidden-size 512 --num-attention-heads 8 --seq-length 1024
  --max-position-embeddings 1024 --micro-batch-size 1 --vocab-size 1000
  --save <PATH TO CHECKPOINTS> --bf16"
torchrun --nproc-per-node 8 pretrain_gpt.py $OPTIONS
)"}},
              "");
  EXPECT_EQ(F.said(), "");
  EXPECT_EQ(F.at("precision.compute"), "bf16");
}

TEST(Megatron, SwiftScript) {
  ReadFiles F({{"sft.sh", R"(#!/bin/bash
NPROC_PER_NODE=8 megatron sft --load /m --tensor_model_parallel_size 4 --sequence_parallel true \
  --micro_batch_size 1 --global_batch_size 16 --max_length 8192 --recompute_granularity full
)"}},
              "h100_sxm*8*1");
  EXPECT_EQ(F.at("layout.tp"), "4");
  EXPECT_EQ(F.at("layout.sequence_parallel"), "true");
  EXPECT_EQ(F.at("seq_len"), "8192");
  EXPECT_EQ(F.at("layout.zero"), "1");
  EXPECT_EQ(F.at("model.layers"), "?");
  EXPECT_EQ(F.at("model.experts"), "?");
  for (const Diagnostic &D : F.Diags.take())
    EXPECT_EQ(D.Level, Severity::Hint) << D.Message;
}

TEST(Megatron, ScriptWithoutTraining) {
  ReadFiles F({{"build.sh", "#!/bin/bash\nmake all\n"}}, "");
  EXPECT_EQ(F.said(), "PL7038 error 1:1");
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

TEST(MegatronPatterns, Layers) {
  auto Entries = [](std::string_view Text) {
    auto P = megatron::parseLayerPattern(Text);
    return P ? P->Entries : std::vector<int64_t>{-1};
  };
  using V = std::vector<int64_t>;
  EXPECT_EQ(Entries("([0]*2+[1]*3)"), (V{0, 0, 1, 1, 1}));
  EXPECT_EQ(Entries("([0]+[1]*2)*2"), (V{0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(Entries("2*[1,0]"), (V{1, 0, 1, 0}));
  EXPECT_EQ(Entries("[0]*(1+1)"), (V{0, 0}));
  for (std::string_view Bad : {"[0]*1+[1", "[0]+1", "[0]*[1]", "[[0]]", "[0]*1000000*1000000", "[a]", "[0])",
                               "((((((((((((((((((((((((((((((((((((((((([0]"})
    EXPECT_EQ(Entries(Bad), V{-1}) << Bad;
  EXPECT_EQ(megatron::parseLayerPattern("4")->Every, 4);
  EXPECT_FALSE(megatron::parseLayerPattern("0"));
  EXPECT_FALSE(megatron::parseLayerPattern(""));
}

TEST(MegatronPatterns, Stages) {
  EXPECT_EQ(megatron::countStages("Et|tt|tL"), 3);
  EXPECT_EQ(megatron::countStages("E|(t|)*3,m|m||L"), 8);
  EXPECT_EQ(megatron::countStages("E,t*3|(tt|)*14,mL"), 16);
  EXPECT_FALSE(megatron::countStages("(t|"));
  EXPECT_FALSE(megatron::countStages("t|)"));
  EXPECT_FALSE(megatron::countStages("(t|)*"));
}

TEST(MegatronPatterns, LayoutsAreWrittenOut) {
  EXPECT_EQ(megatron::expandLayout("E|(t|)*3,m|m||L"), "E|t|t|t|m|m||L");
  EXPECT_EQ(megatron::expandLayout("Et*3|(tt|)*2L"), "Ettt|tt|tt|L");
  EXPECT_EQ(megatron::expandLayout("t*0L"), "L");
  EXPECT_FALSE(megatron::expandLayout("E(t|)L")) << "brackets are for repetitions";
  EXPECT_FALSE(megatron::expandLayout("t*99999999"));
}

TEST(MegatronPatterns, FaultsOfLayouts) {
  auto Must = [](std::string_view Layout, std::optional<int64_t> Predictors = 0) {
    auto Fault = megatron::layoutFault(Layout, 2, Predictors);
    return Fault ? Fault->Must : "";
  };
  EXPECT_EQ(Must("Et|tL"), "");
  EXPECT_EQ(Must("Et|t|m|L", 1), "");
  EXPECT_EQ(Must("Et|xtL"), "be made of E, t, m, L and bars");
  EXPECT_EQ(Must("tE|tL"), "start with E and have no other");
  EXPECT_EQ(Must("Et|EtL"), "start with E and have no other");
  EXPECT_EQ(Must("Et|Lt"), "end with L and have no other");
  EXPECT_EQ(Must("Et|tt|L"), "place each of 2 layers");
  EXPECT_EQ(Must("Et|t|L", 1), "have as many as --mtp-num-layers, 1");
  EXPECT_EQ(Must("Et|mt|L", 1), "have m behind all t");
  EXPECT_EQ(Must("Et|mt|L", std::nullopt), "have m behind all t");
}

TEST(MegatronPatterns, FaultsOfSchedules) {
  EXPECT_EQ(megatron::scheduleFault("0:768 250B:1536, 1.5t:3K"), "");
  EXPECT_EQ(megatron::scheduleFault("0:768 1536"), "`1536`, which has no colon");
  EXPECT_EQ(megatron::scheduleFault("0:many"), "`0:many`, in which `many` is not a number");
  EXPECT_EQ(megatron::scheduleFault("0:"), "`0:`, in which `` is not a number");
}

TEST(MegatronPatterns, AreSpelledInACommandLine) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator E(Sources, standardLibrary(), Diags);
  auto Line = [&](std::initializer_list<std::pair<const char *, Value>> Given) {
    Record Options = emptyRecord(*E.Lib.schema("megatron"));
    for (const auto &[Name, V] : Given) {
      auto Index = static_cast<size_t>(Options.Schema->find(Name));
      Options.Values[Index] = V;
      Options.Origins[Index].K = Origin::Kind::Given;
    }
    megatron::spellPatterns(Options, E);
    return fmt::format("{}", fmt::join(commandLine(*frameworkNamed("megatron"), Options), " "));
  };
  EXPECT_EQ(Line({{"num_layers", Value::of(Num(61))},
                  {"dense_layers", Value::of(Num(3))},
                  {"window_keys", Value::of(Num(128))}}),
            "--num-layers 61 --window-size 127,0 --moe-layer-freq ([0]*3+[1]*58)");
  EXPECT_EQ(Line({{"num_layers", Value::of(Num(4))},
                  {"moe_layer_freq", Value::string("2")},
                  {"dense_layers", Value::of(Num(2))}}),
            "--num-layers 4 --moe-layer-freq 2");
}

} // namespace
