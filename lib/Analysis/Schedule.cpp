#include "Analysis/Schedule.h"
#include "Analysis/ScheduleOrder.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace parlance {

namespace {

/// Why there is no such schedule; empty if there is.
std::string refusal(const PipelineSpec &S) {
  auto Good = [](double Seconds) { return std::isfinite(Seconds) && Seconds >= 0; };
  if (!S.Stages || !S.Chunks || !S.MicroBatches)
    return "stages, chunks and micro-batches have to be at least 1";
  if (S.Chunks > 1 && S.Kind != ScheduleKind::Interleaved)
    return "only the interleaved schedule has more than one chunk per stage";
  // Floating point: the product may be beyond any integer.
  double Passes =
      (S.Kind == ScheduleKind::ZeroBubble ? 3.0 : 2.0) * static_cast<double>(S.MicroBatches) * S.Stages * S.Chunks;
  if (Passes > static_cast<double>(MaxPasses))
    return fmt::format("{:.0f} passes are more than the {} that are simulated", Passes, MaxPasses);
  if (S.Times.size() != size_t{S.Stages} * S.Chunks)
    return fmt::format("times of {} chunks given, {} needed", S.Times.size(), size_t{S.Stages} * S.Chunks);
  if (!Good(S.Message) || !std::ranges::all_of(S.Times, [&](const PassTimes &T) {
        return Good(T.Forward) && Good(T.InputGradient) && Good(T.WeightGradient);
      }))
    return "times have to be finite and not negative";
  if (S.Kind == ScheduleKind::Interleaved && S.MicroBatches % S.Stages != 0)
    return fmt::format("interleaving needs a multiple of {} micro-batches, as many as stages; "
                       "there are {}",
                       S.Stages, S.MicroBatches);
  if (S.Kind == ScheduleKind::DualPipe &&
      (S.Stages % 2 != 0 || S.MicroBatches % 2 != 0 || S.MicroBatches / 2 < S.Stages))
    return fmt::format("DualPipe needs an even number of stages and an even number of "
                       "micro-batches, at least two per stage; there are {} and {}",
                       S.Stages, S.MicroBatches);
  return {};
}

/// Runs the passes of each stage in their order, each as soon as its stage is free and its input is there.
class Simulation {
public:
  explicit Simulation(const PipelineSpec &S)
      : S(S), Paths(S.Kind == ScheduleKind::DualPipe ? 2 : 1), PathLength(S.Stages * S.Chunks),
        PerPath(static_cast<uint32_t>(S.MicroBatches / Paths)), Stages(S.Stages) {
    for (uint32_t I = 0; I < S.Stages; ++I)
      Stages[I].Passes = passesOf(S, I);
    for (auto &Times : Available)
      Times.assign(size_t{Paths} * PathLength * PerPath, NotYet);
  }
  PipelineTimeline run();

private:
  static constexpr double NotYet = -1;

  struct Stage {
    std::vector<Pass> Passes;
    size_t Next = 0;
    double Free = 0, Busy = 0;
    bool Waiting = false; ///< in the list of those that may go on
  };

  bool bothWays() const { return Paths == 2; }
  /// Where a chunk stands on the way of a micro-batch through the model.
  uint32_t position(uint32_t Stage, uint32_t Chunk) const {
    if (!bothWays())
      return Chunk * S.Stages + Stage;
    return Chunk == 0 ? Stage : S.Stages - 1 - Stage;
  }
  uint32_t stageAt(uint32_t Position, uint32_t Path) const {
    return Path == 0 ? Position % S.Stages : S.Stages - 1 - Position;
  }
  uint32_t path(const Pass &P) const { return bothWays() ? P.Chunk : 0; }
  double &available(PassKind Kind, uint32_t Path, uint32_t Position, uint32_t MicroBatch) {
    size_t At = (size_t{Path} * PathLength + Position) * PerPath + MicroBatch;
    return Available[Kind == PassKind::Forward ? 0 : 1][At];
  }
  double ready(uint32_t Stage, const Pass &P);
  double duration(uint32_t Stage, const Pass &P) const;
  bool step(uint32_t I);
  double finish(uint32_t Stage, const Pass &P, double Start, double End, bool Together);
  void wake(uint32_t Stage);
  InFlight inFlight(const std::vector<Pass> &Passes) const;

  const PipelineSpec &S;
  uint32_t Paths, PathLength, PerPath;
  std::vector<Stage> Stages;
  std::vector<double> Available[2]; ///< results where they are needed next, by direction
  std::vector<uint32_t> Work;
  PipelineTimeline Out;
};

} // namespace

