// Any bytes as JSON: a tree whose ranges nest and lie inside the text, or exactly one error; never a crash.
#include "Basic/Source.h"
#include "Config/Json.h"
#include <cstdlib>

using namespace parlance;

static void check(const ConfigValue &V, SourceRange Around, size_t Size) {
  if (V.Range.Begin >= V.Range.End || V.Range.End > Size || V.Range.Begin < Around.Begin || V.Range.End > Around.End)
    std::abort();
  if (V.KeyRange && (V.KeyRange.Begin < Around.Begin || V.KeyRange.End >= V.Range.Begin))
    std::abort();
  for (const ConfigValue &Item : V.Items)
    check(Item, V.Range, Size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  const uint32_t File = Sources.add("fuzz.json", std::string(reinterpret_cast<const char *>(Data), Size));
  const auto Root = parseJson(File, Sources.file(File).text(), Diags);
  if (Root)
    check(*Root, {File, 0, static_cast<uint32_t>(Size)}, Size);
  if (Diags.errors() != (Root ? 0u : 1u))
    std::abort();
  for (const Diagnostic &D : Diags.take())
    if (D.Range.Begin > D.Range.End || D.Range.End > Size)
      std::abort();
  return 0;
}
