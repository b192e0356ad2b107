// What is said about a text that is not YAML. Internal to Config.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

/// Where the parser stopped.
struct YamlStop {
  std::string_view Problem, Context; ///< in the parser's words
  size_t At, Around;                 ///< offsets of the problem and of what it is in
};

void reportYamlError(uint32_t File, std::string_view Text, const YamlStop &Stop, DiagnosticEngine &Diags);

} // namespace parlance
