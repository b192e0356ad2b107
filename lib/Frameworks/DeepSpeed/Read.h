// DeepSpeed's JSON configuration.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// Gives the options of a configuration to a job. Older forms are translated as DeepSpeed does, with its warnings;
/// names of types and choices get one spelling. `At` stands for the whole file.
void readDeepSpeed(JobSink &Job, const ConfigValue &Tree, SourceRange At);

/// The configuration that a script writes by a here-document for its training command, or the command's own flag for
/// the stage.
void readDeepSpeedTraining(JobSink &Job, const shell::ShellScript &Script, const shell::TrainingCommand &C,
                           uint32_t File);

} // namespace parlance
