// The Ultra-Scale Playbook's layouts of nanotron on 1 to 64 nodes: memory, feasibility, utilisation and ranking.
#include "Sets.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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
    double Fastest = std::ranges::max(Measured);
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

/// What the figure says of memory, per rank that it may mean.
struct Peaks {
  explicit Peaks(const std::string &Set)
      : Worst{.Set = Set, .What = "allocated peak, worst stage", .Unit = "GiB"},
        First{.Set = Set, .What = "the same, first stage", .Unit = "GiB"},
        Last{.Set = Set, .What = "the same, last stage", .Unit = "GiB"},
        Fits{.Set = Set, .What = "fits or not", .Unit = "GiB", .K = Check::Kind::Answer} {
    Worst.Wanted = {.Median = 0.06, .P90 = 0.20, .Text = "median ≤ 6 %, 90th percentile ≤ 20 %"};
    Worst.Peer = "a 30-line script: 7.8 %, 27 %";
    Fits.Wanted = {.Share = 0.92, .Text = "≥ 92 % of the layouts right"};
    Fits.Peer = "the same script: 90.5 %";
  }
  /// What has to fit is what the device shows as used: fragmentation included.
  void addAnswer(const Run &Of, const Plan &P, const Jobs &J, bool Oom) {
    double Peak = J.used(P, -1), Usable = J.quantity(P, "memory.usable");
    Fits.Samples.push_back({Of.Id, shortLayout(Of) + (Oom ? " (out of memory or crashed)" : " (ran)"), Peak / GiB,
                            Usable / GiB, std::nan(""), (Peak <= Usable) != Oom});
  }
  void add(const Run &Of, const Plan &P, const Jobs &J, double Measured) {
    compare(Worst, Of, J.allocated(P, -1) / GiB, Measured);
    compare(First, Of, J.allocated(P, 0) / GiB, Measured);
    compare(Last, Of, J.allocated(P, Of.Pp - 1) / GiB, Measured);
    OfLayout[shortLayout(Of)].push_back(Measured);
  }

  Check Worst, First, Last, Fits;
  std::map<std::string, std::vector<double>> OfLayout;
};

/// What it says of speed: over all rows, and without those that the table marks as stalled.
struct Speeds {
  explicit Speeds(const std::string &Set)
      : Mfu{.Set = Set, .What = "MFU", .Unit = ""},
        Moving{.Set = Set, .What = "MFU, stalled rows left out", .Unit = ""},
        Undisturbed{.Set = Set, .What = "MFU, one node or no pipeline, tp ≤ 8", .Unit = ""},
        Correlation{.Set = Set, .What = "rank correlation per model and nodes", .K = Check::Kind::Score},
        Best{.Set = Set, .What = "speed of the layout ranked first", .K = Check::Kind::Score},
        MovingCorrelation{.Set = Set, .What = Correlation.What + ", stalled rows left out", .K = Check::Kind::Score},
        MovingBest{.Set = Set, .What = Best.What + ", stalled rows left out", .K = Check::Kind::Score} {
    Mfu.Wanted = {.Median = 0.12, .Text = "median ≤ 12 %"};
    Correlation.Wanted = {.Score = 0.85, .Text = "Spearman ≥ 0.85, median over groups"};
    Best.Wanted = {.Score = 0.92, .Text = "≥ 92 % of the best measured, median over groups"};
  }
  void add(const Run &Of, const Row &R, double Step) {
    if (std::isnan(Step))
      return Mfu.skip("no estimate of the step time");
    bool Stalled = R.yes("stalled");
    // The published utilisation, at the predicted speed: the numerators agree, so this is the error of the step time.
    double Seconds = R.number("step_s"), Reached = R.number("mfu");
    compare(Mfu, Of, Reached * Seconds / Step, Reached);
    if (Stalled)
      Moving.skip("stalled: a pipeline on 64 nodes of that cluster");
    else
      compare(Moving, Of, Reached * Seconds / Step, Reached);
    if ((Of.Pp == 1 || Of.Gpus <= 8) && Of.Tp <= 8 && Of.Gpus < 512)
      compare(Undisturbed, Of, Reached * Seconds / Step, Reached);
    if (!std::isfinite(Step))
      return;
    double Tokens = static_cast<double>(Of.Global) * static_cast<double>(Of.Seq);
    std::string Group = fmt::format("{} on {} nodes", Of.Model, (Of.Gpus + 7) / 8);
    Ranked[Group].push_back({Of, Tokens / Step, Tokens / Seconds});
    if (!Stalled)
      RankedMoving[Group].push_back({Of, Tokens / Step, Tokens / Seconds});
    OfLayout[shortLayout(Of)].push_back(Tokens / Seconds);
  }

  Check Mfu, Moving, Undisturbed, Correlation, Best, MovingCorrelation, MovingBest;
  Groups Ranked, RankedMoving;
  std::map<std::string, std::vector<double>> OfLayout;
};

} // namespace

std::vector<Check> playbook(const DataSet &Set, const Table &T, Jobs &J) {
  Peaks M((std::string(Set.Name)));
  Speeds S((std::string(Set.Name)));
  for (size_t I = 0; I < T.Rows.size(); ++I) {
    Row R(T, I);
    Run Of = runOf(R);
    tensorParallelMode(Of);
    // Sixteen rows name a number of micro-batches that does not give the batch of the table.
    if (R.has("accum") && R.integer("accum", 0) * Of.Micro * Of.Dp != Of.Global) {
      for (Check *C : {&M.Worst, &M.First, &M.Last, &M.Fits, &S.Mfu})
        C->skip("micro-batches contradict the batch");
      continue;
    }
    auto P = planOf(R, Of, J, {&M.Worst, &M.First, &M.Last, &M.Fits, &S.Mfu});
    if (!P)
      continue;
    bool Oom = R.text("kind") == "oom";
    M.addAnswer(Of, *P, J, Oom);
    if (Oom) {
      for (Check *C : {&M.Worst, &M.First, &M.Last, &S.Mfu})
        C->skip("out of memory or crashed");
      continue;
    }
    M.add(Of, *P, J, R.number("mem_gib"));
    S.add(Of, R, J.step(*P));
  }
  rank(S.Ranked, S.Correlation, S.Best);
  rank(S.RankedMoving, S.MovingCorrelation, S.MovingBest);
  M.Worst.Notes = noiseFloor(M.OfLayout, "memory");
  S.Mfu.Notes = noiseFloor(S.OfLayout, "speed");
  return {M.Worst,     M.First,       M.Last,        M.Fits, S.Mfu,
          S.Moving,    S.Undisturbed, S.Correlation, S.Best, S.MovingCorrelation,
          S.MovingBest};
}

} // namespace parlance::validate
