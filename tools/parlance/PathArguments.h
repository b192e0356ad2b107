// `--allow-outside` and `--strict-paths`: what the files of a command may name.
#pragma once
#include "Arguments.h"
#include "Check/Access.h"

namespace parlance {

inline OptionSpec allowOutside() { return {"--allow-outside"}; }
inline OptionSpec strictPaths() { return {"--strict-paths", {}, true}; }

/// What a command may read besides the files that its arguments name. Null after an error, which is printed.
std::shared_ptr<const FileAccess> fileAccess(const Arguments &Args, std::span<const std::string> Files);

} // namespace parlance
