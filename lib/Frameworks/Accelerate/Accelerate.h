// accelerate: the configuration file of `accelerate launch`.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Accelerate;

} // namespace parlance::framework
