// DeepSpeed's elasticity: a batch that suits several numbers of GPUs.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// Judges the section `elasticity` where it is enabled: by itself, and against the number of GPUs once that is known.
void checkElasticity(JobSink &Job, const ConfigValue &Config);

} // namespace parlance
