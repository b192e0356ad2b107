// A small unit table and short ways to parse a text.
#pragma once
#include "Syntax/Dump.h"
#include "Syntax/Parser.h"
#include <fmt/format.h>

namespace parlance {

inline const UnitTable &testUnits() {
  static constexpr auto Make = [](std::string_view Name) {
    UnitName U{};
    U.Name = Name;
    return U;
  };
  // Sorted, as every unit table is.
  static const UnitName Names[] = {
      Make("B"),   Make("FLOP"),  Make("GB"),     Make("GiB"),  Make("TFLOP"),  Make("elem"),
      Make("gpu"), Make("layer"), Make("layers"), Make("node"), Make("params"), Make("replica"),
      Make("s"),   Make("seq"),   Make("stage"),  Make("tok"),  Make("tokens"), Make("us"),
  };
  static const RefusedUnit Refused[] = {[] {
    RefusedUnit R{};
    R.Name = "Gb";
    return R;
  }()};
  static const UnitTable Table(Names, Refused);
  return Table;
}

/// One parsed text with what was said about it.
struct Parsed {
  explicit Parsed(std::string Text, bool Library = false) {
    File = Sources.add("test.parl", std::move(Text));
    DiagnosticEngine Diags;
    Tree = parse(Sources, File, testUnits(), Diags, {Library});
    Suppressed = Diags.suppressedErrors();
    Found = Diags.take();
  }
  /// "4:7 PL0001" for every diagnostic, one a line.
  std::string errors() const {
    std::string S;
    for (const Diagnostic &D : Found) {
      LineColumn At = Sources.begin(D.Range);
      S += fmt::format("{}{}:{} {}", S.empty() ? "" : "\n", At.Line, At.Column, D.Code);
    }
    return S;
  }
  std::string tree() const { return dump(*Tree); }
  /// The text after the first fix of every diagnostic that has one.
  std::string fixed() const {
    std::string Text(Sources.file(File).text());
    for (auto D = Found.rbegin(); D != Found.rend(); ++D)
      if (!D->Fixes.empty())
        for (auto E = D->Fixes[0].Edits.rbegin(); E != D->Fixes[0].Edits.rend(); ++E)
          Text.replace(E->Range.Begin, E->Range.End - E->Range.Begin, E->NewText);
    return Text;
  }

  SourceManager Sources;
  uint32_t File = 0;
  unsigned Suppressed = 0;
  std::unique_ptr<SyntaxTree> Tree;
  std::vector<Diagnostic> Found;
};

/// The tree of the expression in `let x = …`; the errors when there are any.
inline std::string expression(std::string_view Text) {
  Parsed P(fmt::format("let x = {}\n", Text));
  if (!P.Found.empty())
    return P.errors();
  std::string Tree = P.tree();
  return Tree.substr(7, Tree.size() - 9);
}

/// Whether the tokens and the blanks between them are the text, with nothing left out and nothing twice.
inline bool lossless(std::string_view Text, const SyntaxTree &Tree) {
  uint32_t At = 0;
  for (const Token &T : Tree.Tokens) {
    if (T.Begin < At || T.End <= T.Begin || T.End > Text.size())
      return false;
    if (Text.substr(At, T.Begin - At).find_first_not_of(" \t\r\f\v") != std::string_view::npos)
      return false;
    At = T.End;
  }
  return Text.substr(At).find_first_not_of(" \t\r\f\v") == std::string_view::npos;
}

} // namespace parlance
