// What a verified change looks like to a reader: its title, what it costs, and the edits of the file that make it.
#pragma once
#include "Plan/Plan.h"

namespace parlance {

/// The fix that turns a job into a changed one. It is trusted as `Maybe` where edits can make it, else only shown.
Fix describeFix(const Plan &Before, const Plan &After, std::span<const FieldChange> Changes, Evaluator &E);

} // namespace parlance
