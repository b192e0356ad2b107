// Jobs as they are resolved: what `auto` becomes, where each value came from, and what follows when one is changed.
#include "Support.h"
#include "std/Std.h"

using namespace parlance;
using namespace fields;

namespace {

constexpr std::string_view Head = "use std/example\nuse std/models\nuse std/hardware\n";

/// A file whose job is `j`, behind three lines of `use`.
class Job : public Checked {
public:
  explicit Job(std::string_view Text) : Checked(std::string(Head) + std::string(Text)) {}
  const Record &job() {
    const Plan *P = plan("j");
    EXPECT_TRUE(P) << reported();
    return *P->Job;
  }
  Num at(std::string_view Path) {
    FieldPath F = fieldAt(job(), Path);
    return F.Owner ? F.Owner->num(F.Index) : Num::unknown();
  }
  const Origin &origin(std::string_view Path) {
    FieldPath F = fieldAt(job(), Path);
    return F.Owner->Origins[F.Index];
  }
  std::string from(std::string_view Path) {
    static constexpr std::string_view Kinds[] = {"none", "given", "default", "deduced", "library"};
    return std::string(Kinds[static_cast<unsigned>(origin(Path).K)]);
  }
  std::string whereToChange(std::string_view Path) {
    SourceRange At = placeOf(job(), Path);
    return At ? fmt::format("{} {}", place(At), Sources.text(At)) : "nowhere";
  }
};

#define EXPECT_NUM(Got, Want) EXPECT_TRUE(identical(Got, Want)) << #Got " is " << shown(Got)

//===----------------------------------------------------------------------===//
// auto
//===----------------------------------------------------------------------===//

TEST(Plan, ReplicasFillTheCluster) {
  Job J("job j from example_job { }\n"); // tp 8, pp 4 on 8 nodes of 8
  EXPECT_NUM(J.at("layout.dp"), 2);
  EXPECT_EQ(J.from("layout.dp"), "deduced");
  EXPECT_EQ(J.origin("layout.dp").Where, "GPUs of the cluster / (tp * pp * cp)");
  EXPECT_NUM(J.at("gpus_per_node"), 8);
  EXPECT_EQ(J.reported(), "");
}

TEST(Plan, ReplicasThatDoNotComeOutAreRoundedDown) {
  Job J("layout l from example_layout { pp = 5 }\njob j from example_job { layout = l }\n");
  EXPECT_NUM(J.at("layout.dp"), 1);
  Job Large("layout l from example_layout { pp = 64 }\njob j from example_job { layout = l }\n");
  EXPECT_NUM(Large.at("layout.dp"), 1);
}

TEST(Plan, ContextParallelismTakesFromTheReplicas) {
  Job J("layout l from example_layout { pp = 1, cp = 4 }\njob j from example_job { layout = l }\n");
  EXPECT_NUM(J.at("layout.dp"), 2);
}

TEST(Plan, AccumulationFollowsFromTheBatch) {
  Job J("job j from example_job { }\n"); // 128 sequences, 2 replicas of 1
  EXPECT_NUM(J.at("batch.accum"), 64);
  EXPECT_EQ(J.from("batch.accum"), "deduced");
  EXPECT_NUM(J.at("batch.sequences"), 128);
  EXPECT_NUM(J.at("batch.tokens"), 128 * 8192);
  EXPECT_NUM(J.at("batch.global"), 128 * 8192);
}

TEST(Plan, TheBatchFollowsFromAccumulation) {
  Job J("layout l from example_layout { }\n"
        "job j {\n model = llama3_70b, cluster = example_cluster, layout = l, seq_len = 4096 "
        "tok/seq\n"
        " batch { micro = 2 seq/replica/microbatch, accum = 16 }\n}\n");
  EXPECT_NUM(J.at("batch.sequences"), 2 * 2 * 16);
  EXPECT_NUM(J.at("batch.tokens"), 2 * 2 * 16 * 4096);
  EXPECT_NUM(J.at("batch.global"), 2 * 2 * 16 * 4096);
  EXPECT_EQ(J.from("batch.global"), "deduced");
  EXPECT_EQ(J.from("batch.accum"), "given");
}

TEST(Plan, WithoutABatchThereIsOneMicroBatchPerReplica) {
  Job J("layout l from example_layout { }\n"
        "job j { model = llama3_70b, cluster = example_cluster, layout = l, seq_len = 4096 tok/seq "
        "}\n");
  EXPECT_NUM(J.at("batch.accum"), 1);
  EXPECT_NUM(J.at("batch.sequences"), 2);
}

TEST(Plan, TheBatchMayBeInTokens) {
  Job J("job j from example_job { batch { global = 4Mi tok } }\n");
  EXPECT_NUM(J.at("batch.sequences"), 512);
  EXPECT_NUM(J.at("batch.accum"), 256);
  EXPECT_NUM(J.at("batch.tokens"), 4 << 20);
}

TEST(Plan, BatchesThatDoNotComeOutAreFractions) {
  Job J("job j from example_job { batch { global = 129 seq } }\n");
  EXPECT_NUM(J.at("batch.accum"), 64.5);
  Job Tokens("job j from example_job { batch { global = 4M tok } }\n"); // 488.28… sequences
  EXPECT_NUM(Tokens.at("batch.sequences"), 4e6 / 8192);
  EXPECT_NUM(Tokens.at("batch.tokens"), 4'000'000);
}

TEST(Plan, GivenAccumulationIsKeptBesideAGivenBatch) {
  Job J("job j from example_job { batch { accum = 7 } }\n");
  EXPECT_NUM(J.at("batch.accum"), 7);
  EXPECT_NUM(J.at("batch.sequences"), 128);
  EXPECT_EQ(J.from("batch.accum"), "given");
}

//===----------------------------------------------------------------------===//
// Computed fields
//===----------------------------------------------------------------------===//

TEST(Plan, DeviceAndNetworkComeFromTheCluster) {
  Job J("cluster c { node = 4 * a100_80g_sxm, nodes = 16, inter = infiniband_hdr }\n"
        "job j from example_job { cluster = c }\n");
  EXPECT_EQ(J.job().rec(job::device)->Name, "a100_80g_sxm");
  EXPECT_EQ(J.job().rec(job::inter)->Name, "infiniband_hdr");
  EXPECT_NUM(J.at("gpus_per_node"), 4);
  EXPECT_EQ(J.whereToChange("device"), "test.parl:4:20 4 * a100_80g_sxm");
  EXPECT_EQ(J.whereToChange("inter"), "test.parl:4:58 infiniband_hdr");
}

TEST(Plan, ACountMayStandBehindTheDevice) {
  Job J("cluster c from example_cluster { node = h100_sxm * 4 }\njob j from example_job { cluster "
        "= c }\n");
  EXPECT_NUM(J.at("gpus_per_node"), 4);
  EXPECT_EQ(J.reported(), "");
}

TEST(Plan, GroupsSitOnTheGrid) {
  Job J("job j from example_job { }\n");
  auto Group = [&](std::string_view Name) {
    return fmt::format("{} {} {} {}", J.at(fmt::format("groups.{}.size", Name)).toInteger(),
                       J.at(fmt::format("groups.{}.stride", Name)).toInteger(),
                       J.at(fmt::format("groups.{}.per_node", Name)).toInteger(),
                       J.at(fmt::format("groups.{}.nodes", Name)).toInteger());
  };
  EXPECT_EQ(Group("tp"), "8 1 8 1");
  EXPECT_EQ(Group("dp"), "2 8 1 2");
  EXPECT_EQ(Group("pp"), "4 16 1 4");
  EXPECT_EQ(Group("cp"), "1 8 1 1");
  EXPECT_EQ(Group("ep"), "1 1 1 1"); // etp 1, ep 1: experts are spread over all 16 ranks of a stage
  EXPECT_EQ(Group("edp"), "16 1 8 2");
}

TEST(Plan, ExpertsReuseTheRanks) {
  Job J("layout l from example_layout { tp = 2, pp = 1, ep = 8, etp = 2 }\n"
        "job j from example_job { model = mixtral_8x7b, layout = l }\n");
  EXPECT_NUM(J.at("groups.ep.size"), 8);
  EXPECT_NUM(J.at("groups.ep.stride"), 2);
  EXPECT_NUM(J.at("groups.ep.nodes"), 2);
  EXPECT_NUM(J.at("groups.edp.size"), 4); // 64 ranks / (ep 8 * etp 2)
  EXPECT_NUM(J.at("groups.edp.stride"), 16);
  EXPECT_NUM(J.at("groups.dp.size"), 32);
}

TEST(Plan, TheRankOrderIsChecked) {
  Job J("layout l from example_layout { order = \"tp-dp\" }\njob j from example_job { layout = l "
        "}\n");
  EXPECT_FALSE(J.plan("j"));
  EXPECT_EQ(J.reported(), "PL0109 4:40");
}

TEST(Plan, SearchSpacesHaveNoPlan) {
  Job J("layout l from example_layout { tp = any { 4, 8 } }\njob j from example_job { layout = l "
        "}\n");
  EXPECT_FALSE(J.plan("j"));
  EXPECT_EQ(J.reported(), "PL0108 5:5");
}

TEST(Plan, LayoutsBeyondAnyClusterEnd) {
  for (std::string_view Layout :
       {"dp = 9_000_000_000_000_000_000", "tp = 1_000_000_007, dp = 1_000_000_007", "pp = 4_000_000_001",
        "ep = 3_000_000_001, etp = 3_000_000_001", "tp = 7, dp = 2_000_003", "cp = 9e15, pp = 9e15, tp = 9e15"}) {
    Job J(fmt::format("layout l from example_layout {{ {} }}\njob j from example_job {{ layout = l }}\n", Layout));
    const Plan *P = J.plan("j");
    ASSERT_TRUE(P) << Layout;
    for (const RuleDecl &R : J.Lib.Rules)
      R.Violated(*P->Context);
  }
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

TEST(Plan, WrittenFieldsPointAtTheirValues) {
  Job J("layout l from example_layout {\n  tp = 4\n}\n"
        "job j from example_job {\n  layout = l\n  seq_len = 4096 tok/seq\n  batch { micro = 2 seq "
        "}\n}\n");
  EXPECT_EQ(J.whereToChange("layout.tp"), "test.parl:5:8 4");
  EXPECT_EQ(J.whereToChange("seq_len"), "test.parl:9:13 4096 tok/seq");
  EXPECT_EQ(J.whereToChange("batch.micro"), "test.parl:10:19 2 seq");
  EXPECT_EQ(J.whereToChange("layout"), "test.parl:8:12 l");
  EXPECT_EQ(J.from("layout.tp"), "given");
}

TEST(Plan, DefaultsPointAtTheBlockThatLeavesThem) {
  Job J("layout l { tp = 8, pp = 4 }\njob j from example_job { layout = l }\n");
  EXPECT_EQ(J.from("layout.cp"), "default");
  EXPECT_EQ(J.whereToChange("layout.cp"), "test.parl:4:8 l");
  EXPECT_EQ(J.whereToChange("layout.recompute"), "test.parl:4:8 l");
  EXPECT_EQ(J.whereToChange("optimizer"), "test.parl:5:5 j"); // written in the library's example
  EXPECT_EQ(J.whereToChange("convention"), "test.parl:5:5 j");
}

TEST(Plan, DeducedFieldsPointAtWhatLeavesThemOpen) {
  Job J("layout l { tp = 8, pp = 4, dp = auto }\nlayout k { tp = 8, pp = 4 }\n"
        "job j from example_job { layout = l }\njob i from example_job { layout = k }\n");
  EXPECT_EQ(J.whereToChange("layout.dp"), "test.parl:4:33 auto");
  EXPECT_EQ(J.place(placeOf(*J.plan("i")->Job, "layout.dp")), "test.parl:5:8");
}

TEST(Plan, LibraryBlocksPointAtTheirUse) {
  Job J("job j from example_job {\n  model = llama3_8b\n  layout = example_layout\n}\n");
  EXPECT_EQ(J.from("model.heads"), "library");
  EXPECT_TRUE(J.origin("model.heads").Where.starts_with("std/models.parl:")) << J.origin("model.heads").Where;
  EXPECT_EQ(J.whereToChange("model.heads"), "test.parl:5:11 llama3_8b");
  EXPECT_EQ(J.whereToChange("model.tied_embeddings"), "test.parl:5:11 llama3_8b");
  EXPECT_EQ(J.whereToChange("layout.tp"), "test.parl:6:12 example_layout");
  EXPECT_EQ(J.whereToChange("device.peak.bf16"), "test.parl:4:5 j") << "the cluster is the example's";
}

TEST(Plan, InheritedFieldsPointAtTheirBase) {
  Job J("layout base { tp = 4, pp = 2 }\nlayout l from base { pp = 8 }\njob j from example_job { "
        "layout = l }\n");
  EXPECT_EQ(J.whereToChange("layout.tp"), "test.parl:4:20 4");
  EXPECT_EQ(J.whereToChange("layout.pp"), "test.parl:5:27 8");
}

TEST(Plan, UnknownPathsLeadNowhere) {
  Job J("job j from example_job { }\n");
  EXPECT_FALSE(fieldAt(J.job(), "layout.tpp").Owner);
  EXPECT_FALSE(fieldAt(J.job(), "seq_len.tp").Owner);
  EXPECT_FALSE(fieldAt(J.job(), "").Owner);
  EXPECT_FALSE(fieldAt(J.job(), "layout.").Owner);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

Num after(Job &J, std::string_view Path, Value V, std::string_view Read) {
  auto P = withField(*J.plan("j"), Path, V, J.Values);
  if (!P)
    return Num::unknown();
  FieldPath F = fieldAt(*P->Job, Read);
  return F.Owner ? F.Owner->num(F.Index) : Num::unknown();
}

TEST(Plan, AutosFollowAChange) {
  Job J("job j from example_job { }\n");
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "layout.tp"), 4);
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "layout.dp"), 4);
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "batch.accum"), 32);
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "groups.tp.size"), 4);
  EXPECT_NUM(after(J, "seq_len", Value::of(Num(4096)), "batch.tokens"), 128 * 4096);
  EXPECT_NUM(after(J, "cluster.nodes", Value::of(Num(16)), "layout.dp"), 4);
  EXPECT_NUM(J.at("layout.tp"), 8) << "the job itself is left as it was";
  EXPECT_NUM(J.at("layout.dp"), 2);
}

