// What the report draws: passes and matrix products against the times that the estimate is made of, the ranks of a
// group, and the page as a file.
#include "Plan/RankGrid.h"
#include "Report/LiveReport.h"
#include "Support.h"
#include <llvm/Support/JSON.h>

using namespace parlance;

namespace {

class Job : public Checked {
public:
  explicit Job(const std::string &Text, std::string Name = "test.parl")
      : Checked("use std/hardware\nuse std/models\n" + Text, std::move(Name)) {
    EXPECT_TRUE(plan("j")) << reported();
  }
  Value value(std::string_view Name, std::initializer_list<Value> Args = {}) {
    return plan("j")->Context->derived(quantityNamed(Name), Args);
  }
  double operator()(std::string_view Name, std::initializer_list<int64_t> Args = {}) {
    std::vector<Value> Values;
    for (int64_t A : Args)
      Values.push_back(Value::of(Num(A)));
    int Index = Lib.derive(Name);
    EXPECT_GE(Index, 0) << Name;
    Num N = rt::num(plan("j")->Context->derived(static_cast<uint32_t>(Index), Values.data()));
    return N.isKnown() ? N.real() : 0; // what does not apply adds nothing
  }
  int64_t size(unsigned Field) { return plan("j")->Job->rec(fields::job::layout)->num(Field).toInteger(); }
  double accum() { return plan("j")->Job->rec(fields::job::batch)->num(fields::batch::accum).real(); }
};

struct Example {
  std::string_view Name, Text;
};
constexpr Example Jobs[] = {
    {"dense", "cluster c { node = 8 * h100_sxm, nodes = 8, inter = infiniband_ndr }\n"
              "layout l { tp = 8, sequence_parallel = true, pp = 4, virtual_stages = 2 }\n"
              "job j { model = llama3_70b, cluster = c, layout = l, seq_len = 8192 tok/seq, batch { "
              "accum = 16 } }\n"},
    {"sharded", "cluster c { node = 8 * h100_sxm, nodes = 2, inter = infiniband_ndr }\n"
                "layout l { zero = 3, recompute = full }\n"
                "job j { model = llama3_8b, cluster = c, layout = l, seq_len = 4096 tok/seq, batch "
                "{ accum = 3 }, target = torchtitan }\n"},
    {"hybrid", "cluster c { node = 8 * h100_sxm, nodes = 4, inter = infiniband_ndr }\n"
               "layout l { zero = 3, shard = 8, cp = 2, recompute = selective }\n"
               "job j { model = llama3_8b, cluster = c, layout = l, seq_len = 16384 tok/seq, batch "
               "{ accum = 2 }, target = torchtitan }\n"},
    {"experts", "cluster c { node = 8 * h100_sxm, nodes = 8, inter = infiniband_ndr }\n"
                "layout l { ep = 8, pp = 2, schedule = zero_bubble, zero = 1, recompute = full }\n"
                "job j { model = mixtral_8x7b, cluster = c, layout = l, seq_len = 4096 tok/seq, "
                "batch { accum = 8 } }\n"},
    {"latent", "cluster c { node = 8 * h100_sxm, nodes = 64, inter = infiniband_ndr }\n"
               "layout l { tp = 2, ep = 32, pp = 16, schedule = dualpipe, zero = 1 }\n"
               "job j { model = deepseek_v3, cluster = c, layout = l, seq_len = 4096 tok/seq, "
               "batch { accum = 64 }, precision { compute = bf16 } }\n"},
    {"adapters", "cluster c { node = 8 * h100_sxm, nodes = 1 }\n"
                 "layout l { zero = 2 }\n"
                 "job j { model = llama3_8b, cluster = c, layout = l, seq_len = 2048 tok/seq, batch "
                 "{ accum = 2 }, adapter { rank = 16 } }\n"},
    {"equal shares", "cluster c { node = 8 * h100_sxm, nodes = 2, inter = infiniband_ndr }\n"
                     "layout l { tp = 2, pp = 4, zero = 1 }\n"
                     "job j { model = llama3_8b, cluster = c, layout = l, seq_len = 4096 tok/seq, "
                     "batch { accum = 8 }, target = nanotron }\n"}};
void PrintTo(const Example &E, std::ostream *Out) { *Out << E.Name; }

class Pictures : public testing::TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(Jobs, Pictures, testing::ValuesIn(Jobs));

} // namespace

