// Any bytes as a script: read within a second, with ranges inside the text; never a crash.
#include "Frameworks/Shell/Launch.h"
#include <chrono>
#include <cstdlib>

using namespace parlance;
using namespace parlance::shell;

static void check(SourceRange R, size_t Size) {
  if (R && (R.Begin > R.End || R.End > Size))
    std::abort();
}

static void check(const ShellWord &W, size_t Size) {
  check(W.value(), Size);
  check(W.Written, Size);
  for (const Piece &P : W.Text.pieces()) {
    check(P.Range, Size);
    if (P.Verbatim && P.Text.size() != P.Range.End - P.Range.Begin)
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  const uint32_t File = Sources.add("fuzz.sh", std::string(reinterpret_cast<const char *>(Data), Size));
  const auto Begin = std::chrono::steady_clock::now();
  const ShellScript Script = readShell(File, Sources.file(File).text(), {{"X", "8"}}, Diags);
  // With the sanitizers; without them it is a fraction of a second.
  if (std::chrono::steady_clock::now() - Begin > std::chrono::seconds(8))
    std::abort();
  for (const ShellCommand &C : Script.Commands)
    for (const ShellWord &W : C.Words)
      check(W, Size);
  for (const ShellFile &F : Script.Files)
    check(F.Body.range(), Size);
  for (const ShellSymbol &S : Script.Symbols)
    check(S.Use, Size);
  for (const TrainingCommand &T : findTraining(Script))
    check(T.Program, Size);
  for (const Diagnostic &D : Diags.take())
    check(D.Range, Size);
  return 0;
}
