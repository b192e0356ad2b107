// Suppressions that stand in the checked files: `# parlance: allow(PL4003) reason`.
#pragma once
#include "Basic/Diagnostic.h"
#include <optional>

namespace parlance {

/// Diagnostics of a file that somebody has declared right, on some of its lines.
struct Allow {
  struct Rule {
    std::string Pattern; ///< see matchRule
    SourceRange Range;
    bool Used = false;
  };
  uint32_t File = 0;              ///< whose diagnostics
  uint32_t First = 0, Last = ~0u; ///< lines of it, both included
  std::vector<Rule> Rules;
  SourceRange Comment; ///< what goes with it when it is deleted; nowhere in parlance.toml
};

/// The suppressions in the comments of a file, whatever it is written in. A comment behind something is about its line,
/// one on a line of its own about the line below, comments in between left out; in a shell script lines that `\`
/// continues are one. Those above everything else are also about what is said of the file as a whole, which is its
/// first line. Malformed ones and those without a reason are reported.
std::vector<Allow> findAllows(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags);

} // namespace parlance
