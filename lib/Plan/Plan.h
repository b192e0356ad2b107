// A resolved job: every field has a value and the place that a person can change to get another one.
#pragma once
#include "Eval/Evaluator.h"
#include <memory>
#include <optional>

namespace parlance {

/// The job as written (with `auto` still in it) and as resolved (with computed fields: device, groups, batch totals).
struct Plan {
  const Record *Written = nullptr;
  const Record *Job = nullptr;
  std::shared_ptr<JobContext> Context;
  /// The block of the target framework's options is there and says the same as the other fields.
  bool HasOptions = false;
  /// It was read from a framework's own files: what a person can change are options.
  bool Foreign = false;

  /// The frame in which expressions of the job's scope run.
  Evaluator::Frame frame(const Module *File = nullptr) const { return {{}, Context.get(), Job, File}; }
};

/// Resolves a job record with defaults: `auto` for dp, global batch and accumulation, the device and network of the
/// cluster, the rank grid. Reports what makes that impossible (rank order); a search space (`any`) gives a hint and no
/// Plan. Batches that do not come out even are resolved to fractions, for the rules to report.
std::optional<Plan> resolve(const Record &Job, Evaluator &E);

/// Whether it is known how many of which GPUs a job runs on.
bool hasCluster(const Plan &P);

/// A field, by its path ("layout.tp"), and another value for it.
struct FieldChange {
  std::string_view Path;
  Value To;
};

/// The Plan with fields set to other values; empty when there is no such field or no Plan. Other fields that were
/// `auto` follow.
std::optional<Plan> withFields(const Plan &P, std::span<const FieldChange> Changes, Evaluator &E);
/// The same without the block of the framework's options filled in: all that most rules need, in a fraction of the
/// time.
std::optional<Plan> withFieldsOnly(const Plan &P, std::span<const FieldChange> Changes, Evaluator &E);
/// For one field.
std::optional<Plan> withField(const Plan &P, std::string_view Path, const Value &V, Evaluator &E);

/// The field that a dotted path names in a job: its record and index; Record null when there is none.
struct FieldPath {
  const Record *Owner = nullptr;
  unsigned Index = 0;
  const FieldDecl &decl() const { return Owner->Schema->Fields[Index]; }
};
FieldPath fieldAt(const Record &Job, std::string_view Path);

/// The place that a person can change to set a field: where it was written; else the name of the block that leaves it
/// to its default; else, for a block of the library, where the job names that block.
SourceRange placeOf(const Record &Job, std::string_view Path);

} // namespace parlance
