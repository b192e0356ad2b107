#include "Server/Workspace.h"
#include <algorithm>
#include <chrono>
#include <filesystem>

namespace parlance::server {

/// Files that a search looks through: a workspace may be a whole home folder.
static constexpr size_t MaxOtherFiles = 2000, MaxVisited = 50'000;

void Workspace::open(const lsp::TextDocumentItem &Item) {
  std::string Path = Item.uri.file().str(), Key = SourceManager::realPath(Path);
  Open[Key] = {Item.uri, Path, Key, Item.version, Item.text, Item.languageId == "parlance",
               nullptr};
  changed(Key);
}

bool Workspace::change(const lsp::URIForFile &Uri, int64_t Version,
                       std::span<const lsp::TextDocumentContentChangeEvent> Changes) {
  Document *D = find(Uri);
  if (!D)
    return false;
  for (const auto &Change : Changes)
    applyChange(D->Text, Change);
  D->Version = Version;
  changed(D->Key);
  return true;
}

bool Workspace::close(const lsp::URIForFile &Uri) {
  Document *D = find(Uri);
  if (!D)
    return false;
  std::string Key = D->Key;
  Open.erase(Key);
  changed(Key); // others read the disk again
  return true;
}

void Workspace::fileChanged(const std::string &Path) { changed(SourceManager::realPath(Path)); }

void Workspace::forgetAll() {
  for (auto &[Key, D] : Open)
    D.Latest.reset();
}

void Workspace::changed(const std::string &Key) {
  for (auto &[Name, D] : Open)
    if (D.Latest && (Name == Key || D.Latest->dependsOn(Key)))
      D.Latest.reset();
}

Document *Workspace::find(const lsp::URIForFile &Uri) {
  auto It = Open.find(SourceManager::realPath(Uri.file().str()));
  return It == Open.end() ? nullptr : &It->second;
}

std::vector<Document *> Workspace::documents() {
  std::vector<Document *> Result;
  for (auto &[Key, D] : Open)
    Result.push_back(&D);
  return Result;
}

Snapshot &Workspace::snapshot(Document &D) {
  if (!D.Latest) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point Start = Clock::now();
    D.Latest = std::make_unique<Snapshot>(D.Path, Texts, Options, D.Recognised);
    D.Recognised |= !D.Latest->isUnknown();
    LastCheck = std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }
  return *D.Latest;
}

size_t Workspace::stale() const {
  return static_cast<size_t>(
      std::ranges::count_if(Open, [](const auto &D) { return !D.second.Latest; }));
}

lsp::URIForFile Workspace::uriOf(const std::string &Key) const {
  if (auto It = Open.find(Key); It != Open.end())
    return It->second.Uri;
  auto Uri = lsp::URIForFile::fromFile(Key);
  if (Uri)
    return *Uri;
  llvm::consumeError(Uri.takeError());
  return {};
}

std::vector<std::string> Workspace::otherFiles() const {
  namespace fs = std::filesystem;
  std::vector<std::string> Result;
  size_t Visited = 0;
  for (const std::string &Folder : Folders) {
    std::error_code Error;
    auto It = fs::recursive_directory_iterator(
        Folder, fs::directory_options::skip_permission_denied, Error);
    for (; !Error && It != fs::recursive_directory_iterator(); It.increment(Error)) {
      if (++Visited > MaxVisited || Result.size() >= MaxOtherFiles)
        break;
      if (It->path().filename().string().starts_with('.')) {
        It.disable_recursion_pending();
        continue;
      }
      if (It->path().extension() != ".parl" || !It->is_regular_file(Error))
        continue;
      if (std::string Real = SourceManager::realPath(It->path().string()); !Open.contains(Real))
        Result.push_back(std::move(Real));
    }
  }
  std::ranges::sort(Result);
  Result.erase(std::ranges::unique(Result).begin(), Result.end());
  return Result;
}

std::unique_ptr<Snapshot> Workspace::peek(const std::string &Path) const {
  return std::make_unique<Snapshot>(Path, Texts, Options, true, false);
}

} // namespace parlance::server