TEST(Plan, GivenFieldsDoNotFollow) {
  Job J("layout l from example_layout { dp = 2 }\njob j from example_job { layout = l, batch { "
        "accum = 64 } }\n");
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "layout.dp"), 2);
  EXPECT_NUM(after(J, "layout.tp", Value::of(Num(4)), "batch.accum"), 64);
}

TEST(Plan, ChangesKeepTheirPlaces) {
  Job J("layout l from example_layout { tp = 8 }\njob j from example_job { layout = l }\n");
  auto P = withField(*J.plan("j"), "layout.tp", Value::of(Num(2)), J.Values);
  ASSERT_TRUE(P);
  EXPECT_EQ(J.place(placeOf(*P->Job, "layout.tp")), "test.parl:4:37");
}

TEST(Plan, ChangesOfNothingAreNone) {
  Job J("job j from example_job { }\n");
  EXPECT_FALSE(withField(*J.plan("j"), "layout.tpp", Value::of(Num(2)), J.Values));
  EXPECT_FALSE(withField(*J.plan("j"), "seq_len.tp", Value::of(Num(2)), J.Values));
  EXPECT_FALSE(withField(*J.plan("j"), "layout.order", Value::string("tp"), J.Values));
}

TEST(Plan, DerivedQuantitiesFollow) {
  Job J("job j from example_job { }\n");
  auto P = withField(*J.plan("j"), "layout.pp", Value::of(Num(1)), J.Values);
  ASSERT_TRUE(P);
  EXPECT_NUM(rt::num(P->Context->derived(quantities::bubble)), 0);
  EXPECT_EQ(less(0, rt::num(J.plan("j")->Context->derived(quantities::bubble))), Truth::True);
}

} // namespace
