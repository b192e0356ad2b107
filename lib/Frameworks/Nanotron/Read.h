// nanotron's YAML configuration: which of its model classes a file fits, and the lists in it.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// `At` stands for the whole file.
void readNanotron(JobSink &Job, const ConfigValue &Tree, SourceRange At);

} // namespace parlance
