// The options of `check` that decide what is shown.
#pragma once
#include "Arguments.h"
#include "Policy/Policy.h"

namespace parlance {

/// What `--deny`, `--select`, `--ignore` and the options of baselines say. `--deny warnings` is none of it: it only
/// changes the exit status.
PolicyRequest policyRequest(const Arguments &Args);
/// Whether `--deny warnings` is given.
bool deniesWarnings(const Arguments &Args);
/// Writes the baselines that have changed and says so on stderr. False after an error.
bool writeBaselines(const std::vector<CheckReport::File> &Baselines);

} // namespace parlance
