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

Diagnostic &DiagnosticEngine::add(Diagnostic D) {
  // An empty message is filled in later by the caller; it says nothing about sameness yet.
  const bool IsNew =
      D.Message.empty() || Seen.emplace(D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message).second;
  if (IsNew) {
    Errors += D.Level == Severity::Error;
    Warnings += D.Level == Severity::Warning;
  }
  if (!IsNew || (D.Level == Severity::Error && Errors > Limit)) {
    Dropped = std::move(D);
    return Dropped;
  }
  return Kept.emplace_back(std::move(D));
}

std::vector<Diagnostic> DiagnosticEngine::take() {
  std::vector<Diagnostic> Result(std::make_move_iterator(Kept.begin()), std::make_move_iterator(Kept.end()));
  Kept.clear();
  std::ranges::sort(Result, [](const Diagnostic &A, const Diagnostic &B) { return orderKey(A) < orderKey(B); });
  return Result;
}
