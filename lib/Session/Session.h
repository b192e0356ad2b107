// One run over one file: load, check, evaluate. What every subcommand and the language server start with.
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
  /// Checks a file that was opened.
  void load(uint32_t File) { Main = &Files.add(File); }
  /// Reads and checks a file. False when it cannot be read at all, which is reported.
  bool load(const std::string &Path);
  /// Adds files whose rules apply to every job.
  void addRules(std::span<const uint32_t> Rules) {
    for (uint32_t File : Rules)
      Files.add(File);
  }
  /// Evaluates everything in it and applies all rules.
  void analyze();
  /// Judges one job of foreign files, which were opened before.
  void analyze(std::span<const ForeignFile *const> Files, const ForeignRequest &Request);
  /// Both with the rules of the project: checks and judges a file that was opened.
  void judge(uint32_t File);
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
  Module *Main = nullptr;

private:
  void noteJobs();
  Judgement Judged;
};

} // namespace parlance
