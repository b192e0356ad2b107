// Files are written whole or not at all: next to their place, then renamed.
#pragma once
#include "Frameworks/Lower/Lower.h"
#include <map>
#include <string>

namespace parlance {

/// False after an error, which is printed.
bool writeFile(const std::string &Path, const std::string &Text);
/// Gives files that are there another text, all or none; byte order marks, permissions and links stay. False after an
/// error, which is printed: one that is read-only, for instance.
bool rewriteFiles(const std::map<std::string, std::string> &Texts);
/// All files into a folder, which is made; none when one of them fails. Prints their paths to stdout. A file that is
/// there is only replaced when it is as it was written here (a list in the folder says so), or with `Force`; a link
/// never.
bool writeFiles(const std::string &Folder, const std::vector<LoweredFile> &Files, bool Force);

} // namespace parlance
