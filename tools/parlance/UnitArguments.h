// What a command that checks one unit is asked, besides its own options.
#pragma once
#include "Arguments.h"
#include "Check/CheckUnit.h"

namespace parlance {

/// `--cluster`, `--set`, `--allow-outside` and `--strict-paths` for these files. Empty after an error, which is
/// printed.
std::optional<CheckRequest> unitRequest(const Arguments &Args, std::span<const std::string> Files);

} // namespace parlance
