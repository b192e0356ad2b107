#include "Report/Pages.h"
#include "Basic/DiagnosticGroups.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Basic/Utf8.h"
#include "Render/Frame.h"
#include "Sema/ItemChecker.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace parlance {

namespace {

struct Entry {
  std::string_view Code, Name;
  Severity Level;
  std::string_view Message, Why, Raises, Example, Fixed;
  std::vector<std::string_view> Frameworks;
};

std::vector<Entry> entries(const Library &Lib) {
  std::vector<Entry> Result;
  for (const DiagnosticPage &P : diagnosticPages())
    Result.push_back({P.Code, P.Name, P.Level, P.Message, P.Why, {}, P.Example, P.Fixed, {}});
  for (const RuleDecl &R : Lib.Rules)
    Result.push_back({R.Code,
                      R.Name,
                      R.Level,
                      R.Message,
                      R.Why,
                      R.Raises,
                      R.Example,
                      R.Fixed,
                      {R.Frameworks.begin(), R.Frameworks.end()}});
  std::ranges::sort(Result, {}, &Entry::Code);
  return Result;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// A program with blanks at the line starts made even.
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
      Lines.emplace_back();
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

/// Prose with lines of at most so many columns; a longer word has a line of its own.
std::string wrapped(std::string_view Text, unsigned Width, unsigned By) {
  std::string Out, Line;
  size_t Used = 0; // columns of Line
  auto Flush = [&] {
    if (!Line.empty())
      Out += std::string(By, ' ') + Line + "\n";
    Line.clear();
    Used = 0;
  };
  for (size_t At = 0; At < Text.size();) {
    size_t Begin = Text.find_first_not_of(" \n", At);
    if (Begin == std::string_view::npos)
      break;
    size_t End = std::min(Text.find_first_of(" \n", Begin), Text.size());
    std::string_view Word = Text.substr(Begin, End - Begin);
    size_t Wide = columns(Word);
    if (Used && By + Used + 1 + Wide > Width)
      Flush();
    Line += Used ? " " : "";
    Line += Word;
    Used += Wide + (Used ? 1 : 0);
    At = End;
  }
  Flush();
  return Out;
}

/// A part of a file with the blanks before its first line.
std::string_view lines(const SourceManager &Sources, SourceRange Part) {
  std::string_view Text = Sources.file(Part.File).text();
  size_t Begin = Part.Begin;
  while (Begin > 0 && (Text[Begin - 1] == ' ' || Text[Begin - 1] == '\t'))
    --Begin;
  return Text.substr(Begin, Part.End - Begin);
}

void section(std::string &Out, std::string_view Title, const std::string &Body, PageStyle Layout) {
  if (!Body.empty())
    Out += fmt::format("\n{}\n\n{}", Painter{Layout.Color}(Style::Bold, Title), Body);
}

std::string page(const Entry &E, PageStyle Layout) {
  Painter Paint{Layout.Color};
  std::string Out =
      fmt::format("{} ({})\n\n{}", Paint(Style::Bold, fmt::format("{} {}", E.Code, E.Name)),
                  Paint(severityStyle(E.Level), severityName(E.Level)), wrapped(E.Message, Layout.Width, 2));
  if (!E.Why.empty())
    Out += "\n" + wrapped(E.Why, Layout.Width, 0);
  section(Out, "In the framework:", wrapped(E.Raises, Layout.Width, 2), Layout);
  section(Out, "Triggers it:", indented(E.Example, 4), Layout);
  section(Out, "Corrected:", indented(E.Fixed, 4), Layout);
  if (!E.Frameworks.empty())
    Out += fmt::format("\nApplies to {}.\n", joinList(E.Frameworks, "and"));
  return Out;
}

/// One line for a list.
std::string listed(const Entry &E, PageStyle Layout) {
  Painter Paint{Layout.Color};
  return fmt::format("{} {} {}: {}\n", Paint(Style::Bold, E.Code), E.Name,
                     Paint(severityStyle(E.Level), severityName(E.Level)), printable(E.Message));
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Lower case, with one blank where lines break.
std::string plain(std::string_view Text) {
  std::string Result;
  for (char C : Text)
    if (C != ' ' && C != '\n')
      Result += C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C;
    else if (!Result.ends_with(' '))
      Result += ' ';
  return Result;
}

bool hasAll(const Entry &E, std::span<const std::string> Words) {
  std::string Text;
  for (std::string_view Part : {E.Code, E.Name, severityName(E.Level), E.Message, E.Why, E.Raises})
    Text += plain(Part) + "\n";
  for (std::string_view Framework : E.Frameworks)
    Text += plain(Framework) + "\n";
  return std::ranges::all_of(Words, [&](const std::string &W) { return Text.find(plain(W)) != std::string::npos; });
}

} // namespace

std::optional<std::string> explanationPage(const Library &Lib, std::string_view CodeOrName, PageStyle Layout) {
  std::string Name(CodeOrName);
  std::ranges::replace(Name, '_', '-'); // as in policies
  for (const Entry &E : entries(Lib))
    if (E.Code == CodeOrName || E.Name == Name)
      return page(E, Layout);
  return std::nullopt;
}

std::optional<RuleHelp> ruleHelp(const Library &Lib, std::string_view Code) {
  constexpr unsigned OneLine = std::numeric_limits<unsigned>::max();
  for (const Entry &E : entries(Lib)) {
    if (E.Code != Code)
      continue;
    std::string Why = wrapped(E.Why, OneLine, 0);
    std::string Markdown = fmt::format("**{} {}**\n\n{}", E.Code, E.Name, Why);
    if (!E.Raises.empty())
      Markdown += "\nIn the framework: " + wrapped(E.Raises, OneLine, 0);
    for (auto [Title, Program] : {std::pair{"Triggers it", E.Example}, {"Corrected", E.Fixed}})
      if (!Program.empty())
        Markdown += fmt::format("\n{}:\n```\n{}```\n", Title, indented(Program, 0));
    if (Why.ends_with('\n'))
      Why.pop_back();
    return RuleHelp{E.Level, std::move(Why), page(E, {}), std::move(Markdown)};
  }
  return std::nullopt;
}

std::string rulePage(const SourceManager &Sources, const Module &File, const ast::Item &Rule, PageStyle Layout) {
  DiagnosticEngine Ignored; // the form was checked with the file
  auto Form = ruleForm(Rule, Ignored);
  if (!Form)
    return {};
  RuleTexts Texts(*Form, textsOf(File), Ignored);
  const std::string Example = Texts.example(), Fixed = Texts.fixed();
  Entry E{userCode(Rule), Rule.Id.Text, Form->Level, Form->Message->Value->Text, Form->Why, Form->Raises,
          Example,        Fixed,        {}};
  for (const ast::Expr *Word : Form->Frameworks)
    E.Frameworks.push_back(Word->Text);
  std::string Out = page(E, Layout);
  for (std::string_view Word : {"fires", "passes"}) {
    std::string Cases;
    for (const ast::Item *Test : File.Tree->Items)
      if (Test->Kind == ast::ItemKind::Test && Test->Id.Text == Rule.Id.Text)
        for (const ast::Item *Case : Test->Items)
          if (Case->Kind == ast::ItemKind::Case && Case->Id2.Text == Word)
            Cases += indented(lines(Sources, Case->Range), 4);
    section(Out, Word == "fires" ? "Fires on:" : "Passes:", Cases, Layout);
  }
  return Out;
}

std::string findPages(const Library &Lib, std::span<const std::string> Words, PageStyle Layout) {
  std::vector<Entry> Found = entries(Lib);
  std::erase_if(Found, [&](const Entry &E) { return !hasAll(E, Words); });
  if (Found.size() == 1)
    return page(Found.front(), Layout);
  std::string Out;
  for (const Entry &E : Found)
    Out += listed(E, Layout);
  return Out;
}

std::string pageGroups(const Library &Lib) {
  std::vector<Entry> All = entries(Lib);
  std::string Out;
  for (const DiagnosticGroup &G : diagnosticGroups()) {
    auto Count = std::ranges::count_if(All, [&](const Entry &E) { return E.Code.starts_with(G.Prefix); });
    Out += fmt::format("  {}  {:3}  {}\n", G.Prefix, Count, G.Title);
  }
  return Out;
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
