// YAML documents as trees with positions, read as the frameworks read them.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

/// Reads a whole text as PyYAML's safe_load does, whose rules are YAML 1.1's: `yes` and `off` are truth values, `010`
/// is 8, `1:30` is 90, `1e-5` is a string (see looksLikeNumber), one document, merge keys. Dates stay strings. A key
/// given twice is a warning. Plain scalars that are a template's placeholder, and `{{…}}`, are symbolic; the latter,
/// which no reader takes for a value, is a warning. After an error, which is reported, there is no tree.
std::optional<ConfigValue> parseYaml(uint32_t File, std::string_view Text, DiagnosticEngine &Diags);

/// What safe_load takes a plain scalar for: the kind of value and its text.
std::pair<ConfigValue::Kind, std::string> resolveYamlScalar(std::string_view Plain);

} // namespace parlance
