// What is done with the text of a TOML file around its parser. Internal to Config.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

/// A text that the parser can read: placeholders are strings of the same number of bytes.
struct TomlText {
  std::string Text;
  std::vector<SourceRange> Placeholders; ///< in order
  std::optional<SourceRange> TooDeep;    ///< the place that makes the nesting too deep
};
TomlText prepareToml(uint32_t File, std::string_view Text);

/// Says in our words what the parser found at an offset.
void reportTomlError(uint32_t File, std::string_view Text, size_t At, std::string_view Found, DiagnosticEngine &Diags);

} // namespace parlance
