#include "Config/Yaml.h"
#include "ConfigSupport.h"

using namespace parlance;

namespace {

class Yaml : public testing::Test {
protected:
  ConfigReading<decltype(&parseYaml)> Read{"config.yaml", parseYaml};
  std::string said(std::string Text) { return Read.said(std::move(Text)); }
  std::string shape(std::string Text) { return Read.shape(std::move(Text)); }
  std::string places(std::string Text) { return Read.places(std::move(Text)); }
};

TEST_F(Yaml, PlainScalarsHaveTheTypesOfSafeLoad) {
  using Kind = ConfigValue::Kind;
  struct Case {
    const char *Plain;
    Kind K;
    const char *Text;
  };
  const Case Cases[] = {
      {"", Kind::Null, "null"},
      {"~", Kind::Null, "null"},
      {"Null", Kind::Null, "null"},
      {"None", Kind::String, "None"},
      {"yes", Kind::Bool, "true"},
      {"ON", Kind::Bool, "true"},
      {"off", Kind::Bool, "false"},
      {"No", Kind::Bool, "false"},
      {"TRUE", Kind::Bool, "true"},
      {"tRUE", Kind::String, "tRUE"},
      {"y", Kind::String, "y"},
      {"0", Kind::Number, "0"},
      {"-0", Kind::Number, "-0"},
      {"+12", Kind::Number, "12"},
      {"1_000", Kind::Number, "1000"},
      {"010", Kind::Number, "8"},
      {"08", Kind::String, "08"},
      {"0o10", Kind::String, "0o10"},
      {"0x1F", Kind::Number, "31"},
      {"-0b11", Kind::Number, "-3"},
      {"0x", Kind::String, "0x"},
      {"1:30", Kind::Number, "90"},
      {"-1:30:05", Kind::Number, "-5405"},
      {"1:60", Kind::String, "1:60"},
      {"01:30", Kind::String, "01:30"},
      {"1:30.5", Kind::Number, "90.5"},
      {"1.5", Kind::Number, "1.5"},
      {"1.", Kind::Number, "1.0"},
      {".5", Kind::Number, "0.5"},
      {"-.5", Kind::String, "-.5"},
      {"1e5", Kind::String, "1e5"},
      {"1e-5", Kind::String, "1e-5"},
      {"1.5e5", Kind::String, "1.5e5"},
      {"1.0e-5", Kind::Number, "1.0e-5"},
      {"1.e+5", Kind::Number, "1.0e+5"},
      {"1_0.0_1", Kind::Number, "10.01"},
      {"007.5", Kind::Number, "7.5"},
      {".inf", Kind::Number, "Infinity"},
      {"-.INF", Kind::Number, "-Infinity"},
      {".nan", Kind::Number, "NaN"},
      {"-.nan", Kind::String, "-.nan"},
      {"inf", Kind::String, "inf"},
      {"2001-01-01", Kind::String, "2001-01-01"},
      {"bf16", Kind::String, "bf16"},
      {"1.2.3", Kind::String, "1.2.3"},
      {"${X}", Kind::Symbolic, "${X}"},
      {"$X", Kind::Symbolic, "$X"},
      {"${X}/y", Kind::String, "${X}/y"},
      {"<n>", Kind::Symbolic, "<n>"},
      {"__N__", Kind::Symbolic, "__N__"},
      {"FULL_SHARD", Kind::String, "FULL_SHARD"},
      {"0xFFFFFFFFFFFFFFFFF", Kind::Number, "2.9514790517935283e+20"},
  };
  for (const Case &C : Cases)
    EXPECT_EQ(resolveYamlScalar(C.Plain), std::pair(C.K, std::string(C.Text))) << C.Plain;
}

TEST_F(Yaml, TextThatWasMeantAsANumber) {
  const auto Root = Read.tree("[1e-5, 1.5e5, +1e5, -.5, 2e, bf16, inf, '', 1.0e-5, 1.2.3]");
  ASSERT_TRUE(Root);
  std::string Result;
  for (const ConfigValue &V : Root->Items)
    Result += looksLikeNumber(V) ? '1' : '0';
  EXPECT_EQ(Result, "1111000000");
}

TEST_F(Yaml, ValuesOfEveryKind) {
  EXPECT_EQ(shape("a: 1\nb:\n- x\n- - 2\n  - y: ~\nc: {d: [yes, 'no', \"a\\tb\"], e: }\n"),
            "{a=1 b=[\"x\" [2 {y=null}]] c={d=[true \"no\" \"a\tb\"] e=null}}");
  EXPECT_EQ(shape("a: |\n  x\n   y\n\nb: >-\n  p\n  q\n"), "{a=\"x\n y\n\" b=\"p q\"}");
  EXPECT_EQ(shape("1: a\nyes: b\n~: c\n? k\n: d\n"), "{1=\"a\" yes=\"b\" ~=\"c\" k=\"d\"}");
  EXPECT_EQ(shape("a: !!str 1\nb: !!float 3\nc: !!int '4'\nd: ! 5\ne: !!float 1e5\n"), "{a=\"1\" b=3.0 c=4 d=5 e=1e5}");
  EXPECT_EQ(shape("%YAML 1.1\n---\na\n...\n"), "\"a\"");
  EXPECT_EQ(shape(""), "null");
  EXPECT_EQ(shape("# c\n"), "null");
  EXPECT_EQ(shape("--- # c\n"), "null");
}

TEST_F(Yaml, KeysAndValuesKnowTheirPlaces) {
  EXPECT_EQ(places("a: 1 # é\n'b é': \"é\\n\"\nc:\n  - x y\n  - {d: [1, 2], e: }\nf: |\n  é\n\n  z\n\n"
                   "g:\nh: >\n  p\n# end\n"),
            "a|1\n"
            "'b é'|\"é\\n\"\n"
            "c|- x y\n  - {d: [1, 2], e: }\n"
            "|x y\n"
            "|{d: [1, 2], e: }\n"
            "d|[1, 2]\n"
            "|1\n"
            "|2\n"
            "e|\n"
            "f||\n  é\n\n  z\n"
            "g|\n"
            "h|>\n  p");
  EXPECT_EQ(places("a:\n- 1\n- b: 2\n  c: 3\n\nd: 4\n"), "a|- 1\n- b: 2\n  c: 3\n|1\n|b: 2\n  c: 3\nb|2\nc|3\nd|4");
}

TEST_F(Yaml, PlacesBehindWideCharactersAndCarriageReturns) {
  EXPECT_EQ(places("# \xF0\x9F\x98\x80\r\na: \"\xF0\x9F\x98\x80\"\r\nb:\r\n  - é1\r\n  - 22\r\nc: 3"),
            "a|\"\xF0\x9F\x98\x80\"\nb|- é1\r\n  - 22\n|é1\n|22\nc|3");
  EXPECT_EQ(places("a: \"x\xE2\x80\xA8y\"\nb: 1"), "a|\"x\xE2\x80\xA8y\"\nb|1");
}

TEST_F(Yaml, AliasesRepeatAndMergeKeysGiveWay) {
  EXPECT_EQ(shape("a: &x {p: 1}\nb: *x\nc: [*x, &y 2, *y]\n&k k: *y\nd: *k\n"),
            "{a={p=1} b={p=1} c=[{p=1} 2 2] k=2 d=\"k\"}");
  EXPECT_EQ(places("a: &x 1\nb: *x"), "a|&x 1\nb|&x 1");
  const auto Merged = [&](std::string Text, std::string_view Key) {
    auto Root = Read.tree(std::move(Text));
    const ConfigValue *V = Root ? Root->find("m")->find(Key) : nullptr;
    return V ? V->Text : "none";
  };
  const std::string Base = "a: &a {p: 1, q: 2}\nb: &b {q: 3, r: 4}\nm:\n  ";
  EXPECT_EQ(Merged(Base + "q: 5\n  <<: *a\n", "q"), "5");
  EXPECT_EQ(Merged(Base + "<<: *a\n  q: 5\n", "p"), "1");
  EXPECT_EQ(Merged(Base + "<<: [*a, *b]\n", "q"), "2");
  EXPECT_EQ(Merged(Base + "<<: [*b, *a]\n", "q"), "3");
  EXPECT_EQ(Merged(Base + "\"<<\": *a\n", "p"), "none");
  EXPECT_EQ(said(Base + "q: 5\n  <<: *a\n"), "");
}

TEST_F(Yaml, WhatSafeLoadRefuses) {
  const std::pair<const char *, const char *> Cases[] = {
      {"a: 1\n---\nb: 2\n", "2:1-2:4 error: a second document begins here; safe_load reads files of one"},
      {"a: !!python/object:os.system x", "1:4-1:31 error: safe_load knows no tag `!!python/object:os.system`"},
      {"a: !foo [1]", "1:4-1:10 error: safe_load knows no tag `!foo` for a list"},
      {"a: !foo 1", "1:4-1:10 error: safe_load knows no tag `!foo`"},
      {"a: !!int x", "1:4-1:11 error: \"x\" is not what its tag `!!int` says"},
      {"a: !!int 1.5", "1:4-1:13 error: 1.5 is not what its tag `!!int` says"},
      {"a: *b", "1:4-1:6 error: there is no anchor `&b` before this alias"},
      {"&a [*a]", "1:5-1:7 error: `*a` stands inside what it repeats"},
      {"a: &x 1\nb: &x 2", "2:4-2:8 error: the anchor `&x` is given twice"},
      {"? [a]\n: b", "1:3-1:4 error: a key must be a scalar"},
      {"a: =", "1:4-1:5 error: safe_load refuses a bare `=` as a value; put it in quotes"},
      {"<<: 1", "1:5-1:6 error: `<<` needs an object or a list of objects"},
      {"<<: [{a: 1}, 2]", "1:5-1:16 error: `<<` needs an object or a list of objects"},
  };
  for (auto [Text, Wanted] : Cases)
    EXPECT_EQ(said(Text), Wanted) << Text;
  EXPECT_EQ(said("a: 1\nb: 2\na: 3\n"), "3:1-3:2 warning: `a` is given twice; the last one counts");
}

TEST_F(Yaml, PlaceholdersAreSymbolic) {
  const std::string Checked = "is a template's placeholder; nothing that depends on its value is "
                              "checked";
  EXPECT_EQ(shape("a: {{ batch }}\nb: [{{x}}, $Y]\nc: '{{z}}'\nd: {e: {{ f | g }}}\n"),
            "{a=<{{ batch }}> b=[<{{x}}> <$Y>] c=\"{{z}}\" d={e=<{{ f | g }}>}}");
  EXPECT_EQ(said("é: {{ batch }}\n"), "1:4-1:15 warning: `{{ batch }}` " + Checked);
  EXPECT_EQ(said("a: ${X}\n"), "");
  EXPECT_EQ(places("é: {{ é }}\nb: 1"), "é|{{ é }}\nb|1");
  const std::string First = "is a template's placeholder; fill the template in first";
  EXPECT_EQ(said("a: {{ x }}/y\n"), "1:4-1:11 error: `{{ x }}` " + First);
  EXPECT_EQ(said("{{ x }}: 1\n"), "1:1-1:8 error: `{{ x }}` " + First);
  EXPECT_EQ(said("a: 1\n{% if x %}\nb: 2\n"), "2:1-2:11 error: `{% if x %}` " + First);
}

TEST_F(Yaml, EveryMistakeHasItsWords) {
  const std::pair<const char *, const char *> Cases[] = {
      {"\ta: 1", "1:1-1:2 error: a tab may not stand here; YAML is indented with spaces"},
      {"a: @x", "1:4-1:5 error: `@` cannot begin a value; strings that do need quotes"},
      {"a: b: c", "1:5-1:6 error: a `:` may not stand here: a string that contains `: ` needs quotes, "
                  "and the keys of an object stand below each other"},
      {"a: [1, 2", "1:9-1:9 error: `,` or `]` was expected here"},
      {"a: {b: 1]", "1:9-1:10 error: `,` or `}` was expected here"},
      {"a:\n    b: 1\n  c: 2", "3:3-3:7 error: this does not continue the object around it: a key with "
                               "the same indentation was expected"},
      {"- a\nb: 1", "2:1-2:5 error: this does not continue the list around it: a `-` with the same "
                    "indentation was expected"},
      {"a: \"x", "1:4-1:5 error: this string is never closed"},
      {"a: 1\nb\nc: 2", "2:1-2:2 error: `:` is missing behind this key"},
      {"a: - b", "1:4-1:5 error: a list may not begin here"},
      {"a: \"\\q\"", "1:5-1:6 error: unknown escape in a string; a backslash is written `\\\\`"},
      {"a: ]", "1:4-1:5 error: a value was expected here"},
      {"a: !x!y 1", "1:4-1:5 error: the tag begins with a handle that no %TAG line declares"},
      {"a: \x01", "1:4-1:5 error: a control character may not stand in YAML"},
  };
  for (auto [Text, Wanted] : Cases)
    EXPECT_EQ(said(Text), Wanted) << Text;
  EXPECT_EQ(said("a: \xFF"), "1:4-1:5 error: this is not text: a byte that is not UTF-8");
}

TEST_F(Yaml, DepthAndSizeAreLimited) {
  const auto Has = [&](const std::string &Text, std::string_view Words) {
    return said(Text).find(Words) != std::string::npos;
  };
  EXPECT_EQ(said(std::string(200, '[') + std::string(200, ']')), "");
  EXPECT_TRUE(Has(std::string(100'000, '['), "nested more than 200 deep"));
  std::string Bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int I = 1; I < 10; ++I) {
    Bomb += fmt::format("a{0}: &a{0} [", I);
    for (int J = 0; J < 9; ++J)
      Bomb += fmt::format("*a{}, ", I - 1);
    Bomb += "]\n";
  }
  EXPECT_TRUE(Has(Bomb, "with its aliases written out the file has more than 1000000 values"));
  std::string Tower = "a0: &a0 [x]\n";
  for (int I = 1; I < 300; ++I)
    Tower += fmt::format("a{0}: &a{0} [*a{1}]\n", I, I - 1);
  EXPECT_TRUE(Has(Tower, "nested more than 200 deep"));
  std::string Many = "a: [";
  for (size_t I = 0; I <= MaxConfigValues; ++I)
    Many += "0,";
  EXPECT_TRUE(Has(Many + "]", "there are more than 1000000 values"));
}

TEST_F(Yaml, EveryPrefixIsRefusedOrRead) {
  const std::string Text = "a: &x [1, 'é', {b: *x, c: {{ d }}}]\r\ne: |\n  é\n<<: {f: >-\n g}\n";
  for (size_t I = 0; I <= Text.size(); ++I)
    said(Text.substr(0, I));
}

} // namespace
