// What a check comes to, whoever asked for it.
#pragma once
#include "Policy/Policy.h"
#include <map>

namespace parlance {

/// Texts that are checked in place of what files hold, by the path that names the file ("-" for standard input);
/// without a byte order mark.
using FileTexts = std::map<std::string, std::string>;

/// What a check found, ready to be printed.
struct CheckResult {
  SourceManager Sources;
  std::vector<Diagnostic> Found;
  std::vector<std::string> Checked; ///< the files that the diagnostics are about
  unsigned Errors = 0, Warnings = 0;
  unsigned SuppressedErrors = 0;            ///< of the errors, those that were counted but not kept
  bool Readable = true;                     ///< every input could be read
  std::vector<CheckReport::File> Baselines; ///< to be written
  std::string Unusable;                     ///< what is wrong with the policy that was asked for
};

} // namespace parlance
