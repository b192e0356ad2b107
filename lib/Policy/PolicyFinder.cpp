#include "Policy/PolicyFinder.h"
#include "Basic/Diagnostics.h"
#include "Basic/Fingerprint.h"
#include <filesystem>

using namespace parlance;

namespace fs = std::filesystem;

const PolicyFile *PolicyFinder::read(const std::string &Path) {
  SourceManager::ReadError Error;
  auto File = Sources.open(Path, Error);
  if (!File) {
    Diags.report(diag::Unreadable, {}, Path, Error.Reason);
    return nullptr;
  }
  if (!Files.contains(*File))
    Files.emplace(*File, readPolicyFile(*File, Sources, Diags));
  return &Files.at(*File);
}

std::vector<fs::path> PolicyFinder::places(const fs::path &Start, const SourceManager &Sources) {
  std::vector<fs::path> Result;
  std::error_code Error;
  for (fs::path Folder = Start;; Folder = Folder.parent_path()) {
    Result.push_back(Folder / PolicyFileName);
    const bool IsRoot = Sources.access() && Sources.access()->isRoot(Folder.string());
    if (IsRoot || !Folder.has_relative_path() || fs::exists(Result.back(), Error))
      return Result;
  }
}

const PolicyFile *PolicyFinder::above(const std::string &Path) {
  std::error_code Error;
  fs::path Here = fs::current_path(Error), Given(isOnDisk(Path) ? Path : "");
  fs::path Start = (Here / Given).lexically_normal().parent_path();
  auto [Known, IsNew] = Folders.try_emplace(Start.native(), nullptr);
  if (!IsNew)
    return Known->second;
  fs::path Last = places(Start, Sources).back();
  if (!fs::exists(Last, Error))
    return nullptr;
  // By way of a link the walk upward passes the root.
  const auto &Access = Sources.access();
  if (Access && Access->placeOf(SourceManager::realPath(Last.parent_path().string())) == FileAccess::Place::Outside)
    return nullptr;
  // Named in the way in which the file is.
  fs::path Name = Given.is_absolute() ? Last : Last.lexically_proximate(Here);
  return Known->second = read(Name.string());
}

std::vector<uint32_t> PolicyFinder::rules(const PolicyFile &Of) {
  std::vector<uint32_t> Result;
  for (const auto &[Path, Range] : Of.Use) {
    SourceManager::ReadError Error;
    if (auto Opened = Sources.openNamed(Path, Range, Error))
      Result.push_back(*Opened);
    else
      Diags.report(diag::UseNotFound, Range, Path, Error.Reason);
  }
  return Result;
}
