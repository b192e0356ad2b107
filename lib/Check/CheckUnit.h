// What is checked in one go, and how: the units of a request's files.
#pragma once
#include "Frameworks/Job/ForeignRequest.h"
#include "Policy/Policy.h"

namespace parlance {

/// What is checked apart from all other files: a .parl file with all that it uses, or the files of frameworks that are
/// one job.
struct CheckUnit {
  std::vector<std::string> Files;
  bool Walked = false; ///< found in a folder, not named: left alone unless it is certain what it is
};

/// Whether a unit is of interest, told by the real paths of all files that it read or tried to.
using UnitFilter = std::function<bool(const std::vector<std::string> &Paths)>;

/// Texts that are checked in place of what files hold, by the path that names the file ("-" for standard input);
/// without a byte order mark.
using FileTexts = std::map<std::string, std::string>;

/// How files are checked: what a command line or an editor says besides their names.
struct CheckRequest {
  ForeignRequest Foreign = {};
  PolicyRequest Policy = {};
  std::shared_ptr<const FileAccess> Access = {}; ///< what may be read
  UnitFilter Filter = {};                        ///< empty: all units are of interest
  FileTexts Texts = {};
  SourceManager::Overlay Held = {}; ///< texts in place of files by real path, as an editor holds them
  bool NamesOnly = false;           ///< no values, rules or policy: for a search through many files
};

/// The units of the words of a command line: files that are named, and those of folders. Of a folder without any file
/// an error is reported.
std::vector<CheckUnit> findUnits(const std::vector<std::string> &Words, const std::shared_ptr<const FileAccess> &Access,
                                 DiagnosticEngine &Diags);

} // namespace parlance
