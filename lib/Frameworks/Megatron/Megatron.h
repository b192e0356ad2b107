// Megatron-LM: command lines, recipes of its functional tests, scripts.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Megatron;

} // namespace parlance::framework
