// Fingerprints: what a finding is known by from one run to the next, whatever moved its line.
#pragma once
#include "Basic/Diagnostic.h"

namespace parlance {

/// Whether a source's name is that of a file: not `<stdin>`, nor an option of the command line (`--cluster`).
bool isOnDisk(std::string_view Name);

/// A file's path relative to a folder, with `/`, links resolved; what is not on the disk by its name.
std::string relativePath(const std::string &File, const std::string &Folder);

/// One fingerprint per diagnostic, 16 hexadecimal digits: of its code and name, its file's path relative to a folder,
/// the text of its line without regard to blanks, and a number among those that are alike in all of that. Of a very
/// long line (JSON without line breaks) only what is marked counts, without a place the message. Never of a line
/// number: code that moves keeps its fingerprints.
std::vector<std::string> fingerprints(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                      const std::string &Folder);

} // namespace parlance
