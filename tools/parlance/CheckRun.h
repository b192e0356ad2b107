// The run of `parlance check` over all its files.
#pragma once
#include "CheckOutput.h"
#include "Frameworks/Job/ForeignJob.h"
#include <functional>

namespace parlance {

/// What is checked in one go, apart from all other files: a .parl file with all that it uses, or the files of
/// frameworks that are one job.
struct CheckUnit {
  std::vector<std::string> Files;
  bool Walked = false; ///< found in a folder, not named: left alone unless it is certain what it is
};

/// The units of the words of a command line: files that are named, and those of folders. Of a folder without any file
/// an error is reported.
std::vector<CheckUnit> findUnits(const std::vector<std::string> &Words, const std::shared_ptr<const FileAccess> &Access,
                                 DiagnosticEngine &Diags);

/// Whether a unit is of interest, told by the real paths of all files that it read or tried to.
using UnitFilter = std::function<bool(const std::vector<std::string> &Paths)>;

/// What the command line says of a check, besides its files.
struct CheckRequest {
  ForeignRequest Foreign;
  PolicyRequest Policy;
  std::shared_ptr<const FileAccess> Access; ///< what may be read
  UnitFilter Filter;                        ///< empty: all units are of interest
};

/// Checks all units, on all processors. What is found comes in the order of the units, each diagnostic once, whatever
/// the threads did first, and as the project's policy has it.
CheckResult checkUnits(const std::vector<CheckUnit> &Units, const CheckRequest &Request, DiagnosticEngine &Diags,
                       const FileTexts &Texts = {});

} // namespace parlance
