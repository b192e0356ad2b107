// The generated pages: what their parts share.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

inline constexpr std::string_view DocsBanner = "<!-- Made by `tools/dev docs`; do not edit. -->\n";

/// What a page of docs/rules says, wherever the diagnostic is declared. Texts are of one line but for the programs.
struct Page {
  std::string Code, Name, Level, Message, Why, Raises, Example, Fixed, Where;
  std::string Frameworks; ///< joined by commas; empty: all
};

/// A text of one line as a cell of a table in Markdown.
std::string tableCell(std::string Text);
/// docs/rules/README.md: a table for each group of codes.
std::string ruleIndex(const std::vector<Page> &Pages);
/// docs/rules/index.html: the same as one page with a search, which needs nothing besides itself.
std::string ruleIndexHtml(const std::vector<Page> &Pages);

} // namespace parlance
