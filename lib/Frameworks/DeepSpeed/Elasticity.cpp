#include "Frameworks/DeepSpeed/Elasticity.h"
#include "Basic/Diagnostics.h"
#include "Frameworks/DeepSpeed/Batch.h"
#include <algorithm>
#include <numeric>
#include <set>

namespace parlance {

namespace {

using Kind = ConfigValue::Kind;

/// What the section says (elasticity/config.py, edaa7221).
struct Elastic {
  std::vector<int64_t> Micro;
  int64_t MaxBatch = 0, MinGpus = 1, MaxGpus = 10000, ModelParallel = 1;
  double Version = 0.2;
  bool PreferLarger = true;
};

/// A batch and the numbers of replicas that it suits.
struct Candidate {
  int64_t Batch = 0;
  std::set<int64_t> Gpus;
};

} // namespace

/// Numbers with more divisors than any smaller one, as far as DeepSpeed lists them.
static constexpr int64_t HighlyComposite[] = {
    1,     2,     4,     6,      12,     24,     36,     48,     60,     120,    180,    240,   360,
    720,   840,   1260,  1680,   2520,   5040,   7560,   10080,  15120,  20160,  25200,  27720, 45360,
    50400, 55440, 83160, 110880, 166320, 221760, 277200, 332640, 498960, 554400, 665280, 720720};

/// The largest multiple of a base by such a number that is no larger than the bound.
static int64_t scaled(int64_t Base, int64_t Bound) {
  const auto *Above = std::ranges::upper_bound(HighlyComposite, Bound / Base);
  return Above[-1] * Base; // the bound is at least the base, and 1 is in the list
}

static std::set<int64_t> gpusFor(int64_t Batch, const Elastic &E) {
  std::set<int64_t> Result;
  for (int64_t Micro : E.Micro) {
    if (Batch % Micro != 0)
      continue;
    int64_t Most = Batch / Micro;
    for (int64_t N = E.MinGpus; N <= std::min(Most, E.MaxGpus); ++N)
      if (Most % N == 0)
        Result.insert(N);
  }
  return Result;
}

/// Of the multiples of each micro-batch, and of their least common multiple, the one that suits most numbers of
/// replicas.
static Candidate best(const Elastic &E) {
  std::set<int64_t> Batches;
  int64_t Common = 1;
  for (int64_t Micro : E.Micro) {
    Batches.insert(scaled(Micro, E.MaxBatch));
    Common = Common > E.MaxBatch ? Common : std::lcm(Common, Micro);
  }
  if (Common <= E.MaxBatch)
    Batches.insert(scaled(Common, E.MaxBatch));
  Candidate Best;
  for (int64_t Batch : Batches) {
    Candidate Next{Batch, gpusFor(Batch, E)};
    bool More = Next.Gpus.size() > Best.Gpus.size(), Same = !Next.Gpus.empty() && Next.Gpus.size() == Best.Gpus.size();
    if (More || (Same && E.PreferLarger))
      Best = std::move(Next);
  }
  return Best;
}

/// The list of micro-batches; none, after a report, where DeepSpeed refuses it.
static std::optional<std::vector<int64_t>> microBatches(const ConfigValue &List, DiagnosticEngine &Diags) {
  std::vector<int64_t> Result;
  if (List.isSymbolic())
    return std::nullopt;
  for (const ConfigValue &Item : List.Items) {
    auto N = Item.K == Kind::Number ? Item.integer() : std::nullopt;
    if (!N || *N <= 0)
      break;
    Result.push_back(*N);
  }
  if (List.K == Kind::Array && !Result.empty() && Result.size() == List.Items.size())
    return Result;
  Diags.report(diag::Elasticity, List.Range, "`elasticity.micro_batch_sizes` is not a list of whole numbers above 0");
  return std::nullopt;
}

/// The section by itself; none where something is wrong or not known.
static std::optional<Elastic> readSection(const ConfigValue &Section, DiagnosticEngine &Diags) {
  Elastic E;
  const ConfigValue *Micro = Section.find("micro_batch_sizes"), *Bound = Section.find("max_train_batch_size");
  if (!Micro || !Bound) {
    Diags.report(diag::Elasticity, Section.KeyRange,
                 fmt::format("`elasticity.{}` is not given", Micro ? "max_train_batch_size" : "micro_batch_sizes"));
    return std::nullopt;
  }
  auto Sizes = microBatches(*Micro, Diags);
  auto MaxBatch = Bound->integer();
  if (!Sizes || !MaxBatch)
    return std::nullopt;
  E.Micro = std::move(*Sizes);
  E.MaxBatch = *MaxBatch;
  for (auto [Key, Into] :
       {std::pair{"min_gpus", &E.MinGpus}, {"max_gpus", &E.MaxGpus}, {"model_parallel_size", &E.ModelParallel}})
    if (const ConfigValue *V = Section.find(Key)) {
      auto N = V->integer();
      if (!N || *N < 1)
        return std::nullopt; // reported with the options
      *Into = *N;
    }
  if (const ConfigValue *V = Section.find("version"))
    E.Version = V->number().value_or(E.Version);
  if (const ConfigValue *V = Section.find("prefer_larger_batch"))
    E.PreferLarger = V->K != Kind::Bool || V->isTrue();
  auto Refuse = [&](std::string_view Key, const std::string &Why) {
    const ConfigValue *V = Section.find(Key);
    Diags.report(diag::Elasticity, V ? V->Range : Section.KeyRange, Why);
  };
  int64_t Largest = std::ranges::max(E.Micro);
  if (E.MaxGpus < E.MinGpus)
    Refuse("min_gpus", fmt::format("min_gpus {} is above max_gpus {}", E.MinGpus, E.MaxGpus));
  else if (E.ModelParallel > 1 && E.Version != 0.2)
    Refuse("model_parallel_size", "elasticity with model parallelism is a matter of version 0.2");
  else if (Largest > E.MaxBatch)
    Refuse("max_train_batch_size",
           fmt::format("a micro-batch of {} is above max_train_batch_size {}", Largest, E.MaxBatch));
  else
    return E;
  return std::nullopt;
}

/// The first and the last few of many numbers.
static std::string listed(const std::set<int64_t> &Numbers) {
  constexpr size_t Shown = 8;
  std::string Result;
  size_t I = 0;
  for (int64_t N : Numbers) {
    if (I++ < Shown)
      Result += fmt::format("{}{}", Result.empty() ? "" : ", ", N);
  }
  if (Numbers.size() > Shown)
    Result += fmt::format(", … {}", *Numbers.rbegin());
  return Result;
}

void checkElasticity(JobSink &Job, const ConfigValue &Config) {
  const ConfigValue *Section = Config.find("elasticity");
  const ConfigValue *Enabled = Section && Section->isObject() ? Section->find("enabled") : nullptr;
  if (!Enabled || !Enabled->isTrue())
    return;
  auto E = readSection(*Section, Job.Diags);
  if (!E || E->Version != 0.1) // 0.2 finds a batch for every number of nodes
    return;
  Job.whenGpusKnown([&Diags = Job.Diags, E = std::move(*E), PerReplica = ranksOfReplica(Config),
                     At = Section->KeyRange](int64_t Gpus) {
    Candidate Best = best(E);
    if (!Best.Gpus.contains(Gpus / PerReplica))
      Diags.report(diag::Elasticity, At,
                   fmt::format("{} replicas do not suit the elastic batch of {}, which {} do", Gpus / PerReplica,
                               Best.Batch, Best.Gpus.empty() ? "none" : listed(Best.Gpus)));
  });
}

} // namespace parlance
