#include "Server/Navigation.h"
#include "Syntax/Tokens.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

namespace {

/// The name at a position, with what it was found in.
struct Found {
  std::vector<Occurrence> All;
  const Occurrence *Here = nullptr;
};

Found nameAt(Snapshot &S, lsp::Position At) {
  Found F;
  if (!S.main())
    return F;
  F.All = occurrences(S, *S.main());
  F.Here = occurrenceAt(F.All, S.lines(S.file()).offset(At));
  return F;
}

json::Value location(const lsp::URIForFile &Uri, lsp::Range Range) {
  if (!Uri)
    return nullptr;
  return json::Object{{"uri", text(Uri.uri())}, {"range", Range}};
}

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

/// A place in a file of the Snapshot, by the file's real path.
using Visitor = std::function<void(const std::string &Path, Snapshot &S, const Occurrence &O)>;

/// Every use of a symbol: in the document, in open documents, and in files of the workspace that
/// know its declaration. A file is visited once, in whatever snapshot it is met first.
void eachUse(Document &D, Snapshot &S, const Symbol &What, Workspace &W, const Visitor &Visit) {
  std::set<std::string> Seen;
  auto Search = [&](Snapshot &In) {
    if (!In.main())
      return;
    for (const auto &M : In.Run.Files.modules()) {
      std::string Path = In.pathOf(M->Tree->File);
      if (Path.empty() || !Seen.insert(Path).second)
        continue;
      for (const Occurrence &O : occurrences(In, *M))
        if (sameSymbol(What, S, O.What, In))
          Visit(Path, In, O);
    }
  };
  Search(S);
  if (What.K == Symbol::Kind::Parameter || What.K == Symbol::Kind::Variable)
    return; // nothing outside of its function can name it
  for (Document *Other : W.documents())
    if (Other != &D)
      Search(W.snapshot(*Other));
  SourceRange Declared = declaration(What);
  std::string Home = Declared ? S.pathOf(Declared.File) : "";
  std::string Word(Declared ? S.Sources.text(Declared) : "");
  if (Home.empty())
    return; // of the library: files that are not open are not searched
  for (const std::string &Path : W.otherFiles()) {
    if (Seen.contains(Path))
      continue;
    SourceManager Disk;
    SourceManager::ReadError Error;
    auto File = Disk.open(Path, Error);
    if (!File || Disk.file(*File).text().find(Word) == std::string_view::npos)
      continue;
    if (std::unique_ptr<Snapshot> Other = W.peek(Path); Other->dependsOn(Home))
      Search(*Other);
  }
}

llvm::Error refused(const std::string &Why) {
  return llvm::make_error<lsp::LSPError>(Why, lsp::ErrorCode::RequestFailed);
}

/// Why a name cannot be declared; empty where it can.
std::string faultOf(const std::string &Name, Snapshot &S, const Workspace &) {
  bool Word =
      !Name.empty() && !(Name[0] >= '0' && Name[0] <= '9') && std::ranges::all_of(Name, [](char C) {
        return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') ||
               C == '_';
      });
  if (!Word)
    return fmt::format("`{}` is no name: letters, digits and `_`, not beginning with a digit",
                       validUtf8(Name));
  if (syntax::reservedWord(Name) != syntax::Tok::Name)
    return fmt::format("`{}` is a word of the language", Name);
  if (S.Run.Lib.Units.find(Name))
    return fmt::format("`{}` is the name of a unit", Name);
  if (lookup(*S.main(), S.Run.Lib, Name).Item)
    return fmt::format("`{}` is declared already", Name);
  return "";
}

bool canBeRenamed(const Occurrence &O) { return static_cast<bool>(declaration(O.What)); }

std::string whyNot(const Occurrence *O) {
  return O ? "only what a file declares can be renamed; this is the library's"
           : "there is no name here";
}

} // namespace

json::Value definition(Document &D, lsp::Position At, Workspace &W, LibraryFolder &Library) {
  Snapshot &S = W.snapshot(D);
  Found F = nameAt(S, At);
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
  std::string Path = Place ? Library.file(Place->File) : "";
  if (Path.empty())
    return nullptr;
  return location(W.uriOf(Path), LineTable(Place->Text).range(Place->Begin, Place->End));
}

json::Value references(Document &D, lsp::Position At, bool WithDeclaration, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  Found F = nameAt(S, At);
  if (!F.Here)
    return nullptr;
  json::Array Result;
  eachUse(D, S, F.Here->What, W, [&](const std::string &Path, Snapshot &In, const Occurrence &O) {
    if (WithDeclaration || !O.Declares)
      Result.push_back(location(W.uriOf(Path), In.range(O.Range)));
  });
  return Result;
}

json::Value highlights(Document &D, lsp::Position At, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  Found F = nameAt(S, At);
  if (!F.Here)
    return nullptr;
  constexpr int Read = 2, Write = 3;
  json::Array Result;
  for (const Occurrence &O : F.All)
    if (sameSymbol(F.Here->What, S, O.What, S))
      Result.push_back(
          json::Object{{"range", S.range(O.Range)}, {"kind", O.Declares ? Write : Read}});
  return Result;
}

llvm::Expected<json::Value> prepareRename(Document &D, lsp::Position At, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  Found F = nameAt(S, At);
  if (!F.Here || !canBeRenamed(*F.Here))
    return refused(whyNot(F.Here));
  return json::Object{{"range", S.range(F.Here->Range)},
                      {"placeholder", text(S.Sources.text(F.Here->Range))}};
}

llvm::Expected<json::Value> rename(Document &D, lsp::Position At, const std::string &NewName,
                                   Workspace &W) {
  Snapshot &S = W.snapshot(D);
  Found F = nameAt(S, At);
  if (!F.Here || !canBeRenamed(*F.Here))
    return refused(whyNot(F.Here));
  if (S.Sources.text(F.Here->Range) == NewName)
    return json::Object{{"changes", json::Object{}}};
  if (std::string Fault = faultOf(NewName, S, W); !Fault.empty())
    return refused(Fault);
  std::map<std::string, json::Array> Edits;
  eachUse(D, S, F.Here->What, W, [&](const std::string &Path, Snapshot &In, const Occurrence &O) {
    Edits[W.uriOf(Path).uri().str()].push_back(
        json::Object{{"range", In.range(O.Range)}, {"newText", NewName}});
  });
  json::Object Changes;
  for (auto &[Uri, List] : Edits)
    Changes[Uri] = std::move(List);
  return json::Object{{"changes", std::move(Changes)}};
}

} // namespace parlance::server
