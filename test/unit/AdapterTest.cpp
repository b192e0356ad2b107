// Low-rank adapters and packed documents: what is trained, kept, computed and sent, against numbers worked out by hand.
#include "Support.h"

using namespace parlance;

namespace {

/// Two layers of 36,992 parameters: attention 4,096 + 2 x 2,048 + 4,096, feed-forward 3 x 8,192, norms 2 x 64;
/// embedding and head 64,000 each; final norm 64.
constexpr std::string_view Tiny =
    "use std/example\nuse std/models\nuse std/hardware\n"
    "model tiny { layers = 2, hidden = 64, heads = 4, kv_heads = 2, ffn = 128, vocab = 1000 }\n"
    "cluster one from example_cluster { nodes = 1 }\n";
constexpr double Total = 202'048;

class Tuned : public Checked {
public:
  Tuned(std::string_view Adapter, std::string_view Layout = "dp = auto, zero = 1", std::string_view More = "")
      : Checked(fmt::format("{}layout l {{ {} }}\n"
                            "job j from example_job {{\n model = tiny, cluster = one, layout = l\n"
                            " seq_len = 1023 tok/seq, batch {{ global = 8 seq }}\n"
                            " adapter {{ {} }}\n {}\n}}\n",
                            Tiny, Layout, Adapter, More)) {}
  double at(std::string_view Name, std::initializer_list<Value> Args = {}) {
    const Plan *P = plan("j");
    if (!P) {
      ADD_FAILURE() << reported();
      return 0;
    }
    Num N = rt::num(P->Context->derived(quantityNamed(Name), Args));
    EXPECT_TRUE(N.isKnown()) << Name << reported();
    return N.real();
  }
  double stage(std::string_view Part) { return at(fmt::format("memory.stage.{}", Part), {Value::of(Num(0))}); }
};

TEST(Adapter, RankTimesInputsAndOutputs) {
  // Per layer, in units of the rank: query 128, key and value 96 each, output 128; gate, up and down 192 each.
  struct Case {
    std::string_view Adapter;
    double Widths;
  };
  for (auto [Adapter, Widths] : {Case{"on = qv", 128 + 96},
                                 {"on = qkv", 128 + 96 + 96},
                                 {"on = attention", 448},
                                 {"on = mlp", 576},
                                 {"on = all", 1024},
                                 {"", 1024},
                                 // One adapter from the hidden width to 64 + 32 + 32, another to 128 + 128.
                                 {"on = qkv, fused = true", 192},
                                 {"on = all, fused = true", 192 + 128 + 320 + 192}}) {
    Tuned J(fmt::format("rank = 4, {}", Adapter));
    EXPECT_EQ(J.at("params.trainable"), 2 * 4 * Widths) << Adapter;
    EXPECT_EQ(J.at("params.total"), Total) << Adapter;
  }
}

TEST(Adapter, WithoutRankAllIsTrained) {
  Tuned J("on = qv");
  EXPECT_EQ(J.at("params.trainable"), Total);
  EXPECT_EQ(J.at("params.adapters"), 0);
  EXPECT_EQ(J.stage("gradients"), 4 * Total);
  EXPECT_EQ(J.at("flops.backward"), 2 * J.at("flops.forward"));
}

TEST(Adapter, PublishedCounts) {
  // `print_trainable_parameters` of PEFT: Llama-3-8B with r = 8 on all linear layers, Llama-2-7B
  // with r = 8 on queries and values.
  Checked C("use std/example\nuse std/models\nlayout l { dp = auto, zero = 1 }\n"
            "job a from example_job { model = llama3_8b, layout = l, adapter { rank = 8 }\n"
            " let n: elem = params.trainable }\n"
            "job b from example_job { model = llama2_7b, layout = l, adapter { rank = 8, on = qv }\n"
            " let n: elem = params.trainable }\n");
  EXPECT_EQ(C.numberIn("a", "n").real(), 20'971'520);
  EXPECT_EQ(C.numberIn("b", "n").real(), 4'194'304);
}

TEST(Adapter, ExpertsHaveTheirOwn) {
  // Per layer: attention 2 (32 + 32) + 2 (32 + 16); of each of 8 experts 3 (32 + 8); rank 2.
  Checked C("use std/example\nmodel m { layers = 3, hidden = 32, heads = 4, kv_heads = 2, ffn = 64, "
            "vocab = 100, experts = 8, top_k = 2, expert_ffn = 8, dense_layers = 1 }\n"
            "layout l { dp = auto, zero = 1, ep = 4 }\n"
            "job j from example_job { model = m, layout = l, adapter { rank = 2 }\n"
            " let n: elem = params.trainable\n"
            " let rank: elem/gpu = memory.stage.trained(0)\n"
            " let work: FLOP/tok = flops.adapters }\n");
  double Attention = 2 * 64 + 2 * 48, Expert = 3 * 40, Dense = 3 * 96;
  EXPECT_EQ(C.numberIn("j", "n").real(), 2 * (3 * Attention + Dense + 2 * 8 * Expert));
  EXPECT_EQ(C.numberIn("j", "rank").real(), 2 * (3 * Attention + Dense + 2 * 2 * Expert));
  EXPECT_EQ(C.numberIn("j", "work").real(), 2 * 2 * (3 * Attention + Dense + 2 * 2 * Expert));
}

TEST(Adapter, LatentAttentionHasThemOnItsProjections) {
  // q: 32 -> 12 -> 4 x (8 + 4); kv: 32 -> 10 + 4, 10 -> 4 x (8 + 6); output 4 x 6 -> 32.
  Checked C("use std/example\nmodel m { layers = 1, hidden = 32, heads = 4, ffn = 64, vocab = 100\n"
            " attention { kind = mla, q_lora = 12, kv_lora = 10, nope_dim = 8, rope_dim = 4, v_dim = "
            "6 } }\n"
            "layout l { dp = auto, zero = 1 }\n"
            "job j from example_job { model = m, layout = l, adapter { rank = 2, on = attention }\n"
            " let n: elem = params.trainable }\n");
  EXPECT_EQ(C.numberIn("j", "n").real(), 2 * ((32 + 12) + (12 + 48) + (32 + 14) + (10 + 56) + (24 + 32)));
}

TEST(Adapter, StatesAreThoseOfTheAdapters) {
  Tuned J("rank = 4"); // 8,192 trained, 8 replicas, ZeRO 1, bf16 weights, fp32 gradients
  EXPECT_EQ(J.stage("weights"), 2 * (Total + 8192));
  EXPECT_EQ(J.stage("gradients"), 4 * 8192);
  EXPECT_EQ(J.stage("master"), 4 * 8192 / 8);
  EXPECT_EQ(J.stage("moments"), 8 * 8192 / 8);
}

TEST(Adapter, FullyShardedWeightsStayIn16Bits) {
  Tuned J("rank = 4", "dp = auto, zero = 3", "target = torchtitan");
  EXPECT_EQ(J.stage("weights"), 2 * Total / 8 + 4 * 8192 / 8);
  EXPECT_EQ(J.stage("gradients"), 4 * 8192 / 8);
  EXPECT_EQ(J.stage("master"), 0);
}

TEST(Adapter, TensorParallelismSplitsThem) {
  Tuned J("rank = 4", "tp = 2, sequence_parallel = true, dp = auto, zero = 1");
  EXPECT_EQ(J.stage("trained"), 8192 / 2);
  EXPECT_EQ(J.stage("moments"), 8 * 8192 / 2 / 4);
}

TEST(Adapter, KeptInputsFollowTheTargets) {
  // Llama's 8 h + 8 + 4 hq + 4 hkv + 6 f + 4 heads = 1,688 B per token and layer.
  constexpr double Full = 520 + 384 + 768 + 16;
  struct Case {
    std::string_view Adapter;
    double Kept;
  };
  for (auto [Adapter, Kept] : {Case{"rank = 0", Full},
                               // Seven adapters of 4 elements.
                               {"rank = 4", Full + 7 * 8},
                               // Inputs of gate and up (2 h) and of down (2 f) go.
                               {"rank = 4, on = qv", Full - 128 - 256 + 2 * 8},
                               {"rank = 4, on = attention", Full - 128 - 256 + 4 * 8},
                               // Input of queries, keys and values (2 h) goes.
                               {"rank = 4, on = mlp", Full - 128 + 3 * 8}}) {
    Tuned J(Adapter);
    EXPECT_EQ(J.at("memory.dense_layer_kept"), Kept) << Adapter;
  }
}

TEST(Adapter, NoProductForFrozenGradients) {
  Tuned J("rank = 4", "dp = auto, zero = 1", "convention = six_pt");
  double Linear = 2.0 * 2 * (12'288 + 24'576), Logits = 2.0 * 64 * 1000, Adapters = 2.0 * 8192,
         Attention = 2 * (4.0 * 64) * 512; // 512 keys on average of 1,023
  EXPECT_EQ(J.at("flops.forward"), Linear + Logits + Adapters + Attention);
  EXPECT_EQ(J.at("flops.backward"), Linear + Logits + 2 * (Adapters + Attention));
  // 6 N becomes 4 N.
  EXPECT_EQ(J.at("flops.model_per_token"), 4 * Total + 3 * Adapters);
}

TEST(Adapter, ConventionsLoseOneOfThreePasses) {
  for (std::string_view Convention : {"palm", "megatron", "nanotron", "torchtitan", "llm_foundry"}) {
    Tuned J("rank = 4", "dp = auto, zero = 1", fmt::format("convention = {}", Convention));
    double Attention = (Convention == "megatron" ? 0.5 : 1) * 2 * (4.0 * 64) * 1023,
           Weights = (J.at("flops.full_per_token") - 3 * Attention) / 3;
    EXPECT_NEAR(J.at("flops.model_per_token"), 2 * Weights + 3 * (Attention + 2.0 * 8192), 1e-6) << Convention;
  }
}

TEST(Adapter, RecomputeIsHeldAgainstFewerOperations) {
  Tuned J("rank = 4", "dp = auto, zero = 1, recompute = full", "convention = nanotron");
  double Linear = 2.0 * 2 * 36'864, Logits = 128'000, Adapters = 2.0 * 8192, Attention = 2 * 256.0 * 1023;
  EXPECT_DOUBLE_EQ(J.at("flops.recompute_alpha"),
                   (Linear + Adapters + Attention) / (2 * (Linear + Logits) + 3 * (Adapters + Attention)));
}

TEST(Adapter, OnlyTheirGradientsAreSent) {
  Tuned J("rank = 4"); // fp32 gradients scattered, bf16 weights gathered among 8
  EXPECT_EQ(J.at("overlap.dp.bytes"), 7.0 / 8 * 8192 * (4 + 2));
  Tuned Sharded("rank = 4", "dp = auto, zero = 3", "target = torchtitan");
  EXPECT_EQ(Sharded.at("overlap.zero3.weight_bytes"), 7.0 / 8 * 2 * (Total + 8192));
  EXPECT_EQ(Sharded.at("overlap.zero3.gradient_bytes"), 7.0 / 8 * 4 * 8192);
}

TEST(Adapter, AStepIsShorterButNotByAThird) {
  Checked C("use std/example\nuse std/models\nlayout l { tp = 8, sequence_parallel = true, pp = 4, "
            "dp = auto, zero = 1 }\n"
            "job full from example_job { layout = l\n let t: s = time.step }\n"
            "job lora from example_job { layout = l, adapter { rank = 16, on = qkv, fused = true }\n"
            " let t: s = time.step }\n");
  double Ratio = C.numberIn("lora", "t").real() / C.numberIn("full", "t").real();
  EXPECT_GT(Ratio, 2.0 / 3);
  EXPECT_LT(Ratio, 0.9);
}

TEST(Packing, DocumentsBoundAttention) {
  auto Job = [](std::string_view More) {
    return fmt::format("use std/example\nuse std/models\nlayout l {{ dp = auto, zero = 3 }}\n"
                       "job j from example_job {{ model = llama3_8b, layout = l, {}\n"
                       " let megatron: FLOP/tok = flops.conventions.megatron\n"
                       " let palm: FLOP/tok = flops.conventions.palm\n"
                       " let attention: FLOP/tok = flops.attention_forward\n"
                       " let kept: B/gpu = memory.activations\n"
                       " let alone: FLOP/tok = flops_megatron(llama3_8b, 1280 tok/seq, 1)\n"
                       " let step: s = time.step }}\n",
                       More);
  };
  Checked Whole(Job("")), Packed(Job("document_len = 1280 tok")),
      Eager(Job("attention_kernel = eager, document_len = 1280 tok"));
  // 4 operations per unit of the 4,096 wide heads, 32 layers, (1280 + 1) / 2 keys.
  EXPECT_EQ(Packed.numberIn("j", "attention").real(), 4.0 * 4096 * 32 * 640.5);
  EXPECT_EQ(Whole.numberIn("j", "attention").real(), 4.0 * 4096 * 32 * 4096.5);
  EXPECT_EQ(Eager.numberIn("j", "attention").real(), 4.0 * 4096 * 32 * 4096.5);
  EXPECT_EQ(Packed.numberIn("j", "megatron").real(), Packed.numberIn("j", "alone").real());
  EXPECT_EQ(Packed.numberIn("j", "palm").real(), Whole.numberIn("j", "palm").real());
  EXPECT_EQ(Packed.numberIn("j", "kept").real(), Whole.numberIn("j", "kept").real());
  EXPECT_LT(Packed.numberIn("j", "step").real(), Whole.numberIn("j", "step").real());
}

} // namespace
