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

const PolicyFile *PolicyFinder::above(const std::string &Path) {
  std::error_code Error;
  fs::path Here = fs::current_path(Error), Given(isOnDisk(Path) ? Path : "");
  fs::path Start = (Here / Given).lexically_normal().parent_path();
  auto [Known, IsNew] = Folders.try_emplace(Start.native(), nullptr);
  if (!IsNew)
    return Known->second;
  for (fs::path Folder = Start;; Folder = Folder.parent_path()) {
    fs::path Candidate = Folder / PolicyFileName;
    if (fs::exists(Candidate, Error)) {
      // Named in the way in which the file is.
      fs::path Name = Given.is_absolute() ? Candidate : Candidate.lexically_proximate(Here);
      return Known->second = read(Name.string());
    }
    if (!Folder.has_relative_path())
      return nullptr;
  }
}

std::vector<uint32_t> PolicyFinder::rules(const PolicyFile &Of) {
  std::vector<uint32_t> Result;
  for (const auto &[Path, Range] : Of.Use) {
    SourceManager::ReadError Error;
    if (auto Opened = Sources.open(Path, Error))
      Result.push_back(*Opened);
    else
      Diags.report(diag::UseNotFound, Range, Path, Error.Reason);
  }
  return Result;
}
