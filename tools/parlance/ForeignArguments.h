// `--cluster` and `--set`: what the command line adds to the files of frameworks.
#pragma once
#include "Arguments.h"
#include "Frameworks/Job/ForeignRequest.h"

namespace parlance {

/// What the options say; empty after an error, which is printed. A name that `--set` gives must be a field of a job, or
/// a variable in a script among all files of the run.
std::optional<ForeignRequest> foreignRequest(const Arguments &Args, std::span<const std::string> Files);

/// The same words again for a shell, with a blank before each: ` --cluster 'h100_sxm*8*1'`.
std::string foreignWords(const Arguments &Args);

} // namespace parlance
