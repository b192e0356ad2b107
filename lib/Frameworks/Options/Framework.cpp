#include "Frameworks/Options/Framework.h"
#include "Plan/Options.h"

namespace parlance {

std::string Framework::spelled(std::string_view Path) const {
  return flags() && !isVariableName(Path) ? asFlag(Path) : std::string(Path);
}

} // namespace parlance
