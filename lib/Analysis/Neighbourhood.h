// The jobs next to one: the same training on the same GPUs, spread over them in another way.
#pragma once
#include "Plan/Plan.h"
#include <map>

namespace parlance {

/// Whether a field says only how a run is spread over GPUs and micro-batches, not what is trained.
bool isSpread(std::string_view Path);

/// Whether a rule on a field is about the shape, the batch, memory or overlap: what a neighbour may mend.
bool isAboutSpread(const Record &Job, std::string_view Field);

/// Whether layout and batch come out, so that a step has a duration. Unknown where the files do not say enough.
Truth couldRun(const Plan &P);

/// A changed job. Which fields are moved, and how far, is declared in Neighbourhood.cpp.
struct Neighbour {
  std::vector<FieldChange> Changes; ///< fields that were moved, then those that follow
  size_t Moved = 0;                 ///< how many were moved
  double Distance = 0;              ///< in doublings, or 1 for another choice
};

/// The neighbours of one job. The GPUs are all used and the global batch stays: `dp` and `accum` follow where they are
/// written, and what does not come out even is not a neighbour. Jobs are resolved once, when first asked for, however
/// many violations they are tried on.
class Neighbourhood {
public:
  Neighbourhood(const Plan &P, Evaluator &E);
  /// With one field moved, or none and only what follows set right; the nearest first.
  const std::vector<Neighbour> &singles() const { return Singles; }
  /// With one field set to a value, however far; empty when what follows does not come out even.
  std::optional<Neighbour> with(const FieldChange &Change) const;
  /// With two fields moved by one step each, no more than a bound; the nearest first.
  const std::vector<Neighbour> &pairs();
  /// With what keeps less on the GPU at the price of time: `relief.FIELD` in the library says which value that is.
  const std::vector<Neighbour> &reliefs();
  /// With two of them, or one beside a field moved by one step.
  const std::vector<Neighbour> &reliefPairs();
  /// The changed job; null when it has no Plan, or does not clearly lack a violation.
  const Plan *without(const std::function<Truth(const Plan &)> &Violation, const Neighbour &N);

private:
  struct Move {
    FieldChange Change;
    double Distance;
  };
  void movesOf(std::string_view Path, bool Size);
  std::vector<Move> reliefMoves() const;
  void addPairs(std::vector<Neighbour> &Into, const std::vector<Move> &Of, const std::vector<Move> &With) const;
  void add(std::vector<Neighbour> &Into, std::initializer_list<const Move *> Moved) const;
  bool follow(std::vector<FieldChange> &Changes) const;
  bool followBatch(std::vector<FieldChange> &Changes, Num Dp) const;

  const Plan &P;
  Evaluator &E;
  std::vector<Move> Moves;
  std::vector<Neighbour> Singles;
  std::optional<std::vector<Neighbour>> Pairs, Reliefs, ReliefPairs;
  /// First without the framework's options, which take most of the time.
  struct Resolved {
    std::optional<Plan> Fields, Whole;
  };
  std::map<const Neighbour *, Resolved> Plans;
};

} // namespace parlance
