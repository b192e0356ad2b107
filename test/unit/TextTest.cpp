#include "Basic/Text.h"
#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace parlance;

namespace {

std::string guess(std::string_view Wrong, std::vector<std::string_view> Candidates) {
  return std::string(nearest(Wrong, Candidates).value_or("-"));
}

TEST(Text, EditDistance) {
  EXPECT_EQ(editDistance("layers", "layers", 3), 0u);
  EXPECT_EQ(editDistance("Layers", "lAYERS", 3), 0u);
  EXPECT_EQ(editDistance("layer", "layers", 3), 1u);
  EXPECT_EQ(editDistance("laeyrs", "layers", 3), 1u); // a transposition is one edit
  EXPECT_EQ(editDistance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(editDistance("kitten", "sitting", 2), 3u); // one over the limit
  EXPECT_EQ(editDistance("ca", "abc", 3), 3u);
  EXPECT_EQ(editDistance("", "abc", 3), 3u);
  EXPECT_EQ(editDistance("", "", 0), 0u);
  EXPECT_EQ(editDistance("ab", "ba", 1), 1u);
  EXPECT_EQ(editDistance(std::string(100000, 'a'), "b", 2), 3u);
}

TEST(Text, NearestName) {
  EXPECT_EQ(guess("hiden", {"heads", "hidden", "vocab"}), "hidden");
  EXPECT_EQ(guess("sequence_paralel", {"sequence_parallel", "virtual_stages"}), "sequence_parallel");
  EXPECT_EQ(guess("TPP", {"pp", "tp"}), "tp");
  EXPECT_EQ(guess("dpp", {"tp", "pp", "dp"}), "dp"); // the first letter decides
  EXPECT_EQ(guess("xpp", {"tpp", "ppp"}), "tpp");    // or the order
  EXPECT_EQ(guess("zerro", {"zero", "Zero"}), "zero");
  EXPECT_EQ(guess("heads", {"layers", "vocab"}), "-");
  EXPECT_EQ(guess("", {"a"}), "-");
  EXPECT_EQ(guess("x", {}), "-");
  EXPECT_EQ(guess("tq", {"tp"}), "-");            // too short to guess
  EXPECT_EQ(guess("TP", {"tp"}), "tp");           // but not a guess
  EXPECT_EQ(guess("gib", {"MiB", "GiB"}), "GiB"); // case alone beats a letter
  EXPECT_EQ(guess("abc", {"abc"}), "-");
  EXPECT_EQ(guess("abcd", {"abxy"}), "-");
  EXPECT_EQ(guess("abcde", {"abxye"}), "abxye");
  EXPECT_EQ(guess("abcdefghi", {"xyzdefghi"}), "xyzdefghi");
  EXPECT_EQ(guess("abcdefgh", {"xyzdefgh"}), "-");
  EXPECT_EQ(guess(std::string(1000, 'a'), {"aaa"}), "-");
}

TEST(Text, Plurals) {
  EXPECT_EQ(plural(1, "stage"), "1 stage");
  EXPECT_EQ(plural(3, "stage"), "3 stages");
  EXPECT_EQ(plural(0, "error"), "0 errors");
  EXPECT_EQ(plural(4096, "microbatch"), "4,096 microbatches");
  EXPECT_EQ(plural(2, "query"), "2 queries");
  EXPECT_EQ(plural(2, "key"), "2 keys");
  EXPECT_EQ(plural(-1, "box"), "-1 boxes");
}

TEST(Text, Lists) {
  const std::vector<std::string_view> Items{"a", "b", "c"};
  EXPECT_EQ(joinList(Items), "a, b or c");
  EXPECT_EQ(joinList(Items, "and"), "a, b and c");
  EXPECT_EQ(joinList(std::span(Items).first(2)), "a or b");
  EXPECT_EQ(joinList(std::span(Items).first(1)), "a");
  EXPECT_EQ(joinList(std::span(Items).first(0)), "");
  EXPECT_EQ(joinList(std::vector<std::string>{"x", "y"}, "and"), "x and y");
}

TEST(Text, OneLine) {
  EXPECT_EQ(oneLine("\n    too\r\n\tslow "), "too slow");
  EXPECT_EQ(oneLine("as it is"), "as it is");
  EXPECT_EQ(oneLine(" \n"), "");
}

TEST(Text, FillsMarks) {
  using Part = std::pair<std::string_view, std::string>;
  EXPECT_EQ(fillMarks("<a>{{x}}</a>{{y}}.", std::vector<Part>{{"{{x}}", "{{y}}"}, {"{{y}}", ""}}), "<a>{{y}}</a>.");
  EXPECT_EQ(fillMarks("plain", std::vector<Part>{}), "plain");
}

TEST(Text, Thousands) {
  EXPECT_EQ(withThousands(int64_t(0)), "0");
  EXPECT_EQ(withThousands(int64_t(999)), "999");
  EXPECT_EQ(withThousands(int64_t(1000)), "1,000");
  EXPECT_EQ(withThousands(int64_t(-100)), "-100");
  EXPECT_EQ(withThousands(int64_t(-1048576)), "-1,048,576");
  EXPECT_EQ(withThousands(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(withThousands("1234.5678"), "1,234.5678");
  EXPECT_EQ(withThousands("1234567e+10"), "1,234,567e+10");
  EXPECT_EQ(withThousands(""), "");
  EXPECT_EQ(withThousands("inf"), "inf");
}

TEST(Text, ASlipIsOneLetterOrTwoOfTen) {
  EXPECT_TRUE(isMisspelt("gradient_acumulation_steps", "gradient_accumulation_steps"));
  EXPECT_TRUE(isMisspelt("cup", "cpu"));
  EXPECT_TRUE(isMisspelt("Full", "full"));
  EXPECT_FALSE(isMisspelt("lr_min", "lr_max"));
  EXPECT_FALSE(isMisspelt("op", "up"));
}

} // namespace
