#include "CheckRun.h"
#include "Basic/Diagnostics.h"
#include "FileWalk.h"
#include "Parallel.h"
#include "Policy/PolicyFinder.h"
#include "Session/Session.h"
#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

namespace parlance {

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

/// Standard input can be read once only, so it is no part of a job of several files.
static const FileKind *kindOf(const std::string &Path, const std::shared_ptr<const FileAccess> &Access) {
  if (Path == "-" || Path == "/dev/stdin")
    return FileKind::Unknown;
  SourceManager Sources;
  Sources.setAccess(Access);
  DiagnosticEngine Ignored;
  auto File = openFile(Path, Sources, Ignored);
  return File && isForeign(*File, Sources) ? openForeign(*File, Sources, Ignored).Kind : nullptr;
}

/// The named files, those of one job together, each job where its first file stands. Files that are no framework's, or
/// unreadable, are alone.
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

//===----------------------------------------------------------------------===//
// One unit
//===----------------------------------------------------------------------===//

namespace {

/// What one thread found in one unit.
struct UnitResult {
  SourceManager Sources;
  std::vector<std::string> Paths;
  std::vector<Diagnostic> Found;
  std::vector<Judgement> Judged;
  unsigned SuppressedErrors = 0;
  bool Readable = true;
  bool Checked = false;
};

class UnitChecker {
public:
  UnitChecker(const CheckUnit &Unit, const CheckRequest &Request, const FileTexts &Texts, UnitResult &Result)
      : Unit(Unit), Request(Request.Foreign), Texts(Texts), Result(Result) {
    Result.Sources.setAccess(Request.Access);
  }
  void run();

private:
  void open(const std::string &Path);
  void checkOwn(uint32_t File);
  bool isDoubtful() const;

