// The options of `#SBATCH` lines.
#pragma once
#include "Frameworks/Shell/Shell.h"

namespace parlance::shell {

/// As sbatch does, from the lines before the first command.
std::vector<SbatchOption> readSbatch(const ShellText &Script);

} // namespace parlance::shell
