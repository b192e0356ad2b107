// The estimate of one resolved job: as a table for people and as JSON for scripts (docs/command-line.md).
#pragma once
#include "Basic/JobVerdict.h"
#include "Plan/Plan.h"
#include <string>

namespace parlance {

/// `parlance estimate --json`: one object; parts that do not apply are absent; a final newline.
std::string estimateJson(const Plan &P, std::string_view JobName);
/// `parlance estimate`: layout, memory per stage with bars, communication, time; of what is not known, what it needs.
std::string estimateText(const Plan &P, const JobVerdict &Verdict);

} // namespace parlance
