// Commands that are about one job: of a .parl file, or of the files of frameworks that belong together.
#pragma once
#include "Arguments.h"
#include "Check/UnitCheck.h"

namespace parlance {

class OneJob {
public:
  /// Reads and judges the files that the arguments name, under the project's policy, and picks the job (`--job`).
  /// Diagnostics and what is wrong with the arguments are printed to stderr.
  OneJob(const Arguments &Args, std::string_view Command, std::string_view Help);

  /// Null when there is none; then `status` says how the command ends.
  const AnalyzedJob *job() const { return Job; }
  /// Whether the job resolved to something that can be estimated; prints why not.
  bool hasEstimate() const;
  /// Findings when anything at error level was reported.
  int status() const { return Status; }
  /// Prints what was reported after the job was judged, and counts it.
  void flush();
  /// What was printed so far.
  const std::vector<Diagnostic> &reported() const { return Reported; }
  /// Errors that were counted and not printed.
  unsigned suppressedErrors() const { return Check->Report.SuppressedErrors; }
  const SourceManager &sources() const { return Check->Report.Sources; }
  Session &session() const { return Check->session(); }
  /// Whether the job is of a framework's files.
  bool isForeign() const { return !session().Main; }

private:
  bool check(std::string_view Command, std::string_view Help);
  bool isOne(std::string_view Command, std::string_view Help) const;
  const AnalyzedJob *choose() const;
  void print(std::vector<Diagnostic> Found);

  const Arguments &Args;
  CheckUnit Unit;
  CheckRequest Request;
  std::unique_ptr<UnitCheck> Check; ///< null where the arguments are unusable
  const AnalyzedJob *Job = nullptr;
  int Status = 2;
  std::vector<Diagnostic> Reported;
};

} // namespace parlance
