#include "Server/Rename.h"
#include "Server/Uses.h"
#include "Syntax/Tokens.h"
#include <algorithm>

namespace parlance::server {

namespace {

llvm::Error refused(const std::string &Why) {
  return llvm::make_error<lsp::LSPError>(Why, lsp::ErrorCode::RequestFailed);
}

/// Why a name cannot be declared; empty where it can.
std::string faultOf(const std::string &Name, Snapshot &S) {
  bool Word = !Name.empty() && !(Name[0] >= '0' && Name[0] <= '9') && std::ranges::all_of(Name, [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_';
  });
  if (!Word)
    return fmt::format("`{}` is not a name: letters, digits and `_`, not beginning with a digit", validUtf8(Name));
  if (syntax::reservedWord(Name) != syntax::Tok::Name)
    return fmt::format("`{}` is a word of the language", Name);
  if (S.Run.Lib.Units.find(Name))
    return fmt::format("`{}` is the name of a unit", Name);
  if (lookup(*S.main(), S.Run.Lib, Name).Item)
    return fmt::format("`{}` is declared already", Name);
  return "";
}

bool canBeRenamed(const Occurrence &O) { return static_cast<bool>(declaration(O.What)); }

std::string whyNot(const Occurrence *O, const Snapshot &S) {
  if (O && S.Sources.isOutside(declaration(O->What).File))
    return "it is declared outside of the project, where nothing is changed";
  return O ? "only what a file declares can be renamed; this is the library's" : "there is no name here";
}

/// A file with a name in it, before and after.
struct RenamedFile {
  std::string Before;
  std::vector<uint32_t> Places; ///< where the name begins, in order
};

class Renaming {
public:
  Renaming(Document &D, const Occurrence &Name, const std::string &NewName, Workspace &W)
      : W(W), S(W.snapshot(D)), OldName(S.Sources.text(Name.Range)), NewName(NewName) {
    eachUse(D, S, Name, W, [&](const std::string &Path, Snapshot &In, const Occurrence &O) {
      RenamedFile &F = Files[Path];
      F.Before = In.Sources.file(O.Range.File).text();
      F.Places.push_back(O.Range.Begin);
      Edits.changes[W.uriOf(Path).uri().str()].push_back({In.range(O.Range), NewName});
    });
    for (const auto &[Path, F] : Files)
      After[Path] = applied(F);
  }

  /// What the new name would break in the files that have it or use them; empty: nothing.
  std::string fault();
  const lsp::WorkspaceEdit &edits() const { return Edits; }

private:
  std::string applied(const RenamedFile &F) const;
  uint32_t placeBefore(const std::string &Path, uint32_t Offset) const;
  bool dependsOnRenamed(const std::string &Path, Snapshot &In) const;
  bool isSame(const Occurrence &Old, Snapshot &InOld, const Occurrence &New, Snapshot &InNew) const;
  std::string where(Snapshot &In, SourceRange At) const;
  std::string newError(Snapshot &Old, Snapshot &New) const;
  std::string otherMeaning(Snapshot &Old, Snapshot &New) const;
  std::string faultIn(Snapshot &Old, Snapshot &New) const;

