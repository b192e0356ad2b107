// The files of a folder that may be checked.
#pragma once
#include <string>
#include <vector>

namespace parlance {

/// All files below a folder whose ending may be one that is checked, in the order of their paths. What .gitignore files
/// exclude is left out, in the folder and, inside a git repository, in the folders around it; so are hidden folders.
/// Links to folders are not followed.
std::vector<std::string> walkFolder(const std::string &Folder);

} // namespace parlance
