// The verdict on a resolved job: what is known of it, and of what is not, the words that end it.
#pragma once
#include "Basic/JobVerdict.h"
#include "Eval/LibraryTrees.h"
#include "Plan/Plan.h"

namespace parlance {

/// `Undecided`: rules of the library that something unknown leaves open. Name and file are left to the caller.
JobVerdict verdictOf(const Plan &P, std::span<const uint32_t> Undecided, Evaluator &E, LibraryTrees &Trees);

} // namespace parlance
