// What each kind of foreign file gives to a job. Internal to the reader of jobs.
#pragma once
#include "Frameworks/Job/ForeignJob.h"

namespace parlance {

/// Reads one file of a framework; `Set` has values for what a script leaves open.
void readForeign(ForeignReader &Job, const ForeignFile &File, const std::map<std::string, std::string> &Set);

} // namespace parlance
