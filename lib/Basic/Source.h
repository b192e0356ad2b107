// Source text with positions: every range that a diagnostic, a Plan value or an edit refers to.
#pragma once
#include "Basic/FileAccess.h"
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parlance {

/// A half-open byte range [Begin, End) of one file. File 0 is "nowhere".
struct SourceRange {
  uint32_t File = 0, Begin = 0, End = 0;
  constexpr explicit operator bool() const { return File != 0; }
  constexpr bool operator==(const SourceRange &) const = default;
  /// The smallest range covering both; an invalid side is ignored.
  constexpr SourceRange to(SourceRange Last) const {
    if (!File)
      return Last;
    if (!Last.File)
      return *this;
    return {File, Begin < Last.Begin ? Begin : Last.Begin, End > Last.End ? End : Last.End};
  }
};

/// 1-based line and column; the column counts code points.
struct LineColumn {
  uint32_t Line = 0, Column = 0;
};

/// One text, its name as the user gave it, and its line starts.
class SourceFile {
public:
  SourceFile(std::string Name, std::string Text);
  const std::string &name() const { return Name; }
  std::string_view text() const { return Text; }
  LineColumn position(uint32_t Offset) const;
  /// Byte offset of a 1-based line and code-point column, clamped to the line; empty past the last line.
  std::optional<uint32_t> offset(LineColumn At) const;
  /// The text of a 1-based line without its line break ("" past the end).
  std::string_view line(uint32_t Line) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(LineStarts.size()); }

private:
  std::string Name, Text;
  std::vector<uint32_t> LineStarts;
};

/// Owns all texts of one run. Ids are stable; 0 is never handed out.
class SourceManager {
public:
  static constexpr uint64_t MaxFileBytes = 32ull << 20;

  /// Why a file could not be read: a sentence without its name ("is a directory").
  struct ReadError {
    std::string Reason;
  };
  /// Reads a regular file whole (or standard input for "-", named "<stdin>"). The same path is read once. Refuses
  /// directories, files over MaxFileBytes, NUL bytes ("is a binary file") and invalid UTF-8 (the reason names the line
  /// and column). A byte order mark is dropped and CRLF kept as it is.
  std::optional<uint32_t> open(const std::string &Path, ReadError &Error);
  /// The same for a file that the text at `NamedAt` names, which may be outside: then it is read only where its name
  /// says that it is a configuration, and nothing of it is to be shown.
  std::optional<uint32_t> openNamed(const std::string &Path, SourceRange NamedAt, ReadError &Error);
  /// What may be read; without it everything is inside. Before anything is opened.
  void setAccess(std::shared_ptr<const FileAccess> May) { Access = std::move(May); }
  const std::shared_ptr<const FileAccess> &access() const { return Access; }
  /// Whether a file may be read but not shown.
  bool isOutside(uint32_t File) const { return OutsideFiles.contains(File); }
  bool hasOutside() const { return !OutsideFiles.empty(); }
  /// Where a file inside names such a file, or the one that names it.
  SourceRange namedAt(uint32_t File) const;
  /// As if the file of a path held a text: a later `open` gives it.
  uint32_t openAs(const std::string &Path, std::string Text);
  /// What stands in for files on disk, as an editor holds it: asked once for every path that is opened, by its real
  /// path. Null: the disk is read. The text has to be good for the same limits.
  using Overlay = std::function<const std::string *(const std::string &RealPath)>;
  void setOverlay(Overlay Texts) { InMemory = std::move(Texts); }
  /// The path by which a file is known, whatever it was called; the path itself where there is no such file.
  static std::string realPath(const std::string &Path);
  uint32_t add(std::string Name, std::string Text);
  /// Takes over the texts of another manager and returns the new id of each, in order. Files of one path, and equal
  /// texts of one name, become one.
  std::vector<uint32_t> absorb(SourceManager Other);
  /// The real paths of what was opened, and of what could not be.
  std::vector<std::string> paths() const;
  const SourceFile &file(uint32_t Id) const { return Files[Id - 1]; }
  std::string_view text(SourceRange Range) const;
  LineColumn begin(SourceRange Range) const { return file(Range.File).position(Range.Begin); }
  LineColumn end(SourceRange Range) const { return file(Range.File).position(Range.End); }
  uint32_t count() const { return static_cast<uint32_t>(Files.size()); }

private:
  std::deque<SourceFile> Files;
  std::deque<SourceFile> Doubles; ///< absorbed ones that were there: names of rules are views into them
  Overlay InMemory;
  std::optional<uint32_t> read(const std::string &Path, const std::string &Key, ReadError &Error);

  std::shared_ptr<const FileAccess> Access;
  std::map<uint32_t, SourceRange> OutsideFiles; ///< with the place that names each
  std::map<std::string, uint32_t> Opened;       ///< by real path: two spellings of a path are one file
  std::set<std::string> Missing;                ///< real paths that could not be read
  /// Absorbed texts without a path, by name and text.
  std::map<std::pair<std::string_view, std::string_view>, uint32_t> Absorbed;
};

} // namespace parlance
