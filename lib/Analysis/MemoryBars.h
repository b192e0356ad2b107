// The parts of a GPU's memory as lines with bars.
#pragma once
#include "Eval/JobContext.h"
#include <string>
#include <vector>

namespace parlance {

/// One line per part of a pipeline stage ("weights 12.6 GiB  ####"), of the fullest stage by
/// default; the bars are fractions of `Width` of the larger of peak and capacity. Empty when memory cannot be told.
std::vector<std::string> memoryBars(const JobContext &C, int64_t Stage = -1, unsigned Width = 40);

} // namespace parlance
