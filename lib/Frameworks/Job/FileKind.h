// What a file is, told by what is in it.
#pragma once
#include "Config/ConfigTree.h"
#include "Frameworks/Options/FileKind.h"
#include <optional>
#include <span>
#include <vector>

namespace parlance {

/// Told by the ending of the name, else by the first lines.
FileSyntax syntaxOf(const SourceFile &File);

/// Whether a file is a framework's own, not Parlance's.
bool isForeign(uint32_t File, const SourceManager &Sources);

/// Whether a file of this name may be one that is checked: a .parl file, or written in a language of the frameworks.
bool hasKnownEnding(std::string_view Path);

/// The endings of such names without their dot, "parl" first.
std::vector<std::string_view> knownEndings();

/// A file that was read, and what it is.
struct ForeignFile {
  uint32_t File = 0;
  const FileKind *Kind = FileKind::Unknown;
  std::optional<ConfigValue> Tree; ///< not of a script
};

/// Parses a file and tells what it is; Unknown after an error, which is reported.
ForeignFile openForeign(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags);

/// The same for a file that nobody named, found in a folder: empty where its content leaves a doubt that it is a
/// framework's, and then nothing is reported.
std::optional<ForeignFile> openIfCertain(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags);

/// The files of each job: those of one kind are judged one by one, each together with the files of other kinds, unless
/// all of a kind are one configuration.
std::vector<std::vector<const ForeignFile *>> groupFiles(std::span<const ForeignFile> Files);

} // namespace parlance
