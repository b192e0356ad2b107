#include "OutputFiles.h"
#include "Commands.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace parlance {

namespace fs = std::filesystem;

static bool failed(const fs::path &Path, const std::string &Why) {
  fmt::print(stderr, "parlance: error: cannot write `{}`: {}\n", Path.string(), Why);
  return false;
}

static bool put(const fs::path &Path, const std::string &Text, std::string &Why) {
  std::FILE *File = std::fopen(Path.c_str(), "wb");
  bool Good = File && std::fwrite(Text.data(), 1, Text.size(), File) == Text.size();
  if (File)
    Good = std::fclose(File) == 0 && Good;
  if (!Good)
    Why = std::generic_category().message(errno);
  return Good;
}

bool writeFile(const std::string &Name, const std::string &Text) {
  std::string Why;
  std::error_code Error;
  // A link stays one, and a file keeps its permissions.
  fs::path Path(Name);
  if (fs::is_symlink(Path, Error))
    if (fs::path Target = fs::canonical(Path, Error); !Error)
      Path = Target;
  fs::path Temporary(Path.string() + ".new");
  if (fs::is_directory(Path, Error))
    return failed(Path, "is a directory");
  if (!put(Temporary, Text, Why)) {
    fs::remove(Temporary, Error);
    return failed(Path, Why);
  }
  if (fs::file_status Old = fs::status(Path, Error); fs::exists(Old))
    fs::permissions(Temporary, Old.permissions(), Error);
  fs::rename(Temporary, Path, Error);
  if (!Error)
    return true;
  std::error_code Ignored;
  fs::remove(Temporary, Ignored);
  return failed(Path, Error.message());
}

/// The byte order mark of a file, which no reader hands on.
static std::string markOf(const fs::path &Path) {
  std::string Mark(3, '\0');
  std::FILE *File = std::fopen(Path.c_str(), "rb");
  size_t Read = File ? std::fread(Mark.data(), 1, Mark.size(), File) : 0;
  if (File)
    std::fclose(File);
  return Read == Mark.size() && Mark == "\xEF\xBB\xBF" ? Mark : std::string();
}

bool rewriteFiles(const std::map<std::string, std::string> &Texts) {
  std::vector<std::pair<fs::path, fs::path>> Moves; // temporary and final
  std::error_code Error;
  bool Good = true;
  for (const auto &[Name, Text] : Texts) {
    fs::path Final = fs::canonical(Name, Error);
    fs::perms Rights = Error ? fs::perms::none : fs::status(Final, Error).permissions();
    constexpr auto Write =
        fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
    std::string Why = Error ? Error.message() : "it is read-only";
    fs::path &Temporary = Moves.emplace_back(Final.string() + ".new", Final).first;
    Good =
        !Error && (Rights & Write) != fs::perms::none && put(Temporary, markOf(Final) + Text, Why);
    if (Good)
      fs::permissions(Temporary, Rights, Error);
    if (!Good) {
      failed(Name, Why);
      break;
    }
  }
  for (const auto &[Temporary, Final] : Moves)
    if (Good) {
      fs::rename(Temporary, Final, Error);
      if (Error)
        Good = failed(Final, Error.message());
    }
  for (const auto &[Temporary, Final] : Moves)
    fs::remove(Temporary, Error);
  return Good;
}

bool writeFiles(const std::string &Folder, const std::vector<LoweredFile> &Files) {
  std::error_code Error;
  fs::path Final(Folder);
  fs::create_directories(Final, Error);
  if (Error || !fs::is_directory(Final))
    return failed(Final, Error ? Error.message() : "is no directory");
  std::string Pattern = (Final / ".parlance-XXXXXX").string();
  if (!mkdtemp(Pattern.data()))
    return failed(Final, std::generic_category().message(errno));
  fs::path Temporary(Pattern);
  bool Good = true;
  for (const LoweredFile &F : Files) {
    std::string Why;
    if (!put(Temporary / F.Name, F.Text, Why)) {
      Good = failed(Final / F.Name, Why);
      break;
    }
    if (F.Executable)
      fs::permissions(Temporary / F.Name,
                      fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, Error);
  }
  for (const LoweredFile &F : Files)
    if (Good) {
      fs::rename(Temporary / F.Name, Final / F.Name, Error);
      if (Error)
        Good = failed(Final / F.Name, Error.message());
    }
  fs::remove_all(Temporary, Error);
  std::string Written;
  for (const LoweredFile &F : Files)
    Written += (Final / F.Name).string() + "\n";
  return Good && writeOut(Written);
}

} // namespace parlance
