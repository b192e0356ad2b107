#include "Config/Json.h"
#include "Basic/Source.h"
#include <gtest/gtest.h>

using namespace parlance;

namespace {

class Json : public testing::Test {
protected:
  std::optional<ConfigValue> parse(std::string Text) {
    File = Sources.add("config.json", std::move(Text));
    Diags.emplace();
    return parseJson(File, Sources.file(File).text(), *Diags);
  }
  /// "LINE:COL-COL: message" of everything that is said about a text, one a line; "" for a tree without complaint.
  std::string said(std::string Text) {
    const bool Tree = parse(std::move(Text)).has_value();
    const bool Failed = Diags->errors() > 0;
    std::string Result;
    for (const Diagnostic &D : Diags->take()) {
      const LineColumn From = Sources.begin(D.Range), To = Sources.end(D.Range);
      Result += fmt::format("{}{}:{}-{}: {}", Result.empty() ? "" : "\n", From.Line, From.Column, To.Column, D.Message);
    }
    EXPECT_NE(Tree, Failed) << "a tree or an error, never both or neither";
    return Result;
  }
  std::string textOf(SourceRange Range) { return std::string(Sources.text(Range)); }

  SourceManager Sources;
  std::optional<DiagnosticEngine> Diags; ///< of the text that was parsed last
  uint32_t File = 0;
};

TEST_F(Json, ValuesKnowTheirPlaces) {
  auto Root = parse("{ \"a\" : [1, -2.5e3,\"x\\ty\"],\n \"b\":{\"c\":null , \"d\" : true}, \"e\":[], \"f\":{} }");
  ASSERT_TRUE(Root);
  EXPECT_EQ(Root->Range.Begin, 0u);
  EXPECT_EQ(Root->Range.End, Sources.file(File).text().size());
  ASSERT_EQ(Root->Items.size(), 4u);
  const ConfigValue &A = Root->Items[0], &B = Root->Items[1];
  EXPECT_EQ(A.Key, "a");
  EXPECT_EQ(textOf(A.KeyRange), "\"a\"");
  EXPECT_EQ(textOf(A.Range), "[1, -2.5e3,\"x\\ty\"]");
  EXPECT_EQ(textOf(A.Items[0].Range), "1");
  EXPECT_EQ(textOf(A.Items[1].Range), "-2.5e3");
  EXPECT_EQ(textOf(A.Items[2].Range), "\"x\\ty\"");
  EXPECT_EQ(A.Items[2].Text, "x\ty");
  EXPECT_EQ(textOf(B.Range), "{\"c\":null , \"d\" : true}");
  EXPECT_TRUE(B.Items[0].isNull());
  EXPECT_TRUE(B.find("d")->isTrue());
  EXPECT_EQ(textOf(B.find("d")->Range), "true");
  EXPECT_EQ(textOf(Root->find("e")->Range), "[]");
  EXPECT_EQ(textOf(Root->find("f")->Range), "{}");
  EXPECT_EQ(Root->find("z"), nullptr);
  EXPECT_FALSE(A.KeyRange == B.KeyRange);
  EXPECT_FALSE(A.Items[0].KeyRange);
}

TEST_F(Json, ScalarDocuments) {
  for (std::string Text : {"1", " true", "\"x\" ", "null\n", "[]"})
    EXPECT_EQ(said(Text), "") << Text;
}

TEST_F(Json, WholeNumbers) {
  auto Root = parse("[0, -0, 9223372036854775807, 9223372036854775808, 1.0, 1e3, \"4\", NaN, true]");
  ASSERT_TRUE(Root);
  EXPECT_EQ(Root->Items[0].integer(), 0);
  EXPECT_EQ(Root->Items[1].integer(), 0);
  EXPECT_EQ(Root->Items[2].integer(), INT64_MAX);
  for (size_t I = 3; I < Root->Items.size(); ++I)
    EXPECT_FALSE(Root->Items[I].integer()) << I;
}

TEST_F(Json, PythonsNumbersAreNumbers) {
  auto Root = parse("{\"limit\": [0.0, Infinity], \"low\": -Infinity, \"n\": NaN, \"z\": 1}");
  ASSERT_TRUE(Root);
  EXPECT_EQ(textOf(Root->Items[0].Items[1].Range), "Infinity");
  EXPECT_EQ(textOf(Root->Items[1].Range), "-Infinity");
  EXPECT_EQ(Root->Items[2].K, ConfigValue::Kind::Number);
  EXPECT_EQ(textOf(Root->Items[3].Range), "1");
}

TEST_F(Json, EscapesAreDecoded) {
  auto Root = parse(R"({"\u0061\n": "\ud83d\ude00 \"é\\"})");
  ASSERT_TRUE(Root);
  EXPECT_EQ(Root->Items[0].Key, "a\n");
  EXPECT_EQ(Root->Items[0].Text, "\xF0\x9F\x98\x80 \"é\\");
}

