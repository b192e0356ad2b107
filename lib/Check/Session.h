// The checker's parts around one .parl file, or one job of frameworks' files.
#pragma once
#include "Analysis/Analyzer.h"
#include "Frameworks/Job/ForeignJob.h"
#include "Policy/Policy.h"
#include <memory>

namespace parlance {

/// Reads a file; reports why it cannot.
std::optional<uint32_t> openFile(const std::string &Path, SourceManager &Sources, DiagnosticEngine &Diags);

class Session {
public:
  Session(SourceManager &Sources, DiagnosticEngine &Diags);
  /// Checks a file that was opened, and with `Rules` evaluates everything in it and applies all rules, those of the
  /// project too; else it knows names and types only.
  void judge(uint32_t File, bool Rules = true);
  /// Judges one job of foreign files, which were opened before, by all rules.
  void judge(std::span<const ForeignFile *const> Files, const ForeignRequest &Request);

  /// What was judged.
  const Judgement &judgement() const { return Judged; }

  SourceManager &Sources;
  DiagnosticEngine &Diags;
  const Library &Lib;
  Program Files;
  HuggingFaceImporter HuggingFace;
  Evaluator Values;
  LibraryTrees Trees;
  Analyzer Analysis;
  Module *Main = nullptr; ///< null for foreign files

private:
  void addRules(uint32_t Of);
  void noteJobs();
  void noteUnread(std::span<const ForeignFile *const> Files);
  Judgement Judged;
};

} // namespace parlance
