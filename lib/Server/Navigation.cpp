#include "Server/Navigation.h"
#include "Server/Uses.h"

namespace parlance::server {

using namespace ast;

namespace {

std::optional<LibraryPlace> libraryPlace(const Symbol &What, const Library &Lib) {
  switch (What.K) {
  case Symbol::Kind::Function:
    return placeIn(Lib.Functions[What.Index].Source, Lib.Functions[What.Index].Name);
  case Symbol::Kind::Derive:
    return placeIn(Lib.Derives[What.Index].Source, Lib.Derives[What.Index].Name);
  case Symbol::Kind::LibraryRecord:
    return placeIn(Lib.Records[What.Index].Source, Lib.Records[What.Index].Name);
  case Symbol::Kind::Field:
    return placeOfField(*What.Schema, What.Schema->Fields[What.Index].Name);
  case Symbol::Kind::Schema:
    return placeOfField(*What.Schema, "");
  case Symbol::Kind::Unit:
    return placeOfUnit(What.Name);
  case Symbol::Kind::LibraryModule:
    return placeOfModule(What.Name);
  default:
    return std::nullopt;
  }
}

} // namespace

json::Value definition(Document &D, lsp::Position At, Workspace &W, LibraryFolder &Library) {
  Snapshot &S = W.snapshot(D);
  NameAt F = nameAt(S, At);
  if (!F.Here)
    return nullptr;
  const Symbol &What = F.Here->What;
  if (SourceRange Range = declaration(What)) {
    std::string Path = S.pathOf(Range.File);
    return Path.empty() ? json::Value(nullptr) : location(W.uriOf(Path), S.range(Range));
  }
  if (What.K == Symbol::Kind::File)
    return location(W.uriOf(SourceManager::realPath(std::string(What.Name))), lsp::Range());
  auto Place = libraryPlace(What, S.Run.Lib);
  if (!Place)
    return nullptr;
  std::string Path = Library.file(Place->File);
  if (Path.empty())
    return nullptr;
  return location(W.uriOf(Path), LineTable(Place->Text).range(Place->Begin, Place->End));
}

json::Value references(Document &D, lsp::Position At, bool WithDeclaration, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  NameAt F = nameAt(S, At);
  if (!F.Here)
    return nullptr;
  json::Array Result;
  eachUse(D, S, *F.Here, W, [&](const std::string &Path, Snapshot &In, const Occurrence &O) {
    if (WithDeclaration || !O.Declares)
      Result.push_back(location(W.uriOf(Path), In.range(O.Range)));
  });
  return Result;
}

json::Value highlights(Document &D, lsp::Position At, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  NameAt F = nameAt(S, At);
  if (!F.Here)
    return nullptr;
  constexpr int Read = 2, Write = 3;
  json::Array Result;
  for (const Occurrence &O : F.All)
    if (sameSymbol(F.Here->What, S, O.What, S))
      Result.push_back(json::Object{{"range", S.range(O.Range)}, {"kind", O.Declares ? Write : Read}});
  return Result;
}

} // namespace parlance::server
