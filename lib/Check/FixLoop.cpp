#include "Check/FixLoop.h"
#include <algorithm>
#include <set>

namespace parlance {

namespace {

/// Rounds of fixing: a bound on time. Each round makes at least one fix.
constexpr unsigned MaxRounds = 100;

/// A fix that may be applied, and the problem that it is for.
struct Candidate {
  const Diagnostic *Of;
  const Fix *How;
};

/// Fixes files that are checked together.
class Fixer {
public:
  Fixer(const std::vector<std::string> &Files, const Recheck &Check, FileTexts &Texts,
        std::map<std::string, FixedFile> &Fixed)
      : Files(Files), Check(Check), Texts(Texts), Fixed(Fixed) {}
  void run();

private:
  std::vector<Candidate> candidates(const CheckReport &Now) const;
  bool owns(const CheckReport &Now, const Fix &F) const;
  FileTexts apply(const CheckReport &Now, std::span<const Candidate> Fixes) const;
  /// Applies fixes; false, with nothing changed, when that is not a gain.
  bool adopt(CheckReport &Now, std::span<const Candidate> Fixes);
  void note(const CheckReport &Now, const Fix &F);

  const std::vector<std::string> &Files;
  const Recheck &Check;
  FileTexts &Texts; ///< what is checked in place of the files
  std::map<std::string, FixedFile> &Fixed;
  std::set<FileTexts> Seen;
};

} // namespace

/// The path by which the file of a range was named.
static std::string pathOf(const CheckReport &In, SourceRange Range) {
  const std::string &Name = In.Sources.file(Range.File).name();
  return Name == "<stdin>" ? "-" : Name;
}

/// Whether all edits are in files that were named.
bool Fixer::owns(const CheckReport &Now, const Fix &F) const {
  return std::ranges::all_of(
      F.Edits, [&](const Edit &E) { return std::ranges::find(Files, pathOf(Now, E.Range)) != Files.end(); });
}

static bool overlap(SourceRange A, SourceRange B) {
  return A.File == B.File && (A.Begin == B.Begin || (A.Begin < B.End && B.Begin < A.End));
}

/// The fixes for a machine that do not touch each other, in the order of what they fix.
std::vector<Candidate> Fixer::candidates(const CheckReport &Now) const {
  std::vector<Candidate> Result;
  auto Collides = [&](const Fix &F) {
    return std::ranges::any_of(Result, [&](const Candidate &Other) {
      return std::ranges::any_of(F.Edits, [&](const Edit &A) {
        return std::ranges::any_of(Other.How->Edits, [&](const Edit &B) { return overlap(A.Range, B.Range); });
      });
    });
  };
  for (const Diagnostic &D : Now.Found)
    for (const Fix &F : D.Fixes)
      if (F.Trust == Applicability::Machine && !F.Edits.empty() && owns(Now, F) && !Collides(F)) {
        Result.push_back({&D, &F});
        break;
      }
  return Result;
}

/// The texts after fixes; other bytes stay as they are.
FileTexts Fixer::apply(const CheckReport &Now, std::span<const Candidate> Fixes) const {
  std::vector<Edit> Edits;
  for (const Candidate &C : Fixes)
    Edits.insert(Edits.end(), C.How->Edits.begin(), C.How->Edits.end());
  std::ranges::stable_sort(Edits, {}, [](const Edit &E) { return std::pair(E.Range.File, E.Range.Begin); });
  FileTexts Result = Texts;
  for (size_t I = Edits.size(); I-- > 0;) { // from the end, so that places stay right
    const Edit &E = Edits[I];
    auto [It, New] = Result.try_emplace(pathOf(Now, E.Range));
    if (I + 1 == Edits.size() || Edits[I + 1].Range.File != E.Range.File)
      It->second = Now.Sources.file(E.Range.File).text();
    It->second.replace(E.Range.Begin, E.Range.End - E.Range.Begin, E.NewText);
  }
  return Result;
}

/// How often a problem was found, wherever edits moved it.
static auto countOf(const CheckReport &In, const Diagnostic &Problem) {
  return std::ranges::count_if(
      In.Found, [&](const Diagnostic &D) { return D.Code == Problem.Code && D.Message == Problem.Message; });
}

/// Whether more errors and warnings of one kind are found. Their numbers may be others.
static bool bringsWarning(const CheckReport &Now, const CheckReport &After) {
  std::map<std::string_view, int64_t> More;
  for (const Diagnostic &D : After.Found)
    More[D.Code] += D.Level <= Severity::Warning;
  for (const Diagnostic &D : Now.Found)
    More[D.Code] -= D.Level <= Severity::Warning;
  return std::ranges::any_of(More, [](const auto &Code) { return Code.second > 0; });
}

/// The rules that are open in files that were judged together; a job that could not be judged at all has none.
static std::multiset<std::string_view> openRules(const Judgement &J) {
  std::multiset<std::string_view> Codes;
  for (const UndecidedRule &R : J.Undecided)
    Codes.insert(R.Code);
  return Codes;
}

/// Whether all that there is could be judged.
static bool isComplete(const Judgement &J) { return J.HasJobs && !J.Incomplete; }

/// Whether memory or step time of a job was known and is not any more.
static bool losesFigure(const std::vector<JobVerdict> &Was, const std::vector<JobVerdict> &Is) {
  for (size_t I = 0; I < Was.size() && I < Is.size(); ++I)
    if ((!Was[I].Memory.empty() && Is[I].Memory.empty()) || (!Was[I].Step.empty() && Is[I].Step.empty()))
      return true;
  return Is.size() < Was.size();
}

/// Whether something was judged that is not any more: a job, or, where `Rules`, a rule on it.
static bool losesJudgement(const CheckReport &Now, const CheckReport &After, bool Rules) {
  if (After.Judged.size() != Now.Judged.size())
    return true;
  for (size_t I = 0; I < Now.Judged.size(); ++I) {
    const Judgement &Was = Now.Judged[I], &Is = After.Judged[I];
    if ((Was.HasJobs && !Is.HasJobs) || (!Was.Incomplete && Is.Incomplete) || losesFigure(Was.Jobs, Is.Jobs) ||
        (Rules && isComplete(Was) && !std::ranges::includes(openRules(Was), openRules(Is))))
      return true;
  }
  return false;
}

/// Whether an error is found that was none before. What was not decided, or not judged at all, may turn out as one.
static bool bringsError(const CheckReport &Now, const CheckReport &After) {
  std::set<std::string_view> Known;
  for (const Judgement &J : Now.Judged) {
    if (!isComplete(J))
      return false;
    for (const UndecidedRule &R : J.Undecided)
      Known.insert(R.Code);
  }
  for (const Diagnostic &D : Now.Found)
    Known.insert(D.Code);
  return std::ranges::any_of(
      After.Found, [&](const Diagnostic &D) { return D.Level == Severity::Error && !Known.contains(D.Code); });
}

/// Whether fixes are a gain: their problems are gone, there are no more errors, what was judged still is, and where
/// none was mended no warning is new, as when a comment goes that was good for something. A corrected word may reveal
/// what is wrong with it, but what was tried on the job before must leave less, so that no two fixes undo each other.
static bool isGain(const CheckReport &Now, const CheckReport &After, std::span<const Candidate> Fixes) {
  // What was tried on the job has been held against its rules: of one that cannot run some are not asked.
  const bool Rules = std::ranges::any_of(Fixes, [](const Candidate &C) { return C.How->Effect.empty(); });
  if (After.Readable != Now.Readable || After.Errors > Now.Errors || losesJudgement(Now, After, Rules) ||
      bringsError(Now, After))
    return false;
  bool Mends = std::ranges::any_of(Fixes, [](const Candidate &C) { return C.Of->Level == Severity::Error; });
  if (!Mends && bringsWarning(Now, After))
    return false;
  bool Tried = Fixes.size() > 1 || !Fixes.front().How->Effect.empty();
  if (Tried && After.Found.size() + Fixes.size() > Now.Found.size() && After.Errors + Fixes.size() > Now.Errors)
    return false;
  return std::ranges::all_of(Fixes, [&](const Candidate &C) { return countOf(After, *C.Of) < countOf(Now, *C.Of); });
}

/// Counts a fix for the file where it begins.
void Fixer::note(const CheckReport &Now, const Fix &F) {
  for (const Edit &E : F.Edits) {
    auto [It, New] = Fixed.try_emplace(pathOf(Now, E.Range));
    if (New)
      It->second.Before = Now.Sources.file(E.Range.File).text();
  }
  ++Fixed[pathOf(Now, F.Edits.front().Range)].Fixed;
}

bool Fixer::adopt(CheckReport &Now, std::span<const Candidate> Fixes) {
  FileTexts Changed = apply(Now, Fixes);
  if (Seen.contains(Changed))
    return false;
  CheckReport After = Check(Changed);
  if (!isGain(Now, After, Fixes))
    return false;
  for (const Candidate &C : Fixes)
    note(Now, *C.How);
  Seen.insert(Changed);
  Texts = std::move(Changed);
  Now = std::move(After);
  return true;
}

void Fixer::run() {
  CheckReport Now = Check(Texts);
  Seen.insert(Texts);
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    std::vector<Candidate> All = candidates(Now);
    // One at a time where they do not go together.
    bool Gain = !All.empty() && adopt(Now, All);
    for (size_t I = 0; !Gain && All.size() > 1 && I < All.size(); ++I)
      Gain = adopt(Now, std::span(All).subspan(I, 1));
    if (!Gain)
      break;
  }
  for (const std::string &Path : Files)
    if (auto It = Fixed.find(Path); It != Fixed.end())
      It->second.Left = static_cast<unsigned>(std::ranges::count_if(
          Now.Found, [&](const Diagnostic &D) { return D.Range && pathOf(Now, D.Range) == Path; }));
}

void fixFiles(const std::vector<std::string> &Files, const Recheck &Check, FileTexts &Texts,
              std::map<std::string, FixedFile> &Fixed) {
  Fixer(Files, Check, Texts, Fixed).run();
}

} // namespace parlance
