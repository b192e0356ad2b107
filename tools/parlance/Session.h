// One run over one file: load, check, evaluate. What every subcommand starts with.
#pragma once
#include "Analysis/Analyzer.h"
#include "Frameworks/HuggingFace/Import.h"
#include <memory>

namespace parlance {

class Session {
public:
  Session(SourceManager &Sources, DiagnosticEngine &Diags);
  /// Reads and checks a file. False when it cannot be read at all, which is reported.
  bool load(const std::string &Path);
  /// Evaluates everything in it and applies all rules.
  void analyze();

  SourceManager &Sources;
  DiagnosticEngine &Diags;
  const Library &Lib;
  Program Files;
  HuggingFaceImporter HuggingFace;
  Evaluator Values;
  LibraryTrees Trees;
  Analyzer Analysis;
  Module *Main = nullptr;
};

} // namespace parlance
