// What holds of every tree that a reader of a foreign format makes.
#pragma once
#include "Basic/Source.h"
#include "Config/ConfigTree.h"
#include <cstdlib>

namespace parlance {

inline void checkConfigTree(const ConfigValue &V, size_t Size) {
  if (V.Range.Begin > V.Range.End || V.Range.End > Size || V.KeyRange.Begin > V.KeyRange.End || V.KeyRange.End > Size)
    std::abort();
  for (const ConfigValue &Item : V.Items)
    checkConfigTree(Item, Size);
}

/// Any bytes: a tree whose ranges lie inside the text, or exactly one error; never a crash.
template <typename Parser> void fuzzConfig(const char *Name, const uint8_t *Data, size_t Size, Parser Parse) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  const uint32_t File = Sources.add(Name, std::string(reinterpret_cast<const char *>(Data), Size));
  const auto Root = Parse(File, Sources.file(File).text(), Diags);
  if (Root)
    checkConfigTree(*Root, Size);
  if (Diags.errors() != (Root ? 0u : 1u))
    std::abort();
  for (const Diagnostic &D : Diags.take())
    if (D.Range.Begin > D.Range.End || D.Range.End > Size)
      std::abort();
}

} // namespace parlance
