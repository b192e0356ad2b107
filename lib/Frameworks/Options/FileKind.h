// Kinds of files that are read, and the marks by which they are told.
#pragma once
#include "Config/ConfigTree.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace parlance {

class JobSink;

/// How a file is written.
enum class FileSyntax : uint8_t { Parlance, Json, Toml, Yaml, Shell, Unknown };

/// Keys at the top of a file by which it is told.
struct FileMarks {
  FileSyntax Syntax = FileSyntax::Unknown;
  std::array<std::string_view, 9> Keys = {}; ///< one of them is enough in a file that was named
  /// How many make it certain: programs of all kinds have settings that are called `optimizer`. Null where the keys
  /// alone never do.
  unsigned Certain = 0;
  unsigned Alone = 0; ///< so many of the first ones make it certain each by itself
  /// Marks of a lower turn are looked for first: those of turn 0 are in no other kind of file.
  unsigned Turn = 0;
  /// A text in braces with one of the first keys is of this syntax, not JSON.
  bool InBraces = false;
};

/// Values that the command line gives for what a file leaves open.
using Settings = std::map<std::string, std::string>;

/// A file as its reader gets it.
struct FileInput {
  uint32_t File = 0;
  const ConfigValue *Tree = nullptr; ///< null for a script
  SourceRange At;                    ///< stands for the whole file
  const Settings &Set;
};

struct FileKind {
  std::span<const FileMarks> Marks = {};
  void (*Read)(JobSink &Job, const FileInput &In) = nullptr;
  /// All files of the kind that are named are one configuration; otherwise each is a job of its own.
  bool OneConfiguration = false;
  /// The reader says itself what it thinks of a key that is given twice.
  bool TellsDuplicates = false;
  /// In place of counting marks: whether a text may be, and a tree is, certainly of this kind.
  bool (*MayBeCertain)(std::string_view Text) = nullptr;
  bool (*IsCertain)(const ConfigValue &Tree) = nullptr;

  /// Of a file that is of no kind that is known.
  static constexpr std::nullptr_t Unknown = nullptr;
};

} // namespace parlance
