// The Ultra-Scale Playbook's layouts of nanotron on 1 to 64 nodes: memory, feasibility, utilisation and ranking.
#include "Sets.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace parlance::validate {

namespace {

struct Timed {
  Run Of;
  double Predicted = 0, Measured = 0; ///< tokens/s
};
using Groups = std::map<std::string, std::vector<Timed>>;

/// Layouts that the figure shows more than once: they differ in something that it does not show, and no model can tell
/// them apart. Half the median spread of such pairs is a floor for the median error.
std::string noiseFloor(const std::map<std::string, std::vector<double>> &Twins, std::string_view What) {
  std::vector<double> Spread;
  for (const auto &[Layout, Values] : Twins)
    if (Values.size() > 1) {
      auto [Low, High] = std::ranges::minmax_element(Values);
      Spread.push_back(*High / *Low - 1);
    }
  if (Spread.empty())
    return {};
  return fmt::format("{} layouts are measured more than once and differ in {} by {:.1f} % "
                     "(median), {:.1f} % (90th "
                     "percentile)",
                     Spread.size(), What, 100 * median(Spread), 100 * quantile(Spread, 0.9));
}

/// One score per group: rank correlation, and how fast the layout ranked first is beside the fastest.
void rank(const Groups &All, Check &Correlation, Check &First) {
  for (const auto &[Name, Rows] : All) {
    if (Rows.size() < 5) {
      Correlation.skip("group of fewer than five");
      First.skip("group of fewer than five");
      continue;
    }
    std::vector<double> Predicted, Measured;
    for (const Timed &X : Rows) {
      Predicted.push_back(X.Predicted);
      Measured.push_back(X.Measured);
    }
    std::string Label = fmt::format("{} layouts", Rows.size());
    Correlation.Samples.push_back({Name, Label, spearman(Predicted, Measured), 1, std::nan(""), true});
    size_t Best = static_cast<size_t>(std::ranges::max_element(Predicted) - Predicted.begin());
    double Fastest = *std::ranges::max_element(Measured);
    First.Samples.push_back(
        {Name, Label + ", first: " + shortLayout(Rows[Best].Of), Measured[Best] / Fastest, 1, std::nan(""), true});
  }
}

/// The figure does not show how tensor parallelism was set up. Memory falls into two clusters: one where everything is
/// split over tp (REDUCE_SCATTER, inputs gathered again), and one with 4 h bytes per token and layer whole, which are
/// the gathered inputs of the projections (tp_recompute_allgather off). The second is taken up to tp 4, and up to tp 16
/// without a pipeline below 64 nodes; the first elsewhere. That is read off the figure itself: see notes.md.
void tensorParallelMode(Run &Of) {
  Of.SequenceParallel = Of.Tp > 1;
  Of.KeepGathered = Of.Tp > 1 && (Of.Tp <= 4 || (Of.Tp <= 16 && Of.Pp == 1 && Of.Gpus < 512));
}

void skip(std::initializer_list<Check *> Checks, const std::string &Why) {
  for (Check *C : Checks)
    C->skip(Why);
}

/// What was measured of the layouts, by group and by layout.
struct Measurements {
  Groups Grouped;
  std::map<std::string, std::vector<double>> Memories, Speeds;

  void add(const Run &Of, const Row &R, double Step) {
    double Tokens = static_cast<double>(Of.Global) * static_cast<double>(Of.Seq),
           Measured = Tokens / R.number("step_s");
    Grouped[fmt::format("{} on {} nodes", Of.Model, (Of.Gpus + 7) / 8)].push_back({Of, Tokens / Step, Measured});
    Memories[shortLayout(Of)].push_back(R.number("mem_gib"));
    Speeds[shortLayout(Of)].push_back(Measured);
  }
};

} // namespace

