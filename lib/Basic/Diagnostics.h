// The diagnostics that C++ code emits, declared once in Diagnostics.def.
#pragma once
#include "Basic/Diagnostic.h"
#include <span>

namespace parlance {

namespace diag {
#define DIAG_TYPES(...) __VA_ARGS__
#define DIAG(Id, Code, Name, Level, Format, Parameters, Why, Example, Fixed)                                           \
  inline constexpr DiagnosticKind<DIAG_TYPES Parameters> Id{Code, Name, Severity::Level, Format};
#include "Basic/Diagnostics.def"
#undef DIAG
#undef DIAG_TYPES
} // namespace diag

/// The explanation page of a diagnostic: why it exists, a file that triggers it, and the corrected file.
struct DiagnosticPage {
  std::string_view Code, Name;
  Severity Level;
  std::string_view Message, Why, Example, Fixed;
};
/// Pages of everything in Diagnostics.def, in code order.
std::span<const DiagnosticPage> diagnosticPages();

} // namespace parlance
