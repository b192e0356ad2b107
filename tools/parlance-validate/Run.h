// A published run in the words of the tables, and how it is put to the library: as a job record, resolved like any
// other, whose derived quantities are evaluated by the compiled library.
#pragma once
#include "Csv.h"
#include "Plan/Plan.h"
#include <map>

namespace parlance::validate {

/// What a row says of a run. Everything that a table leaves out has the value that its software gives it.
struct Run {
  std::string Id, Device, Link, Software, Model, Mlp, Precision, Recompute;
  int64_t Gpus = 0, PerNode = 8;
  double Ports = 1;
  // Model
  int64_t Layers = 0, Hidden = 0, Ffn = 0, Heads = 0, KvHeads = 0, HeadDim = 0, Vocab = 0, Positions = 0;
  int64_t Experts = 0, TopK = 0, MoeFfn = 0, SharedFfn = 0, DenseLayers = 0, Mtp = 0;
  int64_t QLora = 0, KvLora = 0, NopeDim = 0, RopeDim = 0, VDim = 0, Window = 0, WindowLayers = 0;
  bool Tied = false, Bias = false, QkNorm = false;
  // Layout and batch; 0: not said
  int64_t Tp = 1, Pp = 1, Vpp = 1, Cp = 1, Ep = 1, Etp = 1, Dp = 0, Zero = 0;
  bool SequenceParallel = false, KeepGathered = false;
  bool Dropout = false, EagerAttention = false;
  std::string Stack;        ///< "" for the target's own
  std::string CrossEntropy; ///< "fused", "unfused", or "" for the target's own
  int64_t Seq = 0, Micro = 1, Global = 0;
  std::string Schedule; ///< "" for the layout's own
  std::string Grads;    ///< element type of gradients; "" for the software's own

  int64_t replicaGpus() const { return Tp * Pp * Cp; }
};

/// The run of a row of one of the training tables.
Run runOf(const Row &R);

/// Builds and evaluates jobs. One per thread.
class Jobs {
public:
  Jobs();
  Jobs(const Jobs &) = delete;

  /// The job of a run, resolved; empty when the library has no such device or the layout cannot be resolved.
  std::optional<Plan> plan(const Run &R);
  /// What was reported since the last call.
  std::string problems();

  /// A derived quantity in base units; NaN where there is none or it is unknown.
  double quantity(const Plan &P, std::string_view Name, std::initializer_list<int64_t> Args = {}) const;
  /// A function of the library by name; NaN when there is none.
  double call(std::string_view Name, const std::vector<Value> &Args) const;
  /// The same with arguments found by the names of its parameters; NaN when one is missing.
  double callByName(std::string_view Name, const std::map<std::string, Value, std::less<>> &Args) const;
  /// A device, link or stack; null when the library has none of that name.
  const Record *record(std::string_view Name);
  /// A device, also those that the tables name and the library has not (an H100 with other memory).
  const Record *device(std::string_view Name);
  /// A type of element as a function takes it.
  Value dtype(std::string_view Name) const;

  // Memory of one rank of stage `Stage` (-1: the worst stage over the quantity), in bytes.
  double allocated(const Plan &P, int64_t Stage) const;
  double reserved(const Plan &P, int64_t Stage) const;
  double used(const Plan &P, int64_t Stage) const;
  double steady(const Plan &P, int64_t Stage) const;
  /// Seconds of one step, predicted.
  double step(const Plan &P) const { return quantity(P, "time.step"); }

  const Library &Lib;

private:
  Record *blank(std::string_view Schema);
  void set(Record &R, std::string_view Field, Value V) const;
  void count(Record &R, std::string_view Field, int64_t V) const { set(R, Field, Value::of(Num(V))); }
  void flag(Record &R, std::string_view Field, bool V) const { set(R, Field, Value::of(truth(V))); }
  void word(Record &R, std::string_view Field, std::string_view V) const;
  const Record *model(const Run &R);
  const Record *cluster(const Run &R);
  const Record *layout(const Run &R);
  const Record *batch(const Run &R);
  const Record *precision(const Run &R);
  template <typename F> double worst(const Plan &P, int64_t Stage, F Of) const;

  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator Values;
  std::map<std::string, const Record *, std::less<>> Devices;
};

} // namespace parlance::validate
