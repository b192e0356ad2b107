#include "Analysis/Schedule.h"
#include "Eval/Support.h"
#include "Report/ReportSections.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

namespace {

using namespace fields;

/// Rows that are drawn of a long pipeline: the first and the last stages.
constexpr uint32_t MostRows = 16;
/// Micro-batches in each of the two cuts of a long step.
constexpr uint64_t LeastCut = 8, MostCut = 64;

struct Cut {
  double Begin = 0, End = 0;
};

class Timeline {
public:
  Timeline(llvm::json::OStream &J, const Plan &P) : J(J), C(*P.Context), Job(*P.Job) {}
  void write();

private:
  double seconds(Quantity Q, std::initializer_list<Value> Args = {}) const {
    return rt::num(C.derived(Q, Args)).real();
  }
  std::string readSpec();
  PassTimes times(uint32_t Stage, uint32_t Chunk) const;
  void fewerMicroBatches();
  double slot() const;
  std::vector<Cut> cuts(double Makespan) const;
  void rows(const PipelineTimeline &T, const std::vector<Cut> &Cuts);
  void event(uint32_t Stage, const PipelineEvent &E);
  bool sends(uint32_t Stage, PassKind Kind) const;
  void missing(std::string_view Why) {
    J.object([&] { J.attribute("missing", ref(Why)); });
  }

  llvm::json::OStream &J;
  const JobContext &C;
  const Record &Job;
  PipelineSpec Spec;
  uint64_t MicroBatches = 0; ///< of the job; the spec may have fewer
  double ForwardWait = 0, BackwardWait = 0;
};

} // namespace

PassTimes Timeline::times(uint32_t Stage, uint32_t Chunk) const {
  Value S = Value::of(Num(int64_t{Stage})), Part = Value::of(Num(int64_t{Chunk}));
  double Weights = seconds(quantities::time_chunk_weight_gradient, {S, Part});
  return {seconds(quantities::time_chunk_forward, {S, Part}) + ForwardWait,
          seconds(quantities::time_chunk_backward, {S, Part}) - Weights + BackwardWait, Weights};
}

/// Fills the spec from the job; returns why that is not possible.
std::string Timeline::readSpec() {
  const Record *L = Job.rec(job::layout);
  Num Stages = L->num(layout::pp), Chunks = L->num(layout::virtual_stages),
      Accum = rt::fieldNum(Job.rec(job::batch), batch::accum);
  int Schedule = L->enumerator(layout::schedule);
  if (!rt::num(C.derived(quantities::time_step)).isKnown() || Schedule < 0 || !Stages.isIntegral() ||
      !Chunks.isIntegral())
    return "the time of a step is not known";
  if (!Accum.isIntegral() || Accum.toInteger() < 1)
    return "the micro-batches of a step are not a whole number";
  Spec.Kind = static_cast<ScheduleKind>(Schedule);
  Spec.Stages = static_cast<uint32_t>(Stages.toInteger());
  Spec.Chunks = static_cast<uint32_t>(Chunks.toInteger());
  Spec.MicroBatches = MicroBatches = static_cast<uint64_t>(Accum.toInteger());
  Spec.Message = Spec.Stages > 1 ? seconds(quantities::overlap_pp_comm) : 0;
  Spec.SenderWaits = Spec.Kind == ScheduleKind::OneFOneB;
  ForwardWait = seconds(quantities::time_chunk_forward_wait);
  BackwardWait = seconds(quantities::time_chunk_backward_wait);
  for (uint32_t I = 0; I < Spec.Stages; ++I)
    for (uint32_t K = 0; K < Spec.Chunks; ++K)
      Spec.Times.push_back(times(I, K));
  return {};
}

/// Millions of passes look like thousands: the beginning, the same over and over, the end.
void Timeline::fewerMicroBatches() {
  constexpr uint64_t Enough = MaxPasses / 8;
  uint64_t PerMicroBatch = 3 * uint64_t{Spec.Stages} * Spec.Chunks;
  uint64_t Round = 2 * uint64_t{Spec.Stages}; // what every schedule takes
  uint64_t Rounds = Enough / std::max<uint64_t>(PerMicroBatch * Round, 1);
  if (Rounds && Spec.MicroBatches > Rounds * Round)
    Spec.MicroBatches = Rounds * Round;
}

