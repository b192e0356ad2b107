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
  std::vector<Judgement> Judged;
  unsigned SuppressedErrors = 0; ///< of the errors, those that were counted but not kept
  bool Readable = true;          ///< every input could be read
};

/// Prints in the format that the arguments name: text to stderr, the others to stdout. False when
/// that fails, which is reported.
bool printResult(const CheckResult &Result, const Arguments &Args);

} // namespace parlance
