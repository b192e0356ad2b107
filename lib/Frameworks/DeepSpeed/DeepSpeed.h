// DeepSpeed: its JSON configuration, alone, in a script or beside another framework.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework DeepSpeed;

} // namespace parlance::framework
