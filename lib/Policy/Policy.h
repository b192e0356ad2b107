// What of all that a check finds is shown, and how severe it is: suppressions, parlance.toml, baselines and the options
// of the command line.
#pragma once
#include "Policy/CheckReport.h"

namespace parlance {

/// The word of `--deny` that is not a rule.
inline constexpr std::string_view DenyWarnings = "warnings";

/// What the command line asks for. Patterns are those of matchRule.
struct PolicyRequest {
  std::vector<std::string> Deny, Select, Ignore;
  std::string Baseline;        ///< empty: the one that parlance.toml names
  bool UpdateBaseline = false; ///< write all that is found into it
  bool FrozenBaseline = false; ///< report what has gone, and write nothing
};

/// So many errors have to be kept until the policy has said which of them are shown.
inline constexpr unsigned PolicyErrors = 10'000;

/// Whether a file is a project's settings, not one that is judged.
bool isPolicyFile(const std::string &Path);

/// Opens the files whose rules apply to the jobs of a file: `use` of the nearest parlance.toml upward. What is wrong
/// with it `applyPolicy` reports.
std::vector<uint32_t> policyRules(uint32_t File, SourceManager &Sources);

/// Everything that was found becomes what is shown.
void applyPolicy(CheckReport &Report, const PolicyRequest &Request);

} // namespace parlance