/// The passes of all chunks are what the estimate says of a stage.
TEST_P(Pictures, PassesAddUpToTheStage) {
  Job J{std::string(GetParam().Text)};
  int64_t Stages = J.size(fields::layout::pp), Chunks = J.size(fields::layout::virtual_stages);
  for (int64_t I = 0; I < Stages; ++I) {
    double Sum = 0;
    for (int64_t C = 0; C < Chunks; ++C) {
      Sum += J("time.chunk_forward", {I, C}) + J("time.chunk_backward", {I, C});
      double Weights = J("time.chunk_weight_gradient", {I, C});
      EXPECT_GT(Weights, 0);
      EXPECT_LT(Weights, J("time.chunk_backward", {I, C}));
    }
    double Stage = GetParam().Name == "equal shares" ? J("time.slowest") : J("time.stage", {I});
    EXPECT_NEAR(Sum, Stage + J("time.host"), 1e-9 * Stage) << I;
  }
}

/// Waiting in passes, for messages, and at the end is all exposed communication.
TEST_P(Pictures, WaitsAddUpToExposedCommunication) {
  Job J{std::string(GetParam().Text)};
  auto Chunks = static_cast<double>(J.size(fields::layout::virtual_stages));
  double InPasses = J.accum() * Chunks * (J("time.chunk_forward_wait") + J("time.chunk_backward_wait"));
  double All = J("time.exposed_comm");
  EXPECT_GE(J("time.chunk_forward_wait"), 0);
  EXPECT_GE(J("time.chunk_backward_wait"), 0);
  EXPECT_NEAR(InPasses + J("time.reduction_wait") + J("overlap.pp.exposed"), All, 1e-9 * All);
}

/// What std/compute.parl says of the same layers, as lets of a job. `BACK` stands for the direction.
constexpr std::string_view Linears = R"(
  let layer_BACK = attention_linears_time(model, device, compute.tp, compute.rows, precision.compute, BACK, compute.trained)
    + (if model.experts == 0
       then mlp_linears_time(model, device, 1, compute.rows, model.ffn / compute.tp, precision.compute, BACK, compute.trained)
       else mlp_linears_time(model, device, model.experts / layout.ep, compute.expert_rows, model.expert_ffn / layout.etp,
         precision.compute, BACK, compute.trained))
    + (if model.shared_experts == 0 then 0 s
       else mlp_linears_time(model, device, 1, compute.rows, model.shared_experts * model.shared_expert_ffn / compute.tp,
         precision.compute, BACK, compute.trained))
  let head_BACK = linear_time(device, 1, compute.rows, model.vocab / compute.tp, model.hidden,
    attention_type(precision.compute), BACK, compute.trained)
)";

