// Where the reports for other programs say that something is. Internal to Render.
#pragma once
#include "Basic/Diagnostic.h"
#include <map>

namespace parlance {

/// Paths of files relative to a folder, each worked out once.
class ReportPaths {
public:
  ReportPaths(const SourceManager &Sources, std::string Folder) : Sources(Sources), Folder(std::move(Folder)) {}
  const std::string &of(uint32_t File);

private:
  const SourceManager &Sources;
  std::string Folder;
  std::map<uint32_t, std::string> Paths;
};

/// The message, and the jobs that it is about.
std::string messageOf(const Diagnostic &D);
/// The message, and below it notes and fixes, which these reports have no other place for.
std::string messageWithNotes(const Diagnostic &D, const SourceManager &Sources);
/// A fix on one line: title and effect.
std::string fixLine(const Fix &F);
/// "and 23 more errors"
std::string moreErrors(unsigned SuppressedErrors);

} // namespace parlance
