// nanotron: its YAML configuration.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Nanotron;

} // namespace parlance::framework
