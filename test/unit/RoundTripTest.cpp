// What a target writes is read back as the same job: random Plans, through the text of the files.
#include "Config/ConfigWriter.h"
#include "Frameworks/Job/ForeignJob.h"
#include "Frameworks/Lower/Lower.h"
#include "Plan/Options.h"
#include "Support.h"
#include "std/Std.h"
#include <random>

using namespace parlance;

namespace {

constexpr unsigned Plans = 2000;

/// A job that a target can run, with a model, for changes of single fields.
class Base : public Checked {
public:
  Base(std::string_view Model, std::string_view Target)
      : Checked(fmt::format("use std/example\nuse std/models\nlayout l from example_layout {{\n  {}\n}}\n"
                            "job j from example_job {{\n  model = {}, layout = l, target = {}\n  {}\n}}\n",
                            layout(Target), Model, Target, precision(Target))) {}

private:
  static std::string_view layout(std::string_view Target) {
    return Target == "megatron" || Target == "nanotron" ? "zero = 1"
                                                        : "tp = 1, sequence_parallel = false, pp = 1, zero = 3";
  }
  static std::string_view precision(std::string_view Target) {
    return Target == "megatron" || Target == "nanotron" ? "precision { compute = bf16, grads = fp32 }"
                                                        : "precision { compute = bf16, grads = bf16 }";
  }
};

struct Change {
  std::string_view Path;
  std::vector<Value> Values;
};

std::vector<Value> counts(std::initializer_list<int> Ns) {
  std::vector<Value> Result;
  for (int N : Ns)
    Result.push_back(Value::of(Num(N)));
  return Result;
}

std::vector<Value> words(const Checked &C, std::string_view Schema, std::string_view Field) {
  std::vector<Value> Result;
  const SchemaDecl *S = C.Lib.schema(Schema);
  const Type &T = S->Fields[S->find(Field)].Ty;
  for (uint32_t I = 0; I < (T.K == Type::Kind::Enum ? T.Enum->Values.size() : 2); ++I)
    Result.push_back(T.K == Type::Kind::Enum ? Value::enumerator(I) : Value::of(truth(I)));
  return Result;
}

std::vector<Change> changes(const Checked &C) {
  return {
      {"layout.tp", counts({1, 2, 4, 8})},
      {"layout.pp", counts({1, 2, 4})},
      {"layout.cp", counts({1, 2})},
      {"layout.ep", counts({1, 2, 4})},
      {"layout.virtual_stages", counts({1, 2})},
      {"layout.zero", counts({0, 1, 2, 3})},
      {"layout.sequence_parallel", words(C, "layout", "sequence_parallel")},
      {"layout.recompute", words(C, "layout", "recompute")},
      {"layout.tp_overlap", words(C, "layout", "tp_overlap")},
      {"layout.schedule", words(C, "layout", "schedule")},
      {"batch.micro", counts({1, 2, 4})},
      {"precision.compute", words(C, "precision", "compute")},
      {"precision.grads", words(C, "precision", "grads")},
      {"optimizer", words(C, "job", "optimizer")},
      {"attention_kernel", words(C, "job", "attention_kernel")},
      {"cross_entropy", words(C, "job", "cross_entropy")},
  };
}

/// Reads files of a target back.
std::optional<Plan> readBack(Checked &C, const Lowering &L, std::string_view Target, const Plan &Like) {
  // The file with the options; the launcher's are tested elsewhere.
  std::map<std::string_view, std::string_view> Name{{"megatron", "args.json"},
                                                    {"deepspeed", "ds_config.json"},
                                                    {"torchtitan", "train.toml"},
                                                    {"nanotron", "config.yaml"},
                                                    {"accelerate", "accelerate.yaml"}};
  auto File = std::ranges::find(L.Files, Name[Target], &LoweredFile::Name);
  if (File == L.Files.end())
    return std::nullopt;
  uint32_t Id = C.Sources.add(File->Name, File->Text);
  ForeignFile Foreign = openForeign(Id, C.Sources, C.Diags);
  HuggingFaceImporter Models(C.Sources, C.Diags);
  ForeignRequest Request;
  ForeignReader Reader(C.Values, Models, Request);
  const ForeignFile *Files[] = {&Foreign};
  auto Read = Reader.read(Files);
  if (!Read)
    return std::nullopt;
  Record *Job = C.Values.own(*Read->Job);
  const Framework *F = frameworkNamed(Target);
  for (std::string_view Elsewhere : F->Elsewhere)
    if (int Field = Job->Schema->find(Elsewhere); Field >= 0)
      Job->Values[Field] = Like.Job->Values[Field];
  Job->Values[fields::job::cluster] = Like.Job->Values[fields::job::cluster];
  return resolve(*Job, C.Values);
}

class RoundTrip : public testing::TestWithParam<std::string_view> {};

TEST_P(RoundTrip, RandomPlansComeBack) {
  static constexpr std::string_view Models[] = {"llama3_8b", "llama3_70b",    "mixtral_8x7b",
                                                "gpt3_175b", "qwen3_30b_a3b", "deepseek_v3"};
  std::string_view Target = GetParam();
  unsigned Written = 0, Tried = 0;
  for (std::string_view Model : Models) {
    Base C(Model, Target);
    const Plan *P = C.plan("j");
    ASSERT_TRUE(P) << Model << C.reported();
    auto Possible = changes(C);
    for (unsigned Seed = 0; Seed < Plans / std::size(Models); ++Seed) {
      std::mt19937 Random(Seed);
      std::optional<Plan> Changed = *P;
      for (unsigned N = Random() % 5; Changed && N > 0; --N) {
        const Change &One = Possible[Random() % Possible.size()];
        Changed = withField(*Changed, One.Path, One.Values[Random() % One.Values.size()], C.Values);
      }
      if (!Changed)
        continue;
      Plan Judged = withOptions(*Changed, C.Values);
      auto Holds = [&](Quantity What) { return Judged.Context->derived(What).Flag == Truth::True; };
      if (!Holds(quantities::valid_shape) || !Holds(quantities::valid_batch))
        continue; // no job that could run
      ++Tried;
      LowerRequest Request{Target, Launcher::None, "parlance", "test"};
      auto Lowered = lower(*Changed, Request, C.Values);
      C.Diags.take();
      if (!Lowered)
        continue; // not expressible, which is said
      ++Written;
      auto Own = retarget(*Changed, Target, C.Values);
      auto Back = readBack(C, *Lowered, Target, *Own);
      ASSERT_TRUE(Back) << Target << " " << Model << " seed " << Seed << ": " << C.reported();
      std::string Differences;
      for (const LostField &L : differences(*Own, *Back, frameworkNamed(Target)->Elsewhere))
        Differences += L.Path + " ";
      ASSERT_EQ(Differences, "") << Target << " " << Model << " seed " << Seed << "\n" << Lowered->Files[0].Text;
    }
  }
  // Most random Plans can be written; a target that refuses nearly all of them would pass above.
  EXPECT_GT(Written * 5, Tried) << Target << ": " << Written << " of " << Tried;
}

INSTANTIATE_TEST_SUITE_P(Targets, RoundTrip,
                         testing::Values("megatron", "deepspeed", "torchtitan", "nanotron", "accelerate"),
                         [](const auto &Info) { return std::string(Info.param); });

} // namespace