TEST_F(Json, BriefValues) {
  auto Root = parse("[\"s\", [1], {}, \"" + std::string(39, 'x') + "ééé\"]");
  ASSERT_TRUE(Root);
  EXPECT_EQ(Root->Items[0].brief(), "\"s\"");
  EXPECT_EQ(Root->Items[1].brief(), "[…]");
  EXPECT_EQ(Root->Items[2].brief(), "{}");
  EXPECT_EQ(Root->Items[3].brief(), '"' + std::string(39, 'x') + "…\"");
}

TEST_F(Json, DuplicateKeys) {
  EXPECT_EQ(said("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}"), "3:2-5: `a` is given twice; the last one counts");
  EXPECT_EQ(said("{\"a\": {\"a\": 1}}"), "");
  EXPECT_EQ(parse("{\"a\": 1, \"a\": 3}")->find("a")->integer(), 3);
}

TEST_F(Json, EveryMistakeHasItsWords) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "1:1-1: there is no JSON: the text is empty"},
      {"  \n", "1:1-1: there is no JSON: the text is empty"},
      {"{\"a\": 1", "1:1-2: `{` is never closed: the text ends too early"},
      {"{\"a\": [1, 2", "1:7-8: `[` is never closed: the text ends too early"},
      {"{\"a\":", "1:1-2: `{` is never closed: the text ends too early"},
      {"{\"a", "1:2-3: this string is never closed"},
      {"{\"a\n\": 1}", "1:2-4: this string is not closed on its line"},
      {"[\"a\tb\"]", "1:2-4: a control character in a string is written as an escape, such as `\\t`"},
      {"[\"\\x\"]", "1:3-5: unknown escape in a string; a backslash is written `\\\\`"},
      {"[\"\\ud83d\"]", "1:3-9: half of a surrogate pair; the other half must follow"},
      {"{\"a\": True}", "1:7-11: `True` is written `true` in JSON"},
      {"{\"a\": None}", "1:7-11: `None` is written `null` in JSON"},
      {"[nan]", "1:2-5: `nan` is written `NaN` in JSON"},
      {"[tru]", "1:2-5: `tru` is a bare word; strings stand in double quotes"},
      {"[bf16]", "1:2-6: `bf16` is a bare word; strings stand in double quotes"},
      {"{a: 1}", "1:2-3: `a` is a bare word; keys stand in double quotes"},
      {"{'a': 1}", "1:2-3: strings stand in double quotes, not in single ones"},
      {"{\"a\": {{hidden}}}", "1:7-17: `{{hidden}}` is a template's placeholder; fill the template in first"},
      {"{\"a\": {{ hidden", "1:7-9: `{{` is a template's placeholder; fill the template in first"},
      {"{\"a\": <hidden>}", "1:7-15: `<hidden>` is a template's placeholder; fill the template in first"},
      {"{\"a\": ${H}, \"b\": 1}", "1:7-11: `${H}` is a template's placeholder; fill the template in first"},
      {"{{x}}", "1:1-6: `{{x}}` is a template's placeholder; fill the template in first"},
      {"// c\n{}", "1:1-5: JSON has no comments"},
      {"{\"a\": 1, # c\n}", "1:10-13: JSON has no comments"},
      {"{\"a\": 1,}", "1:8-9: no comma may stand before `}`"},
      {"[1, 2,\n]", "1:6-7: no comma may stand before `]`"},
      {"[1,,2]", "1:4-5: `,` stands where a value was expected"},
      {"[1: 2]", "1:3-4: `:` stands where `,` or the closing bracket was expected"},
      {"[1}", "1:3-4: `}` does not close `[`"},
      {"{\"a\": 1]", "1:8-9: `]` does not close `{`"},
      {"{\"a\": }", "1:7-8: `}` stands where a value was expected"},
      {"{\"a\" 1}", "1:6-7: `:` is missing behind the key"},
      {"{\"a\": 1\n \"b\": 2}", "1:7-8: `,` is missing behind this value"},
      {"[1 2]", "1:2-3: `,` is missing behind this value"},
      {"{1: 2}", "1:2-3: a key in double quotes was expected"},
      {"[01]", "1:3-4: `,` or the closing bracket was expected"},
      {"[1.]", "1:2-4: `1.` is not a number: a digit is missing"},
      {"[1e]", "1:2-4: `1e` is not a number: a digit is missing"},
      {"[+1]", "1:2-4: `+1` is not a number as JSON writes it"},
      {"[.5]", "1:2-4: `.5` is not a number as JSON writes it"},
      {"[1e999]", "1:2-7: number too large"},
      {"{} x", "1:4-5: the document has ended before; nothing may follow"},
      {"{}{}", "1:3-4: the document has ended before; nothing may follow"},
      {"]", "1:1-2: `]` stands where a value was expected"},
      {"model_type: llama", "1:1-11: `model_type` is a bare word; strings stand in double quotes"},
      {"[@]", "1:2-3: unexpected character; a value was expected here"},
      {"[a", "1:2-3: `a` is a bare word; strings stand in double quotes"},
  };
  for (auto [Text, Wanted] : Cases)
    EXPECT_EQ(said(Text), Wanted) << Text;
  EXPECT_EQ(said(std::string(50, '\xB9')), "1:1-1: `…` is a bare word; strings stand in double quotes");
  EXPECT_EQ(said(std::string("[1,\0]", 5)), "1:4-5: a NUL byte is not part of a text");
}

