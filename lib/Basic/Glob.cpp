#include "Basic/Glob.h"
#include <vector>

using namespace parlance;

/// The bracket that closes a set; one right behind the opening is a member.
static size_t closing(std::string_view Pattern, size_t P) {
  size_t First = P + 1;
  if (First < Pattern.size() && (Pattern[First] == '!' || Pattern[First] == '^'))
    ++First;
  return Pattern.find(']', First + 1);
}

bool parlance::isGlob(std::string_view Pattern) {
  for (size_t P = 0; P < Pattern.size(); ++P)
    if (Pattern[P] == '\\') {
      ++P;
    } else if (Pattern[P] == '[') {
      P = closing(Pattern, P);
      if (P == std::string_view::npos)
        return false;
    }
  return true;
}

namespace {

/// Remembers which pairs of positions failed, so that no pattern takes more than the product of the two lengths.
class Matcher {
public:
  Matcher(std::string_view Pattern, std::string_view Path)
      : Pattern(Pattern), Path(Path), Failed((Pattern.size() + 1) * (Path.size() + 1)) {}

  bool match(size_t P, size_t At) {
    size_t Pair = P * (Path.size() + 1) + At;
    if (Failed[Pair])
      return false;
    bool Result = P == Pattern.size() ? At == Path.size() : step(P, At);
    Failed[Pair] = !Result;
    return Result;
  }

private:
  bool step(size_t P, size_t At) {
    switch (Pattern[P]) {
    case '*':
      return isGlobstar(P) ? globstar(P, At) : star(P, At);
    case '?':
      return inName(At) && match(P + 1, At + 1);
    case '[':
      if (size_t Close = closing(Pattern, P); Close != std::string_view::npos)
        return inName(At) && isInSet(Pattern.substr(P + 1, Close - P - 1), Path[At]) && match(Close + 1, At + 1);
      break;
    case '\\':
      if (P + 1 < Pattern.size())
        ++P;
      break;
    default:
      break;
    }
    return At < Path.size() && Path[At] == Pattern[P] && match(P + 1, At + 1);
  }

  bool inName(size_t At) const { return At < Path.size() && Path[At] != '/'; }

  /// Two stars that are a whole name.
  bool isGlobstar(size_t P) const {
    return Pattern.substr(P, 2) == "**" && (P == 0 || Pattern[P - 1] == '/') &&
           (P + 2 == Pattern.size() || Pattern[P + 2] == '/');
  }
  bool globstar(size_t P, size_t At) {
    if (P + 2 == Pattern.size())
      return At < Path.size();
    if (match(P + 3, At))
      return true;
    size_t Slash = Path.find('/', At);
    return Slash != std::string_view::npos && match(P, Slash + 1);
  }
  bool star(size_t P, size_t At) { return match(P + 1, At) || (inName(At) && match(P, At + 1)); }

  static bool isInSet(std::string_view Set, char C) {
    bool Negated = Set[0] == '!' || Set[0] == '^';
    if (Negated)
      Set.remove_prefix(1);
    bool Found = false;
    for (size_t I = 0; I < Set.size(); ++I) {
      bool IsRange = I + 2 < Set.size() && Set[I + 1] == '-';
      Found |= IsRange ? Set[I] <= C && C <= Set[I + 2] : Set[I] == C;
      I += IsRange ? 2 : 0;
    }
    return Found != Negated;
  }

  std::string_view Pattern, Path;
  std::vector<bool> Failed;
};

} // namespace

bool parlance::globMatches(std::string_view Pattern, std::string_view Path) {
  return Matcher(Pattern, Path).match(0, 0);
}

bool parlance::globCovers(std::string_view Pattern, std::string_view Path) {
  while (Pattern.ends_with('/'))
    Pattern.remove_suffix(1);
  for (size_t End = Path.size(); End != std::string_view::npos && End > 0; End = Path.rfind('/', End - 1))
    if (globMatches(Pattern, Path.substr(0, End)))
      return true;
  return false;
}