std::vector<Check> playbook(const DataSet &Set, const Table &T, Jobs &J) {
  std::string Name(Set.Name);
  Check Memory{.Set = Name, .What = "allocated peak, worst stage", .Unit = "GiB"};
  Memory.Wanted = {.Median = 0.06, .P90 = 0.20, .Text = "median ≤ 6 %, 90th percentile ≤ 20 %"};
  Memory.Peer = "a 30-line script: 7.8 %, 27 %";
  Check First{.Set = Name, .What = "the same, first stage", .Unit = "GiB"};
  Check Last{.Set = Name, .What = "the same, last stage", .Unit = "GiB"};
  Check Fits{.Set = Name, .What = "fits or not", .Unit = "GiB", .K = Check::Kind::Answer};
  Fits.Wanted = {.Share = 0.92, .Text = "≥ 92 % of the layouts right"};
  Fits.Peer = "the same script: 90.5 %";
  Check Mfu{.Set = Name, .What = "MFU", .Unit = ""};
  Mfu.Wanted = {.Median = 0.12, .Text = "median ≤ 12 %"};
  Check Undisturbed{.Set = Name, .What = "MFU, one node or no pipeline, tp ≤ 8", .Unit = ""};
  Check Correlation{.Set = Name, .What = "rank correlation per model and nodes", .K = Check::Kind::Score};
  Correlation.Wanted = {.Score = 0.85, .Text = "Spearman ≥ 0.85, median over groups"};
  Check Best{.Set = Name, .What = "speed of the layout ranked first", .K = Check::Kind::Score};
  Best.Wanted = {.Score = 0.92, .Text = "≥ 92 % of the best measured, median over groups"};
  Measurements All;
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    tensorParallelMode(Of);
    // Sixteen rows name a number of micro-batches that does not give the batch of the table.
    if (R.has("accum") && R.integer("accum", 0) * Of.Micro * Of.Dp != Of.Global) {
      skip({&Memory, &First, &Last, &Fits, &Mfu}, "micro-batches contradict the batch");
      continue;
    }
    auto P = planOf(R, Of, J, {&Memory, &First, &Last, &Fits, &Mfu});
    if (!P)
      continue;
    bool Oom = R.text("kind") == "oom";
    // What has to fit is what the device shows as used: fragmentation included.
    double Peak = J.used(*P, -1), Usable = J.quantity(*P, "memory.usable");
    bool Predicted = Peak <= Usable;
    Fits.Samples.push_back({Of.Id, shortLayout(Of) + (Oom ? " (out of memory or crashed)" : " (ran)"), Peak / GiB,
                            Usable / GiB, std::nan(""), Predicted != Oom});
    if (Oom) {
      skip({&Memory, &First, &Last, &Mfu}, "out of memory or crashed");
      continue;
    }
    double Measured = R.number("mem_gib"), Step = J.step(*P);
    compare(Memory, Of, J.allocated(*P, -1) / GiB, Measured);
    compare(First, Of, J.allocated(*P, 0) / GiB, Measured);
    compare(Last, Of, J.allocated(*P, Of.Pp - 1) / GiB, Measured);
    if (std::isnan(Step)) {
      Mfu.skip("no estimate of the step time");
      continue;
    }
    // The published utilisation, at the predicted speed: the numerators agree, so this is the error of the step time.
    compare(Mfu, Of, R.number("mfu") * R.number("step_s") / Step, R.number("mfu"));
    if ((Of.Pp == 1 || Of.Gpus <= 8) && Of.Tp <= 8 && Of.Gpus < 512)
      compare(Undisturbed, Of, R.number("mfu") * R.number("step_s") / Step, R.number("mfu"));
    if (std::isfinite(Step))
      All.add(Of, R, Step);
  }
  rank(All.Grouped, Correlation, Best);
  Memory.Notes = noiseFloor(All.Memories, "memory");
  Mfu.Notes = noiseFloor(All.Speeds, "speed");
  return {Memory, First, Last, Fits, Mfu, Undisturbed, Correlation, Best};
}

} // namespace parlance::validate
