// GPT-NeoX's YAML files, which together are one configuration.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance {

/// One of the files; what lists come to is added to its options.
void readNeox(JobSink &Job, const ConfigValue &Tree);

} // namespace parlance
