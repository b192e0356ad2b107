#include "Basic/FileAccess.h"
#include "Basic/Source.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <vector>

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
  fs::path Repository;
  std::vector<fs::path> Around; // where settings may be
  for (fs::path P = Folder; P.has_relative_path(); P = P.parent_path()) {
    const bool IsHome = P == Home;
    if (::stat(P.c_str(), &Status) != 0 || Status.st_dev != Own.st_dev || (IsHome && !Repository.empty()))
      break;
    if (isThere(P / ".git"))
      Repository = P;
    if (IsHome)
      break;
    Around.push_back(P);
  }
  if (!Repository.empty())
    return {Repository.string(), true};
  for (auto P = Around.rbegin(); P != Around.rend(); ++P)
    if (isThere(*P / "parlance.toml"))
      return {P->string(), true};
  return {Folder, false};
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

/// Whether a folder of a path is called `.git`, in any case.
static bool isOfGit(std::string_view Path) {
  for (size_t At = Path.find("/."); At != std::string_view::npos; At = Path.find("/.", At + 1)) {
    const std::string_view Name = Path.substr(At + 1, Path.find('/', At + 1) - At - 1);
    if (Name.size() == 4 &&
        std::ranges::equal(Name, std::string_view(".git"), {}, [](unsigned char C) { return std::tolower(C); }))
      return true;
  }
  return false;
}

/// Whether a file is in a repository without a working tree: git tells it by these three entries.
static bool isOfBareRepository(const fs::path &Path) {
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

FileAccess::Place FileAccess::placeOfNamed(const std::string &RealPath) const {
  return isOfBareRepository(RealPath) ? Place::Git : placeOf(RealPath);
}

std::string FileAccess::inside() const {
  if (Roots.empty())
    return "the project";
  return fmt::format("`{}`{}", *Roots.begin(), Roots.size() > 1 ? fmt::format(" and {} more", Roots.size() - 1) : "");
}
