// What `parlance check` prints, in each of its formats.
#pragma once
#include "Arguments.h"
#include "Policy/Policy.h"

namespace parlance {

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

/// Prints in the format that the arguments name: text to stderr, the others to stdout. False when
/// that fails, which is reported.
bool printResult(const CheckResult &Result, const Arguments &Args);

} // namespace parlance
