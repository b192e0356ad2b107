// What of all that a check finds is shown, and how severe it is: suppressions, parlance.toml, baselines and the options
// of the command line.
#pragma once
#include "Analysis/Analyzer.h"
#include "Basic/Source.h"
#include <string>
#include <vector>

namespace parlance {

/// The word of `--deny` that is no rule.
inline constexpr std::string_view DenyWarnings = "warnings";

/// What the command line asks for. Patterns are those of matchRule.
struct PolicyRequest {
  std::vector<std::string> Deny, Select, Ignore;
  std::string Baseline;        ///< empty: the one that parlance.toml names
  bool UpdateBaseline = false; ///< write all that is found into it
  bool FrozenBaseline = false; ///< report what has gone, and write nothing
};

/// Files that were judged together, and what could not be told about them.
struct Judgement {
  std::vector<uint32_t> Checked; ///< files that were asked for
  std::vector<uint32_t> Files;   ///< these and all that they use
  bool HasJobs = false;
  bool Incomplete = false; ///< a job could not be judged at all
  std::vector<UndecidedRule> Undecided;
};

struct CheckReport {
  std::vector<Diagnostic> Shown;
  unsigned Errors = 0, Warnings = 0;
  unsigned Suppressed = 0; ///< of the errors, those that are not in Shown
  struct File {
    std::string Path, Text;
    std::string Message; ///< what has changed in it
  };
  std::vector<File> Baselines; ///< to be written
  std::string Unusable;        ///< what is wrong with the request; then nothing else is set
};

/// So many errors have to be kept until the policy has said which of them are shown.
inline constexpr unsigned PolicyErrors = 10'000;

/// Whether a file is a project's settings, not one that is judged.
bool isPolicyFile(const std::string &Path);

/// Opens the files whose rules apply to the jobs of a file: `use` of the nearest parlance.toml upward. What is wrong
/// with it `applyPolicy` reports.
std::vector<uint32_t> policyRules(uint32_t File, SourceManager &Sources);

/// Everything that was found becomes what is shown. `Dropped` errors were counted but not kept.
CheckReport applyPolicy(std::vector<Diagnostic> Found, unsigned Dropped, SourceManager &Sources,
                        const PolicyRequest &Request, const std::vector<Judgement> &Judgements);

} // namespace parlance
