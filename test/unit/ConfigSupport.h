// What the tests of the readers of foreign formats share.
#pragma once
#include "Basic/Source.h"
#include "Config/ConfigTree.h"
#include <gtest/gtest.h>

namespace parlance {

/// Reads texts with one reader and tells what came of them.
template <typename Parser> class ConfigReading {
public:
  ConfigReading(std::string Name, Parser Parse) : Name(std::move(Name)), Parse(Parse) {}

  std::optional<ConfigValue> tree(std::string Text) {
    File = Sources.add(Name, std::move(Text));
    Diags.emplace();
    return Parse(File, Sources.file(File).text(), *Diags);
  }
  /// "LINE:COL-LINE:COL severity: message" of everything that is said about a text, one a line.
  std::string said(std::string Text) {
    const bool Tree = tree(std::move(Text)).has_value(), Failed = Diags->errors() > 0;
    EXPECT_NE(Tree, Failed) << "a tree or an error, never both or neither";
    std::string Result;
    for (const Diagnostic &D : Diags->take()) {
      const LineColumn From = Sources.begin(D.Range), To = Sources.end(D.Range);
      Result += fmt::format("{}{}:{}-{}:{} {}: {}", Result.empty() ? "" : "\n", From.Line, From.Column, To.Line,
                            To.Column, severityName(D.Level), D.Message);
    }
    return Result;
  }
  /// The tree on one line: `key=value`, strings in quotes, placeholders in `<>`.
  std::string shape(std::string Text) {
    auto Root = tree(std::move(Text));
    return Root ? shape(*Root) : "no tree";
  }
  static std::string shape(const ConfigValue &V) {
    using Kind = ConfigValue::Kind;
    if (V.K == Kind::String)
      return '"' + V.Text + '"';
    if (V.K == Kind::Symbolic)
      return '<' + V.Text + '>';
    if (V.K != Kind::Array && V.K != Kind::Object)
      return V.Text.empty() ? "null" : V.Text;
    std::string Result;
    for (const ConfigValue &Item : V.Items)
      Result += (Result.empty() ? "" : " ") + (V.isObject() ? Item.Key + "=" : "") + shape(Item);
    return V.isObject() ? "{" + Result + "}" : "[" + Result + "]";
  }
  /// `key text|value text` of every member and item, in order, from outside in.
  std::string places(std::string Text) {
    auto Root = tree(std::move(Text));
    std::string Result;
    if (Root)
      for (const ConfigValue &Item : Root->Items)
        places(Item, Result);
    return Result;
  }
  std::string textOf(SourceRange Range) const { return std::string(Sources.text(Range)); }

  SourceManager Sources;
  std::optional<DiagnosticEngine> Diags; ///< of the text that was read last
  uint32_t File = 0;

private:
  void places(const ConfigValue &V, std::string &Out) {
    Out += fmt::format("{}{}|{}", Out.empty() ? "" : "\n", V.KeyRange ? textOf(V.KeyRange) : "", textOf(V.Range));
    for (const ConfigValue &Item : V.Items)
      places(Item, Out);
  }

  std::string Name;
  Parser Parse;
};

} // namespace parlance
