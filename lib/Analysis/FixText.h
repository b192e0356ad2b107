// What a verified change looks like to a reader: its title, what it costs, and the edits of the file that make it.
#pragma once
#include "Plan/Plan.h"

namespace parlance {

/// What keeps a change from being offered.
enum class FixStanding : uint8_t {
  Sound,
  Unsaid,       ///< the framework's options cannot say it: only shown, in the fields of a job
  Dear,         ///< it costs too much: only shown, with its price
  BesideMemory, ///< the job does not fit into memory, before and after: only shown, and nothing is said of memory
};

/// The fix that turns a job into a changed one. A sound one is trusted as `Maybe` where edits can make it; others are
/// only shown.
Fix describeFix(const Plan &Before, const Plan &After, std::span<const FieldChange> Changes, FixStanding Standing,
                Evaluator &E);

} // namespace parlance
