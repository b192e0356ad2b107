// Files are written whole or not at all: next to their place, then renamed.
#pragma once
#include "Frameworks/Lower/Lower.h"
#include <string>

namespace parlance {

/// False after an error, which is printed.
bool writeFile(const std::string &Path, const std::string &Text);
/// All files into a folder, which is made; none when one of them fails. Prints their paths to
/// stdout.
bool writeFiles(const std::string &Folder, const std::vector<LoweredFile> &Files);

} // namespace parlance
