// JSON documents as trees with positions.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

enum class JsonDialect : uint8_t {
  /// JSON, and the `NaN`, `Infinity` and `-Infinity` that Python writes and reads as numbers.
  Strict,
  /// The same with bare placeholders of templates as values, each of which is a warning.
  Template,
  /// What DeepSpeed reads (Hjson): comments, commas left out at the end of a line or left over before a bracket, keys
  /// and strings without quotes or in single ones. Placeholders as in Template. Left out: ''' strings and an object
  /// without braces.
  Hjson,
};

/// Reads a whole text. After a syntax error, which is reported, there is no tree. A key given twice is a warning, but
/// not in Hjson: DeepSpeed refuses it, and who reads something else says so itself.
std::optional<ConfigValue> parseJson(uint32_t File, std::string_view Text, DiagnosticEngine &Diags,
                                     JsonDialect Dialect = JsonDialect::Strict);

} // namespace parlance
