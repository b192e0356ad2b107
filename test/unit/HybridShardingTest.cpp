// Hybrid sharding: groups of replicas that share one copy of what ZeRO shards, against numbers worked out by hand.
#include "Support.h"

using namespace parlance;
using namespace fields;

namespace {

constexpr double P = 8'030'261'248; // Llama-3-8B

class Hybrid : public Checked {
public:
  explicit Hybrid(std::string_view Layout, std::string_view More = "target = torchtitan")
      : Checked(fmt::format("use std/example\nuse std/models\nlayout l {{ {} }}\n"
                            "job j from example_job {{ model = llama3_8b, layout = l, {} }}\n",
                            Layout, More)) {}
  double at(std::string_view Name, std::initializer_list<Value> Args = {}) {
    const Plan *Resolved = plan("j");
    if (!Resolved) {
      ADD_FAILURE() << reported();
      return 0;
    }
    Num N = rt::num(Resolved->Context->derived(quantityNamed(Name), Args));
    EXPECT_TRUE(N.isKnown()) << Name << reported();
    return N.real();
  }
  double stage(std::string_view Part) { return at(fmt::format("memory.stage.{}", Part), {Value::of(Num(0))}); }
  std::string group(std::string_view Name) {
    std::string Text;
    for (std::string_view Part : {"size", "stride", "per_node", "nodes"}) {
      FieldPath F = fieldAt(*plan("j")->Job, fmt::format("groups.{}.{}", Name, Part));
      Text += fmt::format("{}{}", Text.empty() ? "" : " ", F.Owner->num(F.Index).toInteger());
    }
    return Text;
  }
};

TEST(HybridSharding, TheDefaultIsAllReplicas) {
  Hybrid J("dp = auto, zero = 3");
  FieldPath F = fieldAt(*J.plan("j")->Job, "layout.shard");
  EXPECT_EQ(F.Owner->num(F.Index).toInteger(), 64);
  EXPECT_EQ(F.Owner->Origins[F.Index].K, Origin::Kind::Deduced);
  EXPECT_EQ(J.at("memory.copies"), 1);
  EXPECT_EQ(J.at("memory.shards"), 64);
  EXPECT_EQ(J.group("shard"), J.group("dp"));
  EXPECT_EQ(J.group("replicate"), "1 64 1 1");
}

TEST(HybridSharding, ItFollowsTheReplicas) {
  Hybrid J("dp = auto, zero = 3");
  auto Half = withField(*J.plan("j"), "cluster.nodes", Value::of(Num(4)), J.Values);
  ASSERT_TRUE(Half);
  FieldPath F = fieldAt(*Half->Job, "layout.shard");
  EXPECT_EQ(F.Owner->num(F.Index).toInteger(), 32);
}

TEST(HybridSharding, GroupsAreNeighbours) {
  Hybrid J("dp = auto, zero = 3, shard = 8");
  EXPECT_EQ(J.group("shard"), "8 1 8 1");
  EXPECT_EQ(J.group("replicate"), "8 8 1 8");
  Hybrid Split("tp = 2, sequence_parallel = true, dp = auto, zero = 3, shard = 4");
  EXPECT_EQ(Split.group("shard"), "4 2 4 1");
  EXPECT_EQ(Split.group("replicate"), "8 8 1 8");
  Hybrid Wide("tp = 2, sequence_parallel = true, dp = auto, zero = 3, shard = 16");
  EXPECT_EQ(Wide.group("shard"), "16 2 4 4");
  EXPECT_EQ(Wide.group("replicate"), "2 32 1 2");
}

TEST(HybridSharding, MemoryIsDividedByTheGroup) {
  Hybrid Full("dp = auto, zero = 3, shard = 8"); // fp32 shards, gradients and two moments
  EXPECT_EQ(Full.stage("weights"), 4 * P / 8);
  EXPECT_EQ(Full.stage("gradients"), 4 * P / 8);
  EXPECT_EQ(Full.stage("moments"), 8 * P / 8);
  Hybrid Optimizer("dp = auto, zero = 1, shard = 16", "target = megatron");
  EXPECT_EQ(Optimizer.stage("weights"), 2 * P);
  EXPECT_EQ(Optimizer.stage("gradients"), 4 * P);
  EXPECT_EQ(Optimizer.stage("optimizer"), 12 * P / 16);
  Hybrid Gradients("dp = auto, zero = 2, shard = 16", "target = accelerate");
  EXPECT_EQ(Gradients.stage("gradients"), 4 * P / 16);
}

TEST(HybridSharding, ContextParallelRanksShardToo) {
  Hybrid J("cp = 2, dp = auto, zero = 3, shard = 8");
  EXPECT_EQ(J.at("memory.shards"), 16);
  EXPECT_EQ(J.at("memory.copies"), 4);
  EXPECT_EQ(J.stage("weights"), 4 * P / 16);
}

TEST(HybridSharding, ExpertsAreSharedByTheirPartOfTheGroup) {
  Checked C("use std/example\nuse std/models\nlayout l { ep = 8, dp = auto, zero = 2, shard = 16 }\n"
            "job j from example_job { model = qwen3_30b_a3b, layout = l, target = accelerate\n"
            " let shards = memory.expert_shards\n let holders = memory.expert_holders }\n");
  EXPECT_EQ(C.numberIn("j", "shards").real(), 2);
  EXPECT_EQ(C.numberIn("j", "holders").real(), 8);
}

TEST(HybridSharding, CollectivesStayInTheGroup) {
  Hybrid J("dp = auto, zero = 3, shard = 8");
  EXPECT_EQ(J.at("overlap.zero3.weight_bytes"), 7.0 / 8 * 2 * P);
  EXPECT_EQ(J.at("overlap.zero3.gradient_bytes"), 7.0 / 8 * 4 * P);
  // An eighth of the gradients, all-reduced among 8 copies: 2 x 7/8.
  EXPECT_EQ(J.at("overlap.replicate.stage_bytes", {Value::of(Num(0))}), 2 * 7.0 / 8 * 4 * P / 8);
  Hybrid All("dp = auto, zero = 3");
  EXPECT_EQ(All.at("overlap.replicate.stage_bytes", {Value::of(Num(0))}), 0);
  EXPECT_LT(J.at("overlap.zero3"), All.at("overlap.zero3"));
}

TEST(HybridSharding, AGroupInsideANodeUsesItsLinks) {
  constexpr std::string_view Layout = "tp = 2, sequence_parallel = true, dp = auto, zero = 3";
  Hybrid All(Layout), J(fmt::format("{}, shard = 4", Layout));
  // Four members of a ring over nodes share four ports of 50 GB/s; NVLink has 450.
  EXPECT_LT(All.at("overlap.zero3.bandwidth"), 200e9);
  EXPECT_GT(J.at("overlap.zero3.bandwidth"), 350e9);
}

TEST(HybridSharding, ShardsAreReducedOncePerStep) {
  Hybrid J("dp = auto, zero = 3, shard = 8", "target = torchtitan, batch { global = 512 seq }");
  double Between = J.at("overlap.replicate.stage_comm", {Value::of(Num(0))});
  EXPECT_GT(Between, 0);
  EXPECT_DOUBLE_EQ(J.at("overlap.zero3.total"), // 8 micro-batches
                   8 * (2 * J.at("overlap.zero3.weight_comm") + J.at("overlap.zero3.gradient_comm")) + Between);
}

TEST(HybridSharding, ShardedOptimizersReduceBetweenCopies) {
  Hybrid J("dp = auto, zero = 1, shard = 8", "target = megatron");
  EXPECT_EQ(J.at("overlap.dp.bytes"), 7.0 / 8 * P * (4 + 2) + 2 * 7.0 / 8 * 4 * P / 8);
  Hybrid Plain("dp = auto, zero = 0, shard = 8", "target = megatron");
  EXPECT_EQ(Plain.at("overlap.dp.bytes"), 2 * 63.0 / 64 * 4 * P) << "nothing is sharded";
}

TEST(HybridSharding, AnySizeIsResolved) {
  for (std::string_view Shard : {"24", "65", "1", "9_000_000_000_000_000_000"}) {
    Hybrid J(fmt::format("dp = auto, zero = 3, shard = {}", Shard));
    const Plan *Resolved = J.plan("j");
    ASSERT_TRUE(Resolved) << Shard;
    for (const RuleDecl &R : J.Lib.Rules)
      R.Violated(*Resolved->Context);
  }
}

} // namespace
