// A framework that does not exist, in a folder of its own.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Foundry;

} // namespace parlance::framework
