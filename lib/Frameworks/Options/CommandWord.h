// A word of a command line.
#pragma once
#include "Basic/Source.h"
#include <string>

namespace parlance {

struct CommandWord {
  std::string Text;
  SourceRange Range;     ///< where its value is written
  bool Symbolic = false; ///< not known: Text is how it is written, "$TP"
  bool Attached = false; ///< the value of the flag before it, behind `=`
};

} // namespace parlance
