// The parser is toml++: it tells the place of every key and value, and follows TOML 1.0. It is a
// library of headers, and this is the one file that compiles them.
#include "Basic/Toml.h"
#include "Basic/Diagnostics.h"
#include "Basic/TomlText.h"
#include "Basic/Utf8.h"
#include <algorithm>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

namespace parlance {
namespace {

/// Byte offsets of the parser's lines and columns, which count code points.
class Offsets {
public:
  explicit Offsets(std::string_view Text) {
    Lines.push_back(0);
    for (size_t I = 0; I < Text.size(); ++I) {
      if (isContinuation(Text[I]))
        continue;
      Points.push_back(static_cast<uint32_t>(I));
      if (Text[I] == '\n')
        Lines.push_back(static_cast<uint32_t>(Points.size()));
    }
    Points.push_back(static_cast<uint32_t>(Text.size()));
  }
  uint32_t operator()(toml::source_position At) const {
    if (!At)
      return 0;
    if (At.line > Lines.size())
      return Points.back();
    return Points[std::min<size_t>(Lines[At.line - 1] + At.column - 1, Points.size() - 1)];
  }

private:
  std::vector<uint32_t> Points; ///< the offset of each code point, and of the end
  std::vector<uint32_t> Lines;  ///< the code point with which each line begins
};

class TreeBuilder {
public:
  TreeBuilder(uint32_t File, std::string_view Text, const TomlText &Prepared,
              DiagnosticEngine &Diags)
      : File(File), Text(Text), Prepared(Prepared), Places(Prepared.Text), Diags(Diags) {}

  uint32_t offset(toml::source_position At) const { return Places(At); }
  std::optional<ConfigValue> build(const toml::table &Root) {
    ConfigValue Result = value(Root, 0);
    Result.Range = {File, 0, static_cast<uint32_t>(Text.size())};
    return Failed ? std::nullopt : std::optional(std::move(Result));
  }

private:
  SourceRange range(const toml::source_region &R) const {
    const uint32_t Begin = Places(R.begin);
    return {File, Begin, std::max(Begin, Places(R.end))};
  }
  std::string_view spelt(SourceRange R) const { return Text.substr(R.Begin, R.End - R.Begin); }

  ConfigValue value(const toml::node &Node, unsigned Depth);
  void scalar(ConfigValue &V, const toml::node &Node);
  bool refuse(SourceRange At, std::string Why) {
    if (!Failed)
      Diags.report(diag::TomlSyntax, At, Why);
    return Failed = true;
  }

  uint32_t File;
  std::string_view Text;
  const TomlText &Prepared;
  Offsets Places;
  DiagnosticEngine &Diags;
  bool Failed = false;
};

/// A float as JSON would write it.
std::string plainFloat(std::string_view Spelt) {
  std::string Result;
  for (char C : Spelt)
    if (C != '_' && !(C == '+' && Result.empty()))
      Result += C;
  if (Result.ends_with("nan"))
    return "NaN";
  if (Result.ends_with("inf"))
    return Result.starts_with('-') ? "-Infinity" : "Infinity";
  return Result;
}

void TreeBuilder::scalar(ConfigValue &V, const toml::node &Node) {
  using Kind = ConfigValue::Kind;
  const auto Found =
      std::ranges::lower_bound(Prepared.Placeholders, V.Range.Begin, {}, &SourceRange::Begin);
  if (Found != Prepared.Placeholders.end() && *Found == V.Range) {
    V.K = Kind::Symbolic;
    V.Text = spelt(V.Range);
    Diags.report(diag::TemplatePlaceholder, V.Range, V.Text);
  } else if (const auto *S = Node.as_string()) {
    V.K = Kind::String;
    V.Text = S->get();
  } else if (const auto *I = Node.as_integer()) {
    V.K = Kind::Number;
    V.Text = std::to_string(I->get());
  } else if (Node.is_floating_point()) {
    V.K = Kind::Number;
    V.Text = plainFloat(spelt(V.Range));
  } else if (const auto *B = Node.as_boolean()) {
    V.K = Kind::Bool;
    V.Text = B->get() ? "true" : "false";
  } else { // a date, a time or both
    V.K = Kind::String;
    V.Text = spelt(V.Range);
  }
}

ConfigValue TreeBuilder::value(const toml::node &Node, unsigned Depth) {
  ConfigValue V;
  V.Range = range(Node.source());
  if (Depth > MaxConfigDepth) {
    refuse(V.Range, fmt::format("tables are nested more than {} deep", MaxConfigDepth));
  } else if (const auto *Table = Node.as_table()) {
    V.K = ConfigValue::Kind::Object;
    V.Items.reserve(Table->size());
    for (const auto &[Key, Member] : *Table) {
      V.Items.push_back(value(Member, Depth + 1));
      V.Items.back().Key = Key.str();
      V.Items.back().KeyRange = range(Key.source());
    }
    // The parser keeps them by name.
    std::ranges::sort(V.Items, {}, [](const ConfigValue &I) { return I.KeyRange.Begin; });
  } else if (const auto *Array = Node.as_array()) {
    V.K = ConfigValue::Kind::Array;
    V.Items.reserve(Array->size());
    for (const auto &Item : *Array)
      V.Items.push_back(value(Item, Depth + 1));
  } else {
    scalar(V, Node);
  }
  return V;
}

} // namespace

std::optional<ConfigValue> parseToml(uint32_t File, std::string_view Text,
                                     DiagnosticEngine &Diags) {
  const auto Refuse = [&](size_t Begin, size_t End, std::string Why) {
    Diags.report(diag::TomlSyntax, {File, static_cast<uint32_t>(Begin), static_cast<uint32_t>(End)},
                 Why);
    return std::nullopt;
  };
  if (Text.size() > MaxTomlBytes)
    return Refuse(0, 0,
                  fmt::format("a TOML file of more than {} MiB is refused", MaxTomlBytes >> 20));
  if (size_t Bad = std::min(firstInvalidUtf8(Text), Text.find('\0')); Bad < Text.size())
    return Refuse(Bad, Bad + 1, "this is no text: a byte that is not UTF-8");
  const TomlText Prepared = prepareToml(File, Text);
  if (Prepared.TooDeep)
    return Refuse(Prepared.TooDeep->Begin, Prepared.TooDeep->End,
                  fmt::format("tables are nested more than {} deep", MaxConfigDepth));
  const toml::parse_result Result = toml::parse(std::string_view(Prepared.Text));
  TreeBuilder Builder(File, Text, Prepared, Diags);
  if (Result)
    return Builder.build(Result.table());
  reportTomlError(File, Text, Builder.offset(Result.error().source().begin),
                  Result.error().description(), Diags);
  return std::nullopt;
}

} // namespace parlance
