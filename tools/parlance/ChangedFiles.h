// What git says has changed.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parlance {

/// The real paths of all files that differ from what HEAD and a revision have in common, deleted and untracked ones
/// too, in the repositories that the words (files and folders) lie in. Empty after an error, which is printed: no
/// repository, no such revision, no git.
std::optional<std::set<std::string>> changedSince(const std::string &Revision, const std::vector<std::string> &Words);

} // namespace parlance
