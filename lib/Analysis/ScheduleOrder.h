// Which passes a stage runs, in which order: all that tells one schedule from another.
#pragma once
#include "Analysis/Schedule.h"

namespace parlance {

struct Pass {
  PassKind Kind = PassKind::Forward;
  bool Whole = false; ///< a backward pass with its weight gradient
  bool First = false; ///< runs together with the next pass
  uint32_t Chunk = 0;
  uint32_t MicroBatch = 0; ///< DualPipe: in its direction
};

/// The passes of one stage. The spec is one that `simulate` accepts.
std::vector<Pass> passesOf(const PipelineSpec &Spec, uint32_t Stage);

} // namespace parlance
