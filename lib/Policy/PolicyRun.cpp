#include "Policy/PolicyRun.h"
#include "Basic/Diagnostics.h"
#include "Basic/Fingerprint.h"
#include "Basic/Glob.h"
#include "Basic/Text.h"
#include <algorithm>
#include <filesystem>

using namespace parlance;

/// Past this many errors of a file the rest is counted and not shown.
static constexpr unsigned MostShown = DiagnosticEngine::MaxErrors;

static bool matchesAny(const std::vector<std::string> &Patterns, const Diagnostic &D) {
  return std::ranges::any_of(Patterns, [&](const std::string &P) { return matchRule(P, D.Code, D.Name) > 0; });
}

void PolicyRun::run() {
  addFindings(std::exchange(Report.Found, {}));
  readPolicyFiles();
  Report.Unusable = unusable();
  if (!Report.Unusable.empty())
    return;
  readSuppressions();
  suppress();
  judgeSuppressions();
  judgePolicyFiles();
  addFindings(Own.take());
  setLevels();
  applyBaselines();
  addFindings(Own.take());
  select();
  count();
  writeBaselines();
}

void PolicyRun::addFindings(std::vector<Diagnostic> Found) {
  hideOutside(Found, Sources);
  for (Diagnostic &D : Found) {
    bool Hard = whyHard(D.Code, D.Level).has_value();
    if (Hard)
      Broken.insert(D.Range.File);
    Findings.push_back({std::move(D), Hard, false});
  }
}

/// What is wrong with a pattern of the command line.
std::string PolicyRun::unusable(std::string_view Option, std::string_view Pattern) {
  if (!isKnown(Pattern)) {
    std::string_view Warnings[] = {DenyWarnings};
    auto Near = Option == "--deny" ? nearest(Pattern, Warnings) : std::nullopt;
    if (!Near)
      Near = names().nearest(Pattern);
    return fmt::format("no rule is called `{}`{}", Pattern, Near ? fmt::format(", did you mean `{}`", *Near) : "");
  }
  auto Why = Option == "--ignore" ? names().whyHard(Pattern) : std::nullopt;
  return Why ? fmt::format("`--ignore {}` has no effect: {}", Pattern, *Why) : "";
}

std::string PolicyRun::unusable() {
  const std::pair<std::string_view, const std::vector<std::string> *> Options[] = {
      {"--deny", &Request.Deny}, {"--select", &Request.Select}, {"--ignore", &Request.Ignore}};
  for (const auto &[Option, Patterns] : Options)
    for (const std::string &Pattern : *Patterns)
      if (std::string Why = unusable(Option, Pattern); !Why.empty())
        return Why;
  bool HasBaseline = !Request.Baseline.empty() || std::ranges::any_of(Finder.files(), [](const auto &File) {
    return !File.second.Baseline.empty();
  });
  if (Request.UpdateBaseline && Request.FrozenBaseline)
    return "`--update-baseline` writes what `--frozen-baseline` is to keep";
  if (Request.UpdateBaseline && !HasBaseline)
    return "`--update-baseline` needs `--baseline FILE`, or `baseline` in parlance.toml";
  return "";
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

void PolicyRun::judgePolicyFiles() {
  auto Judge = [&](const std::vector<RuleLevel> &Rules) {
    for (const RuleLevel &R : Rules)
      if (!isKnown(R.Pattern))
        offerNearest(Own.report(diag::PolicyRule, R.Range, R.Pattern), R.Range, R.Pattern);
      else if (auto Why = names().whyHard(R.Pattern); Why && R.Level != Severity::Error)
        Own.report(diag::WithoutEffect, R.Range, R.Pattern, std::string(*Why));
  };
  for (const auto &[Id, Policy] : Finder.files()) {
    Judge(Policy.Rules);
    for (const PathRules &Paths : Policy.Paths)
      Judge(Paths.Rules);
  }
}

/// Those that are about the files that were asked for, and those that were asked for themselves.
void PolicyRun::readPolicyFiles() {
  for (const Judgement &J : Report.Judged) {
    Checked.insert(J.Checked.begin(), J.Checked.end());
    for (uint32_t File : J.Files)
      JudgementsOf[File].push_back(&J);
  }
  for (uint32_t File : Checked)
    policyOf(File);
  for (const auto &[Id, Policy] : Finder.files())
    Finder.rules(Policy); // reports what cannot be opened
}

const PolicyFile *PolicyRun::policyOf(uint32_t File) {
  auto [It, IsNew] = PolicyOfFile.try_emplace(File, nullptr);
  if (IsNew)
    It->second = Finder.above(File ? Sources.file(File).name() : "");
  return It->second;
}

void PolicyRun::setLevels() {
  std::map<uint32_t, std::string> Paths;
  for (Finding &F : Findings) {
    const PolicyFile *Policy = F.Hard || F.Hidden ? nullptr : policyOf(F.D.Range.File);
    if (!Policy)
      continue;
    const RuleLevel *Level = levelOf(Policy->Rules, F.D);
    for (const PathRules &Of : Policy->Paths) {
      std::string &Path = Paths[F.D.Range.File];
      if (F.D.Range && Path.empty())
        Path = relativePath(Sources.file(F.D.Range.File).name(), Policy->Folder);
      bool Covered = std::ranges::any_of(Of.Globs, [&](const std::string &G) { return globCovers(G, Path); });
      if (const RuleLevel *Later = Covered ? levelOf(Of.Rules, F.D) : nullptr)
        Level = Later;
    }
    if (Level && Level->Level)
      F.D.Level = *Level->Level;
    else if (Level)
      F.Hidden = true;
  }
}

void PolicyRun::select() {
  for (Finding &F : Findings) {
    if (F.Hard || F.Hidden)
      continue;
    F.Hidden = (!Request.Select.empty() && !matchesAny(Request.Select, F.D)) || matchesAny(Request.Ignore, F.D);
    if (matchesAny(Request.Deny, F.D))
      F.D.Level = Severity::Error;
  }
}

void PolicyRun::count() {
  for (Finding &F : Findings)
    if (!F.Hidden)
      Report.Found.push_back(std::move(F.D));
  std::ranges::sort(Report.Found, {}, [](const Diagnostic &D) {
    return std::tie(D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message);
  });
  const unsigned Dropped = Report.SuppressedErrors + Own.suppressedErrors();
  Report.Errors = Dropped;
  Report.Warnings = 0;
  std::map<uint32_t, unsigned> ErrorsOf; // by file
  const auto NotShown = std::erase_if(Report.Found, [&](const Diagnostic &D) {
    Report.Warnings += D.Level == Severity::Warning;
    Report.Errors += D.Level == Severity::Error;
    return D.Level == Severity::Error && ++ErrorsOf[D.Range.File] > MostShown;
  });
  Report.SuppressedErrors = Dropped + static_cast<unsigned>(NotShown);
}
