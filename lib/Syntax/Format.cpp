#include "Syntax/Format.h"
#include "Basic/Diagnostics.h"
#include "Basic/Diff.h"
#include "Syntax/Layout.h"
#include "Syntax/Parser.h"
#include <algorithm>

namespace parlance {

using namespace syntax;

/// Reads the file as a user's or, when it declares what only the library may, as the library's. Says as which one;
/// empty after an error.
static std::optional<bool> isLibrary(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                     DiagnosticEngine &Diags) {
  DiagnosticEngine Found;
  parse(Sources, File, Units, Found);
  std::vector<Diagnostic> All = Found.take();
  bool Library = std::ranges::any_of(All, [](const Diagnostic &D) { return D.Code == diag::LibraryOnly.Code; });
  if (Library) {
    DiagnosticEngine Again;
    parse(Sources, File, Units, Again, {true});
    All = Again.take();
  }
  if (std::ranges::none_of(All, [](const Diagnostic &D) { return D.Level == Severity::Error; }))
    return Library;
  for (Diagnostic &D : All)
    Diags.add(std::move(D));
  return std::nullopt;
}

std::optional<std::string> format(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                  DiagnosticEngine &Diags) {
  std::optional<bool> Library = isLibrary(Sources, File, Units, Diags);
  if (!Library)
    return std::nullopt;
  DiagnosticEngine Unused;
  TokenContext C{Sources.file(File).text(), File, Units, Unused, *Library, false, {}};
  tokenize(C, 0);
  checkTokens(C);
  Pieces P = takeApart(C);
  Widths W(P);
  breakLines(P, W);
  alignPieces(P, W);
  size_t Break = C.Text.find('\n');
  bool Carriage = Break != std::string_view::npos && Break > 0 && C.Text[Break - 1] == '\r';
  return layOut(P, Carriage ? "\r\n" : "\n");
}

std::optional<std::vector<Edit>> formatEdits(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                             DiagnosticEngine &Diags, SourceRange Range) {
  std::optional<std::string> New = format(Sources, File, Units, Diags);
  if (!New)
    return std::nullopt;
  std::vector<Edit> Edits = lineEdits(File, Sources.file(File).text(), *New);
  auto Outside = [&](const Edit &E) {
    bool Behind = Range.Begin == Range.End ? E.Range.Begin > Range.End : E.Range.Begin >= Range.End;
    return Behind || E.Range.End <= Range.Begin;
  };
  if (Range)
    std::erase_if(Edits, Outside);
  return Edits;
}

} // namespace parlance
