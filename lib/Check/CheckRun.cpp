#include "Check/CheckRun.h"
#include "Check/Parallel.h"
#include "Check/UnitCheck.h"
#include "Policy/PolicyFinder.h"
#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

namespace parlance {

static void renumber(std::vector<uint32_t> &Files, std::span<const uint32_t> Ids) {
  for (uint32_t &File : Files)
    File = Ids[File - 1];
}

/// One report after the other, so that nothing depends on which thread was first.
static void merge(CheckReport &Into, CheckReport Unit, DiagnosticEngine &All) {
  const std::vector<uint32_t> Ids = Into.Sources.absorb(std::move(Unit.Sources));
  for (Diagnostic &D : Unit.Found) {
    renumberFiles(D, Ids);
    All.add(std::move(D));
  }
  for (Judgement &J : Unit.Judged) {
    renumber(J.Checked, Ids);
    renumber(J.Files, Ids);
    for (JobVerdict &V : J.Jobs)
      V.File = Ids[V.File - 1];
    Into.Judged.push_back(std::move(J));
  }
  std::ranges::move(Unit.Checked, std::back_inserter(Into.Checked));
  Into.SuppressedErrors += Unit.SuppressedErrors;
  Into.Readable &= Unit.Readable;
  Into.Understood &= Unit.Understood;
  Into.Walked += Unit.Walked;
  Into.PassedOver += Unit.PassedOver;
}

/// What decides about a unit: the files that it read, and all places where its settings may have stood, since they may
/// be gone.
static std::vector<std::string> decisive(const CheckReport &Unit) {
  std::vector<std::string> Result = Unit.Sources.paths();
  std::set<std::filesystem::path> Folders;
  for (const std::string &Path : Result)
    Folders.insert(std::filesystem::path(Path).parent_path());
  for (const std::filesystem::path &Folder : Folders)
    for (const std::filesystem::path &Place : PolicyFinder::places(Folder, Unit.Sources))
      Result.push_back(Place.string());
  return Result;
}

CheckReport checkUnits(const std::vector<CheckUnit> &Units, const CheckRequest &Request, DiagnosticEngine &Diags) {
  std::vector<CheckReport> Reports(Units.size());
  inParallel(Units.size(), [&](size_t I) { Reports[I] = UnitCheck(Units[I], Request).take(); });
  CheckReport Merged;
  Merged.Sources.setAccess(Request.Access);
  Merged.Readable = Diags.empty();
  DiagnosticEngine All(std::numeric_limits<unsigned>::max()); // each unit has its own limit
  for (Diagnostic &D : Diags.take())
    All.add(std::move(D));
  for (CheckReport &Unit : Reports)
    if (!Request.Filter || Request.Filter(decisive(Unit)))
      merge(Merged, std::move(Unit), All);
  Merged.Found = All.take();
  applyPolicy(Merged, Request.Policy);
  return Merged;
}

} // namespace parlance
