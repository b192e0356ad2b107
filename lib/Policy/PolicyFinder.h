// Finds the parlance.toml that is about a file: the nearest upward.
#pragma once
#include "Policy/PolicyFile.h"
#include <filesystem>

namespace parlance {

class PolicyFinder {
public:
  PolicyFinder(SourceManager &Sources, DiagnosticEngine &Diags) : Sources(Sources), Diags(Diags) {}

  /// Null when there is none. The path is seen from the working folder, like that of what is not a file on the disk
  /// (`<stdin>`).
  const PolicyFile *above(const std::string &Path);
  /// Where that of the files in a folder is looked for: up to the first one that is there, or to what is inside.
  static std::vector<std::filesystem::path> places(const std::filesystem::path &Folder, const SourceManager &Sources);
  /// Reads one; null when it cannot be read.
  const PolicyFile *read(const std::string &Path);
  /// Opens the files that one `use`s.
  std::vector<uint32_t> rules(const PolicyFile &Of);
  /// All that were read, by their id.
  const std::map<uint32_t, PolicyFile> &files() const { return Files; }

private:
  SourceManager &Sources;
  DiagnosticEngine &Diags;
  std::map<uint32_t, PolicyFile> Files;
  std::map<std::string, const PolicyFile *> Folders; ///< what was found for each
};

} // namespace parlance
