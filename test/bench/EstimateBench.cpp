// The time of one estimate of a resolved job: every figure of `parlance estimate --json`, evaluated with nothing
// remembered. It is what a search pays per candidate. Prints the medians with their targets and exits with 1 when one
// is missed.
#include "Plan/Plan.h"
#include "std/Std.h"
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <map>

using namespace parlance;

namespace {

/// A text with a job `j`, resolved.
class Resolved {
public:
  explicit Resolved(std::string Text) : File(Files.add(Sources.add("bench.parl", std::move(Text)))) {
    auto It = File.Names.find("j");
    const Record *Job = It == File.Names.end() ? nullptr : Values.instance(File, *It->second);
    P = Job ? resolve(*Job, Values) : std::nullopt;
    if (!P || !Diags.take().empty()) {
      fmt::print(stderr, "bench-estimate: a job of the benchmark cannot be resolved\n");
      std::exit(2);
    }
  }
  const Record &job() const { return *P->Job; }
  int64_t stages() const { return P->Job->rec(fields::job::layout)->num(fields::layout::pp).toInteger(); }

private:
  SourceManager Sources;
  DiagnosticEngine Diags;
  Program Files{Sources, standardLibrary(), Diags};
  Evaluator Values{Sources, standardLibrary(), Diags};
  Module &File;
  std::optional<Plan> P;
};

/// What the estimate asks for (lib/Report/EstimateJson.cpp), as indices of derived quantities.
struct Figures {
  std::vector<uint32_t> OfJob, OfStage;
  uint32_t AtPhase = index("memory.stage.at"), WorstStage = index("memory.worst_stage"), Cost = index("cost");

  Figures() {
    add(OfJob, "params.", "total active embedding");
    add(OfJob, "",
        "world tokens_per_replica tokens_per_gpu tokens_per_second tokens_per_second_per_gpu mfu "
        "hfu bubble");
    add(OfJob, "memory.", "peak usable fits");
    add(OfJob, "flops.", "model_per_token hardware_per_token recompute_alpha");
    add(OfJob, "flops.conventions.", "palm megatron nanotron torchtitan llm_foundry six_pt");
    add(OfJob, "time.", "step compute bubble exposed_comm optimizer");
    add(OfJob, "overlap.", "dp zero3 tp pp cp ep");
    for (std::string_view Kind : {"dp", "zero3", "tp", "pp", "cp", "ep"})
      add(OfJob, fmt::format("overlap.{}.", Kind), "comm compute hidden exposed bytes bandwidth");
    add(OfJob, "measured.", "mfu_from_step_time hfu_from_step_time fragmentation memory_error time_error");
    add(OfStage, "memory.stage.",
        "layers params weights gradients optimizer activations logits buffers overhead peak "
        "peak_phase in_flight");
  }

