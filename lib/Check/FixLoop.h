// What `check --fix` and the editor's "fix all" do: the fixes that need no one's consent are applied, in memory, until
// a check offers none any more.
#pragma once
#include "Check/CheckUnit.h"
#include <functional>

namespace parlance {

/// How a file was changed.
struct FixedFile {
  std::string Before, After; ///< without the byte order mark
  unsigned Fixed = 0;        ///< problems that were fixed in it
  unsigned Left = 0;         ///< problems that remain in it
};

/// Checks the files with these texts in place of what they hold.
using Recheck = std::function<CheckReport(const FileTexts &)>;

/// Fixes files that are checked together, not those that they use; nothing is written. A fix is kept when a new check
/// no longer finds its problem and finds no more errors; a second run changes nothing. `Texts` is filled with what is
/// to be checked in place of files, `Fixed` by path with what was done to them, without `After`.
void fixFiles(const std::vector<std::string> &Files, const Recheck &Check, FileTexts &Texts,
              std::map<std::string, FixedFile> &Fixed);

} // namespace parlance
