#include "Server/Formatting.h"
#include "Syntax/Format.h"

namespace parlance::server {

json::Value formatting(Snapshot &S, std::optional<lsp::Range> In) {
  if (!S.main())
    return nullptr;
  SourceRange Range;
  if (In) {
    const LineTable &Lines = S.lines(S.file());
    Range = {S.file(), Lines.offset(In->start), Lines.offset(In->end)};
  }
  DiagnosticEngine Known; // what stands in the way is among the document's diagnostics
  auto Edits = formatEdits(S.Sources, S.file(), S.Run.Lib.Units, Known, Range);
  if (!Edits)
    return nullptr;
  std::vector<lsp::TextEdit> Result;
  Result.reserve(Edits->size());
  for (const Edit &E : *Edits)
    Result.push_back({S.range(E.Range), validUtf8(E.NewText)});
  return Result;
}

} // namespace parlance::server
