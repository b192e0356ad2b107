#include "Basic/FileAccess.h"
#include "Basic/Source.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>

using namespace parlance;

namespace fs = std::filesystem;

static bool isThere(const fs::path &Path) {
  struct stat Status;
  return ::lstat(Path.c_str(), &Status) == 0;
}

static std::string homeFolder() {
  const char *Home = std::getenv("HOME");
  return Home && *Home ? SourceManager::realPath(Home) : std::string();
}

FileRoot parlance::rootOf(const std::string &Folder) {
  const fs::path Home = homeFolder();
  struct stat Own, Status;
  if (::stat(Folder.c_str(), &Own) != 0)
    return {Folder, false};
  fs::path Repository, Settings;
  for (fs::path P = Folder; P.has_relative_path(); P = P.parent_path()) {
    const bool IsHome = P == Home;
    if (::stat(P.c_str(), &Status) != 0 || Status.st_dev != Own.st_dev || (IsHome && !Repository.empty()))
      break;
    if (isThere(P / ".git"))
      Repository = P;
    if (IsHome)
      break;
    if (isThere(P / "parlance.toml"))
      Settings = P;
  }
  const fs::path &Found = Repository.empty() ? Settings : Repository;
  return Found.empty() ? FileRoot{Folder, false} : FileRoot{Found.string(), true};
}

/// The real path of the folder that a path stands in.
static std::string folderOf(const std::string &Path) {
  std::error_code Error;
  const fs::path Folder = fs::absolute(Path, Error).parent_path();
  return SourceManager::realPath(Folder.string());
}

void FileAccess::name(const std::string &Path) {
  std::error_code Error;
  if (Path == "-" || Path == "/dev/stdin") {
    Roots.insert(rootOf(SourceManager::realPath(".")).Folder);
    return;
  }
  if (fs::is_directory(Path, Error)) {
    Roots.insert(rootOf(SourceManager::realPath(Path)).Folder);
    return;
  }
  const FileRoot Root = rootOf(folderOf(Path));
  Roots.insert(Root.Folder);
  if (!Root.Project && !Strict)
    Roots.insert(folderOf(SourceManager::realPath(Path)));
}

void FileAccess::allow(const std::string &Folder) { Roots.insert(SourceManager::realPath(Folder)); }

static bool isBelow(const std::string &Path, const std::string &Folder) {
  return Path.starts_with(Folder) &&
         (Path.size() == Folder.size() || Folder.ends_with('/') || Path[Folder.size()] == '/');
}

/// Whether a folder of a path is a repository's own one, whatever its name: git tells it by the same three entries.
static bool isOfGit(const std::string &RealPath) {
  const fs::path Path = RealPath;
  for (const fs::path &Part : Path) {
    std::string Name = Part.string();
    std::ranges::transform(Name, Name.begin(), [](unsigned char C) { return std::tolower(C); });
    if (Name == ".git")
      return true;
  }
  for (fs::path P = Path.parent_path(); P.has_relative_path(); P = P.parent_path())
    if (isThere(P / "HEAD") && isThere(P / "objects") && isThere(P / "refs"))
      return true;
  return false;
}

FileAccess::Place FileAccess::placeOf(const std::string &RealPath) const {
  if (isOfGit(RealPath))
    return Place::Git;
  const bool IsInside = std::ranges::any_of(Roots, [&](const std::string &Root) { return isBelow(RealPath, Root); });
  return IsInside ? Place::Inside : Place::Outside;
}

std::string FileAccess::inside() const {
  if (Roots.empty())
    return "the project";
  return fmt::format("`{}`{}", *Roots.begin(), Roots.size() > 1 ? fmt::format(" and {} more", Roots.size() - 1) : "");
}
