#include "Basic/Glob.h"
#include <gtest/gtest.h>
#include <string>

using namespace parlance;

namespace {

struct Case {
  std::string_view Pattern, Path;
  bool Matches;
};

TEST(Glob, ClosesItsSets) {
  for (std::string_view Whole : {"", "a", "[ab]", "[]a]", "[!]]", "\\[ab", "a]", "x[a-z]*"})
    EXPECT_TRUE(isGlob(Whole)) << Whole;
  for (std::string_view Open : {"[", "[ab", "[]", "[!]", "[ab][", "a\\\\[b"})
    EXPECT_FALSE(isGlob(Open)) << Open;
}

TEST(Glob, Matches) {
  for (const Case &C : std::initializer_list<Case>{
           {"a.json", "a.json", true},
           {"a.json", "b/a.json", false},
           {"*.json", "a.json", true},
           {"*.json", ".json", true},
           {"*.json", "b/a.json", false},
           {"a*c*e", "abcde", true},
           {"a*c*e", "abcd", false},
           {"?.json", "a.json", true},
           {"?.json", "ab.json", false},
           {"a?b", "a/b", false},
           {"a*b", "a/b", false},
           {"**/a.json", "a.json", true},
           {"**/a.json", "b/a.json", true},
           {"**/a.json", "b/c/a.json", true},
           {"**/a.json", "b/ca.json", false},
           {"x/**/a", "x/a", true},
           {"x/**/a", "x/y/z/a", true},
           {"x/**/a", "xy/a", false},
           {"x/**", "x/y/z", true},
           {"x/**", "x", false},
           {"x/**", "x/", false},
           {"**", "x/y", true},
           {"**", "", false},
           {"a**b", "axyb", true},
           {"a**b", "ax/yb", false},
           {"**/**/**/a", "b/a", true},
           {"[ab].c", "a.c", true},
           {"[ab].c", "c.c", false},
           {"[a-c]", "b", true},
           {"[!a-c]", "b", false},
           {"[!a-c]", "d", true},
           {"[^a]", "b", true},
           {"[]]", "]", true},
           {"[!]]", "]", false},
           {"[a-]", "-", true},
           {"a[!b]c", "a/c", false},
           {"[", "[", true},
           {"[!", "[!", true},
           {"a[b", "a[b", true},
           {"\\*", "*", true},
           {"\\*", "a", false},
           {"\\[a]", "[a]", true},
           {"a\\", "a\\", true},
           {"", "", true},
           {"", "a", false},
       })
    EXPECT_EQ(globMatches(C.Pattern, C.Path), C.Matches) << C.Pattern << " on " << C.Path;
}

TEST(Glob, CoversWhatIsInAFolder) {
  EXPECT_TRUE(globCovers("x", "x/y/z"));
  EXPECT_TRUE(globCovers("x/", "x/y/z"));
  EXPECT_TRUE(globCovers("x/*", "x/y/z"));
  EXPECT_TRUE(globCovers("**/y", "x/y/z"));
  EXPECT_TRUE(globCovers("x/y/z", "x/y/z"));
  EXPECT_FALSE(globCovers("x", "xy/z"));
  EXPECT_FALSE(globCovers("y", "x/y/z"));
  EXPECT_FALSE(globCovers("", "x"));
}

TEST(Glob, TakesNoLongerForManyStars) {
  std::string Stars, Folders;
  for (int I = 0; I < 40; ++I)
    Stars += "*a", Folders += "**/";
  EXPECT_FALSE(globMatches(Stars + "b", std::string(400, 'a')));
  EXPECT_FALSE(globMatches(Folders + "b", std::string(60, 'a') + "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"));
}

} // namespace
