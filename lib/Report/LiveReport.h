// The live report: one self-contained HTML page about one job (docs/report.md).
#pragma once
#include "Basic/JobVerdict.h"
#include "Eval/LibraryTrees.h"
#include "Plan/Plan.h"

namespace parlance {

/// What the page is made from besides the Plan. Everything is only read for the call.
struct ReportInput {
  const Plan &P;
  const JobVerdict &Verdict;
  std::string_view File, Version;
  const std::vector<Diagnostic> &Diagnostics;
  unsigned SuppressedErrors = 0;
  Evaluator &Values;
  LibraryTrees &Trees;
};

/// Every number of the page as one JSON object: the estimate, the timeline, matrix products, ranks, derivations,
/// diagnostics. The page only draws it.
std::string reportJson(const ReportInput &In);
/// The page. The same input gives the same bytes; it loads nothing.
std::string reportPage(const ReportInput &In);

} // namespace parlance
