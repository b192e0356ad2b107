// The patterns of one .gitignore file (gitignore(5)).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

class GitIgnore {
public:
  explicit GitIgnore(std::string_view Text);

  /// What the last pattern that matches says: true for ignored, false for taken back by a `!`, empty when none matches.
  /// `Path` is relative to the folder of the file, with `/` between its parts.
  std::optional<bool> ignores(std::string_view Path, bool IsFolder) const;

private:
  struct Pattern {
    std::string Glob;
    bool Negated = false, FolderOnly = false;
    bool Anchored = false; ///< to the folder of the file; otherwise any name below it may match
  };
  std::vector<Pattern> Patterns;
};

} // namespace parlance
