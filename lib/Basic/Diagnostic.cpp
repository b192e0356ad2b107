#include "Basic/Diagnostic.h"
#include <algorithm>

using namespace parlance;

std::string_view parlance::severityName(Severity S) {
  switch (S) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  case Severity::Hint:
    return "hint";
  }
  return "error";
}

std::string_view parlance::applicabilityName(Applicability A) {
  switch (A) {
  case Applicability::Machine:
    return "machine";
  case Applicability::Maybe:
    return "maybe";
  case Applicability::Display:
    return "display";
  }
  return "display";
}

static void renumber(SourceRange &Range, std::span<const uint32_t> Ids) {
  if (Range.File)
    Range.File = Ids[Range.File - 1];
}

static void renumber(Derivation &D, std::span<const uint32_t> Ids) {
  renumber(D.Origin, Ids);
  for (Derivation &Term : D.Terms)
    renumber(Term, Ids);
}

void parlance::renumberFiles(Diagnostic &D, std::span<const uint32_t> Ids) {
  renumber(D.Range, Ids);
  if (D.Quotes.value_or(0))
    D.Quotes = Ids[*D.Quotes - 1];
  for (Label &L : D.Labels)
    renumber(L.Range, Ids);
  for (Note &N : D.Notes)
    renumber(N.Range, Ids);
  for (Derivation &Tree : D.Derivations)
    renumber(Tree, Ids);
  for (Fix &F : D.Fixes)
    for (Edit &E : F.Edits)
      renumber(E.Range, Ids);
}

namespace {

/// Takes what is outside out of one diagnostic.
class OutsideHider {
public:
  OutsideHider(Diagnostic &D, const SourceManager &Sources) : D(D), Sources(Sources) {}
  void run();

private:
  bool isOutside(SourceRange Range) const { return Sources.isOutside(Range.File); }
  void withdraw(uint32_t File);
  void move(SourceRange &Range) const {
    if (isOutside(Range))
      Range = Sources.namedAt(Range.File);
  }
  void move(Derivation &Tree) const;

  Diagnostic &D;
  const SourceManager &Sources;
};

/// Of a text that may quote a file, only which file and which code.
void OutsideHider::withdraw(uint32_t File) {
  const std::string &Path = Sources.file(File).name();
  Diagnostic Left;
  Left.Code = D.Code;
  // A rule of the file itself has a name of its own.
  Left.Name = D.Quotes ? std::string_view("outside") : D.Name;
  Left.Level = D.Level;
  Left.Range = D.Range;
  Left.Jobs = D.Jobs;
  Left.Message = fmt::format("`{}` has {}, and lies outside of {}: its text is not shown", Path, D.Code,
                             Sources.access()->inside());
  Left.Notes.push_back({{}, fmt::format("`parlance check {}` shows it, or this check with `--allow-outside`", Path)});
  D = std::move(Left);
}

void OutsideHider::move(Derivation &Tree) const {
  move(Tree.Origin);
  for (Derivation &Term : Tree.Terms)
    move(Term);
}

void OutsideHider::run() {
  const uint32_t Quoted = D.Quotes.value_or(D.Range.File);
  if (Sources.isOutside(Quoted))
    withdraw(Quoted);
  move(D.Range);
  std::erase_if(D.Labels, [&](const Label &L) { return isOutside(L.Range); });
  for (Note &N : D.Notes) {
    if (isOutside(N.Range) && D.Quotes != 0u)
      N.Message = fmt::format("and `{}`, whose text is not shown", Sources.file(N.Range.File).name());
    move(N.Range);
    if (N.Range == D.Range)
      N.Range = {};
  }
  for (Derivation &Tree : D.Derivations)
    move(Tree);
  std::erase_if(D.Fixes, [&](const Fix &F) {
    return std::ranges::any_of(F.Edits, [&](const Edit &E) { return isOutside(E.Range); });
  });
}

} // namespace

void parlance::hideOutside(std::vector<Diagnostic> &Found, const SourceManager &Sources) {
  if (!Sources.hasOutside())
    return;
  std::set<std::tuple<uint32_t, uint32_t, std::string_view, std::string>> Seen;
  std::vector<Diagnostic> Kept;
  for (Diagnostic &D : Found) {
    OutsideHider(D, Sources).run();
    if (Seen.emplace(D.Range.File, D.Range.Begin, D.Code, D.Message).second)
      Kept.push_back(std::move(D));
  }
  Found = std::move(Kept);
}

static auto orderKey(const Diagnostic &D) {
  return std::tie(D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message);
}

std::string parlance::jobsOf(const Diagnostic &D, size_t Most) {
  if (D.Jobs.empty())
    return "";
  const size_t Shown = D.Jobs.size() > Most ? Most - 1 : D.Jobs.size();
  std::string Names =
      fmt::format("{}", fmt::join(D.Jobs.begin(), D.Jobs.begin() + static_cast<ptrdiff_t>(Shown), ", "));
  if (Shown < D.Jobs.size())
    Names += fmt::format(" and {} more", D.Jobs.size() - Shown);
  return fmt::format("(job{} {})", D.Jobs.size() == 1 ? "" : "s", Names);
}

void DiagnosticEngine::beginJob(std::string_view Name) {
  Job = Name;
  AllJobs.emplace(Name);
}

/// What was found of a job before is found of others too; what is wrong with the text stays without a job.
static void addJobs(Diagnostic *Known, const std::vector<std::string> &Jobs) {
  if (!Known || Known->Jobs.empty())
    return;
  for (const std::string &Job : Jobs)
    if (std::ranges::find(Known->Jobs, Job) == Known->Jobs.end())
      Known->Jobs.push_back(Job);
}

Diagnostic &DiagnosticEngine::add(Diagnostic D) {
  if (!Job.empty())
    D.Jobs = {Job};
  // An empty message is filled in later by the caller; it says nothing about sameness yet.
  Diagnostic **Known = nullptr;
  if (!D.Message.empty()) {
    auto [It, IsNew] = Seen.try_emplace({D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message}, nullptr);
    if (!IsNew) {
      addJobs(It->second, D.Jobs);
      Dropped = std::move(D);
      return Dropped;
    }
    Known = &It->second;
  }
  Errors += D.Level == Severity::Error;
  Warnings += D.Level == Severity::Warning;
  if (D.Level == Severity::Error && Errors > Limit) {
    Dropped = std::move(D);
    return Dropped;
  }
  Diagnostic &New = Kept.emplace_back(std::move(D));
  if (Known)
    *Known = &New;
  return New;
}

std::vector<Diagnostic> DiagnosticEngine::take() {
  std::vector<Diagnostic> Result(std::make_move_iterator(Kept.begin()), std::make_move_iterator(Kept.end()));
  Kept.clear();
  for (auto &[Key, Known] : Seen)
    Known = nullptr;
  if (AllJobs.size() == 1) // there is none to tell it from
    for (Diagnostic &D : Result)
      D.Jobs.clear();
  std::ranges::sort(Result, [](const Diagnostic &A, const Diagnostic &B) { return orderKey(A) < orderKey(B); });
  return Result;
}
