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
  std::sort(Result.begin(), Result.end(),
            [](const Diagnostic &A, const Diagnostic &B) { return orderKey(A) < orderKey(B); });
  return Result;
}
