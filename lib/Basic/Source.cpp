#include "Basic/Source.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

using namespace parlance;

SourceFile::SourceFile(std::string Name, std::string Text) : Name(std::move(Name)), Text(std::move(Text)) {
  LineStarts.push_back(0);
  for (size_t I = this->Text.find('\n'); I != std::string::npos; I = this->Text.find('\n', I + 1))
    LineStarts.push_back(static_cast<uint32_t>(I + 1));
}

std::string_view SourceFile::line(uint32_t Line) const {
  if (Line == 0 || Line > LineStarts.size())
    return {};
  const uint32_t Begin = LineStarts[Line - 1];
  if (Line == LineStarts.size())
    return text().substr(Begin);
  std::string_view Content = text().substr(Begin, LineStarts[Line] - 1 - Begin);
  if (Content.ends_with('\r'))
    Content.remove_suffix(1);
  return Content;
}

LineColumn SourceFile::position(uint32_t Offset) const {
  Offset = std::min(Offset, static_cast<uint32_t>(Text.size()));
  const auto After = std::ranges::upper_bound(LineStarts, Offset);
  const auto Line = static_cast<uint32_t>(After - LineStarts.begin());
  const std::string_view Content = line(Line);
  size_t Length = std::min<size_t>(Offset - LineStarts[Line - 1], Content.size());
  // An offset inside a code point is the position of that code point.
  while (Length > 0 && Length < Content.size() && isContinuation(Content[Length]))
    --Length;
  return {Line, static_cast<uint32_t>(columns(Content.substr(0, Length)) + 1)};
}

std::optional<uint32_t> SourceFile::offset(LineColumn At) const {
  if (At.Line == 0 || At.Line > LineStarts.size())
    return std::nullopt;
  const std::string_view Content = line(At.Line);
  size_t I = 0;
  for (uint32_t Column = 1; Column < At.Column && I < Content.size(); ++Column) {
    ++I;
    while (I < Content.size() && isContinuation(Content[I]))
      ++I;
  }
  return static_cast<uint32_t>(LineStarts[At.Line - 1] + I);
}

namespace {

/// Closes a descriptor that was opened here.
struct Descriptor {
  int Number;
  bool Owned;
  ~Descriptor() {
    if (Owned && Number >= 0)
      ::close(Number);
  }
};

std::string sizeReason(uint64_t Bytes) {
  const double MB = static_cast<double>(Bytes) / 1e6;
  const std::string Size = MB < 100 ? fmt::format("{:.1f}", MB) : fmt::format("{:.0f}", MB);
  return fmt::format("is {} MB; files over {} MiB are refused", Size, SourceManager::MaxFileBytes >> 20);
}

std::string errorReason(int Error) {
  switch (Error) {
  case ENOENT:
  case ENOTDIR:
    return "no such file";
  case EISDIR:
    return "is a directory";
  case EACCES:
  case EPERM:
    return "permission denied";
  case ENXIO: // open() of a socket, or of a device that is not there
    return "is not a regular file";
  }
  std::string Reason = std::generic_category().message(Error);
  if (!Reason.empty() && Reason[0] >= 'A' && Reason[0] <= 'Z')
    Reason[0] = static_cast<char>(Reason[0] - 'A' + 'a');
  return "cannot be read: " + Reason;
}

/// Why a file of this kind is not read; empty when it may be.
std::string kindReason(const struct stat &Status, bool IsStandardInput) {
  if (S_ISDIR(Status.st_mode))
    return "is a directory";
  if (S_ISREG(Status.st_mode)) {
    const auto Size = static_cast<uint64_t>(Status.st_size);
    return Size > SourceManager::MaxFileBytes ? sizeReason(Size) : "";
  }
  if (IsStandardInput)
    return "";
  if (S_ISFIFO(Status.st_mode))
    return "is a pipe, not a regular file";
  return S_ISCHR(Status.st_mode) || S_ISBLK(Status.st_mode) ? "is a device, not a regular file"
                                                            : "is not a regular file";
}

/// Reads to the end whatever size was announced: the file may grow or shrink meanwhile, and /proc announces 0. Returns
/// why it failed, or nothing.
std::string readAll(int File, uint64_t Announced, std::string &Text) {
  constexpr size_t Limit = SourceManager::MaxFileBytes + 1;
  size_t Size = 0;
  Text.resize(std::min<uint64_t>(Announced + 1, Limit));
  while (true) {
    if (Size == Text.size())
      Text.resize(std::min(std::max<size_t>(Text.size() * 2, 1 << 16), Limit));
    const ssize_t Read = ::read(File, Text.data() + Size, Text.size() - Size);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read < 0)
      return errorReason(errno);
    if (Read == 0)
      break;
    Size += static_cast<size_t>(Read);
    if (Size == Limit)
      return fmt::format("is over {0} MiB; files over {0} MiB are refused", SourceManager::MaxFileBytes >> 20);
  }
  Text.resize(Size);
  return "";
}

