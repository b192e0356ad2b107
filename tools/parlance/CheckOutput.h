// What `parlance check` prints, in each of its formats.
#pragma once
#include "Arguments.h"
#include "Policy/CheckReport.h"

namespace parlance {

/// Prints in the format that the arguments name: text to stderr, the others to stdout. False when that fails, which is
/// reported.
bool printResult(const CheckReport &Result, const Arguments &Args);
/// Says on stderr what was judged of each job, and what was not.
void printVerdicts(const CheckReport &Result);

} // namespace parlance
