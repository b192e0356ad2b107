// Values of a document's jobs as an editor shows them.
#pragma once
#include "Server/Snapshot.h"

namespace parlance::server {

/// A value as people write it, with its unit.
std::string shownValue(Snapshot &S, const Value &V, const Type &T);
/// Where a value came from: "line 12", "default", "deduced: …".
std::string shownOrigin(Snapshot &S, const Origin &O);

/// "MFU", or "measured MFU" where the measured step time of the job is what it is of: it stands beside a step time that
/// is predicted.
std::string mfuTitle(const JobContext &C);

/// A field of a resolved job that an item of the document sets.
struct FieldInJob {
  const AnalyzedJob *Job = nullptr;
  FieldPath At; ///< in the resolved job
};
/// One per job that the item's block is part of.
std::vector<FieldInJob> fieldInJobs(Snapshot &S, std::span<ast::Item *const> Path);

} // namespace parlance::server
