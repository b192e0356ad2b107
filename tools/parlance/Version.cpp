#include "Commands.h"

std::string parlance::version() { return PARLANCE_VERSION; }
