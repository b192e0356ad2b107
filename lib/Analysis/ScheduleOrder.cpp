#include "Analysis/ScheduleOrder.h"
#include <algorithm>
#include <array>
#include <utility>

namespace parlance {

namespace {

std::vector<Pass> gpipe(uint32_t MicroBatches) {
  std::vector<Pass> Out;
  for (uint32_t I = 0; I < MicroBatches; ++I)
    Out.push_back({PassKind::Forward, false, false, 0, I});
  for (uint32_t I = 0; I < MicroBatches; ++I)
    Out.push_back({PassKind::Backward, true, false, 0, I});
  return Out;
}

/// The k-th forward and backward pass of a stage when micro-batches go round in groups of as many as there are stages:
/// a group passes one chunk before it comes to the next.
struct Rounds {
  uint32_t Stages, Chunks;
  uint32_t chunk(uint64_t K) const { return static_cast<uint32_t>(K % (uint64_t{Stages} * Chunks) / Stages); }
  uint32_t microBatch(uint64_t K) const {
    return static_cast<uint32_t>(K / (uint64_t{Stages} * Chunks) * Stages + K % Stages);
  }
  Pass forward(uint64_t K) const { return {PassKind::Forward, false, false, chunk(K), microBatch(K)}; }
  Pass backward(uint64_t K) const { return {PassKind::Backward, true, false, Chunks - 1 - chunk(K), microBatch(K)}; }
};

/// Forward passes until the first result can be back, then one backward pass for each forward pass.
std::vector<Pass> oneFOneB(uint64_t Passes, uint64_t Warmup, Rounds R) {
  std::vector<Pass> Out;
  uint64_t Forward = 0;
  while (Forward < std::min(Passes, Warmup))
    Out.push_back(R.forward(Forward++));
  for (uint64_t Backward = 0; Backward < Passes; ++Backward) {
    if (Forward < Passes)
      Out.push_back(R.forward(Forward++));
    Out.push_back(R.backward(Backward));
  }
  return Out;
}

/// 1F1B that runs each weight gradient `Stage` micro-batches late: the last stage, which has nothing to wait for at the
/// end, is then left with the most, while the first ones still receive.
std::vector<Pass> zeroBubble(const PipelineSpec &S, uint32_t Stage) {
  std::vector<Pass> Out;
  uint32_t Weight = 0;
  for (Pass P : oneFOneB(S.MicroBatches, S.Stages - 1 - Stage, {S.Stages, 1})) {
    P.Whole = false;
    Out.push_back(P);
    if (P.Kind == PassKind::Backward && P.MicroBatch >= Stage)
      Out.push_back({PassKind::WeightGradient, false, false, 0, Weight++});
  }
  while (Weight < S.MicroBatches)
    Out.push_back({PassKind::WeightGradient, false, false, 0, Weight++});
  return Out;
}

/// DualPipe's order in its eight steps (DeepSeek-V3 report, figure 5; DualPipe README). A GPU in the second half does
/// the same as its mirror image in the first, with the directions exchanged.
class DualPipeOrder {
public:
  DualPipeOrder(const PipelineSpec &S, uint32_t Stage)
      : FromStart(std::min(Stage, S.Stages - 1 - Stage)), ToMiddle(S.Stages / 2 - 1 - FromStart),
        Mirrored(Stage >= S.Stages / 2), Main(static_cast<uint32_t>(S.MicroBatches / 2) - S.Stages + FromStart + 1) {}

  std::vector<Pass> passes() {
    for (uint32_t I = 0; I < 2 * ToMiddle; ++I)
      forward(Near);
    for (uint32_t I = 0; I <= FromStart; ++I) {
      forward(Near);
      forward(Far);
    }
    for (uint32_t I = 0; I < ToMiddle; ++I) {
      backward(Far, false);
      weight();
      forward(Far);
    }
    for (uint32_t I = 0; I < Main; ++I) {
      // The two GPUs in the middle do not run their first two passes together: each waits for the other's.
      pair(Near, Far, I > 0 || ToMiddle > 0);
      pair(Far, Near, true);
    }
    for (uint32_t I = 0; I < ToMiddle; ++I) {
      backward(Far, true);
      pair(Far, Near, true);
    }
    drain();
    return std::move(Out);
  }

private:
  static constexpr unsigned Near = 0, Far = 1; // the end that a micro-batch entered at

  /// No forward passes are left. From the middle of this step on weight gradients are postponed.
  void drain() {
    for (uint32_t I = 0; I < 2 * (FromStart + 1); ++I)
      backward(I % 2 ? Near : Far, I <= FromStart);
    for (uint32_t I = 0; I < ToMiddle; ++I) {
      weight();
      backward(Near, false);
    }
    while (NextWeight < Postponed.size())
      weight();
  }
  void forward(unsigned End) { add(PassKind::Forward, End, false, NextForward[End]++); }
  void backward(unsigned End, bool Whole) {
    add(PassKind::Backward, End, Whole, NextBackward[End]++);
    if (!Whole)
      Postponed.push_back(Out.back());
  }
  void weight() {
    Pass P = Postponed[NextWeight++];
    P.Kind = PassKind::WeightGradient;
    Out.push_back(P);
  }
  void pair(unsigned ForwardEnd, unsigned BackwardEnd, bool Together) {
    forward(ForwardEnd);
    Out.back().First = Together;
    backward(BackwardEnd, true);
  }
  void add(PassKind Kind, unsigned End, bool Whole, uint32_t MicroBatch) {
    Out.push_back({Kind, Whole, false, Mirrored ? 1 - End : End, MicroBatch});
  }

  uint32_t FromStart, ToMiddle;
  bool Mirrored;
  uint32_t Main;
  std::array<uint32_t, 2> NextForward = {}, NextBackward = {};
  std::vector<Pass> Postponed;
  size_t NextWeight = 0;
  std::vector<Pass> Out;
};

} // namespace

std::vector<Pass> passesOf(const PipelineSpec &S, uint32_t Stage) {
  switch (S.Kind) {
  case ScheduleKind::GPipe:
    return gpipe(static_cast<uint32_t>(S.MicroBatches));
  case ScheduleKind::OneFOneB:
    return oneFOneB(S.MicroBatches, S.Stages - 1 - Stage, {S.Stages, 1});
  case ScheduleKind::Interleaved:
    // Twice as many as in 1F1B, since a pass takes part of the time, and all chunks but one.
    return oneFOneB(S.MicroBatches * S.Chunks, uint64_t{2} * (S.Stages - 1 - Stage) + uint64_t{S.Chunks - 1} * S.Stages,
                    {S.Stages, S.Chunks});
  case ScheduleKind::ZeroBubble:
    return zeroBubble(S, Stage);
  case ScheduleKind::DualPipe:
    return DualPipeOrder(S, Stage).passes();
  }
  return {};
}

} // namespace parlance