/// When the input of a pass is there, or NotYet.
double Simulation::ready(uint32_t Stage, const Pass &P) {
  if (P.Kind == PassKind::WeightGradient)
    return 0; // its own backward pass stands earlier in the order
  uint32_t Path = path(P), At = position(Stage, P.Chunk);
  if (P.Kind == PassKind::Forward)
    return At == 0 ? 0 : available(PassKind::Forward, Path, At - 1, P.MicroBatch);
  return At + 1 == PathLength ? available(PassKind::Forward, Path, At, P.MicroBatch)
                              : available(PassKind::Backward, Path, At + 1, P.MicroBatch);
}

double Simulation::duration(uint32_t Stage, const Pass &P) const {
  const PassTimes &T = bothWays() ? S.Times[position(Stage, P.Chunk)] : S.Times[Stage * S.Chunks + P.Chunk];
  switch (P.Kind) {
  case PassKind::Forward:
    return T.Forward;
  case PassKind::Backward:
    return P.Whole ? T.InputGradient + T.WeightGradient : T.InputGradient;
  case PassKind::WeightGradient:
    return T.WeightGradient;
  }
  return 0;
}

void Simulation::wake(uint32_t Stage) {
  if (Stages[Stage].Waiting)
    return;
  Stages[Stage].Waiting = true;
  Work.push_back(Stage);
}

/// Records a pass, tells the stage that needs its result, and returns how long that is on its way.
double Simulation::finish(uint32_t Stage, const Pass &P, double Start, double End, bool Together) {
  uint32_t Path = path(P);
  Out.Stages[Stage].push_back({Start, End, Path * PerPath + P.MicroBatch, P.Chunk, P.Kind, Together});
  if (P.Kind == PassKind::WeightGradient)
    return 0;
  uint32_t At = position(Stage, P.Chunk);
  bool Ends = P.Kind == PassKind::Forward ? At + 1 == PathLength : At == 0;
  double Hop = Ends || Together || S.Stages == 1 ? 0 : S.Message;
  available(P.Kind, Path, At, P.MicroBatch) = End + Hop;
  if (!Ends)
    wake(stageAt(P.Kind == PassKind::Forward ? At + 1 : At - 1, Path));
  return Hop;
}

/// The next pass of a stage, or the next two where they run together; false if it has to wait.
bool Simulation::step(uint32_t I) {
  Stage &T = Stages[I];
  if (T.Next == T.Passes.size())
    return false;
  size_t Count = T.Passes[T.Next].First ? 2 : 1;
  double Start = T.Free, Length = 0;
  for (size_t J = T.Next; J < T.Next + Count; ++J) {
    double Ready = ready(I, T.Passes[J]);
    if (Ready == NotYet)
      return false;
    Start = std::max(Start, Ready);
    Length += duration(I, T.Passes[J]);
  }
  double Sends = 0;
  for (size_t J = T.Next; J < T.Next + Count; ++J)
    Sends = std::max(Sends, finish(I, T.Passes[J], Start, Start + Length, Count == 2));
  T.Next += Count;
  T.Free = Start + Length + (S.SenderWaits ? Sends : 0);
  T.Busy += Length;
  return true;
}

InFlight Simulation::inFlight(const std::vector<Pass> &Passes) const {
  InFlight Most;
  Most.Chunk.resize(bothWays() ? 2 : S.Chunks);
  std::vector<uint32_t> Chunk(Most.Chunk.size());
  uint32_t All = 0, Awaiting = 0;
  for (const Pass &P : Passes) {
    if (P.Kind == PassKind::Forward) {
      Most.All = std::max(Most.All, ++All);
      Most.AwaitingBackward = std::max(Most.AwaitingBackward, ++Awaiting);
      Most.Chunk[P.Chunk] = std::max(Most.Chunk[P.Chunk], ++Chunk[P.Chunk]);
      continue;
    }
    if (P.Kind == PassKind::Backward)
      --Awaiting;
    if (P.Kind == PassKind::WeightGradient || P.Whole) {
      --All;
      --Chunk[P.Chunk];
    }
  }
  return Most;
}

PipelineTimeline Simulation::run() {
  Out.Stages.resize(S.Stages);
  for (uint32_t I = 0; I < S.Stages; ++I)
    Out.Stages[I].reserve(Stages[I].Passes.size());
  for (uint32_t I = S.Stages; I-- > 0;)
    wake(I);
  while (!Work.empty()) {
    uint32_t I = Work.back();
    Work.pop_back();
    Stages[I].Waiting = false;
    while (step(I)) {
    }
  }
  double Busy = 0;
  for (const Stage &T : Stages) {
    Out.Held.push_back(inFlight(T.Passes));
    Out.Makespan = std::max(Out.Makespan, T.Free);
    Busy += T.Busy;
  }
  if (Out.Makespan > 0)
    Out.Bubble = 1 - Busy / (Out.Makespan * S.Stages);
  return std::move(Out);
}

std::optional<PipelineTimeline> simulate(const PipelineSpec &Spec, std::string &Error) {
  Error = refusal(Spec);
  if (!Error.empty())
    return std::nullopt;
  return Simulation(Spec).run();
}

} // namespace parlance
