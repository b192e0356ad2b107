#include "Frameworks/Options/Framework.h"
#include "Plan/Options.h"
#include <algorithm>

namespace parlance {

std::string Framework::spelled(std::string_view Path) const {
  return flags() && !isVariableName(Path) ? asFlag(Path) : std::string(Path);
}

const Fact *Framework::fact(std::string_view Name) const {
  auto It = std::ranges::find(Facts, Name, &Fact::Name);
  return It == Facts.end() ? nullptr : &*It;
}

} // namespace parlance
