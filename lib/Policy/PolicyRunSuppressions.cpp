#include "Basic/Diagnostics.h"
#include "Frameworks/Job/FileKind.h"
#include "Policy/PolicyRun.h"
#include "Sema/ItemChecker.h"
#include "Syntax/Parser.h"
#include "std/Std.h"
#include <algorithm>

using namespace parlance;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void PolicyRun::collectRules(const std::vector<ast::Item *> &Items) {
  for (const ast::Item *I : Items) {
    if (I->Kind == ast::ItemKind::Rule)
      names().add(userCode(*I), I->Id.Text);
    collectRules(I->Items);
  }
}

/// The rules of the .parl files that were read.
void PolicyRun::nameUsersRules() {
  UsersNamed = true;
  for (uint32_t File = 1; File <= Sources.count(); ++File) {
    const SourceFile &Source = Sources.file(File);
    FileSyntax Syntax = syntaxOf(Source);
    bool IsOurs = Syntax == FileSyntax::Parlance || Syntax == FileSyntax::Unknown;
    if (!IsOurs || Sources.isOutside(File) || Source.text().find("rule") == std::string_view::npos)
      continue;
    DiagnosticEngine Reported; // where the file was checked
    collectRules(parse(Sources, File, standardLibrary().Units, Reported)->Items);
  }
}

bool PolicyRun::isKnown(std::string_view Pattern) {
  if (names().knows(Pattern))
    return true;
  if (!UsersNamed)
    nameUsersRules();
  return names().knows(Pattern);
}

//===----------------------------------------------------------------------===//
// What was judged
//===----------------------------------------------------------------------===//

bool PolicyRun::isDecided(uint32_t File, std::string_view Pattern) {
  bool AboutText = names().isAboutText(Pattern), HasJobs = false;
  for (const Judgement *J : JudgementsOf[File]) {
    HasJobs |= J->HasJobs;
    if (std::ranges::any_of(J->Files, [&](uint32_t F) { return Broken.contains(F); }))
      return false;
    if (!AboutText && J->Incomplete)
      return false;
    for (const UndecidedRule &R : J->Undecided)
      if (matchRule(Pattern, R.Code, R.Name))
        return false;
  }
  return Checked.contains(File) && (HasJobs || AboutText);
}

//===----------------------------------------------------------------------===//
// Suppressions
//===----------------------------------------------------------------------===//

void PolicyRun::readSuppressions() {
  for (uint32_t File = 1; File <= Sources.count(); ++File)
    for (Allow &A : findAllows(File, Sources, Own))
      Allows.push_back(std::move(A));
  for (const auto &[Id, Policy] : Finder.files())
    for (const SidecarAllow &S : Policy.Allows) {
      SourceManager::ReadError Error;
      Allow A;
      A.File = Sources.openNamed(S.Path, S.PathRange, Error).value_or(0);
      if (!A.File)
        Own.report(diag::StaleAllow, S.PathRange, S.Pattern, fmt::format("in `{}`: {}", S.Path, Error.Reason));
      A.Rules.push_back({S.Pattern, S.RuleRange, false});
      Allows.push_back(std::move(A));
    }
}

void PolicyRun::suppress() {
  // Those of a file in their order: neither their first nor their last lines ever go back.
  std::map<uint32_t, std::vector<Allow *>> Comments, Beside;
  for (Allow &A : Allows)
    (A.Comment ? Comments : Beside)[A.File].push_back(&A);
  auto Apply = [](Allow &A, Finding &F) {
    for (Allow::Rule &R : A.Rules)
      if (matchRule(R.Pattern, F.D.Code, F.D.Name))
        F.Hidden = R.Used = true;
  };
  for (Finding &F : Findings) {
    if (F.Hard || !F.D.Range)
      continue;
    for (Allow *A : Beside[F.D.Range.File])
      Apply(*A, F);
    const std::vector<Allow *> &Of = Comments[F.D.Range.File];
    const uint32_t Line = Of.empty() ? 0 : Sources.begin(F.D.Range).Line;
    for (auto It = std::ranges::lower_bound(Of, Line, {}, &Allow::Last); It != Of.end() && (*It)->First <= Line; ++It)
      Apply(**It, F);
  }
}

void PolicyRun::judgeSuppressions() {
  for (Allow &A : Allows)
    for (const Allow::Rule &R : A.Rules) {
      if (R.Used)
        continue;
      if (!isKnown(R.Pattern)) {
        // Of parlance.toml it is an error, like its other mistakes.
        Diagnostic &D = A.Comment ? Own.report(diag::AllowUnknown, R.Range, R.Pattern)
                                  : Own.report(diag::PolicyRule, R.Range, R.Pattern);
        offerNearest(D, R.Range, R.Pattern);
      } else if (auto Why = names().whyHard(R.Pattern)) {
        Own.report(diag::WithoutEffect, R.Range, R.Pattern, std::string(*Why));
      } else if (A.File && isDecided(A.File, R.Pattern)) {
        Diagnostic &D = Own.report(diag::StaleAllow, R.Range, R.Pattern, "here");
        if (A.Comment && A.Rules.size() == 1)
          D.Fixes.push_back({"delete the comment", Applicability::Machine, {{A.Comment, ""}}, {}});
      }
    }
}

void PolicyRun::offerNearest(Diagnostic &D, SourceRange At, std::string_view Pattern) {
  // A key of TOML may stand in quotes.
  std::string_view Written = Sources.text(At);
  std::string Quote = Written.starts_with('"') || Written.starts_with('\'') ? "\"" : "";
  if (auto Near = names().nearest(Pattern))
    D.Fixes.push_back(
        {fmt::format("`{}`", *Near), Applicability::Maybe, {{At, Quote + std::string(*Near) + Quote}}, {}});
}
