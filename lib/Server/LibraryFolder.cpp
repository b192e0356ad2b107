#include "Server/LibraryFolder.h"
#include "Report/Pages.h"
#include "std/StdSources.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace parlance::server {

namespace fs = std::filesystem;

static std::string cacheFolder() {
  for (auto [Variable, Below] : {std::pair{"XDG_CACHE_HOME", ""}, std::pair{"HOME", "/.cache"}})
    if (const char *Folder = std::getenv(Variable); Folder && *Folder == '/')
      return std::string(Folder) + Below;
  return "/tmp";
}

LibraryFolder::LibraryFolder(std::string_view Version)
    : Root(fmt::format("{}/parlance/{}", SourceManager::realPath(cacheFolder()), Version)) {}

/// Writes a read-only file next to its place and renames it: two servers may do so at once.
static bool put(const std::string &Path, std::string_view Text) {
  std::error_code Error;
  fs::create_directories(fs::path(Path).parent_path(), Error);
  std::string Temporary = fmt::format("{}.{}", Path, getpid());
  std::ofstream Out(Temporary, std::ios::binary);
  Out << Text;
  Out.close();
  bool Good = Out.good();
  if (Good) {
    fs::permissions(Temporary, fs::perms::owner_read | fs::perms::group_read, Error);
    fs::rename(Temporary, Path, Error);
    Good = !Error;
  }
  if (!Good)
    fs::remove(Temporary, Error);
  return Good;
}

std::string LibraryFolder::write(const std::string &Name, std::string_view Text) {
  std::string Path = Root + "/" + Name;
  if (Written.contains(Name))
    return Path;
  std::error_code Error;
  if (auto Size = fs::file_size(Path, Error); (Error || Size != Text.size()) && !put(Path, Text))
    return "";
  Written.insert(Name);
  return Path;
}

std::string LibraryFolder::result(const std::string &Name, std::string_view Text) {
  std::string Path = Root + "/results/" + Name;
  return put(Path, Text) ? Path : "";
}

std::string LibraryFolder::file(std::string_view Name) {
  for (const LibraryFile &F : standardSources())
    if (F.Name == Name)
      return write(std::string(Name), F.Text);
  return "";
}

std::string LibraryFolder::page(std::string_view Code, const Library &Lib) {
  std::string Name = fmt::format("rules/{}.md", Code);
  if (Written.contains(Name))
    return Root + "/" + Name;
  auto Page = explanationPage(Lib, Code);
  return Page ? write(Name, "# " + *Page) : "";
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool isWordChar(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_';
}

/// The first occurrence of a whole word from an offset on.
static size_t findWord(std::string_view Text, std::string_view Word, size_t From) {
  for (size_t At = Text.find(Word, From); At != std::string_view::npos; At = Text.find(Word, At + 1))
    if ((At == 0 || !isWordChar(Text[At - 1])) &&
        (At + Word.size() == Text.size() || !isWordChar(Text[At + Word.size()])))
      return At;
  return std::string_view::npos;
}

static LibraryPlace placeAt(const LibraryFile &F, size_t Begin, size_t Size) {
  return {F.Name, F.Text, static_cast<uint32_t>(Begin), static_cast<uint32_t>(Begin + Size)};
}

std::optional<LibraryPlace> placeIn(const LibrarySource &Source, std::string_view Name) {
  for (const LibraryFile &F : standardSources()) {
    if (F.Name != Source.File)
      continue;
    size_t At = F.Text.find(Source.Text);
    if (At == std::string_view::npos)
      return std::nullopt;
    size_t Word = findWord(F.Text, Name, At);
    return Word < At + Source.Text.size() ? placeAt(F, Word, Name.size()) : placeAt(F, At, 0);
  }
  return std::nullopt;
}

std::optional<LibraryPlace> placeOfField(const SchemaDecl &Schema, std::string_view Field) {
  std::string Head = fmt::format("schema {}", Schema.Name);
  for (const LibraryFile &F : standardSources())
    for (size_t At = findWord(F.Text, Head, 0); At != std::string_view::npos; At = findWord(F.Text, Head, At + 1)) {
      if (At && F.Text[At - 1] != '\n')
        continue;
      if (Field.empty())
        return placeAt(F, At + Head.size() - Schema.Name.size(), Schema.Name.size());
      size_t End = std::min(F.Text.find("\n}", At), F.Text.size());
      for (size_t Line = F.Text.find('\n', At); Line < End; Line = F.Text.find('\n', Line + 1)) {
        size_t Begin = F.Text.find_first_not_of(" \n", Line);
        if (Begin < End && F.Text.substr(Begin).starts_with(Field) && F.Text[Begin + Field.size()] == ':')
          return placeAt(F, Begin, Field.size());
      }
    }
  return std::nullopt;
}

std::optional<LibraryPlace> placeOfUnit(std::string_view Spelling) {
  for (const LibraryFile &F : standardSources()) {
    if (F.Name != "std/units.parl")
      continue;
    // A spelling with a prefix (GiB) is declared by its unit (B), the longest ending of it.
    for (; !Spelling.empty(); Spelling.remove_prefix(1))
      for (size_t At = findWord(F.Text, Spelling, 0); At != std::string_view::npos;
           At = findWord(F.Text, Spelling, At + 1)) {
        size_t Line = F.Text.rfind('\n', At) + 1;
        if (F.Text.substr(Line).starts_with("unit "))
          return placeAt(F, At, Spelling.size());
      }
  }
  return std::nullopt;
}

std::optional<LibraryPlace> placeOfModule(std::string_view Module) {
  for (const LibraryFile &F : standardSources())
    if (F.Name.starts_with(Module) && F.Name.substr(Module.size()) == ".parl")
      return placeAt(F, 0, 0);
  return std::nullopt;
}

} // namespace parlance::server
