#include "Basic/GitIgnore.h"
#include "Basic/Glob.h"
#include <algorithm>

using namespace parlance;

GitIgnore::GitIgnore(std::string_view Text) {
  while (!Text.empty()) {
    const size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    // Blanks at the end count only behind a backslash.
    while (Line.ends_with(' ') && !Line.ends_with("\\ "))
      Line.remove_suffix(1);
    Pattern P;
    if (Line.starts_with('!')) {
      P.Negated = true;
      Line.remove_prefix(1);
    } else if (Line.starts_with('#')) {
      continue;
    }
    while (Line.ends_with('/')) {
      P.FolderOnly = true;
      Line.remove_suffix(1);
    }
    P.Anchored = Line.find('/') != std::string_view::npos;
    if (Line.starts_with('/'))
      Line.remove_prefix(1);
    if (Line.empty())
      continue;
    P.Glob = Line;
    Patterns.push_back(std::move(P));
  }
}

std::optional<bool> GitIgnore::ignores(std::string_view Path, bool IsFolder) const {
  const std::string_view Name = Path.substr(Path.rfind('/') + 1);
  for (auto P = Patterns.rbegin(); P != Patterns.rend(); ++P)
    if ((IsFolder || !P->FolderOnly) && globMatches(P->Glob, P->Anchored ? Path : Name))
      return !P->Negated;
  return std::nullopt;
}
