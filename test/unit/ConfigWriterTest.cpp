#include "Config/ConfigWriter.h"
#include "Config/Json.h"
#include "Config/Toml.h"
#include "Config/Yaml.h"
#include "ConfigSupport.h"
#include <cmath>
#include <random>

using namespace parlance;

namespace {

using Kind = ConfigValue::Kind;

std::optional<ConfigValue> parseTemplate(uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
  return parseJson(File, Text, Diags, JsonDialect::Template);
}

/// Strings that look like something else.
constexpr const char *Lookalikes[] = {"yes",
                                      "No",
                                      "on",
                                      "null",
                                      "~",
                                      "",
                                      " ",
                                      "1",
                                      "1e5",
                                      "1e-5",
                                      "1.5",
                                      "010",
                                      "0x1F",
                                      "1:30",
                                      ".inf",
                                      "nan",
                                      "2001-01-01",
                                      "=",
                                      "<<",
                                      "- a",
                                      "a: b",
                                      "a #b",
                                      "#",
                                      "---",
                                      "...",
                                      "{a}",
                                      "[a]",
                                      "${X}",
                                      "{{x}}",
                                      "$X",
                                      "__X__",
                                      "MBSIZE",
                                      "bf16",
                                      "true",
                                      "&a",
                                      "*a",
                                      "!a",
                                      "%a",
                                      "@a",
                                      "`a`",
                                      "'",
                                      "\"",
                                      "\\",
                                      "a\nb",
                                      "\n",
                                      "\t",
                                      "a ",
                                      " a",
                                      "\xC3\xA9",
                                      "\xF0\x9F\x98\x80",
                                      "\x01",
                                      "\x7f",
                                      "\xC2\x85",
                                      "\xE2\x80\xA8",
                                      "\xEF\xBB\xBF",
                                      "a\r\nb",
                                      "x.y",
                                      "a/b-c_d",
                                      "?",
                                      "-",
                                      ":",
                                      ",",
                                      "|",
                                      ">",
                                      "Infinity",
                                      "NULL",
                                      "a=b",
                                      "\"\"\""};

/// Trees with what is hard to write: strings that look like something else, odd keys, any nesting.
class RandomTree {
public:
  explicit RandomTree(unsigned Seed) : Source(Seed) {}

  ConfigValue root() {
    ConfigValue V = object(0);
    return V;
  }

private:
  unsigned upTo(unsigned N) { return std::uniform_int_distribution<unsigned>(0, N)(Source); }
  std::string text() {
    if (upTo(3) > 0)
      return Lookalikes[upTo(std::size(Lookalikes) - 1)];
    std::string Result;
    for (unsigned I = upTo(12); I > 0; --I)
      Result += static_cast<char>(' ' + upTo(94));
    return Result;
  }
  ConfigValue scalar() {
    static const char *Numbers[] = {"0",
                                    "-1",
                                    "9223372036854775807",
                                    "18446744073709551616",
                                    "1e5",
                                    "1e-5",
                                    "1.5",
                                    "-2.5e-3",
                                    "1E10",
                                    "NaN",
                                    "Infinity",
                                    "-Infinity",
                                    "0.1",
                                    "1.0"};
    ConfigValue V;
    switch (upTo(4)) {
    case 0:
      V.K = Kind::Bool;
      V.Text = upTo(1) ? "true" : "false";
      break;
    case 1:
      V.K = Kind::Number;
      V.Text = Numbers[upTo(std::size(Numbers) - 1)];
      break;
    case 2:
      V.K = Kind::Null;
      V.Text = "null";
      break;
    default:
      V.K = Kind::String;
      V.Text = text();
    }
    return V;
  }
  ConfigValue value(unsigned Depth) {
    ConfigValue V;
    switch (upTo(Depth > 4 ? 1 : 4)) {
    case 3:
      V = object(Depth);
      break;
    case 4:
      V.K = Kind::Array;
      for (unsigned I = upTo(6); I > 0; --I)
        V.Items.push_back(value(Depth + 1));
      break;
    default:
      V = scalar();
    }
    if (upTo(5) == 0)
      V.Comment = text();
    return V;
  }
  ConfigValue object(unsigned Depth) {
    ConfigValue V;
    V.K = Kind::Object;
    for (unsigned I = upTo(6); I > 0; --I) {
      ConfigValue Member = value(Depth + 1);
      Member.Key = upTo(40) == 0 ? std::string(upTo(2000), 'k') : text();
      V.Items.push_back(std::move(Member));
    }
    return V;
  }

