// Any bytes may be parsed: no crash, no exception, and the tokens are the text.
#include "Syntax/Dump.h"
#include "Syntax/Parser.h"
#include <cstdlib>

using namespace parlance;

static UnitName unitNamed(std::string_view Name) {
  UnitName U{};
  U.Name = Name;
  return U;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const UnitName Names[] = {unitNamed("B"), unitNamed("GB"), unitNamed("gpu"), unitNamed("s"), unitNamed("tok")};
  static const UnitTable Units(Names, {});
  SourceManager Sources;
  uint32_t File = Sources.add("fuzz.parl", std::string(reinterpret_cast<const char *>(Data), Size));
  std::string_view Text = Sources.file(File).text();
  for (bool Library : {false, true}) {
    DiagnosticEngine Diags;
    std::unique_ptr<SyntaxTree> Tree = parse(Sources, File, Units, Diags, {Library});
    uint32_t At = 0;
    for (const Token &T : Tree->Tokens) {
      if (T.Begin < At || Text.substr(At, T.Begin - At).find_first_not_of(" \t\r\f\v") != std::string_view::npos)
        std::abort();
      At = T.End;
    }
    if (Text.substr(At).find_first_not_of(" \t\r\f\v") != std::string_view::npos)
      std::abort();
    dump(*Tree);
    parseExpression(*Tree, Sources, {File, 0, static_cast<uint32_t>(Size)}, Units, Diags);
  }
  return 0;
}
