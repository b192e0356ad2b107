// JSON with a template's placeholders, and DeepSpeed's Hjson.
#include "Config/Json.h"
#include "ConfigSupport.h"

using namespace parlance;

namespace {

std::optional<ConfigValue> parseTemplate(uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
  return parseJson(File, Text, Diags, JsonDialect::Template);
}
std::optional<ConfigValue> parseHjson(uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
  return parseJson(File, Text, Diags, JsonDialect::Hjson);
}

using Reading = ConfigReading<decltype(&parseHjson)>;

TEST(JsonTemplate, PlaceholdersAreSymbolic) {
  Reading Read("ds_config.json", parseTemplate);
  EXPECT_EQ(Read.shape(R"({"a": {{ n }}, "b": [<batch size>, $B, ${X}, $(f "x")], "c": __X__,
 "d": CONFIG_MBSIZE, "e": GBSIZE, "f": CL_1st_MIN, "g": "{{s}}", "h": {% x %}})"),
            "{a=<{{ n }}> b=[<<batch size>> <$B> <${X}> <$(f \"x\")>] c=<__X__> d=<CONFIG_MBSIZE> "
            "e=<GBSIZE> f=<CL_1st_MIN> g=\"{{s}}\" h=<{% x %}>}");
  EXPECT_EQ(Read.said("{\"a\": 1,\n \"é\": MBSIZE,\n \"b\": 2}"),
            "2:7-2:13 warning: `MBSIZE` is a template's placeholder; nothing that depends on its "
            "value is checked");
  EXPECT_EQ(Read.places("{\"a\": <é \"x\">, \"b\" : [1, $X ],\"c\":3}"),
            "\"a\"|<é \"x\">\n\"b\"|[1, $X ]\n|1\n|$X\n\"c\"|3");
  EXPECT_EQ(Read.shape("{{x}}"), "<{{x}}>");
}

TEST(JsonTemplate, TheRestIsStrict) {
  Reading Read("ds_config.json", parseTemplate);
  const auto Error = [&](std::string Text) { // behind the warning of the placeholder
    const std::string Said = Read.said(std::move(Text));
    return Said.substr(Said.rfind('\n') + 1);
  };
  EXPECT_EQ(Error("{\"a\": $X,\n \"b\": None}"), "2:7-2:11 error: `None` is written `null` in JSON");
  EXPECT_EQ(Error("{\"a\": $X,\n}"), "1:9-1:10 error: no comma may stand before `}`");
  EXPECT_EQ(Error("{\"é\": $X // c\n}"), "1:10-1:14 error: JSON has no comments");
  EXPECT_EQ(Error("{\"a\": {{x}}00, \"b\": 1}"),
            "1:7-1:12 error: `{{x}}` is a template's placeholder; fill the template in first");
  EXPECT_EQ(Error("{\"a\": TRUE}"), "1:7-1:11 error: `TRUE` is written `true` in JSON");
  EXPECT_EQ(Error("{\"a\": bf16}"), "1:7-1:11 error: `bf16` is a bare word; strings stand in double "
                                    "quotes");
  EXPECT_EQ(Error("{\"a\": $X, \"a\": 2}"), "1:11-1:14 warning: `a` is given twice; the last one "
                                            "counts");
}

TEST(Hjson, WhatDeepSpeedReads) {
  Reading Read("ds_config.json", parseHjson);
  EXPECT_EQ(Read.shape("# c\n{ // d\n \"a\": 1, /* e\n f */ \"b\": [1, 2,], # \"g\": 1\n \"c\": "
                       "{\"d\": 1,},\n}"),
            "{a=1 b=[1 2] c={d=1}}");
  EXPECT_EQ(Read.shape("{\n a: 1 # c\n b-c: text of a line, # all of it\n d: [\n  x\n  y\n ]\n e: true\n}"),
            "{a=1 b-c=\"text of a line, # all of it\" d=[\"x\" \"y\"] e=true}");
  EXPECT_EQ(Read.shape("{a: 1e-5, b: -2.5, c: 007\n d: 1 2\n e: null}"), "{a=1e-5 b=-2.5 c=\"007\" d=\"1 2\" e=null}");
  EXPECT_EQ(Read.shape("{'a': 'x \"y\" \\'z\\' \\\\', \"u\": \"http://x # y\"}"),
            "{a=\"x \"y\" 'z' \\\" u=\"http://x # y\"}");
  EXPECT_EQ(Read.shape("{a: MBSIZE, b: \"auto\"}"), "{a=<MBSIZE> b=\"auto\"}");
  EXPECT_EQ(Read.shape(R"({"a": [1, NaN, "x"], "b": {}})"), R"({a=[1 NaN "x"] b={}})");
}

TEST(Hjson, KeysAndValuesKnowTheirPlaces) {
  Reading Read("ds_config.json", parseHjson);
  EXPECT_EQ(Read.places("{ /* é */ a: 1,\r\n  'b': 'é',  # x\r\n  c: é z \r\n  d: [1, 2,], // y\n"
                        "  \"e\" : {f: $X, g: 3,}\n}"),
            "a|1\n'b'|'é'\nc|é z\nd|[1, 2,]\n|1\n|2\n\"e\"|{f: $X, g: 3,}\nf|$X\ng|3");
}

TEST(Hjson, MistakesPointIntoTheFile) {
  Reading Read("ds_config.json", parseHjson);
  const std::pair<const char *, const char *> Cases[] = {
      {"{ # é\n \"a\": \"x\" \"b\": 2}", "2:9-2:10 error: `,` is missing behind this value"},
      {"# é\n{\"a\": [1, 2", "2:7-2:8 error: `[` is never closed: the text ends too early"},
      {"{a: 1]", "1:6-1:7 error: `]` does not close `{`"},
      {"# c", "1:1-1:1 error: there is no JSON: the text is empty"},
      {"{/* c */ 'a: 1}", "1:10-1:11 error: strings stand in double quotes, not in single ones"},
      {"{a: 1} x", "1:8-1:9 error: the document has ended before; nothing may follow"},
  };
  for (auto [Text, Wanted] : Cases)
    EXPECT_EQ(Read.said(Text), Wanted) << Text;
}

TEST(Hjson, EveryPrefixIsRefusedOrRead) {
  const std::string Text = "{ # c\n a: $X, 'b': 'é\\'' /* d */ \"e\": [1,\n 2,],\n f: g h\n}";
  Reading Read("ds_config.json", parseHjson);
  for (size_t I = 0; I <= Text.size(); ++I)
    Read.said(Text.substr(0, I));
}

} // namespace
