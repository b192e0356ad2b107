// Renderers of diagnostics: text with carets, one line each, and JSON (docs/command-line.md).
#pragma once
#include "Basic/Diagnostic.h"

namespace parlance {

struct RenderOptions {
  bool Color = false;
  bool Concise = false;          ///< first lines only
  unsigned SuppressedErrors = 0; ///< errors that the engine counted but did not keep
};

/// `FILE:LINE:COL: severity: message [CODE name]`, frame, carets, body, notes, derivations, fixes;
/// then `N errors, M warnings`. Without a position the line begins with `parlance: `.
std::string renderText(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                       const RenderOptions &Options);
/// One diagnostic without the closing count.
std::string renderText(const Diagnostic &D, const SourceManager &Sources,
                       const RenderOptions &Options);
/// `{"version":1,"diagnostics":[…],"summary":{"errors","warnings"}}`, stable field order, a final
/// newline. Without a position `file`, `line` and the others are null. A derivation's `value` is a
/// number in the base units of its `unit`, a string where it is no number, null where it is
/// unknown; `text` is what is printed.
std::string renderJson(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                       unsigned SuppressedErrors = 0);
/// A derivation as an indented tree: name = formula = substituted = value unit, terms below; behind
/// it in brackets where a formula is documented or a given value was set.
std::string renderDerivation(const Derivation &D, const SourceManager &Sources,
                             unsigned Indent = 0);
/// "1 error", "3 errors, 1 warning".
std::string summaryLine(unsigned Errors, unsigned Warnings);

} // namespace parlance
