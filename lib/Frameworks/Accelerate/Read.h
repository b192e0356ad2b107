// The configuration file of `accelerate launch`.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// Gives the options of a configuration to a job, the number of processes, and what a DeepSpeed configuration beside
/// the file says that it names. `At` stands for the whole file.
void readAccelerate(JobSink &Job, const ConfigValue &Tree, SourceRange At);

} // namespace parlance
