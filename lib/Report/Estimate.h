// The estimate of one resolved job: as a table for people and as JSON for scripts (docs/command-line.md).
#pragma once
#include "Plan/Plan.h"
#include <string>

namespace parlance {

/// `parlance estimate --json`: one object; parts that do not apply are absent; a final newline.
std::string estimateJson(const Plan &P, std::string_view JobName);
/// `parlance estimate`: layout, memory per stage with bars, communication, time.
std::string estimateText(const Plan &P, std::string_view JobName);
/// Why the memory of a job is not known: "`layout.zero` is not known".
std::string whyMemoryUnknown(const Plan &P);

} // namespace parlance
