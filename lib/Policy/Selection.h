// Which diagnostics a person names: by code (`PL4003`), name (`tp-across-nodes`), or the beginning of codes (`PL40`).
#pragma once
#include "Basic/Diagnostic.h"
#include <optional>

namespace parlance {

/// How exactly a pattern names a rule: 0 when it does not, the length of the code's beginning, and more than any of
/// these for the whole code or the name (`-` and `_` are one).
unsigned matchRule(std::string_view Pattern, std::string_view Code, std::string_view Name);

/// Why a diagnostic is always reported, whatever asks for it not to be: it says what cannot run, or what a framework
/// refuses. Nothing for warnings, estimates, requirements and users' rules.
std::optional<std::string_view> whyHard(std::string_view Code, Severity Declared);

/// Everything that a pattern can name: the diagnostics of the checker, the rules of the library, and rules of users
/// that are added.
class RuleNames {
public:
  RuleNames();
  void add(std::string_view Code, std::string_view Name);

  struct RuleName {
    std::string_view Code, Name;
    Severity Level; ///< as it is declared
  };
  std::span<const RuleName> all() const { return Names; }
  bool knows(std::string_view Pattern) const;
  /// The code or name that was probably meant by a pattern that is not known.
  std::optional<std::string_view> nearest(std::string_view Pattern) const;
  /// Why a pattern that names nothing but hard errors has no effect.
  std::optional<std::string_view> whyHard(std::string_view Pattern) const;
  /// Whether everything that a pattern names is told from the text, without any job.
  bool isAboutText(std::string_view Pattern) const;

private:
  std::vector<RuleName> Names;
};

} // namespace parlance
