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

static auto orderKey(const Diagnostic &D) {
  return std::tie(D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message);
}

Diagnostic &DiagnosticEngine::add(Diagnostic D) {
  // An empty message is filled in later by the caller; it says nothing about sameness yet.
  const bool IsNew =
      D.Message.empty() ||
      Seen.emplace(D.Range.File, D.Range.Begin, D.Range.End, D.Code, D.Message).second;
  if (IsNew) {
    Errors += D.Level == Severity::Error;
    Warnings += D.Level == Severity::Warning;
  }
  if (!IsNew || (D.Level == Severity::Error && Errors > MaxErrors)) {
    Dropped = std::move(D);
    return Dropped;
  }
  return Kept.emplace_back(std::move(D));
}

std::vector<Diagnostic> DiagnosticEngine::take() {
  std::vector<Diagnostic> Result(std::make_move_iterator(Kept.begin()),
                                 std::make_move_iterator(Kept.end()));
  Kept.clear();
  std::sort(Result.begin(), Result.end(),
            [](const Diagnostic &A, const Diagnostic &B) { return orderKey(A) < orderKey(B); });
  return Result;
}
