#include "Server/Snapshot.h"
#include "Check/Access.h"
#include "Policy/PolicyFile.h"
#include <algorithm>
#include <filesystem>

namespace parlance::server {

CheckRequest Snapshot::request(const TextSource &Texts, const Settings &S, bool NamesOnly) {
  CheckRequest Result;
  Result.Foreign = S.Foreign;
  DiagnosticEngine OfSettings; // what is wrong with the user's own is not about this document
  SourceManager SettingsText;
  Result.Access = accessFor({Unit.Files, {}, false}, SettingsText, OfSettings);
  Result.Held = [this, &Texts](const std::string &RealPath) {
    Asked.insert(RealPath);
    return Texts(RealPath);
  };
  Result.NamesOnly = NamesOnly;
  return Result;
}

Snapshot::Snapshot(CheckUnit Files, const TextSource &Texts, const Settings &S, bool NamesOnly)
    : Unit(std::move(Files)), Request(request(Texts, S, NamesOnly)), Check(Unit, Request),
      Sources(Check.Report.Sources), Engine(Check.Diags), Run(Check.session()) {
  const std::string &Path = Unit.Files.front();
  if (const std::string *Own = Texts(SourceManager::realPath(Path)))
    HasMark = Own->starts_with("\xEF\xBB\xBF");
  const bool IsSettings = isPolicyFile(Path); // only the policy reads it
  const bool Foreign = file() && parlance::isForeign(file(), Sources);
  Unknown = file() && !IsSettings && (Foreign ? Check.Report.Checked.empty() : !Path.ends_with(".parl"));
  if (!NamesOnly) {
    applyPolicy(Check.Report, {});
    awaitSettings();
  }
  // From here on values are only looked at.
  Run.Values.Silent = true;
  Sources.setOverlay({});
}

/// A parlance.toml that is made later may be about every file that was read.
void Snapshot::awaitSettings() {
  namespace fs = std::filesystem;
  std::vector<fs::path> Folders{SourceManager::realPath(fs::path(Unit.Files.front()).parent_path())};
  for (const std::string &Read : Asked)
    Folders.push_back(fs::path(Read).parent_path());
  std::set<fs::path> Seen;
  for (fs::path &Folder : Folders)
    for (; !Folder.empty() && Seen.insert(Folder).second; Folder = Folder.parent_path())
      Asked.insert((Folder / PolicyFileName).string());
}

std::string Snapshot::pathOf(uint32_t Id) const {
  if (Id == file() && !Key.empty())
    return Key;
  const std::string &Name = Sources.file(Id).name();
  std::string Real = SourceManager::realPath(Name);
  return Asked.contains(Real) ? Real : "";
}

const LineTable &Snapshot::lines(uint32_t Id) {
  auto It = Lines.find(Id);
  if (It == Lines.end())
    It = Lines.emplace(Id, LineTable(Sources.file(Id).text(), Id == file() && HasMark)).first;
  return It->second;
}

const AnalyzedJob *Snapshot::job(std::string_view Name) const {
  const AnalyzedJob *Only = nullptr;
  for (const AnalyzedJob &J : jobs()) {
    if (J.File != Run.Main)
      continue;
    if (Name.empty() && Only)
      return nullptr;
    if (Name.empty() || J.Name == Name)
      Only = &J;
  }
  return Only;
}

const AnalyzedJob *Snapshot::jobAround(const ast::Item &Outermost) const {
  for (const AnalyzedJob &J : jobs())
    if (J.Item == &Outermost && J.Resolved)
      return &J;
  return nullptr;
}

} // namespace parlance::server
