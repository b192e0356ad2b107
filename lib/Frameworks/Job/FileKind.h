// Which framework a file is for, told by what is in it.
#pragma once
#include "Basic/ConfigTree.h"
#include <cstdint>
#include <span>

namespace parlance {

enum class FileKind : uint8_t {
  Unknown,
  Script,    ///< a launch script: the command line in it decides
  Arguments, ///< a JSON array of the words of a command line
  HuggingFace,
  MegatronYaml,
  DeepSpeed,
  Torchtitan,
  Nanotron,
  Accelerate,
  Neox,
};

/// "a DeepSpeed configuration"
std::string_view describe(FileKind K);

/// How a file is written.
enum class FileSyntax : uint8_t { Parlance, Json, Toml, Yaml, Shell, Unknown };

/// Told by the ending of the name, else by the first lines.
FileSyntax syntaxOf(const SourceFile &File);

/// Whether a file is a framework's own, not Parlance's.
bool isForeign(uint32_t File, const SourceManager &Sources);

/// Whether a file of this name may be one that is checked: a .parl file, or written in a language of the frameworks.
bool hasKnownEnding(std::string_view Path);

/// A file that was read, and what it is.
struct ForeignFile {
  uint32_t File = 0;
  FileKind Kind = FileKind::Unknown;
  std::optional<ConfigValue> Tree; ///< not of a script
};

/// Parses a file and tells what it is; Unknown after an error, which is reported.
ForeignFile openForeign(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags);

/// The same for a file that nobody named, found in a folder: empty where its content leaves a doubt that it is a
/// framework's, and then nothing is reported.
std::optional<ForeignFile> openIfCertain(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags);

/// The files of each job: those of one kind are judged one by one, each together with the files of other kinds;
/// GPT-NeoX's are all one configuration.
std::vector<std::vector<const ForeignFile *>> groupFiles(std::span<const ForeignFile> Files);

} // namespace parlance
