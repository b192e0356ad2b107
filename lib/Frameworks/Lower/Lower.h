// From a Plan to the files that launch it.
#pragma once
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

struct Lowering {
  std::vector<LoweredFile> Files;
  std::vector<LoweredOption> Options;
};

struct LowerRequest {
  std::string_view Target; ///< name of a framework
  Launcher Launch = Launcher::None;
  std::string_view Program; ///< "parlance 0.1.0"
  std::string_view Source;  ///< the file that the job is from, for the comment at the head
};

/// The names of the frameworks that can be written, in the order of the documentation.
std::span<const std::string_view> loweringTargets();

/// All files of a job for a target. Empty after an error, which is reported: a field that the target cannot express, or
/// one whose value is not known.
std::optional<Lowering> lower(const Plan &P, const LowerRequest &Request, Evaluator &E);

} // namespace parlance
