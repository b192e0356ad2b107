// DeepSpeed's batch sizes, where they are not whole numbers.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// Ranks that share the sequences of one replica (`sequence_parallel_size`): at least one.
int64_t ranksOfReplica(const ConfigValue &Config);

/// Judges batch sizes with fractions, which DeepSpeed multiplies as they are, once the number of GPUs is known.
void checkFractionalBatch(JobSink &Job, const ConfigValue &Config);

} // namespace parlance