  Workspace &W;
  Snapshot &S;
  std::string OldName, NewName;
  std::map<std::string, RenamedFile> Files; ///< by what they are known by
  lsp::WorkspaceEdit Edits;
  FileTexts After;
};

std::string Renaming::applied(const RenamedFile &F) const {
  std::string Text;
  size_t At = 0;
  for (uint32_t Place : F.Places) {
    Text += F.Before.substr(At, Place - At) + NewName;
    At = Place + OldName.size();
  }
  return Text + F.Before.substr(At);
}

/// Where a place of the renamed text was before.
uint32_t Renaming::placeBefore(const std::string &Path, uint32_t Offset) const {
  auto It = Files.find(Path);
  if (It == Files.end())
    return Offset;
  size_t Result = Offset;
  for (uint32_t Place : It->second.Places)
    if (Place < Result)
      Result += OldName.size() - NewName.size(); // unsigned numbers wrap, and back again
  return static_cast<uint32_t>(Result);
}

bool Renaming::isSame(const Occurrence &Old, Snapshot &InOld, const Occurrence &New, Snapshot &InNew) const {
  SourceRange A = declaration(Old.What), B = declaration(New.What);
  if (!A || !B)
    return sameSymbol(Old.What, InOld, New.What, InNew);
  std::string Path = InNew.pathOf(B.File);
  return Old.What.K == New.What.K && InOld.pathOf(A.File) == Path && A.Begin == placeBefore(Path, B.Begin);
}

/// "line 4", with the file when it is not the document.
std::string Renaming::where(Snapshot &In, SourceRange At) const {
  std::string Path = In.pathOf(At.File), Line = fmt::format("line {}", In.Sources.begin(At).Line);
  return Path == S.pathOf(S.file()) ? Line : fmt::format("{} of {}", Line, Path.substr(Path.rfind('/') + 1));
}

/// An error that was not there before. Places and names change: errors are counted by code.
std::string Renaming::newError(Snapshot &Old, Snapshot &New) const {
  std::map<std::string_view, int> Left;
  for (const Diagnostic &D : Old.found())
    Left[D.Code] += D.Level == Severity::Error;
  for (const Diagnostic &D : New.found())
    if (D.Level == Severity::Error && --Left[D.Code] < 0)
      return fmt::format("the name `{}` brings an error{}: {} ({})", NewName,
                         D.Range ? " in " + where(New, D.Range) : "", D.Message, D.Code);
  return "";
}

/// A name that stands for something else than before.
std::string Renaming::otherMeaning(Snapshot &Old, Snapshot &New) const {
  std::vector<Occurrence> Before = occurrences(Old, *Old.main()), Now = occurrences(New, *New.main());
  std::string Path = New.pathOf(New.file());
  for (size_t I = 0; I < Now.size(); ++I)
    if (I >= Before.size() || placeBefore(Path, Now[I].Range.Begin) != Before[I].Range.Begin ||
        !isSame(Before[I], Old, Now[I], New))
      return fmt::format("with the name `{}`, `{}` in {} would stand for something else", NewName,
                         New.Sources.text(Now[I].Range), where(New, Now[I].Range));
  return Now.size() == Before.size()
             ? ""
             : fmt::format("with the name `{}`, `{}` in {} would stand for nothing", NewName,
                           Old.Sources.text(Before[Now.size()].Range), where(Old, Before[Now.size()].Range));
}

std::string Renaming::faultIn(Snapshot &Old, Snapshot &New) const {
  if (!Old.main() || !New.main())
    return "";
  std::string Fault = newError(Old, New);
  return Fault.empty() ? otherMeaning(Old, New) : Fault;
}

bool Renaming::dependsOnRenamed(const std::string &Path, Snapshot &In) const {
  return Files.contains(Path) || std::ranges::any_of(Files, [&](const auto &File) { return In.dependsOn(File.first); });
}

std::string Renaming::fault() {
  for (Document *D : W.documents())
    if (Snapshot &Old = W.snapshot(*D); dependsOnRenamed(D->Key, Old))
      if (std::string Fault = faultIn(Old, *W.tryOut(*D, After)); !Fault.empty())
        return Fault;
  for (const std::string &Path : W.otherFiles()) {
    if (!Files.contains(Path) && !holdsWord(Path, NewName))
      continue;
    std::unique_ptr<Snapshot> Old = W.peek(Path);
    if (!dependsOnRenamed(Path, *Old))
      continue;
    if (std::string Fault = faultIn(*Old, *W.peek(Path, After)); !Fault.empty())
      return Fault;
  }
  return "";
}

} // namespace

llvm::Expected<json::Value> prepareRename(Document &D, lsp::Position At, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  NameAt F = nameAt(S, At);
  if (!F.Here || !canBeRenamed(*F.Here) || S.Sources.isOutside(declaration(F.Here->What).File))
    return refused(whyNot(F.Here, S));
  return json::Object{{"range", S.range(F.Here->Range)}, {"placeholder", text(S.Sources.text(F.Here->Range))}};
}

llvm::Expected<json::Value> rename(Document &D, lsp::Position At, const std::string &NewName, Workspace &W) {
  Snapshot &S = W.snapshot(D);
  NameAt F = nameAt(S, At);
  if (!F.Here || !canBeRenamed(*F.Here) || S.Sources.isOutside(declaration(F.Here->What).File))
    return refused(whyNot(F.Here, S));
  if (S.Sources.text(F.Here->Range) == NewName)
    return lsp::WorkspaceEdit();
  if (std::string Fault = faultOf(NewName, S); !Fault.empty())
    return refused(Fault);
  Renaming R(D, *F.Here, NewName, W);
  if (std::string Fault = R.fault(); !Fault.empty())
    return refused(Fault);
  return R.edits();
}

} // namespace parlance::server
