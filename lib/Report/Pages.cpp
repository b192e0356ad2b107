#include "Report/Pages.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include <fmt/format.h>

namespace parlance {

namespace {

struct Entry {
  std::string_view Code, Name;
  Severity Level;
  std::string_view Message, Why, Example, Fixed;
};

std::vector<Entry> entries(const Library &Lib) {
  std::vector<Entry> Result;
  for (const DiagnosticPage &P : diagnosticPages())
    Result.push_back({P.Code, P.Name, P.Level, P.Message, P.Why, P.Example, P.Fixed});
  for (const RuleDecl &R : Lib.Rules)
    Result.push_back({R.Code, R.Name, R.Level, R.Message, R.Why, R.Example, R.Fixed});
  return Result;
}

/// Prose and programs with blanks at the line starts made even.
std::string indented(std::string_view Text, unsigned By) {
  std::vector<std::string_view> Lines;
  size_t Common = std::string_view::npos;
  for (size_t At = 0; At <= Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line = Text.substr(At, End - At);
    if (size_t First = Line.find_first_not_of(' '); First != std::string_view::npos) {
      Common = std::min(Common, First);
      Lines.push_back(Line);
    } else if (!Lines.empty()) {
      Lines.push_back({});
    }
    At = End + 1;
  }
  while (!Lines.empty() && Lines.back().empty())
    Lines.pop_back();
  std::string Out;
  for (std::string_view L : Lines)
    Out += L.empty() ? "\n" : std::string(By, ' ') + std::string(L.substr(Common)) + "\n";
  return Out;
}

} // namespace

std::optional<std::string> explanationPage(const Library &Lib, std::string_view CodeOrName) {
  for (const Entry &E : entries(Lib)) {
    if (E.Code != CodeOrName && E.Name != CodeOrName)
      continue;
    std::string Out = fmt::format("{} {} ({})\n\n  {}\n\n{}", E.Code, E.Name, severityName(E.Level),
                                  E.Message, indented(E.Why, 0));
    if (!E.Example.empty())
      Out += fmt::format("\nTriggers it:\n\n{}", indented(E.Example, 4));
    if (!E.Fixed.empty())
      Out += fmt::format("\nCorrected:\n\n{}", indented(E.Fixed, 4));
    return Out;
  }
  return std::nullopt;
}

std::optional<std::string> nearestCode(const Library &Lib, std::string_view CodeOrName) {
  std::vector<std::string_view> Names;
  for (const Entry &E : entries(Lib)) {
    Names.push_back(E.Code);
    Names.push_back(E.Name);
  }
  auto Near = nearest(CodeOrName, Names);
  return Near ? std::optional<std::string>(*Near) : std::nullopt;
}

} // namespace parlance
