// What a check comes to, whoever asked for it.
#pragma once
#include "Analysis/Analyzer.h"
#include "Basic/Source.h"

namespace parlance {

/// Files that were judged together, and what could not be told about them.
struct Judgement {
  std::vector<uint32_t> Checked; ///< files that were asked for
  std::vector<uint32_t> Files;   ///< these and all that they use
  bool HasJobs = false;
  bool Incomplete = false; ///< a job could not be judged at all
  std::vector<UndecidedRule> Undecided;
  std::vector<JobVerdict> Jobs; ///< those of the files that were asked for
};

struct CheckReport {
  SourceManager Sources;
  std::vector<Diagnostic> Found;       ///< all that was found; after `applyPolicy` what is shown of it
  std::vector<Judgement> Judged;       ///< what it was found in
  std::vector<std::string> Checked;    ///< the files that the diagnostics are about
  bool Readable = true;                ///< every input could be read
  bool Understood = true;              ///< every file that was named holds something that is known
  unsigned Walked = 0, PassedOver = 0; ///< files that were found in folders, and those of them that hold nothing known
  unsigned SuppressedErrors = 0;       ///< errors that were counted and are not in Found
  // Set by `applyPolicy`.
  unsigned Errors = 0, Warnings = 0; ///< errors with those that are suppressed
  struct File {
    std::string Path, Text;
    std::string Message; ///< what has changed in it
  };
  std::vector<File> Baselines; ///< to be written
  std::string Unusable;        ///< what is wrong with the policy that was asked for; then nothing is found
};

} // namespace parlance
