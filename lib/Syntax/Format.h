// The canonical form of a file. The formatter moves tokens and comments, and leaves out commas that line breaks
// replace; it changes nothing else, so that a file means what it meant.
#pragma once
#include "Basic/Diagnostic.h"
#include "Units/Unit.h"
#include <optional>
#include <string>
#include <vector>

namespace parlance {

/// Formats file `File`, a file of the standard library too. Empty when it has syntax errors, which are reported. Line
/// breaks are those of the file's first line.
std::optional<std::string> format(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                  DiagnosticEngine &Diags);

/// The same as edits of whole lines, in order: those that touch the lines of Range, which may end where the next line
/// begins; all of them when it is nowhere.
std::optional<std::vector<Edit>> formatEdits(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                             DiagnosticEngine &Diags, SourceRange Range = {});

} // namespace parlance