/// Why the bytes are not source text, or nothing; drops a byte order mark.
std::string checkText(std::string &Text) {
  const std::string_view View = Text;
  if (View.starts_with("\xFF\xFE") || View.starts_with("\xFE\xFF"))
    return "is UTF-16; only UTF-8 is read";
  if (const size_t Nul = View.find('\0'); Nul != std::string_view::npos)
    return fmt::format("is a binary file (NUL byte at offset {})", Nul);
  if (View.starts_with("\xEF\xBB\xBF"))
    Text.erase(0, 3);
  const size_t Bad = firstInvalidUtf8(Text);
  if (Bad == std::string_view::npos)
    return "";
  const std::string_view Before = std::string_view(Text).substr(0, Bad);
  const size_t LineStart = Before.rfind('\n') + 1; // 0 when there is no line break
  return fmt::format("is not valid UTF-8 (line {}, column {})", std::count(Before.begin(), Before.end(), '\n') + 1,
                     columns(Before.substr(LineStart)) + 1);
}

std::string readSource(const std::string &Path, bool IsStandardInput, std::string &Text) {
  if (Path.find('\0') != std::string::npos)
    return "has a NUL byte in its name";
  // O_NONBLOCK: opening a pipe without a writer must not hang before it can be refused.
  const Descriptor File{IsStandardInput ? STDIN_FILENO
                                        : ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
                        !IsStandardInput};
  struct stat Status;
  if (File.Number < 0 || ::fstat(File.Number, &Status) != 0)
    return errorReason(errno);
  if (std::string Reason = kindReason(Status, IsStandardInput); !Reason.empty())
    return Reason;
  const uint64_t Announced = S_ISREG(Status.st_mode) ? static_cast<uint64_t>(Status.st_size) : 0;
  if (std::string Reason = readAll(File.Number, Announced, Text); !Reason.empty())
    return Reason;
  return checkText(Text);
}

} // namespace

std::string SourceManager::realPath(const std::string &Path) {
  const std::unique_ptr<char, decltype(&std::free)> Real(::realpath(Path.c_str(), nullptr), &std::free);
  return Real ? Real.get() : Path;
}

/// Where a file that is not there would be.
static std::string missingPath(const std::string &Path) {
  std::error_code Error;
  const auto Made = std::filesystem::weakly_canonical(std::filesystem::absolute(Path, Error), Error);
  return Error ? Path : Made.string();
}

/// What two spellings of one path have in common.
static std::string keyOf(const std::string &Path) {
  return Path == "-" || Path == "/dev/stdin" ? "-" : SourceManager::realPath(Path);
}

std::optional<uint32_t> SourceManager::read(const std::string &Path, const std::string &Key, ReadError &Error) {
  std::string Text;
  if (const std::string *Held = InMemory ? InMemory(Key) : nullptr) {
    Error.Reason = Held->size() > MaxFileBytes ? sizeReason(Held->size()) : "";
    if (Error.Reason.empty()) {
      Text = *Held;
      Error.Reason = checkText(Text);
    }
  } else {
    Error.Reason = readSource(Key == "-" ? Path : Key, Key == "-", Text);
  }
  if (!Error.Reason.empty()) {
    Missing.insert(missingPath(Path));
    return std::nullopt;
  }
  return openAs(Path, std::move(Text));
}

static constexpr std::string_view InGit = "is in a repository's own folder, which is never read";

