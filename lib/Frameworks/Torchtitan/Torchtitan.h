// torchtitan: job files of v0.2.2 and before, and the command lines of its main branch.
#pragma once
#include "Frameworks/Options/Framework.h"

namespace parlance::framework {

extern const Framework Torchtitan;
extern const Framework TorchtitanMain;

} // namespace parlance::framework
