// TOML documents as trees with positions.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

/// Larger texts are refused: the parser's time can grow with the square of the number of tables.
inline constexpr size_t MaxTomlBytes = 1 << 20;

/// Reads a whole text as TOML 1.0. Dates and times are strings as they are spelt. A bare placeholder of a template is a
/// warning and a symbolic value. After a syntax error, which is reported, there is no tree.
std::optional<ConfigValue> parseToml(uint32_t File, std::string_view Text, DiagnosticEngine &Diags);

} // namespace parlance
