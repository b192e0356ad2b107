// The index of all diagnostics, as Markdown and as one page with a search.
#include "Basic/DiagnosticGroups.h"
#include "Docs.h"
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

static constexpr std::string_view Head = R"html(<!DOCTYPE html>
<!-- Made by `tools/dev docs`; do not edit. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parlance: diagnostics</title>
<style>
:root { color-scheme: light dark; --line: #8884; --dim: #888; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 0 1rem 3rem; }
header { position: sticky; top: 0; padding: .8rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.2rem; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem .6rem; }
#count { color: var(--dim); font-size: .85rem; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; }
summary { cursor: pointer; display: grid; grid-template-columns: 4.2rem 16rem 4.5rem 1fr; gap: .6rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary b { font-weight: 600; overflow-wrap: anywhere; }
.error { color: #c22; } .warning { color: #a60; } .hint { color: #188; }
details p { margin: .4rem 0 .4rem 4.8rem; max-width: 50rem; }
@media (max-width: 45rem) { summary { grid-template-columns: 4.2rem 1fr 4.5rem; } summary i { grid-column: 1 / -1; } details p { margin-left: 0; } }
summary i { font-style: normal; }
</style>
</head>
<body>
<header>
<h1>Diagnostics of Parlance</h1>
<input id="search" type="search" autocomplete="off" placeholder="Words, a code, a framework  ( / to search, Esc to clear, arrows to move )" aria-label="Search">
<div id="count" role="status"></div>
</header>
<main>
)html";

static constexpr std::string_view Tail = R"html(</main>
<script>
const box = document.getElementById("search"), rows = [...document.querySelectorAll("details")];
const texts = rows.map(r => r.textContent.toLowerCase());
function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((r, i) => shown += !(r.hidden = !words.every(w => texts[i].includes(w))));
  for (const s of document.querySelectorAll("section")) s.hidden = !s.querySelector("details:not([hidden])");
  document.getElementById("count").textContent = shown + " of " + rows.length;
  history.replaceState(null, "", "#" + encodeURIComponent(box.value.trim()));
}
box.addEventListener("input", filter);
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== box) { e.preventDefault(); box.focus(); }
  else if (e.key === "Escape") { box.value = ""; filter(); box.focus(); }
  else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
    const all = rows.filter(r => !r.hidden).map(r => r.firstElementChild);
    const next = all.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1);
    e.preventDefault();
    (next < 0 ? box : all[Math.min(next, all.length - 1)] ?? box).focus();
  }
});
box.value = decodeURIComponent(location.hash.slice(1));
filter();
</script>
</body>
</html>
)html";

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
  std::string Out(Head);
  for (const DiagnosticGroup &G : diagnosticGroups()) {
    Out += fmt::format("<section>\n<h2>{} {}</h2>\n", G.Prefix, escaped(G.Title));
    for (const Page *P : pagesOf(Pages, G))
      Out += row(*P);
    Out += "</section>\n";
  }
  return Out + std::string(Tail);
}

} // namespace parlance
