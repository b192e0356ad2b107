#include "Check/UnitCheck.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

UnitCheck::UnitCheck(const CheckUnit &Unit, const CheckRequest &Request) : Unit(Unit), Request(Request) {
  SourceManager &Sources = Report.Sources;
  Sources.setAccess(Request.Access);
  Sources.setOverlay(Request.Held);
  for (const std::string &Path : Unit.Files) {
    if (auto Text = Request.Texts.find(Path); Text != Request.Texts.end())
      Sources.openAs(Path, Text->second);
    Opened.push_back(open(Path));
  }
  judgeForeign();
  finish();
}

/// Settings are small; megabytes of JSON in a repository are data.
static bool isData(const std::string &Path) {
  constexpr uintmax_t Largest = 1 << 20;
  std::error_code Error;
  const uintmax_t Size = std::filesystem::file_size(Path, Error);
  return !Error && Size > Largest;
}

/// Whether a file is a link to what may not be shown: what it holds would have been checked.
static bool leadsOutside(const std::string &Path, const SourceManager &Sources) {
  return Sources.access() && Sources.access()->placeOf(SourceManager::realPath(Path)) == FileAccess::Place::Outside;
}

uint32_t UnitCheck::open(const std::string &Path) {
  SourceManager &Sources = Report.Sources;
  const bool Doubtful = Unit.Walked && !Path.ends_with(".parl");
  if (Doubtful && isData(Path))
    return 0;
  SourceManager::ReadError Why;
  const auto File = Sources.open(Path, Why);
  if (!File) {
    Report.Readable &= Doubtful;
    if (!Doubtful)
      Diags.report(diag::Unreadable, {}, Path, Why.Reason);
    else if (leadsOutside(Path, Sources))
      Diags.report(diag::NotFollowed, {}, Path, "it " + Why.Reason);
    return 0;
  }
  if (isPolicyFile(Path)) {
    Report.Judged.emplace_back().Checked = {*File};
  } else if (!isForeign(*File, Sources)) {
    newSession().judge(*File, !Request.NamesOnly);
  } else if (!Doubtful) {
    Foreign.push_back(openForeign(*File, Sources, Diags));
  } else if (auto Certain = openIfCertain(*File, Sources, Diags)) {
    Foreign.push_back(std::move(*Certain));
  }
  return *File;
}

void UnitCheck::judgeForeign() {
  if (Request.NamesOnly)
    return;
  for (const auto &Group : groupFiles(Foreign))
    newSession().judge(Group, Request.Foreign);
}

static bool has(const std::vector<Diagnostic> &Found, std::string_view Code) {
  return std::ranges::any_of(Found, [&](const Diagnostic &D) { return D.Code == Code; });
}

/// A script that trains nothing, found in a folder.
bool UnitCheck::isDoubtful() const { return Unit.Walked && has(Report.Found, diag::UnknownForeign.Code); }

/// Whether nothing was judged of what a job could have been.
bool UnitCheck::isUnknown() const {
  const bool NoJob = std::ranges::all_of(
      Sessions, [](const auto &S) { return std::ranges::none_of(S->judgement().Jobs, &JobVerdict::Resolved); });
  return has(Report.Found, diag::UnknownForeign.Code) || (NoJob && has(Report.Found, diag::UnknownProgram.Code));
}

void UnitCheck::finish() {
  Report.Walked = Unit.Walked;
  Report.SuppressedErrors = Diags.suppressedErrors();
  Report.Found = Diags.take();
  if (Request.NamesOnly)
    hideOutside(Report.Found, Report.Sources);
  if (isDoubtful()) {
    Report.Found.clear();
    Report.SuppressedErrors = 0;
    Report.PassedOver = 1;
    Sessions.clear();
    return;
  }
  Report.Understood = Unit.Walked || !isUnknown();
  Report.PassedOver = Unit.Walked && Sessions.empty() && Report.Judged.empty();
  for (const auto &S : Sessions)
    Report.Judged.push_back(S->judgement());
  if (!Sessions.empty() || !Foreign.empty())
    Report.Checked = Unit.Files;
}

Session &UnitCheck::session() { return Sessions.empty() ? newSession() : *Sessions.front(); }

CheckReport UnitCheck::take() && {
  Sessions.clear();
  return std::move(Report);
}

} // namespace parlance
