#include "Server/Workspace.h"
#include "Check/FixLoop.h"
#include <algorithm>
#include <chrono>
#include <filesystem>

namespace parlance::server {

/// Files that a search looks through: a workspace may be a whole home folder.
static constexpr size_t MaxOtherFiles = 2000, MaxVisited = 50'000;

void Workspace::open(const lsp::TextDocumentItem &Item) {
  std::string Path = Item.uri.file().str(), Key = SourceManager::realPath(Path);
  // A link and its file are two documents, each with a text of its own; others read the file's.
  if (Document *Same = find(Item.uri); Same && Same->Path == Path)
    Key = Same->Key;
  else if (Same && Path == Key)
    rename(Key, Same->Path);
  else if (Same)
    Key = Path;
  Open[Key] = {Item.uri, Path, Key, Item.version, Item.text, Item.languageId == "parlance", nullptr};
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
  auto Same =
      std::ranges::find_if(Open, [&](const auto &Other) { return SourceManager::realPath(Other.second.Path) == Key; });
  if (Same != Open.end())
    rename(Same->first, Key);
  changed(Key); // others read the disk again
  return true;
}

void Workspace::fileChanged(const std::string &Path) { changed(SourceManager::realPath(Path)); }

void Workspace::forgetAll() {
  for (auto &[Key, D] : Open)
    D.Latest.reset();
  Outdated |= !Open.empty();
}

void Workspace::changed(const std::string &Key) {
  for (auto &[Name, D] : Open)
    if (D.Latest && (Name == Key || D.Latest->dependsOn(Key))) {
      D.Latest.reset();
      Outdated |= Name != Key;
    }
}

void Workspace::rename(const std::string &Key, const std::string &NewKey) {
  auto Node = Open.extract(Key);
  Node.key() = Node.mapped().Key = NewKey;
  Node.mapped().Latest.reset();
  Open.insert(std::move(Node));
}

Document *Workspace::find(const lsp::URIForFile &Uri) {
  std::string Path = Uri.file().str();
  for (auto &[Key, D] : Open)
    if (D.Path == Path)
      return &D;
  auto It = Open.find(SourceManager::realPath(Path));
  return It == Open.end() ? nullptr : &It->second;
}

std::vector<Document *> Workspace::documents() {
  std::vector<Document *> Result;
  for (auto &[Key, D] : Open)
    Result.push_back(&D);
  return Result;
}

std::unique_ptr<Snapshot> Workspace::tryOut(const Document &D, const FileTexts &Changed) const {
  std::string Own = SourceManager::realPath(D.Path);
  TextSource Held = [&](const std::string &Path) {
    auto It = Changed.find(Path == Own ? D.Key : Path);
    return It != Changed.end() ? &It->second : Path == Own ? &D.Text : Texts(Path);
  };
  auto Result = std::make_unique<Snapshot>(CheckUnit{{D.Path}, !D.Recognised}, Held, Options);
  Result->Key = D.Key;
  return Result;
}

Snapshot &Workspace::snapshot(Document &D) {
  if (!D.Latest) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point Start = Clock::now();
    D.Latest = tryOut(D, {});
    D.Recognised |= !D.Latest->isUnknown();
    LastCheck = std::chrono::duration<double, std::milli>(Clock::now() - Start).count();
  }
  return *D.Latest;
}

std::optional<std::string> Workspace::fixed(const Document &D) const {
  FileTexts Changed;
  std::map<std::string, FixedFile> Fixed;
  fixFiles(
      {D.Path},
      [&](const FileTexts &Tried) {
        auto Own = Tried.find(D.Path);
        return std::move(*tryOut(D, {{D.Key, Own == Tried.end() ? D.Text : Own->second}})).result();
      },
      Changed, Fixed);
  auto It = Changed.find(D.Path);
  return It == Changed.end() ? std::nullopt : std::optional(std::move(It->second));
}

size_t Workspace::stale() const {
  return static_cast<size_t>(std::ranges::count_if(Open, [](const auto &D) { return !D.second.Latest; }));
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
    auto It = fs::recursive_directory_iterator(Folder, fs::directory_options::skip_permission_denied, Error);
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

std::unique_ptr<Snapshot> Workspace::peek(const std::string &Path, const FileTexts &Changed) const {
  TextSource Held = [&](const std::string &Key) {
    auto It = Changed.find(Key);
    return It != Changed.end() ? &It->second : Texts(Key);
  };
  return std::make_unique<Snapshot>(CheckUnit{{Path}}, Held, Options, true);
}

} // namespace parlance::server