/// One micro-batch on the slowest stage.
double Timeline::slot() const {
  double Longest = 0;
  for (uint32_t I = 0; I < Spec.Stages; ++I) {
    double Sum = 0;
    for (uint32_t K = 0; K < Spec.Chunks; ++K) {
      const PassTimes &T = Spec.Times[I * Spec.Chunks + K];
      Sum += T.Forward + T.InputGradient + T.WeightGradient;
    }
    Longest = std::max(Longest, Sum);
  }
  return Longest;
}

std::vector<Cut> Timeline::cuts(double Makespan) const {
  uint64_t Most = std::max(LeastCut, MostCut / Spec.Chunks);
  double Length = slot() * static_cast<double>(std::clamp<uint64_t>(uint64_t{Spec.Stages} + 3, LeastCut, Most));
  if (Makespan <= 2.2 * Length)
    return {{0, Makespan}};
  return {{0, Length}, {Makespan - Length, Makespan}};
}

/// Whether a stage waits until what a pass made has arrived (lib/Analysis/Schedule.h).
bool Timeline::sends(uint32_t Stage, PassKind Kind) const {
  return Spec.SenderWaits && (Kind == PassKind::Forward ? Stage + 1 < Spec.Stages : Stage > 0);
}

void Timeline::event(uint32_t Stage, const PipelineEvent &E) {
  J.array([&] {
    J.value(static_cast<int>(E.Kind));
    J.value(int64_t{E.MicroBatch});
    J.value(int64_t{E.Chunk});
    shortNumber(J, E.Start);
    shortNumber(J, E.End);
    shortNumber(J, E.Kind == PassKind::Forward ? ForwardWait : E.Kind == PassKind::Backward ? BackwardWait : 0);
    shortNumber(J, sends(Stage, E.Kind) ? Spec.Message : 0);
    J.value(E.Together ? 1 : 0);
  });
}

void Timeline::rows(const PipelineTimeline &T, const std::vector<Cut> &Cuts) {
  for (uint32_t I = 0; I < Spec.Stages; ++I) {
    if (Spec.Stages > MostRows && I == MostRows / 2)
      I = Spec.Stages - MostRows / 2;
    J.object([&] {
      J.attribute("stage", int64_t{I});
      J.attributeArray("events", [&] {
        for (const PipelineEvent &E : T.Stages[I])
          if (std::ranges::any_of(Cuts, [&](const Cut &K) { return E.End > K.Begin && E.Start < K.End; }))
            event(I, E);
      });
    });
  }
}

void Timeline::write() {
  if (std::string Why = readSpec(); !Why.empty())
    return missing(Why);
  fewerMicroBatches();
  std::string Why;
  auto T = simulate(Spec, Why);
  if (!T)
    return missing(Why);
  std::vector<Cut> Cuts = cuts(T->Makespan);
  J.object([&] {
    J.attribute("stages", int64_t{Spec.Stages});
    J.attribute("chunks", int64_t{Spec.Chunks});
    J.attribute("micro_batches", static_cast<int64_t>(MicroBatches));
    J.attribute("simulated_micro_batches", static_cast<int64_t>(Spec.MicroBatches));
    J.attribute("makespan", T->Makespan);
    J.attribute("bubble", T->Bubble);
    J.attribute("message", Spec.Message);
    J.attributeArray("cuts", [&] {
      for (const Cut &K : Cuts)
        J.array([&] {
          J.value(K.Begin);
          J.value(K.End);
        });
    });
    J.attribute("reduction", seconds(quantities::time_reduction_wait));
    J.attribute("optimizer", seconds(quantities::time_optimizer));
    J.attributeArray("rows", [&] { rows(*T, Cuts); });
  });
}

void writeTimeline(llvm::json::OStream &J, const Plan &P) { Timeline(J, P).write(); }

} // namespace parlance
