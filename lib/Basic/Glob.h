// Patterns of paths, as .gitignore files write them.
#pragma once
#include <string_view>

namespace parlance {

/// Whether every `[` of a pattern is closed. One that is not stands for itself.
bool isGlob(std::string_view Pattern);
/// Whether a pattern matches a whole path (with `/`, relative): `?` and `*` stand for one and any number of characters
/// of a name, `[a-z]` and `[!a-z]` for one of a set, `\` takes away a character's meaning. `**/` stands for any number
/// of folders, also none, and a `**` at the end for everything below.
bool globMatches(std::string_view Pattern, std::string_view Path);
/// The same, or that it matches a folder that the path is in.
bool globCovers(std::string_view Pattern, std::string_view Path);

} // namespace parlance
