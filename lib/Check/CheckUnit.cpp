#include "Check/CheckUnit.h"
#include "Basic/Diagnostics.h"
#include "Check/FileWalk.h"
#include "Check/Parallel.h"
#include "Check/Session.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

/// Standard input can be read once only, so it is not part of a job of several files.
static const FileKind *kindOf(const std::string &Path, const std::shared_ptr<const FileAccess> &Access) {
  if (Path == "-" || Path == "/dev/stdin")
    return FileKind::Unknown;
  SourceManager Sources;
  Sources.setAccess(Access);
  DiagnosticEngine Ignored;
  auto File = openFile(Path, Sources, Ignored);
  return File && isForeign(*File, Sources) ? openForeign(*File, Sources, Ignored).Kind : nullptr;
}

/// The named files, those of one job together, each job where its first file stands. Files that are not a framework's,
/// or unreadable, are alone.
static std::vector<CheckUnit> groupNamed(const std::vector<std::string> &Named,
                                         const std::shared_ptr<const FileAccess> &Access) {
  std::vector<CheckUnit> Units;
  std::vector<ForeignFile> Foreign(Named.size());
  if (Named.size() > 1)
    inParallel(Named.size(),
               [&](size_t I) { Foreign[I] = {static_cast<uint32_t>(I), kindOf(Named[I], Access), std::nullopt}; });
  std::vector<std::pair<size_t, CheckUnit>> Found;
  for (const auto &Group : groupFiles(Foreign)) {
    CheckUnit Unit;
    for (const ForeignFile *F : Group)
      Unit.Files.push_back(Named[F->File]);
    Found.emplace_back(Group.front()->File, std::move(Unit));
  }
  for (size_t I = 0; I < Named.size(); ++I)
    if (Foreign[I].Kind == FileKind::Unknown)
      Found.push_back({I, {{Named[I]}}});
  std::ranges::stable_sort(Found, {}, &std::pair<size_t, CheckUnit>::first);
  for (auto &[At, Unit] : Found)
    Units.push_back(std::move(Unit));
  return Units;
}

std::vector<CheckUnit> findUnits(const std::vector<std::string> &Words, const std::shared_ptr<const FileAccess> &Access,
                                 DiagnosticEngine &Diags) {
  std::vector<std::string> Named;
  std::vector<CheckUnit> Walked;
  for (const std::string &Word : Words) {
    std::error_code Error;
    if (!std::filesystem::is_directory(Word, Error)) {
      Named.push_back(Word);
      continue;
    }
    std::vector<std::string> Found = walkFolder(Word);
    if (Found.empty())
      Diags.report(diag::Unreadable, {}, Word, "is a directory without files to check");
    for (std::string &File : Found)
      Walked.push_back({{std::move(File)}, true});
  }
  std::vector<CheckUnit> Units = groupNamed(Named, Access);
  std::ranges::move(Walked, std::back_inserter(Units));
  return Units;
}

} // namespace parlance
