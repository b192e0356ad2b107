// Findings held against baselines, and baselines against findings.
#include "Basic/Diagnostics.h"
#include "Basic/Fingerprint.h"
#include "Basic/Text.h"
#include "Policy/PolicyRun.h"
#include <filesystem>

using namespace parlance;

namespace fs = std::filesystem;

PolicyRun::OpenBaseline &PolicyRun::baseline(const std::string &Path, SourceRange NamedAt) {
  auto [It, IsNew] = Baselines.try_emplace(Path);
  OpenBaseline &B = It->second;
  if (!IsNew)
    return B;
  std::error_code Error;
  const auto &Access = Sources.access();
  const std::string Real = fs::weakly_canonical(fs::absolute(Path, Error), Error).string();
  if (NamedAt && Access && Access->placeOf(Real) != FileAccess::Place::Inside) {
    Own.report(diag::BadBaseline, NamedAt, Path,
               fmt::format("is outside of {}; `--baseline` may name any file", Access->inside()));
    B.Valid = false;
    return B;
  }
  B.Folder = fs::absolute(Path, Error).parent_path().string();
  const bool Exists = fs::exists(Path, Error);
  if (Request.UpdateBaseline && !Exists)
    return B;
  SourceManager::ReadError Why;
  auto File = Sources.open(Path, Why);
  std::optional<std::vector<BaselineEntry>> Entries;
  if (File)
    Entries = readBaseline(*File, Sources, Own);
  else
    Own.report(diag::BadBaseline, NamedAt, Path,
               fmt::format("cannot be read: {}{}", Why.Reason, Exists ? "" : "; `--update-baseline` writes it"));
  B.Valid = Entries.has_value();
  B.Entries = std::move(Entries).value_or(std::vector<BaselineEntry>());
  return B;
}

void PolicyRun::applyBaselines() {
  const std::string &Given = Request.Baseline;
  if (!Given.empty())
    baseline(Given, {});
  for (const auto &[Id, Policy] : Finder.files())
    if (Given.empty() && !Policy.Baseline.empty())
      baseline(Policy.Baseline, Policy.BaselineRange);
  for (size_t I = 0; I < Findings.size() && !Baselines.empty(); ++I) {
    const Finding &F = Findings[I];
    bool Counts = F.D.Level == Severity::Error || F.D.Level == Severity::Warning;
    if (F.Hard || F.Hidden || !Counts)
      continue;
    const PolicyFile *Policy = Given.empty() ? policyOf(F.D.Range.File) : nullptr;
    const std::string &Path = Policy ? Policy->Baseline : Given;
    if (!Path.empty())
      Baselines.at(Path).Candidates.push_back(I);
  }
  for (auto &[Path, B] : Baselines)
    match(B, Path);
}

/// Hides what a baseline holds (all of it when it is written anew), and finds what it holds in vain.
void PolicyRun::match(OpenBaseline &B, const std::string &Path) {
  std::vector<Diagnostic> Found;
  for (size_t I : B.Candidates)
    Found.push_back(std::move(Findings[I].D));
  std::vector<std::string> Prints = fingerprints(Found, Sources, B.Folder);
  std::map<std::pair<std::string_view, std::string_view>, BaselineEntry *> Known;
  for (BaselineEntry &E : B.Entries)
    Known[{E.Code, E.Fingerprint}] = &E;
  std::vector<BaselineEntry> New;
  for (size_t I = 0; I < Found.size(); ++I) {
    Finding &F = Findings[B.Candidates[I]];
    F.D = std::move(Found[I]);
    auto Entry = Known.find({F.D.Code, Prints[I]});
    if (Entry != Known.end())
      Entry->second->Used = true;
    F.Hidden = Entry != Known.end() || (Request.UpdateBaseline && B.Valid);
    if (F.Hidden && Entry == Known.end())
      New.push_back({std::string(F.D.Code),
                     F.D.Range ? relativePath(Sources.file(F.D.Range.File).name(), B.Folder) : "",
                     Prints[I],
                     {}});
  }
  for (BaselineEntry &E : B.Entries)
    if (!E.Used && isGone(B, E)) {
      E.Gone = true;
      if (Request.FrozenBaseline)
        Own.report(diag::StaleBaseline, E.Range, fmt::format("{} of `{}`", E.Code, E.File), Path);
    }
  B.Entries.insert(B.Entries.end(), std::make_move_iterator(New.begin()), std::make_move_iterator(New.end()));
}

/// Whether what an entry is about has certainly gone: its file was checked, or is no more.
bool PolicyRun::isGone(const OpenBaseline &B, const BaselineEntry &E) {
  auto [Below, IsNew] = CheckedBelow.try_emplace(B.Folder);
  if (IsNew)
    for (uint32_t File : Checked)
      Below->second.emplace(relativePath(Sources.file(File).name(), B.Folder), File);
  if (auto File = Below->second.find(E.File); File != Below->second.end())
    return isDecided(File->second, E.Code);
  std::error_code Error;
  return !E.File.empty() && !fs::exists(fs::path(B.Folder) / E.File, Error);
}

void PolicyRun::writeBaselines() {
  for (auto &[Path, B] : Baselines) {
    auto Gone = std::erase_if(B.Entries, [](const BaselineEntry &E) { return E.Gone; });
    bool Shrinks = Gone > 0 && Report.Errors == 0 && !Request.FrozenBaseline;
    if (!B.Valid || !(Request.UpdateBaseline || Shrinks))
      continue;
    std::string Held = plural(static_cast<int64_t>(B.Entries.size()), "finding");
    Report.Baselines.push_back({Path, writeBaseline(std::move(B.Entries)),
                                Request.UpdateBaseline
                                    ? fmt::format("`{}` holds {}", Path, Held)
                                    : fmt::format("`{}` holds {}, {} fewer than before", Path, Held, Gone)});
  }
}
