// The parts of the report's JSON that only the report has. Internal to Report.
#pragma once
#include "Plan/Plan.h"
#include <fmt/format.h>
#include <llvm/Support/JSON.h>

namespace parlance {

/// `{ "missing": WHY }`, or the passes of a step as rows of events: all of it, or its beginning and
/// its end, of few stages.
void writeTimeline(llvm::json::OStream &J, const Plan &P);
/// Matrix products of one rank under the roofline; `null` where the device or the shape is unknown.
void writeProducts(llvm::json::OStream &J, const Plan &P);
/// Ranks, or nodes of a large job, with the groups that they are in; `null` without a cluster.
void writeRanks(llvm::json::OStream &J, const Plan &P);

inline llvm::StringRef ref(std::string_view S) { return {S.data(), S.size()}; }
/// A number with so many digits as a picture needs. It has to be finite.
inline void shortNumber(llvm::json::OStream &J, double Value) { J.rawValue(fmt::format("{:.7g}", Value)); }

} // namespace parlance
