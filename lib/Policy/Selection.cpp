#include "Policy/Selection.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "std/Std.h"

using namespace parlance;

namespace {

/// The hundreds whose errors are hard.
struct HardGroup {
  std::string_view Begin, Why;
};
constexpr HardGroup HardGroups[] = {
    {"PL0", "errors of the language are always reported"},
    {"PL1", "errors of units are always reported"},
    {"PL2", "a layout that cannot be is always reported"},
    {"PL5", "a batch that cannot be is always reported"},
    {"PL6", "what the framework refuses is always reported"},
    {"PL7", "what the framework's reader refuses is always reported"},
};
/// Of these the hundreds that need no job.
constexpr std::string_view TextGroups[] = {"PL0", "PL1", "PL7"};

constexpr unsigned Exactly = 1000;

bool sameName(std::string_view A, std::string_view B) {
  return std::ranges::equal(A, B,
                            [](char X, char Y) { return X == Y || (X == '-' && Y == '_') || (X == '_' && Y == '-'); });
}

} // namespace

unsigned parlance::matchRule(std::string_view Pattern, std::string_view Code, std::string_view Name) {
  if (Pattern == Code || (!Pattern.empty() && sameName(Pattern, Name)))
    return Exactly;
  return Pattern.size() >= 2 && Code.starts_with(Pattern) ? static_cast<unsigned>(Pattern.size()) : 0;
}

std::optional<std::string_view> parlance::whyHard(std::string_view Code, Severity Declared) {
  if (Declared != Severity::Error || Code == diag::RequirementFailed.Code)
    return std::nullopt;
  for (const HardGroup &G : HardGroups)
    if (Code.starts_with(G.Begin))
      return G.Why;
  return std::nullopt;
}

RuleNames::RuleNames() {
  for (const DiagnosticPage &P : diagnosticPages())
    Names.push_back({P.Code, P.Name, P.Level});
  for (const RuleDecl &R : standardLibrary().Rules)
    Names.push_back({R.Code, R.Name, R.Level});
}

void RuleNames::add(std::string_view Code, std::string_view Name) { Names.push_back({Code, Name, Severity::Warning}); }

bool RuleNames::knows(std::string_view Pattern) const {
  return std::ranges::any_of(Names, [&](const RuleName &R) { return matchRule(Pattern, R.Code, R.Name) > 0; });
}

std::optional<std::string_view> RuleNames::nearest(std::string_view Pattern) const {
  std::vector<std::string_view> All;
  for (const RuleName &R : Names)
    All.push_back(R.Code);
  for (const RuleName &R : Names)
    All.push_back(R.Name);
  return parlance::nearest(Pattern, All);
}

std::optional<std::string_view> RuleNames::whyHard(std::string_view Pattern) const {
  std::optional<std::string_view> Why;
  for (const RuleName &R : Names)
    if (matchRule(Pattern, R.Code, R.Name)) {
      Why = parlance::whyHard(R.Code, R.Level);
      if (!Why)
        return std::nullopt;
    }
  return Why;
}

bool RuleNames::isAboutText(std::string_view Pattern) const {
  return std::ranges::all_of(Names, [&](const RuleName &R) {
    return !matchRule(Pattern, R.Code, R.Name) ||
           std::ranges::any_of(TextGroups, [&](std::string_view G) { return R.Code.starts_with(G); });
  });
}
