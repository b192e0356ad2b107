#include "Server/Snapshot.h"
#include "Policy/PolicyFile.h"
#include "Session/Access.h"
#include <algorithm>
#include <filesystem>

namespace parlance::server {

Snapshot::Snapshot(const std::string &Path, const TextSource &Texts, const Settings &S, bool Known, bool Rules)
    : Run(Sources, Engine) {
  Sources.setOverlay([this, &Texts](const std::string &RealPath) {
    Asked.insert(RealPath);
    return Texts(RealPath);
  });
  DiagnosticEngine OfSettings; // what is wrong with the user's own is not about this document
  SourceManager SettingsText;
  Sources.setAccess(accessFor({{Path}, {}, false}, SettingsText, OfSettings));
  if (const std::string *Own = Texts(SourceManager::realPath(Path)))
    HasMark = Own->starts_with("\xEF\xBB\xBF");
  if (auto Opened = openFile(Path, Sources, Engine)) {
    File = *Opened;
    if (isPolicyFile(Path))
      IsSettings = true;
    else if (Foreign = parlance::isForeign(File, Sources); Foreign)
      judgeForeign(S, Known, Rules);
    else
      judge(Path, Rules);
  }
  Found = Engine.take();
  hideOutside(Found, Sources);
  if (Rules && !Unknown) {
    Judgement Judged = Run.judgement();
    if (IsSettings)
      Judged.Checked = {File};
    Found = applyPolicy(std::move(Found), 0, Sources, {}, {Judged}).Shown;
    awaitSettings(Path);
  }
  // From here on values are only looked at.
  Run.Values.Silent = true;
  Sources.setOverlay({});
}

/// A parlance.toml that is made later may be about every file that was read.
void Snapshot::awaitSettings(const std::string &Path) {
  namespace fs = std::filesystem;
  std::vector<fs::path> Folders{SourceManager::realPath(fs::path(Path).parent_path())};
  for (const std::string &Read : Asked)
    Folders.push_back(fs::path(Read).parent_path());
  std::set<fs::path> Seen;
  for (fs::path &Folder : Folders)
    for (; !Folder.empty() && Seen.insert(Folder).second; Folder = Folder.parent_path())
      Asked.insert((Folder / PolicyFileName).string());
}

void Snapshot::judge(const std::string &Path, bool Rules) {
  Unknown = !Path.ends_with(".parl");
  Run.load(File);
  if (!Rules)
    return;
  Run.addRules(policyRules(File, Sources));
  Run.analyze();
}

void Snapshot::judgeForeign(const Settings &S, bool Known, bool Rules) {
  if (!Rules)
    return;
  std::optional<ForeignFile> Read = Known ? openForeign(File, Sources, Engine) : openIfCertain(File, Sources, Engine);
  Unknown = !Read;
  if (!Read)
    return;
  Run.addRules(policyRules(File, Sources));
  for (const auto &Group : groupFiles({&*Read, 1}))
    Run.analyze(Group, S.Foreign);
}

CheckResult Snapshot::result() && {
  CheckResult R;
  R.Readable = File != 0;
  auto Count = [&](Severity Level) {
    return static_cast<unsigned>(std::ranges::count(Found, Level, &Diagnostic::Level));
  };
  R.Errors = Count(Severity::Error);
  R.Warnings = Count(Severity::Warning);
  R.Found = std::move(Found);
  R.Sources = std::move(Sources);
  return R;
}

std::string Snapshot::pathOf(uint32_t Id) const {
  if (Id == File && !Key.empty())
    return Key;
  const std::string &Name = Sources.file(Id).name();
  std::string Real = SourceManager::realPath(Name);
  return Asked.contains(Real) ? Real : "";
}

const LineTable &Snapshot::lines(uint32_t Id) {
  auto It = Lines.find(Id);
  if (It == Lines.end())
    It = Lines.emplace(Id, LineTable(Sources.file(Id).text(), Id == File && HasMark)).first;
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
