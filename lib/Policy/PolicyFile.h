// parlance.toml: what a project wants to hear of, and the rules that it adds.
#pragma once
#include "Policy/Selection.h"
#include "Policy/Suppressions.h"
#include <map>

namespace parlance {

inline constexpr std::string_view PolicyFileName = "parlance.toml";

/// `"PL4003" = "off"`: nothing in place of a level.
struct RuleLevel {
  std::string Pattern;
  std::optional<Severity> Level;
  SourceRange Range; ///< of the pattern
};

struct PathRules {
  std::vector<std::string> Globs; ///< see globCovers; relative to the file's folder
  std::vector<RuleLevel> Rules;
};

/// `[[allow]]`: a suppression for a file that has no comments, or none of ours.
struct SidecarAllow {
  std::string Path; ///< relative to the file's folder
  std::string Pattern;
  SourceRange PathRange, RuleRange;
};

struct PolicyFile {
  uint32_t File = 0;
  std::string Folder;
  std::vector<RuleLevel> Rules;
  std::vector<PathRules> Paths;
  std::vector<SidecarAllow> Allows;
  std::vector<std::pair<std::string, SourceRange>> Use; ///< paths of .parl files
  std::string Baseline;                                 ///< its path; empty for none
  SourceRange BaselineRange;
};

/// Reads a file that was opened. Paths in it are taken from its folder. What it should not say is reported and left
/// out.
PolicyFile readPolicyFile(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags);

/// The level that a list of rules gives a diagnostic: that of the pattern that names it most exactly, of equals the
/// last. Null when none names it.
const RuleLevel *levelOf(const std::vector<RuleLevel> &Rules, const Diagnostic &D);

} // namespace parlance
