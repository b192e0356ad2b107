// GPT-NeoX: its YAML files, which may look like JSON.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Neox;

} // namespace parlance::framework