  const CheckUnit &Unit;
  const ForeignRequest &Request;
  const FileTexts &Texts;
  UnitResult &Result;
  DiagnosticEngine Diags{PolicyErrors};
  std::vector<ForeignFile> Foreign;
};

void UnitChecker::checkOwn(uint32_t File) {
  Session S(Result.Sources, Diags);
  S.judge(File);
  Result.Judged.push_back(S.judgement());
  Result.Checked = true;
}

/// Settings are small; megabytes of JSON in a repository are data.
bool isData(const std::string &Path) {
  constexpr uintmax_t Largest = 1 << 20;
  std::error_code Error;
  const uintmax_t Size = std::filesystem::file_size(Path, Error);
  return !Error && Size > Largest;
}

/// Whether a file is a link to what may not be shown: what it holds would have been checked.
bool leadsOutside(const std::string &Path, const SourceManager &Sources) {
  return Sources.access() && Sources.access()->placeOf(SourceManager::realPath(Path)) == FileAccess::Place::Outside;
}

void UnitChecker::open(const std::string &Path) {
  const bool Doubtful = Unit.Walked && !Path.ends_with(".parl");
  if (Doubtful && isData(Path))
    return;
  SourceManager::ReadError Why;
  auto File = Result.Sources.open(Path, Why);
  if (!File) {
    Result.Readable &= Doubtful;
    if (!Doubtful)
      Diags.report(diag::Unreadable, {}, Path, Why.Reason);
    else if (leadsOutside(Path, Result.Sources))
      Diags.report(diag::NotFollowed, {}, Path, "it " + Why.Reason);
    return;
  }
  if (isPolicyFile(Path))
    Result.Judged.emplace_back().Checked = {*File};
  else if (!isForeign(*File, Result.Sources))
    checkOwn(*File);
  else if (!Doubtful)
    Foreign.push_back(openForeign(*File, Result.Sources, Diags));
  else if (auto Certain = openIfCertain(*File, Result.Sources, Diags))
    Foreign.push_back(std::move(*Certain));
}

/// A script that trains nothing, found in a folder.
bool UnitChecker::isDoubtful() const {
  return Unit.Walked &&
         std::ranges::any_of(Result.Found, [](const Diagnostic &D) { return D.Code == diag::UnknownForeign.Code; });
}

void UnitChecker::run() {
  for (const std::string &Path : Unit.Files) {
    if (auto Text = Texts.find(Path); Text != Texts.end())
      Result.Sources.openAs(Path, Text->second);
    open(Path);
  }
  for (const auto &Group : groupFiles(Foreign)) {
    Session S(Result.Sources, Diags);
    S.judge(Group, Request);
    Result.Judged.push_back(S.judgement());
  }
  Result.Checked |= !Foreign.empty();
  Result.SuppressedErrors = Diags.suppressedErrors();
  Result.Found = Diags.take();
  Result.Paths = Result.Sources.paths();
  if (isDoubtful()) {
    Result.Found.clear();
    Result.Judged.clear();
    Result.SuppressedErrors = 0;
    Result.Checked = false;
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// All units
//===----------------------------------------------------------------------===//

static void renumber(std::vector<uint32_t> &Files, std::span<const uint32_t> Ids) {
  for (uint32_t &File : Files)
    File = Ids[File - 1];
}

/// One result after the other, so that nothing depends on which thread was first.
static void merge(CheckResult &Into, std::vector<Judgement> &Judged, UnitResult &Unit, DiagnosticEngine &All) {
  const std::vector<uint32_t> Ids = Into.Sources.absorb(std::move(Unit.Sources));
  for (Diagnostic &D : Unit.Found) {
    renumberFiles(D, Ids);
    All.add(std::move(D));
  }
  for (Judgement &J : Unit.Judged) {
    renumber(J.Checked, Ids);
    renumber(J.Files, Ids);
    Judged.push_back(std::move(J));
  }
  Into.SuppressedErrors += Unit.SuppressedErrors;
  Into.Readable &= Unit.Readable;
}

/// What the policy leaves of all that was found.
static void judge(CheckResult &Result, const std::vector<Judgement> &Judged, const PolicyRequest &Policy) {
  CheckReport Report = applyPolicy(std::move(Result.Found), Result.SuppressedErrors, Result.Sources, Policy, Judged);
  Result.Found = std::move(Report.Shown);
  Result.Errors = Report.Errors;
  Result.Warnings = Report.Warnings;
  Result.SuppressedErrors = Report.Suppressed;
  Result.Baselines = std::move(Report.Baselines);
  Result.Unusable = std::move(Report.Unusable);
}

/// What decides about a unit: the files that it read, and all places where its settings may have stood, since they may
/// be gone.
static std::vector<std::string> decisive(const UnitResult &Unit) {
  std::vector<std::string> Result = Unit.Paths;
  std::set<std::filesystem::path> Folders;
  for (const std::string &Path : Unit.Paths)
    Folders.insert(std::filesystem::path(Path).parent_path());
  for (const std::filesystem::path &Folder : Folders)
    for (const std::filesystem::path &Place : PolicyFinder::places(Folder, Unit.Sources))
      Result.push_back(Place.string());
  return Result;
}

CheckResult checkUnits(const std::vector<CheckUnit> &Units, const CheckRequest &Request, DiagnosticEngine &Diags,
                       const FileTexts &Texts) {
  std::vector<UnitResult> Results(Units.size());
  inParallel(Units.size(), [&](size_t I) { UnitChecker(Units[I], Request, Texts, Results[I]).run(); });
  CheckResult Merged;
  Merged.Sources.setAccess(Request.Access);
  std::vector<Judgement> Judged;
  Merged.Readable = Diags.empty();
  DiagnosticEngine All(std::numeric_limits<unsigned>::max()); // each unit has its own limit
  for (Diagnostic &D : Diags.take())
    All.add(std::move(D));
  for (size_t I = 0; I < Units.size(); ++I) {
    if (Request.Filter && !Request.Filter(decisive(Results[I])))
      continue;
    if (Results[I].Checked)
      Merged.Checked.insert(Merged.Checked.end(), Units[I].Files.begin(), Units[I].Files.end());
    merge(Merged, Judged, Results[I], All);
  }
  Merged.Found = All.take();
  judge(Merged, Judged, Request.Policy);
  return Merged;
}

} // namespace parlance
