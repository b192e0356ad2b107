// What becomes of the options of one framework's files in another's.
#pragma once
#include "Frameworks/Lower/Lower.h"

namespace parlance {

/// The options that a job's files give: what they became, which say the same with another number (a batch in tokens
/// instead of sequences), and which no field of a job means, so that they are not in the new files. As text; empty for
/// a job that is of no framework's files, or of the target's.
std::string conversionReport(const Plan &P, std::string_view Target, const Lowering &Lowered, Evaluator &E);

} // namespace parlance
