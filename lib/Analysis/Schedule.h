// One step of a pipeline, pass by pass: what the closed forms of lib/std are held against, and what a timeline is drawn
// from. Knows numbers only, no job.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parlance {

/// In the order of the schema's `layout.schedule`.
enum class ScheduleKind : uint8_t {
  GPipe,       ///< all forward passes, then all backward passes
  OneFOneB,    ///< one forward, one backward (Narayanan et al. 2019, Megatron-LM)
  Interleaved, ///< 1F1B over several chunks per stage (Narayanan et al. 2021, Megatron-LM)
  ZeroBubble,  ///< ZB-H1: stage i postpones i weight gradients (Qi et al. 2023)
  DualPipe     ///< from both ends at once (DeepSeek-V3 report, section 3.2.1)
};

enum class PassKind : uint8_t { Forward, Backward, WeightGradient };

/// Seconds of one micro-batch. Schedules that do not split the backward pass run both of its parts at once.
struct PassTimes {
  double Forward = 0, InputGradient = 0, WeightGradient = 0;
};

struct PipelineSpec {
  ScheduleKind Kind = ScheduleKind::OneFOneB;
  uint32_t Stages = 1;
  uint32_t Chunks = 1; ///< per stage, for Interleaved
  uint64_t MicroBatches = 1;
  /// Of chunk c on stage s at s * Chunks + c; the model goes through chunk 0 of all stages, then chunk 1. DualPipe has
  /// both stage s and stage Stages - 1 - s of the model on GPU s.
  std::vector<PassTimes> Times;
  /// Seconds from the end of a pass until the neighbour can use its result. What passes that run together send is
  /// hidden behind them.
  double Message = 0;
  /// Whether a stage that sends waits as long, as in Megatron-LM's 1F1B. Else it computes meanwhile.
  bool SenderWaits = false;
};

struct PipelineEvent {
  double Start = 0, End = 0;
  uint32_t MicroBatch = 0; ///< DualPipe: the second half comes from the other end
  uint32_t Chunk = 0;      ///< DualPipe: the direction
  PassKind Kind = PassKind::Forward;
  bool Together = false; ///< with the event before or behind it, over the same time (DualPipe)
};

/// Micro-batches whose activations a stage holds at its worst moment. One counts from the start of its forward pass to
/// the end of its backward pass, weight gradient included, in one chunk.
struct InFlight {
  uint32_t All = 0;              ///< chunks together
  uint32_t AwaitingBackward = 0; ///< without those that only the weight gradient waits for
  std::vector<uint32_t> Chunk;
};

struct PipelineTimeline {
  std::vector<std::vector<PipelineEvent>> Stages; ///< in the order of time
  std::vector<InFlight> Held;                     ///< by stage
  double Makespan = 0;
  double Bubble = 0; ///< share of all stages' time in which they wait
};

/// Most passes of one simulation: some hundred megabytes and a fraction of a second.
inline constexpr uint64_t MaxPasses = 4'000'000;

/// Takes time proportional to the passes, and gives the same result each time. Empty, with the reason in Error, where
/// the schedule does not exist for these numbers or would be too long.
std::optional<PipelineTimeline> simulate(const PipelineSpec &Spec, std::string &Error);

} // namespace parlance
