#include "Frameworks/DeepSpeed/Batch.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <cmath>

namespace parlance {

int64_t ranksOfReplica(const ConfigValue &Config) {
  const ConfigValue *Sequence = Config.find("sequence_parallel_size");
  return Sequence ? std::max<int64_t>(1, Sequence->integer().value_or(1)) : 1;
}

namespace {

/// Sequences of a step, of a pass, and passes; 0 where one is not given.
struct BatchSizes {
  double Batch = 0, Micro = 0, Passes = 0;

  /// Fills in what follows from the others, by floor division as DeepSpeed does (runtime/config.py).
  void complete(double Ranks) {
    if (Micro == 0)
      Micro = Passes != 0 ? std::floor(std::floor(Batch / Ranks) / Passes) : std::floor(Batch / Ranks);
    if (Passes == 0)
      Passes = Batch != 0 ? std::floor(std::floor(Batch / Micro) / Ranks) : 1;
    if (Batch == 0)
      Batch = Micro * Passes * Ranks;
  }
};

} // namespace

void checkFractionalBatch(JobSink &Job, const ConfigValue &Config) {
  BatchSizes Sizes;
  const ConfigValue *Fraction = nullptr;
  for (auto [Key, Into] : {std::pair{"train_batch_size", &Sizes.Batch},
                           {"train_micro_batch_size_per_gpu", &Sizes.Micro},
                           {"gradient_accumulation_steps", &Sizes.Passes}}) {
    const ConfigValue *V = Config.find(Key);
    if (!V || V->isNull())
      continue;
    auto N = V->number();
    if (!N || !std::isfinite(*N) || *N <= 0)
      return; // not known, or refused for itself
    *Into = *N;
    if (std::floor(*N) != *N)
      Fraction = V;
  }
  if (!Fraction)
    return;
  Job.whenGpusKnown([&Diags = Job.Diags, Sizes, PerReplica = ranksOfReplica(Config), Key = Fraction->Key,
                     Text = Fraction->brief(), At = Fraction->Range](int64_t Gpus) mutable {
    auto Ranks = static_cast<double>(std::max<int64_t>(1, Gpus / PerReplica));
    Sizes.complete(Ranks);
    double Product = Sizes.Micro * Sizes.Passes * Ranks;
    if (Product != Sizes.Batch)
      Diags.report(diag::OptionRange, At, std::string(Key), std::string(Text),
                   fmt::format("whole, or make up the batch: {:g} x {:g} x {:g} ranks are {:g}, "
                               "not {:g}",
                               Sizes.Micro, Sizes.Passes, Ranks, Product, Sizes.Batch));
  });
}

} // namespace parlance
