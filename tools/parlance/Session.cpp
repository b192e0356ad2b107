#include "Session.h"
#include "Basic/Diagnostics.h"
#include "std/Std.h"

namespace parlance {

Session::Session(SourceManager &Sources, DiagnosticEngine &Diags)
    : Sources(Sources), Diags(Diags), Lib(standardLibrary()), Files(Sources, Lib, Diags),
      HuggingFace(Sources, Diags), Values(Sources, Lib, Diags, std::ref(HuggingFace)),
      Trees(Sources, Lib), Analysis(Files, Values, Trees) {}

bool Session::load(const std::string &Path) {
  SourceManager::ReadError Error;
  auto File = Sources.open(Path, Error);
  if (!File) {
    Diags.report(diag::Unreadable, {}, Path, Error.Reason);
    return false;
  }
  Main = &Files.add(*File);
  return true;
}

void Session::analyze() { Analysis.run(); }

} // namespace parlance