/// The list of products is the one that the compute of a layer and of the head is made of.
TEST_P(Pictures, ProductsAddUpToTheLayer) {
  std::string Text(GetParam().Text);
  Text.resize(Text.rfind('}'));
  for (std::string_view Back : {"false", "true"}) {
    std::string Lets(Linears);
    for (size_t At; (At = Lets.find("BACK")) != std::string::npos;)
      Lets.replace(At, 4, Back);
    Text += Lets;
  }
  Job J(Text + "}\n");
  EXPECT_EQ(J.reported(), "");
  const EnumDecl &Layers = *J.Lib.enumNamed("product"), &Passes = *J.Lib.enumNamed("product_pass");
  double Layer[2] = {}, Head[2] = {}; // forward, backward
  bool Experts = J.plan("j")->Job->rec(fields::job::model)->num(fields::model::experts).real() > 0;
  for (uint32_t L = 0; L < Layers.Values.size(); ++L)
    for (uint32_t W = 0; W < Passes.Values.size(); ++W) {
      Value P = Value::enumerator(L), Pass = Value::enumerator(W);
      std::string_view Name = Layers.Values[L];
      bool OfOtherLayers = Experts && Name.starts_with("ffn"); // the leading dense ones
      if (OfOtherLayers || rt::flag(J.value("gemm.present", {P, Pass})) != Truth::True)
        continue;
      double Rate = rt::num(J.value("gemm.rate", {P, Pass})).real();
      EXPECT_GT(Rate, 0) << Name;
      EXPECT_LT(Rate, rt::num(J.value("gemm.roof", {P, Pass})).real()) << Name;
      (Name == "head" ? Head : Layer)[Passes.Values[W] != "forward"] += rt::num(J.value("gemm.time", {P, Pass})).real();
    }
  for (std::string_view Back : {"false", "true"}) {
    bool B = Back == "true";
    double Wanted = J.numberIn("j", fmt::format("layer_{}", Back)).real();
    EXPECT_NEAR(Layer[B], Wanted, 1e-9 * Wanted) << Back;
    Wanted = J.numberIn("j", fmt::format("head_{}", Back)).real();
    EXPECT_NEAR(Head[B], Wanted, 1e-9 * Wanted) << Back;
  }
}

/// Members and numbers of groups, against the ranks one by one.
TEST(RankCells, MembersAndNumbers) {
  for (auto [Size, Stride, World] :
       {std::array<int64_t, 3>{1, 1, 8}, {8, 1, 64}, {4, 16, 64}, {2, 8, 64}, {3, 4, 24}}) {
    Group G{Size, Stride, 1, 1};
    std::map<int64_t, std::vector<int64_t>> Groups;
    for (int64_t Rank = 0; Rank < World; ++Rank) {
      auto &Ranks = Groups[G.numberOf(Rank)];
      EXPECT_EQ(G.memberOf(Rank), static_cast<int64_t>(Ranks.size()));
      Ranks.push_back(Rank);
    }
    EXPECT_EQ(static_cast<int64_t>(Groups.size()), World / Size);
    int64_t Before = -1;
    for (auto &[Number, Ranks] : Groups) {
      EXPECT_GT(Ranks.front(), Before); // numbered in the order of their first ranks
      Before = Ranks.front();
      ASSERT_EQ(static_cast<int64_t>(Ranks.size()), Size);
      for (size_t I = 1; I < Ranks.size(); ++I)
        EXPECT_EQ(Ranks[I] - Ranks[I - 1], Stride);
    }
  }
}

/// Nothing of the data is markup, whatever the file is called, and two pages are the same.
TEST(ReportPage, IsClosedAgainstItsData) {
  Job J(std::string(Jobs[0].Text), "a</script><b>&\"'.parl");
  std::vector<Diagnostic> None;
  JobVerdict Verdict;
  Verdict.Name = "j\"<i>";
  ReportInput In{*J.plan("j"), Verdict, "a</script><b>&\"'.parl", "1.2.3", None, 0, J.Values, J.Trees};
  std::string Json = reportJson(In), Page = reportPage(In);
  EXPECT_EQ(Page, reportPage(In));
  EXPECT_EQ(Page.find("{{"), std::string::npos);
  size_t Data = Page.find("id=\"data\">"), End = Page.find("</script>", Data);
  ASSERT_NE(Data, std::string::npos);
  std::string Inside = Page.substr(Data + 10, End - Data - 10);
  EXPECT_EQ(Inside.find('<'), std::string::npos);
  auto Parsed = llvm::json::parse(Inside), Direct = llvm::json::parse(Json);
  ASSERT_TRUE(static_cast<bool>(Parsed));
  ASSERT_TRUE(static_cast<bool>(Direct));
  EXPECT_TRUE(*Parsed == *Direct);
  EXPECT_EQ(Parsed->getAsObject()->getString("file"), "a</script><b>&\"'.parl");
  EXPECT_EQ(Parsed->getAsObject()->getObject("estimate")->getString("job"), "j\"<i>");
}
