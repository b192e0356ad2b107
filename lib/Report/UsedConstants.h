// Which numbers that no formula gives an estimate rests on.
#pragma once
#include "Eval/JobContext.h"
#include <string>
#include <vector>

namespace parlance {

struct UsedConstant {
  const FunctionDecl *Constant = nullptr;
  Num Value;
  bool Assumed = false; ///< by the job; else it is the library's
  Num LibraryValue;
  std::string unit() const;
  /// Its documentation without the first sentence, which says what it is: where it is from, and how well it fits.
  std::string_view source() const;
};

/// The calibration constants that were read in this context so far, by name.
std::vector<UsedConstant> usedConstants(const JobContext &C);

} // namespace parlance