TEST_F(Json, DepthIsLimited) {
  const auto Nested = [](unsigned N) { return std::string(N, '[') + std::string(N, ']'); };
  EXPECT_EQ(said(Nested(MaxConfigDepth)), "");
  EXPECT_EQ(said(Nested(MaxConfigDepth + 1)), "1:201-202: brackets are nested more than 200 deep");
  EXPECT_EQ(said(std::string(10'000, '[')), "1:201-202: brackets are nested more than 200 deep");
  std::string Objects;
  for (int I = 0; I < 10'000; ++I)
    Objects += "{\"a\":";
  EXPECT_EQ(said(Objects), "1:1001-1002: brackets are nested more than 200 deep");
}

TEST_F(Json, SizeIsLimited) {
  std::string Many = "[";
  for (size_t I = 0; I <= MaxConfigValues; ++I)
    Many += "0,";
  EXPECT_NE(said(Many + "0]").find("there are more than 1000000 values"), std::string::npos);
}

TEST_F(Json, LargeTextsAreReadInOnePass) {
  const size_t Bytes = SourceManager::MaxFileBytes - 16;
  EXPECT_EQ(said('"' + std::string(Bytes, 'a') + '"'), "");
  EXPECT_EQ(said(std::string(Bytes, ' ') + "1"), "");
  EXPECT_NE(said(std::string(Bytes, '9')), "");
  EXPECT_NE(said('"' + std::string(Bytes, '\\')), "");
  EXPECT_NE(said("[" + std::string(Bytes, 'a')), "");
}

TEST_F(Json, DuplicatesDoNotFloodTheReader) {
  std::string Many = "{";
  for (int I = 0; I < 10'000; ++I)
    Many += "\"a\":0,";
  parse(Many + "\"b\":0}");
  EXPECT_EQ(Diags->warnings(), 20u);
}

TEST_F(Json, EveryPrefixIsRefusedOrRead) {
  const std::string Text = R"({"a": [1, -2.5e3, "x\u00e9", NaN], "b": {"c": null}, "é": false})";
  for (size_t I = 0; I < Text.size(); ++I)
    EXPECT_NE(said(Text.substr(0, I)), "") << I;
}

} // namespace
