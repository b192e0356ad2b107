#include "OutputFiles.h"
#include "Commands.h"
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <llvm/Support/xxhash.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace parlance {

namespace fs = std::filesystem;

static bool failed(const fs::path &Path, const std::string &Why) {
  fmt::print(stderr, "parlance: error: cannot write `{}`: {}\n", Path.string(), Why);
  return false;
}

static bool put(std::FILE *File, const std::string &Text, std::string &Why) {
  bool Good = File && std::fwrite(Text.data(), 1, Text.size(), File) == Text.size();
  if (File)
    Good = std::fclose(File) == 0 && Good;
  if (!Good)
    Why = std::generic_category().message(errno);
  return Good;
}

/// The permissions of a file, or those that a new one has.
static fs::perms rightsOf(const fs::path &Path) {
  std::error_code Error;
  if (fs::file_status Old = fs::status(Path, Error); fs::exists(Old))
    return Old.permissions();
  mode_t Mask = umask(0);
  umask(Mask);
  return static_cast<fs::perms>(0666 & ~Mask);
}

/// Writes a text beside its place, with the permissions of what is there. The name that it has until it is moved; none,
/// and why, where that fails.
static std::optional<fs::path> stage(const fs::path &Final, const std::string &Text, std::string &Why) {
  constexpr auto Write = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code Error;
  fs::perms Rights = rightsOf(Final);
  if (fs::is_directory(Final, Error))
    Why = "it is a directory";
  else if ((Rights & Write) == fs::perms::none)
    Why = "it is read-only";
  if (!Why.empty())
    return std::nullopt;
  std::string Name = Final.string() + ".XXXXXX";
  int File = mkstemp(Name.data());
  if (File < 0) {
    Why = std::generic_category().message(errno);
    return std::nullopt;
  }
  if (put(fdopen(File, "wb"), Text, Why)) {
    fs::permissions(Name, Rights, Error);
    return Name;
  }
  fs::remove(Name, Error);
  return std::nullopt;
}

bool writeFile(const std::string &Name, const std::string &Text) {
  std::error_code Error;
  fs::path Path(Name);
  if (fs::is_symlink(Path, Error)) // which stays one
    if (fs::path Target = fs::canonical(Path, Error); !Error)
      Path = Target;
  std::string Why;
  auto Temporary = stage(Path, Text, Why);
  if (!Temporary)
    return failed(Path, Why);
  fs::rename(*Temporary, Path, Error);
  if (!Error)
    return true;
  std::error_code Ignored;
  fs::remove(*Temporary, Ignored);
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
    std::string Why = Error ? Error.message() : "";
    auto Temporary = Error ? std::nullopt : stage(Final, markOf(Final) + Text, Why);
    if (!Temporary) {
      Good = failed(Name, Why);
      break;
    }
    Moves.emplace_back(*Temporary, Final);
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

//===----------------------------------------------------------------------===//
// A folder of files
//===----------------------------------------------------------------------===//

namespace {

/// What was written into a folder: a line per file with the hash of its text and its name.
class WrittenFiles {
public:
  explicit WrittenFiles(const fs::path &Folder) : List(Folder / ".parlance-files") {
    std::ifstream In(List);
    std::string Hash, Name;
    while (In >> Hash && std::getline(In >> std::ws, Name))
      Hashes[Name] = Hash;
  }
  /// Whether a text is what was written under a name.
  bool isOurs(const std::string &Name, const std::string &Text) const {
    auto It = Hashes.find(Name);
    return It != Hashes.end() && It->second == hashOf(Text);
  }
  void add(const LoweredFile &F) { Hashes[F.Name] = hashOf(F.Text); }
  bool save() const {
    std::string Text;
    for (const auto &[Name, Hash] : Hashes)
      Text += Hash + " " + Name + "\n";
    return writeFile(List.string(), Text);
  }
  const fs::path List;

private:
  static std::string hashOf(const std::string &Text) { return fmt::format("{:016x}", llvm::xxh3_64bits(Text)); }
  std::map<std::string, std::string> Hashes;
};

} // namespace

static std::string textOf(const fs::path &Path) {
  std::ifstream In(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

/// Why a file may not be written; empty where it may.
static std::string obstacle(const fs::path &Folder, const LoweredFile &F, const WrittenFiles &Before, bool Force) {
  std::error_code Error;
  const fs::path Name(F.Name);
  if (Name.is_absolute() || Name != Name.filename() || Name == "..")
    return "its name leads out of the folder";
  const fs::path Final = Folder / Name;
  if (fs::is_symlink(Final, Error))
    return "a link is in its place";
  if (!fs::exists(Final, Error) || Force)
    return "";
  const std::string Text = textOf(Final);
  return Text == F.Text || Before.isOurs(F.Name, Text)
             ? ""
             : "it was not written by parlance, or changed since; `--force` replaces it";
}

/// Into a temporary folder first, then each into its place.
static bool putAll(const fs::path &Final, const fs::path &Temporary, const std::vector<LoweredFile> &Files) {
  std::error_code Error;
  for (const LoweredFile &F : Files) {
    std::string Why;
    if (!put(std::fopen((Temporary / F.Name).c_str(), "wb"), F.Text, Why))
      return failed(Final / F.Name, Why);
    if (F.Executable)
      fs::permissions(Temporary / F.Name, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add, Error);
  }
  for (const LoweredFile &F : Files) {
    fs::rename(Temporary / F.Name, Final / F.Name, Error);
    if (Error)
      return failed(Final / F.Name, Error.message());
  }
  return true;
}

bool writeFiles(const std::string &Folder, const std::vector<LoweredFile> &Files, bool Force) {
  std::error_code Error;
  fs::path Final(Folder);
  fs::create_directories(Final, Error);
  if (Error || !fs::is_directory(Final))
    return failed(Final, Error ? Error.message() : "is not a directory");
  WrittenFiles Written(Final);
  if (fs::is_symlink(Written.List, Error))
    return failed(Written.List, "a link is in its place");
  for (const LoweredFile &F : Files) {
    if (std::string Why = obstacle(Final, F, Written, Force); !Why.empty())
      return failed(Final / F.Name, Why);
    Written.add(F);
  }
  std::string Pattern = (Final / ".parlance-XXXXXX").string();
  if (!mkdtemp(Pattern.data()))
    return failed(Final, std::generic_category().message(errno));
  const bool Good = putAll(Final, Pattern, Files);
  fs::remove_all(Pattern, Error);
  std::string Paths;
  for (const LoweredFile &F : Files)
    Paths += (Final / F.Name).string() + "\n";
  return Good && Written.save() && writeOut(Paths);
}

} // namespace parlance
