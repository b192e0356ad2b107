// From text to statements.
#pragma once
#include "Frameworks/Shell/Scanner.h"

namespace parlance::shell {

struct ParseResult {
  List Commands;
  std::optional<ScanError> Error; ///< the first one
};

/// Always gives the commands that could be read.
ParseResult parseShell(std::string_view Text);

} // namespace parlance::shell
