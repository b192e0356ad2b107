// The run of a check over all its units.
#pragma once
#include "Check/CheckUnit.h"

namespace parlance {

/// Checks all units, on all processors. What is found, with what `Diags` holds already, comes in the order of the
/// units, each diagnostic once, whatever the threads did first, and as the project's policy has it.
CheckReport checkUnits(const std::vector<CheckUnit> &Units, const CheckRequest &Request, DiagnosticEngine &Diags);

} // namespace parlance
