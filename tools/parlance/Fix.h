// `check --fix`: applies the fixes that need no one's consent, in memory, until a check offers none
// any more.
#pragma once
#include "CheckRun.h"

namespace parlance {

/// How a file was changed.
struct FixedFile {
  std::string Before, After; ///< without the byte order mark
  unsigned Fixed = 0;        ///< problems that were fixed in it
  unsigned Left = 0;         ///< problems that remain in it
};

/// Fixes the files of units, not those that they use, and returns by path what changed; nothing is
/// written. A fix is kept when a new check no longer finds its problem and finds no more errors; a
/// second run changes nothing. `Texts` is filled with what is to be checked in place of files.
std::map<std::string, FixedFile> fixUnits(const std::vector<CheckUnit> &Units,
                                          const CheckRequest &Request, FileTexts &Texts);

/// "fixed 2 of 3 problems in train.parl"
std::string fixSummary(std::string_view Path, const FixedFile &F, std::string_view Verb);

} // namespace parlance
