#include "Server/Uses.h"

namespace parlance::server {

NameAt nameAt(Snapshot &S, lsp::Position At) {
  NameAt F;
  if (!S.main())
    return F;
  F.All = occurrences(S, *S.main());
  F.Here = occurrenceAt(F.All, S.lines(S.file()).offset(At));
  return F;
}

bool holdsWord(const std::string &Path, std::string_view Word) {
  SourceManager Disk;
  SourceManager::ReadError Error;
  auto File = Disk.open(Path, Error);
  return File && Disk.file(*File).text().find(Word) != std::string_view::npos;
}

void eachUse(Document &D, Snapshot &S, const Occurrence &Name, Workspace &W, const UseVisitor &Visit) {
  const Symbol &What = Name.What;
  std::set<std::string> Seen;
  auto Search = [&](Snapshot &In) {
    if (!In.main())
      return;
    for (const auto &M : In.Run.Files.modules()) {
      std::string Path = In.pathOf(M->Tree->File);
      if (Path.empty() || In.Sources.isOutside(M->Tree->File) || !Seen.insert(Path).second)
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
  // Of a dotted name the last word: there may be blanks around the dots.
  std::string_view Word = S.Sources.text(Name.Range);
  Word.remove_prefix(Word.find_last_of(". \t") + 1);
  for (const std::string &Path : W.otherFiles()) {
    if (Seen.contains(Path) || !holdsWord(Path, Word))
      continue;
    std::unique_ptr<Snapshot> Other = W.peek(Path);
    if (!Declared || Other->dependsOn(Home))
      Search(*Other);
  }
}

} // namespace parlance::server
