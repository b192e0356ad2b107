// The index of all diagnostics, as Markdown and as one page with a search.
#include "Basic/DiagnosticGroups.h"
#include "Basic/Text.h"
#include "Docs.h"
#include "rules/Page.h"
#include <fmt/format.h>

namespace parlance {

std::string tableCell(std::string Text) {
  for (size_t At = 0; (At = Text.find('|', At)) != std::string::npos; At += 2)
    Text.insert(At, "\\");
  return Text;
}

static std::vector<const Page *> pagesOf(const std::vector<Page> &Pages, const DiagnosticGroup &G) {
  std::vector<const Page *> Result;
  for (const Page &P : Pages)
    if (P.Code.starts_with(G.Prefix))
      Result.push_back(&P);
  return Result;
}

std::string ruleIndex(const std::vector<Page> &Pages) {
  std::string Out = std::string(DocsBanner) +
                    "# Diagnostics\n\nCodes are permanent; code and name are accepted everywhere "
                    "(`parlance explain PL2003`, `parlance explain tp-divides-heads`). "
                    "`parlance explain WORDS` finds pages by what they say, and so does "
                    "[index.html](index.html), opened in a browser.\n";
  for (const DiagnosticGroup &G : diagnosticGroups()) {
    Out += fmt::format("\n## {} {}\n| code | name | severity | frameworks | message |\n"
                       "| --- | --- | --- | --- | --- |\n",
                       G.Prefix, G.Title);
    for (const Page *P : pagesOf(Pages, G))
      Out += fmt::format("| [{0}]({0}.md) | {1} | {2} | {3} | {4} |\n", P->Code, P->Name, P->Level, P->Frameworks,
                         tableCell(P->Message));
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// HTML
//===----------------------------------------------------------------------===//

static std::string escaped(std::string_view Text) {
  std::string Out;
  for (char C : Text)
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    default:
      Out += C;
    }
  return Out;
}

static std::string row(const Page &P) {
  std::string Out = fmt::format("<details><summary><b>{0}</b><b>{1}</b><span class=\"{2}\">{2}</span>"
                                "<i>{3}</i></summary>\n",
                                P.Code, P.Name, P.Level, escaped(P.Message));
  if (!P.Why.empty())
    Out += fmt::format("<p>{}</p>\n", escaped(P.Why));
  if (!P.Raises.empty())
    Out += fmt::format("<p><b>In the framework:</b> {}</p>\n", escaped(P.Raises));
  return Out + fmt::format("<p>{0}<a href=\"{1}.md\">{1}</a></p></details>\n",
                           P.Frameworks.empty() ? "" : fmt::format("For {}. ", P.Frameworks), P.Code);
}

std::string ruleIndexHtml(const std::vector<Page> &Pages) {
  std::string Sections;
  for (const DiagnosticGroup &G : diagnosticGroups()) {
    Sections += fmt::format("<section>\n<h2>{} {}</h2>\n", G.Prefix, escaped(G.Title));
    for (const Page *P : pagesOf(Pages, G))
      Sections += row(*P);
    Sections += "</section>\n";
  }
  const std::pair<std::string_view, std::string> Parts[] = {{"{{style}}", std::string(page::Style)},
                                                            {"{{diagnostics}}", std::move(Sections)},
                                                            {"{{script}}", std::string(page::Script)}};
  return fillMarks(page::Html, Parts);
}

} // namespace parlance