  /// Their values for a job, as a sum, so that none can be left out. Not inlined: profilers see it.
  [[gnu::noinline]] double evaluate(const Record &Job, int64_t Stages) const {
    JobContext C(standardLibrary(), Job);
    double Sum = 0;
    for (uint32_t I : OfJob)
      Sum += C.derived(I).Number.real();
    for (int64_t Stage = 0; Stage < Stages; ++Stage) {
      Value At = Value::of(Num(Stage));
      for (uint32_t I : OfStage)
        Sum += C.derived(I, &At).Number.real();
    }
    const EnumDecl &Phases = *standardLibrary().enumNamed("phase");
    for (uint32_t I = 0; I < Phases.Values.size(); ++I) {
      Value Args[] = {C.derived(WorstStage), Value::enumerator(I)};
      Sum += C.derived(AtPhase, Args).Number.real();
    }
    Value Tokens = Value::of(Num(int64_t{1'000'000'000}));
    return Sum + C.derived(Cost, &Tokens).Number.real();
  }

private:
  static uint32_t index(std::string_view Name) {
    int I = standardLibrary().derive(Name);
    if (I < 0) {
      fmt::print(stderr, "bench-estimate: the library has no `{}`\n", Name);
      std::exit(2);
    }
    return static_cast<uint32_t>(I);
  }
  static void add(std::vector<uint32_t> &To, std::string_view Prefix, std::string_view Names) {
    while (!Names.empty()) {
      size_t End = std::min(Names.find(' '), Names.size());
      To.push_back(index(fmt::format("{}{}", Prefix, Names.substr(0, End))));
      Names.remove_prefix(std::min(End + 1, Names.size()));
    }
  }
};

constexpr std::string_view Head = "use std/example\nuse std/models\nuse std/hardware\n";

std::string moe(std::string_view Model) {
  return fmt::format("{}layout l from example_layout {{ tp = 1, sequence_parallel = false, pp = 8, "
                     "virtual_stages = 2, ep = 8 }}\n"
                     "job j from example_job {{ model = {}, layout = l, seq_len = 4096 tok/seq }}\n",
                     Head, Model);
}

std::string stages(int Count) {
  return fmt::format("{0}model deep from llama3_70b {{ layers = {1} }}\n"
                     "cluster many from example_cluster {{ nodes = {1} }}\n"
                     "layout l from example_layout {{ pp = {1} }}\n"
                     "job j from example_job {{ model = deep, cluster = many, layout = l\n"
                     "  batch {{ global = 4096 seq }} }}\n",
                     Head, Count);
}

std::string microBatches(int64_t Count) {
  return fmt::format("{}job j from example_job {{ batch {{ accum = {} }} }}\n", Head, Count);
}

void estimate(benchmark::State &State, std::string Text) {
  static const Figures All;
  Resolved R(std::move(Text));
  int64_t Stages = R.stages();
  for (auto _ : State)
    benchmark::DoNotOptimize(All.evaluate(R.job(), Stages));
}

/// Keeps the medians and prints nothing on the way.
class Medians : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &Runs) override {
    for (const Run &R : Runs)
      if (R.aggregate_name == "median")
        Microseconds[R.run_name.function_name] = R.GetAdjustedCPUTime();
  }
  std::map<std::string, double> Microseconds;
};

bool report(std::string_view Name, double Value, double Limit) {
  fmt::print("{:44} {:8.2f}   target {}   {}\n", Name, Value, Limit, Value <= Limit ? "ok" : "MISSED");
  return Value <= Limit;
}

} // namespace

int main(int Count, char **Arguments) {
  benchmark::Initialize(&Count, Arguments);
  if (benchmark::ReportUnrecognizedArguments(Count, Arguments))
    return 2;
  std::pair<const char *, std::string> Jobs[] = {
      {"llama3_70b", std::string(Head) + "job j from example_job { }\n"},
      {"mixtral_8x22b", moe("mixtral_8x22b")},
      {"deepseek_v3", moe("deepseek_v3")},
      {"accum_16", microBatches(16)},
      {"accum_1000000", microBatches(1'000'000)},
      {"pp_16", stages(16)},
      {"pp_1024", stages(1024)},
  };
  for (auto &[Name, Text] : Jobs)
    benchmark::RegisterBenchmark(Name, estimate, Text)
        ->Repetitions(9)
        ->MinTime(0.05)
        ->Unit(benchmark::kMicrosecond)
        ->ReportAggregatesOnly();
  Medians M;
  benchmark::RunSpecifiedBenchmarks(&M);
  auto &T = M.Microseconds;
  bool Good = report("estimate, llama3_70b tp 8 pp 4, us", T["llama3_70b"], 10);
  Good &= report("estimate, mixtral_8x22b pp 8 vpp 2 ep 8, us", T["mixtral_8x22b"], 50);
  Good &= report("estimate, deepseek_v3 pp 8 vpp 2 ep 8, us", T["deepseek_v3"], 50);
  Good &= report("1,000,000 micro-batches / 16 micro-batches", T["accum_1000000"] / T["accum_16"], 1.2);
  // Linear but for the caches: a quadratic part would be a factor of 64.
  Good &= report("time per stage, 1,024 stages / 16 stages", T["pp_1024"] / T["pp_16"] / 64, 3);
  return Good ? 0 : 1;
}
