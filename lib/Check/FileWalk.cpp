#include "Check/FileWalk.h"
#include "Basic/GitIgnore.h"
#include "Basic/Source.h"
#include "Frameworks/Job/FileKind.h"
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

namespace parlance {

namespace fs = std::filesystem;

namespace {

/// The .gitignore files that apply in a folder: its own one and those of the folders around it.
struct IgnoreScope {
  const IgnoreScope *Around = nullptr;
  GitIgnore Own;
  size_t Start; ///< where paths that are relative to this folder begin in real paths

  /// The innermost file that says something decides.
  bool ignores(std::string_view RealPath, bool IsFolder) const {
    for (const IgnoreScope *S = this; S; S = S->Around)
      if (auto Verdict = S->Own.ignores(RealPath.substr(S->Start), IsFolder))
        return *Verdict;
    return false;
  }
};

std::string readText(const fs::path &Path) {
  SourceManager Sources;
  SourceManager::ReadError Error;
  auto File = Sources.open(Path.string(), Error);
  return File ? std::string(Sources.file(*File).text()) : "";
}

class Walk {
public:
  explicit Walk(const fs::path &Folder);
  std::vector<std::string> Found;

private:
  /// The scope of a folder inside another one.
  const IgnoreScope *enter(const IgnoreScope *Around, const fs::path &RealFolder, const char *Ignore = ".gitignore");
  void visit(const fs::path &Folder, const fs::path &RealFolder, const IgnoreScope *Around);
  void dropLinks();

  std::vector<std::pair<std::string, fs::path>> Links; ///< of Found, with what they lead to
  std::set<fs::path> Files;                            ///< of Found that are not links
  std::vector<std::unique_ptr<IgnoreScope>> Scopes;
};

const IgnoreScope *Walk::enter(const IgnoreScope *Around, const fs::path &RealFolder, const char *Ignore) {
  std::error_code Error;
  if (!fs::is_regular_file(RealFolder / Ignore, Error))
    return Around;
  GitIgnore Own(readText(RealFolder / Ignore));
  const size_t Length = RealFolder.native().size();
  Scopes.push_back(
      std::make_unique<IgnoreScope>(IgnoreScope{Around, std::move(Own), Length + !RealFolder.native().ends_with('/')}));
  return Scopes.back().get();
}

Walk::Walk(const fs::path &Folder) {
  std::error_code Error;
  const fs::path Real = fs::canonical(Folder, Error);
  // Around it, as far as the repository reaches.
  std::vector<fs::path> Around;
  for (fs::path P = Real;; P = P.parent_path()) {
    const bool IsRoot = fs::exists(P / ".git", Error);
    if (P != Real)
      Around.push_back(P);
    if (IsRoot)
      break;
    if (P == P.parent_path()) {
      Around.clear(); // in no repository
      break;
    }
  }
  const IgnoreScope *Scope = nullptr;
  const fs::path Root = Around.empty() ? Real : Around.back();
  Scope = enter(Scope, Root, ".git/info/exclude");
  for (auto P = Around.rbegin(); P != Around.rend(); ++P)
    Scope = enter(Scope, *P);
  visit(Folder, Real, Scope);
  dropLinks();
  std::ranges::sort(Found);
}

/// A file that is there under its own name is reported under it.
void Walk::dropLinks() {
  for (const auto &[Path, Target] : Links)
    if (Files.contains(Target))
      std::erase(Found, Path);
}

void Walk::visit(const fs::path &Folder, const fs::path &RealFolder, const IgnoreScope *Around) {
  const IgnoreScope *Scope = enter(Around, RealFolder);
  std::error_code Error;
  for (auto It = fs::directory_iterator(Folder, fs::directory_options::skip_permission_denied, Error);
       !Error && It != fs::directory_iterator(); It.increment(Error)) {
    std::error_code Unknown;
    const fs::path Name = It->path().filename();
    const bool IsFolder = It->is_directory(Unknown) && !It->is_symlink(Unknown);
    if (IsFolder ? Name.native().starts_with('.') : !hasKnownEnding(Name.native()) || !It->is_regular_file(Unknown))
      continue;
    const fs::path Real = RealFolder / Name;
    if (Scope && Scope->ignores(Real.native(), IsFolder))
      continue;
    if (IsFolder) {
      visit(It->path(), Real, Scope);
      continue;
    }
    Found.push_back(It->path().lexically_normal().string());
    if (It->is_symlink(Unknown))
      Links.emplace_back(Found.back(), fs::canonical(Real, Unknown));
    else
      Files.insert(Real);
  }
}

} // namespace

std::vector<std::string> walkFolder(const std::string &Folder) { return Walk(Folder).Found; }

} // namespace parlance