  std::mt19937 Source;
};

/// Whether two trees say the same. TOML loses nulls, the order of members and that a number above 64 bits was whole.
bool same(const ConfigValue &A, const ConfigValue &B, bool Toml) {
  if (A.K != B.K)
    return false;
  if (A.K == Kind::Number) {
    const double X = *A.number(), Y = *B.number();
    return (A.integer() == B.integer()) && (X == Y || (std::isnan(X) && std::isnan(Y)));
  }
  if (A.K == Kind::Array) {
    std::vector<const ConfigValue *> Left;
    for (const ConfigValue &V : A.Items)
      if (!Toml || !V.isNull())
        Left.push_back(&V);
    return Left.size() == B.Items.size() &&
           std::equal(Left.begin(), Left.end(), B.Items.begin(), [&](auto *X, auto &Y) { return same(*X, Y, Toml); });
  }
  if (A.K != Kind::Object)
    return A.Text == B.Text;
  size_t Members = 0;
  for (const ConfigValue &V : A.Items) {
    if (A.find(V.Key) != &V || (Toml && V.isNull()))
      continue;
    const ConfigValue *Other = B.find(V.Key);
    if (!Other || !same(V, *Other, Toml) || (!Toml && &B.Items[Members] != Other))
      return false;
    ++Members;
  }
  return Members == B.Items.size();
}

template <typename Parser>
void readBack(const char *Name, Parser Parse, const ConfigValue &Tree, const std::string &Text) {
  ConfigReading<Parser> Read(Name, Parse);
  const auto Back = Read.tree(Text);
  std::string Said;
  for (const Diagnostic &D : Read.Diags->take())
    Said += D.Message + "\n";
  EXPECT_EQ(Said, "") << Text;
  ASSERT_TRUE(Back) << Text;
  EXPECT_TRUE(same(Tree, *Back, std::string_view(Name) == "toml")) << Text;
}

TEST(ConfigWriter, WhatIsWrittenReadsBack) {
  for (unsigned Seed = 0; Seed < 500 && !testing::Test::HasFailure(); ++Seed) {
    const ConfigValue Tree = RandomTree(Seed).root();
    SCOPED_TRACE(Seed);
    readBack("json", parseTemplate, Tree, writeJson(Tree));
    readBack("yaml", parseYaml, Tree, writeYaml(Tree, "made by\nseveral lines"));
    readBack("toml", parseToml, Tree, writeToml(Tree, "made by"));
  }
}

ConfigValue example() {
  ConfigReading Read("x.json", parseTemplate);
  ConfigValue Root = *Read.tree(
      R"({"model": {"name": "llama3", "dtype": "no", "lr": 1e-5, "rope": null, "norm": 8},
 "steps": [1, 2, 3], "batch": $B, "mesh": {"inner": {"tp": 8}},
 "stages": [{"from": 0, "flags": ["a b", "x"]}, {"from": 16, "flags": []}]})");
  Root.Items[0].Items[2].Comment = "train.parl:4";
  Root.Items[1].Comment = "two\nlines";
  Root.Items[4].Items[1].Items[0].Comment = "the second";
  return Root;
}

TEST(ConfigWriter, Json) {
  EXPECT_EQ(writeJson(example()), R"({
  "model": {
    "name": "llama3",
    "dtype": "no",
    "lr": 1e-5,
    "rope": null,
    "norm": 8
  },
  "steps": [1, 2, 3],
  "batch": $B,
  "mesh": {
    "inner": {
      "tp": 8
    }
  },
  "stages": [
    {
      "from": 0,
      "flags": ["a b", "x"]
    },
    {
      "from": 16,
      "flags": []
    }
  ]
}
)");
}

TEST(ConfigWriter, Yaml) {
  EXPECT_EQ(writeYaml(example(), "made from train.parl"), R"(# made from train.parl
model:
  name: llama3
  dtype: "no"
  # train.parl:4
  lr: 1.0e-5
  rope: null
  norm: 8
# two
# lines
steps: [1, 2, 3]
batch: $B
mesh:
  inner:
    tp: 8
stages:
  - from: 0
    flags: [a b, x]
  -
    # the second
    from: 16
    flags: []
)");
}

TEST(ConfigWriter, Toml) {
  EXPECT_EQ(writeToml(example(), "made from train.parl"), R"(# made from train.parl
# two
# lines
steps = [1, 2, 3]
batch = $B

[model]
name = "llama3"
dtype = "no"
# train.parl:4
lr = 1e-5
norm = 8

[mesh.inner]
tp = 8

[[stages]]
from = 0
flags = ["a b", "x"]

[[stages]]
# the second
from = 16
flags = []
)");
}

TEST(ConfigWriter, LongListsTakeLines) {
  ConfigReading Read("x.json", parseTemplate);
  std::string List = "{\"names\": [";
  for (int I = 0; I < 4; ++I)
    List += fmt::format("{}\"{}{}\"", I ? ", " : "", std::string(30, 'x'), I);
  const ConfigValue Root = *Read.tree(List + "]}");
  EXPECT_EQ(std::ranges::count(writeJson(Root), '\n'), 8);
  EXPECT_EQ(std::ranges::count(writeYaml(Root), '\n'), 5);
  EXPECT_EQ(std::ranges::count(writeToml(Root), '\n'), 6);
}

} // namespace
