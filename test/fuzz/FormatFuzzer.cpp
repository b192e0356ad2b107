// Formatting keeps every token and comment, and formatting twice is formatting once.
#include "../unit/Syntax/SameTokens.h"
#include "../unit/Syntax/SyntaxTestSupport.h"
#include "Syntax/Format.h"
#include <cstdio>
#include <cstdlib>

using namespace parlance;

static void hold(bool Condition, const char *What, const std::string &Text) {
  if (Condition)
    return;
  std::fprintf(stderr, "%s\n%s\n", What, Text.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const UnitTable &Units = testUnits();
  SourceManager Sources;
  DiagnosticEngine Diags;
  uint32_t File = Sources.add("fuzz.parl", std::string(reinterpret_cast<const char *>(Data), Size));
  auto Once = format(Sources, File, Units, Diags);
  if (!Once)
    return 0;
  uint32_t Formatted = Sources.add("once.parl", *Once);
  auto Twice = format(Sources, Formatted, Units, Diags);
  hold(Twice.has_value(), "it cannot be read any more", *Once);
  hold(*Twice == *Once, "the second time it changes again", *Once + "---\n" + *Twice);
  for (bool Library : {false, true})
    hold(tokensAndComments(Sources, File, Units, Library) == tokensAndComments(Sources, Formatted, Units, Library),
         "other tokens or comments", *Once);
  return 0;
}
