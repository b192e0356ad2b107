// A baseline: what was there when a project began to check, and is not to be reported again.
#pragma once
#include "Basic/Diagnostic.h"
#include <optional>

namespace parlance {

struct BaselineEntry {
  std::string Code, File, Fingerprint; ///< the file relative to the baseline's folder
  SourceRange Range;                   ///< in the baseline's text
  bool Used = false;                   ///< found again
  bool Gone = false;                   ///< certainly not there any more
  auto key() const { return std::tie(File, Code, Fingerprint); }
};

/// Reads a baseline that was opened; nothing after an error, which is reported.
std::optional<std::vector<BaselineEntry>> readBaseline(uint32_t File, const SourceManager &Sources,
                                                       DiagnosticEngine &Diags);
/// The text of a baseline: JSON, one entry a line, sorted.
std::string writeBaseline(std::vector<BaselineEntry> Entries);

} // namespace parlance
