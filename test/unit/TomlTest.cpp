#include "Config/Toml.h"
#include "ConfigSupport.h"

using namespace parlance;

namespace {

class Toml : public testing::Test {
protected:
  ConfigReading<decltype(&parseToml)> Read{"train.toml", parseToml};
  std::string said(std::string Text) { return Read.said(std::move(Text)); }
  std::string shape(std::string Text) { return Read.shape(std::move(Text)); }
  std::string places(std::string Text) { return Read.places(std::move(Text)); }
};

TEST_F(Toml, ValuesOfEveryKind) {
  EXPECT_EQ(shape("a = 1\nb = -1_000\nc = 0x1F\nd = 0o17\ne = 0b101\n"), "{a=1 b=-1000 c=31 d=15 e=5}");
  EXPECT_EQ(shape("a = 1.5\nb = +1e-5\nc = 6_0.2_5\nd = inf\ne = -inf\nf = nan\ng = -nan\n"),
            "{a=1.5 b=1e-5 c=60.25 d=Infinity e=-Infinity f=NaN g=NaN}");
  EXPECT_EQ(shape("a = true\nb = false\nc = \"x\\ty\\u00e9\"\nd = 'C:\\x'\ne = \"\"\n"),
            "{a=true b=false c=\"x\ty\xC3\xA9\" d=\"C:\\x\" e=\"\"}");
  EXPECT_EQ(shape("a = [1, [2, \"x\"], {b = 1, c.d = 2},]\nb = []\nc = {}\n"),
            "{a=[1 [2 \"x\"] {b=1 c={d=2}}] b=[] c={}}");
  EXPECT_EQ(shape("a = \"\"\"\nx\n  y\\\n   z\"\"\"\nb = '''\n'q'''\n"), "{a=\"x\n  yz\" b=\"'q\"}");
  EXPECT_EQ(shape("a = 1979-05-27T07:32:00Z\nb = 1979-05-27 07:32:00.5\nc = 1979-05-27\n"
                  "d = 07:32:00"),
            "{a=\"1979-05-27T07:32:00Z\" b=\"1979-05-27 07:32:00.5\" c=\"1979-05-27\" "
            "d=\"07:32:00\"}");
  EXPECT_EQ(shape(""), "{}");
  const auto Root = Read.tree("a = 1e-5\nb = 0x10\nc = inf");
  EXPECT_EQ(Root->find("a")->number(), 1e-5);
  EXPECT_EQ(Root->find("b")->integer(), 16);
  EXPECT_FALSE(Root->find("a")->integer());
}

TEST_F(Toml, SectionsNestInTheOrderOfTheFile) {
  EXPECT_EQ(shape("z = 1\n[b]\ny = 1\n[a.c]\nx = 1\n[a]\nw = 1\nv.u = 2\nv.t = 3\n"),
            "{z=1 b={y=1} a={c={x=1} w=1 v={u=2 t=3}}}");
  EXPECT_EQ(shape("[[job]]\na = 1\n[[job]]\nb = 2\n[job.env]\nc = 3\n"), "{job=[{a=1} {b=2 env={c=3}}]}");
}

TEST_F(Toml, KeysAndValuesKnowTheirPlaces) {
  EXPECT_EQ(places("a.b = 0x1_0  # c\n\"k é\" = \"é\\n\"\n[s . \"é\".t]\nx = [1, 2.5e3, {y = true}]\n"
                   "u = 1979-05-27 07:32:00\nm = \"\"\"\nab\"\"\"\nn = 'ü'"),
            "a|a\n"
            "b|0x1_0\n"
            "\"k é\"|\"é\\n\"\n"
            "s|[s . \"é\".t]\n"
            "\"é\"|[s . \"é\".t]\n"
            "t|[s . \"é\".t]\n"
            "x|[1, 2.5e3, {y = true}]\n"
            "|1\n"
            "|2.5e3\n"
            "|{y = true}\n"
            "y|true\n"
            "u|1979-05-27 07:32:00\n"
            "m|\"\"\"\nab\"\"\"\n"
            "n|'ü'");
}

TEST_F(Toml, PlacesBehindWideCharactersAndCarriageReturns) {
  EXPECT_EQ(places("# \xF0\x9F\x98\x80\r\na = \"\xF0\x9F\x98\x80\"\r\nb = [\r\n  1,  # é\r\n  22]\r\nc = 3"),
            "a|\"\xF0\x9F\x98\x80\"\nb|[\r\n  1,  # é\r\n  22]\n|1\n|22\nc|3");
}

TEST_F(Toml, PlaceholdersAreSymbolic) {
  EXPECT_EQ(shape("a = {{ batch size }}\nb = [${X}, <n é>, __N__]\nc = { d = CONFIG_X, e = $(f) }\n"
                  "g = \"{{x}}\" # {{y}}\n"),
            "{a=<{{ batch size }}> b=[<${X}> <<n é>> <__N__>] c={d=<CONFIG_X> e=<$(f)>} "
            "g=\"{{x}}\"}");
  EXPECT_EQ(said("a = 1\nb = ${X}  # c"),
            "2:5-2:9 warning: `${X}` is a template's placeholder; nothing that depends on its value "
            "is checked");
  EXPECT_EQ(places("é = <é> \nb = 1"), "");
  EXPECT_EQ(places("\"é\" = <é> \nb = 1"), "\"é\"|<é>\nb|1");
}

TEST_F(Toml, EveryMistakeHasItsWords) {
  const std::pair<const char *, const char *> Cases[] = {
      {"a = 1\na = 2", "2:1-2:2 error: `a` is given before; TOML allows it once"},
      {"a = {b = 1, b = 2}", "1:13-1:14 error: `b` is given before; TOML allows it once"},
      {"[a]\n[a] # c", "2:1-2:4 error: `a` is given before; TOML allows it once"},
      {"a.b = 1\na = 2", "2:1-2:2 error: `a` is given before; TOML allows it once"},
      {"a = 1\n[a.b]", "2:1-2:6 error: `a.b` is given before; TOML allows it once"},
      {"a = {}\n[a.b]", "2:1-2:6 error: `a.b` adds to a table that is closed by its braces"},
      {"a", "1:1-1:2 error: a key needs `=` and a value"},
      {"a =", "1:1-1:4 error: the value is missing"},
      {"a = # c", "1:5-1:6 error: the value is missing"},
      {"a = [1,", "1:8-1:8 error: the text ends inside a list: `]` is missing"},
      {"a = {b = 1", "1:11-1:11 error: the text ends inside a table: `}` is missing"},
      {"[a", "1:1-1:3 error: the text ends inside a header: `]` is missing"},
      {"a = \"x", "1:7-1:7 error: the text ends inside a string that is never closed"},
      {"a = \"x\ny\"", "1:7-1:7 error: this string is not closed on its line"},
      {"a = \"\x01\"", "1:6-1:7 error: a control character may only be written as an escape, such as "
                       "`\\u0007`"},
      {"a = {b = 1,}", "1:12-1:13 error: no comma may stand before `}` in TOML"},
      {"a = bf16", "1:5-1:9 error: `bf16` is a bare word; strings stand in quotes"},
      {"a = True", "1:5-1:9 error: `True` is written `true` in TOML"},
      {"a = null", "1:5-1:9 error: TOML has no null: leave the key out"},
      {"a = None", "1:5-1:9 error: TOML has no null: leave the key out"},
      {"a = 1 b = 2", "1:7-1:8 error: nothing but a comment may follow here on the line"},
      {"= 1", "1:1-1:2 error: a key was expected here"},
      {"[]", "1:2-1:3 error: a section needs a name"},
      {"a = 01", "1:5-1:7 error: `01`: a number does not begin with a zero"},
      {"a = 1__0", "1:5-1:9 error: `1__0` is not a number as TOML writes it"},
      {"a = 1.", "1:5-1:7 error: `1.` is not a complete value"},
      {"a = .5", "1:5-1:7 error: `.5` is not a number as TOML writes it"},
      {"a = 99999999999999999999", "1:5-1:25 error: number too large"},
      {"a = 2020-13-01", "1:5-1:15 error: `2020-13-01` is not a date or time"},
      {"a = \"\\q\"", "1:7-1:8 error: unknown escape in a string; a backslash is written `\\\\`"},
      {"a: 1", "1:2-1:3 error: `=` is missing behind the key"},
      {"[:", "1:2-1:3 error: a key was expected here"},
      {"clé = 1", "1:3-1:4 error: `=` is missing behind the key"},
      {"a = [1 2]", "1:8-1:9 error: `,` or `]` was expected here"},
      {"a = {{ x }} 1", "1:5-1:12 error: `{{ x }}` is a template's placeholder; fill the template in "
                        "first"},
      {"{% if x %}", "1:1-1:11 error: `{% if x %}` is a template's placeholder; fill the template in "
                     "first"},
  };
  for (auto [Text, Wanted] : Cases)
    EXPECT_EQ(said(Text), Wanted) << Text;
  EXPECT_EQ(said("a = \"\xFF\""), "1:6-1:7 error: this is not text: a byte that is not UTF-8");
  EXPECT_EQ(said(std::string("a = 1\0", 6)), "1:6-1:7 error: this is not text: a byte that is not UTF-8");
}

TEST_F(Toml, DepthAndSizeAreLimited) {
  const auto Said = [&](const std::string &Text) {
    const std::string All = said(Text);
    return All.substr(std::min(All.find(' '), All.size()));
  };
  const std::string Deep = " error: tables are nested more than 200 deep";
  std::string Dotted = "a";
  for (int I = 0; I < 100'000; ++I)
    Dotted += ".a";
  EXPECT_EQ(Said(Dotted + " = 1"), Deep);
  EXPECT_EQ(Said("[" + Dotted + "]"), Deep);
  EXPECT_EQ(Said("a = " + std::string(100'000, '[')), Deep);
  std::string Braces = "a = ";
  for (int I = 0; I < 150; ++I)
    Braces += "{a.a = ";
  EXPECT_EQ(Said(Braces), Deep);
  std::string Half = "a";
  for (int I = 0; I < 150; ++I)
    Half += ".a";
  EXPECT_EQ(said(Half + " = 1"), "");
  EXPECT_EQ(Said("[" + Half + "]\n" + Half + " = 1"), Deep);
  EXPECT_EQ(said("a = \"" + std::string(300, '.') + "\" # " + std::string(300, '.')), "");
  EXPECT_EQ(said(std::string(MaxTomlBytes + 1, '\n')), "1:1-1:1 error: a TOML file of more than 1 MiB is refused");
}

TEST_F(Toml, EveryPrefixIsRefusedOrRead) {
  const std::string Text = "a.\"é\" = [1, -2.5e3, \"x\\u00e9\", {y = ${X}}]\r\n[b.c]\nd = '''\nx'''\n"
                           "[[e]]\nf = 1979-05-27T07:32:00Z # é";
  for (size_t I = 0; I <= Text.size(); ++I)
    said(Text.substr(0, I)); // a tree or an error, which `said` expects
}

} // namespace