std::optional<uint32_t> SourceManager::open(const std::string &Path, ReadError &Error) {
  const std::string Key = keyOf(Path);
  if (const auto Known = Opened.find(Key); Known != Opened.end())
    return Known->second;
  // The key of a file that is there is its real path.
  const auto Place = Access && Key != "-" && Key.starts_with('/') ? Access->placeOf(Key) : FileAccess::Place::Inside;
  if (Place == FileAccess::Place::Git)
    Error.Reason = InGit;
  else if (Place == FileAccess::Place::Outside)
    Error.Reason = fmt::format("is a link to `{}`, outside of {}; check that file itself, or give `--allow-outside`",
                               Key, Access->inside());
  else
    return read(Path, Key, Error);
  return std::nullopt;
}

/// Whether a name says that a file is a configuration.
static bool isConfiguration(const std::string &Path) {
  static constexpr std::string_view Endings[] = {".parl", ".json", ".hjson", ".toml", ".yaml", ".yml"};
  return std::ranges::any_of(Endings, [&](std::string_view Ending) { return Path.ends_with(Ending); });
}

std::optional<uint32_t> SourceManager::openNamed(const std::string &Path, SourceRange NamedAt, ReadError &Error) {
  const std::string Key = keyOf(Path);
  if (const auto Known = Opened.find(Key); Known != Opened.end())
    return Known->second;
  const auto Place = Access ? Access->placeOfNamed(missingPath(Key)) : FileAccess::Place::Inside;
  if (Place == FileAccess::Place::Git)
    Error.Reason = InGit;
  else if (Place == FileAccess::Place::Outside && Access->isStrict())
    Error.Reason =
        fmt::format("is outside of {}, and nothing outside is read here; give `--allow-outside`", Access->inside());
  else if (Place == FileAccess::Place::Outside && !isConfiguration(Path))
    Error.Reason = fmt::format("is outside of {}, where only .parl, JSON, TOML and YAML are read", Access->inside());
  if (!Error.Reason.empty())
    return std::nullopt;
  const auto File = read(Path, Key, Error);
  if (File && Place == FileAccess::Place::Outside)
    OutsideFiles.emplace(*File, NamedAt);
  return File;
}

SourceRange SourceManager::namedAt(uint32_t File) const {
  SourceRange At;
  for (auto It = OutsideFiles.find(File); It != OutsideFiles.end(); It = OutsideFiles.find(At.File))
    At = It->second;
  return At;
}

uint32_t SourceManager::openAs(const std::string &Path, std::string Text) {
  const std::string Key = keyOf(Path);
  return Opened[Key] = add(Key == "-" ? "<stdin>" : Path, std::move(Text));
}

uint32_t SourceManager::add(std::string Name, std::string Text) {
  Files.emplace_back(std::move(Name), std::move(Text));
  return count();
}

std::vector<uint32_t> SourceManager::absorb(SourceManager Other) {
  std::vector<const std::string *> Paths(Other.count());
  for (const auto &[Path, File] : Other.Opened)
    Paths[File - 1] = &Path;
  std::vector<uint32_t> Ids;
  for (size_t I = 0; I < Other.Files.size(); ++I) {
    SourceFile &File = Other.Files[I];
    if (Paths[I]) {
      auto [Known, IsNew] = Opened.emplace(*Paths[I], count() + 1);
      (IsNew ? Files : Doubles).push_back(std::move(File));
      Ids.push_back(Known->second);
    } else if (auto Known = Absorbed.find({File.name(), File.text()}); Known != Absorbed.end()) {
      Doubles.push_back(std::move(File));
      Ids.push_back(Known->second);
    } else {
      const SourceFile &Kept = Files.emplace_back(std::move(File));
      Absorbed.emplace(std::pair{std::string_view(Kept.name()), Kept.text()}, count());
      Ids.push_back(count());
    }
  }
  for (auto [File, At] : Other.OutsideFiles) {
    if (At.File)
      At.File = Ids[At.File - 1];
    OutsideFiles.emplace(Ids[File - 1], At);
  }
  std::ranges::move(Other.Doubles, std::back_inserter(Doubles));
  Missing.merge(Other.Missing);
  return Ids;
}

std::vector<std::string> SourceManager::paths() const {
  std::vector<std::string> Result(Missing.begin(), Missing.end());
  for (const auto &[Path, File] : Opened)
    Result.push_back(Path);
  return Result;
}

std::string_view SourceManager::text(SourceRange Range) const {
  if (!Range || Range.File > count())
    return {};
  const std::string_view Text = file(Range.File).text();
  if (Range.Begin >= Text.size() || Range.End <= Range.Begin)
    return {};
  return Text.substr(Range.Begin, Range.End - Range.Begin);
}
