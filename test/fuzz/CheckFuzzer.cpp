// Everything behind the parser: names, units, evaluation, jobs, rules, fixes and all renderers, on any text.
#include "Analysis/Analyzer.h"
#include "Render/Render.h"
#include "Report/Estimate.h"
#include "std/Std.h"

using namespace parlance;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  const Library &Lib = standardLibrary();
  // Other files must not be read: what the input `use`s from disk would make runs differ.
  std::string Text(reinterpret_cast<const char *>(Data), Size);
  if (Text.find("use \"") != std::string::npos)
    return 0;
  uint32_t File = Sources.add("input.parl", std::move(Text));
  Program Files(Sources, Lib, Diags);
  Evaluator Values(Sources, Lib, Diags);
  LibraryTrees Trees(Sources, Lib);
  Files.add(File);
  Analyzer Analysis(Files, Values, Trees);
  Analysis.run();
  for (const AnalyzedJob &J : Analysis.jobs())
    if (J.Resolved) {
      estimateText(*J.Resolved, J.Verdict);
      estimateJson(*J.Resolved, "job");
    }
  auto Found = Diags.take();
  renderText(Found, Sources, {});
  renderJson(Found, Sources);
  return 0;
}
