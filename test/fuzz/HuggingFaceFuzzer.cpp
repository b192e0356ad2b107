// Any JSON as a model's config.json: a record whose parameters can be counted, or an error; never a crash.
#include "Eval/Evaluator.h"
#include "Frameworks/HuggingFace/Import.h"
#include "std/Std.h"
#include <cstdlib>

using namespace parlance;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  HuggingFaceImporter Importer(Sources, Diags);
  const uint32_t File = Sources.add("config.json", std::string(reinterpret_cast<const char *>(Data), Size));
  const Record *Model = Importer.read(*standardLibrary().schema("model"), File, "fuzz");
  if (Diags.errors() > 0 ? Model != nullptr : Model == nullptr)
    std::abort();
  if (Model) {
    Evaluator Values(Sources, standardLibrary(), Diags);
    functions::params_total(Values.complete(*Model));
  }
  for (const Diagnostic &D : Diags.take())
    if (D.Range.File != File || D.Range.Begin > D.Range.End || D.Range.End > Size)
      std::abort();
  return 0;
}
