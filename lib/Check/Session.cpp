#include "Check/Session.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "std/Std.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

Session::Session(SourceManager &Sources, DiagnosticEngine &Diags)
    : Sources(Sources), Diags(Diags), Lib(standardLibrary()), Files(Sources, Lib, Diags), HuggingFace(Sources, Diags),
      Values(Sources, Lib, Diags, std::ref(HuggingFace)), Trees(Sources, Lib), Analysis(Files, Values, Trees) {}

std::optional<uint32_t> openFile(const std::string &Path, SourceManager &Sources, DiagnosticEngine &Diags) {
  SourceManager::ReadError Error;
  auto File = Sources.open(Path, Error);
  if (!File)
    Diags.report(diag::Unreadable, {}, Path, Error.Reason);
  return File;
}

/// Adds the files whose rules apply to every job of a file's project.
void Session::addRules(uint32_t Of) {
  for (uint32_t File : policyRules(Of, Sources))
    Files.add(File);
}

void Session::judge(uint32_t File, bool Rules) {
  Main = &Files.add(File);
  if (!Rules)
    return;
  addRules(File);
  Analysis.run();
  Judged.Checked = {Main->Tree->File};
  for (const auto &M : Files.modules())
    Judged.Files.push_back(M->Tree->File);
  noteJobs();
}

void Session::noteJobs() {
  Judged.HasJobs = !Analysis.jobs().empty();
  Judged.Incomplete =
      std::ranges::any_of(Analysis.jobs(), [](const AnalyzedJob &J) { return !J.Resolved.has_value(); });
  Judged.Undecided = Analysis.undecided();
  for (const AnalyzedJob &J : Analysis.jobs())
    if (J.File == Main) {
      JobVerdict &V = Judged.Jobs.emplace_back(J.Verdict);
      V.Name = J.Name;
      V.File = Judged.Checked.front();
    }
}

/// Of many names only the first ones are given: a checkpoint decides dozens of options.
static std::string someOf(std::vector<std::string> Names) {
  constexpr size_t Most = 4;
  if (Names.size() > Most) {
    size_t Rest = Names.size() - (Most - 1);
    Names.resize(Most - 1);
    Names.push_back(fmt::format("{} more options", Rest));
  }
  return joinList(std::span<const std::string>(Names), "and");
}

namespace {
/// Something that a file leaves open, and the options that it decides.
struct OpenValue {
  SourceRange Where;
  std::vector<std::string> Options;
};
} // namespace

/// One hint per file says what is open in it: what decides most, and the rest in notes.
static void reportOpen(std::span<const Symbol> Symbols, DiagnosticEngine &Diags) {
  std::map<uint32_t, std::map<std::string, OpenValue>> Files;
  for (const Symbol &S : Symbols) {
    OpenValue &Open = Files[S.Range.File].try_emplace(S.Text, OpenValue{S.Range, {}}).first->second;
    Open.Options.push_back(fmt::format("`{}`", S.Option));
  }
  for (auto &[File, ByText] : Files) {
    std::vector<std::pair<std::string, OpenValue>> Open(ByText.begin(), ByText.end());
    std::ranges::stable_sort(Open, {}, [](const auto &O) { return O.second.Where.Begin; });
    std::ranges::stable_sort(Open, std::greater(), [](const auto &O) { return O.second.Options.size(); });
    auto &[Text, First] = Open.front();
    Diagnostic &D = Diags.report(diag::NotChecked, First.Where, someOf(First.Options), Text);
    constexpr size_t MostNotes = 8;
    for (size_t I = 1; I < Open.size() && I <= MostNotes; ++I)
      D.Notes.push_back({Open[I].second.Where,
                         fmt::format("nor what depends on {}: `{}`", someOf(Open[I].second.Options), Open[I].first)});
    if (Open.size() > MostNotes + 1)
      D.Notes.push_back({{}, fmt::format("and {} more", Open.size() - MostNotes - 1)});
  }
}

/// A job that cannot be read at all is still one of which nothing was judged.
void Session::noteUnread(std::span<const ForeignFile *const> Files) {
  JobVerdict &V = Judged.Jobs.emplace_back();
  V.File = Files.front()->File;
  V.Name = std::filesystem::path(Sources.file(V.File).name()).stem().string();
}

void Session::judge(std::span<const ForeignFile *const> Files, const ForeignRequest &Request) {
  for (const ForeignFile *F : Files) {
    addRules(F->File);
    Judged.Checked.push_back(F->File);
  }
  Judged.Files = Judged.Checked;
  ForeignReader Reader(Values, HuggingFace, Request);
  auto Read = Reader.read(Files);
  Judged.Incomplete = !Read;
  if (!Read) {
    noteUnread(Files);
    return;
  }
  Analysis.runForeign(*Read->Job);
  noteJobs();
  for (JobVerdict &V : Judged.Jobs)
    V.Options = Read->Unread;
  reportOpen(Read->Symbols, Diags);
}

} // namespace parlance
