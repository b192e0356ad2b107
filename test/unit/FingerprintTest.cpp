#include "Basic/Fingerprint.h"
#include <gtest/gtest.h>

using namespace parlance;

namespace {

/// Fingerprints of the places where a word stands in a text.
std::vector<std::string> of(std::string Text, std::string_view Word, std::string Name = "a/b.parl",
                            std::string_view Code = "PL3001", const std::string &Folder = ".") {
  SourceManager Sources;
  uint32_t File = Sources.add(std::move(Name), std::move(Text));
  std::string_view All = Sources.file(File).text();
  std::vector<Diagnostic> Found;
  for (size_t At = All.find(Word); At != std::string_view::npos; At = All.find(Word, At + 1)) {
    Diagnostic D;
    D.Code = Code;
    D.Name = "some-name";
    D.Message = "message " + std::to_string(Found.size());
    D.Range = {File, static_cast<uint32_t>(At), static_cast<uint32_t>(At + Word.size())};
    Found.push_back(std::move(D));
  }
  return fingerprints(Found, Sources, Folder);
}

TEST(Fingerprint, IsSixteenHexadecimalDigitsThatNeverChange) {
  // Baselines and code hosts keep these: another value here breaks all of them.
  EXPECT_EQ(of("layout l { tp = 8 }\n", "tp = 8"), std::vector<std::string>{"8c43554b348f1c19"});
}

TEST(Fingerprint, LinesThatMoveKeepIt) {
  auto Before = of("layout l { tp = 8 }\n", "tp");
  EXPECT_EQ(of("# more\n\n\nlayout l { tp = 8 }\n", "tp"), Before);
  EXPECT_EQ(of("  layout  l\t{ tp = 8 }  \r\n", "tp"), Before);
  EXPECT_NE(of("layout l { tp = 16 }\n", "tp"), Before);
  EXPECT_NE(of("lay out l { tp = 8 }\n", "tp"), Before);
}

TEST(Fingerprint, DependsOnCodeAndPath) {
  auto One = of("tp = 8\n", "tp");
  EXPECT_NE(of("tp = 8\n", "tp", "a/c.parl"), One);
  EXPECT_NE(of("tp = 8\n", "tp", "a/b.parl", "PL3002"), One);
}

TEST(Fingerprint, AlikeOnesAreCounted) {
  auto Both = of("tp = 8\ntp = 8\n", "tp");
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_NE(Both[0], Both[1]);
  EXPECT_EQ(of("tp = 8\n", "tp"), std::vector{Both[0]});
  // The first of them on a line of its own does not change the second.
  EXPECT_EQ(of("tp = 8\nother\ntp = 8\n", "tp"), Both);
}

TEST(Fingerprint, OfALongLineOnlyTheMarkedPartCounts) {
  std::string Long(1000, 'x');
  EXPECT_EQ(of("{\"tp\": 8, \"a\": " + Long + "}", "\"tp\": 8"),
            of("{\"b\": " + Long + Long + ", \"tp\": 8}", "\"tp\": 8"));
}

TEST(Fingerprint, PathsAreRelativeToTheFolder) {
  EXPECT_EQ(of("tp\n", "tp", "/x/y/a.parl", "PL3001", "/x"), of("tp\n", "tp", "/z/y/a.parl", "PL3001", "/z/y/.."));
  EXPECT_EQ(relativePath("/x/y/a.parl", "/x/z"), "../y/a.parl");
  EXPECT_EQ(relativePath("a.parl", "."), "a.parl");
  EXPECT_EQ(relativePath("<stdin>", "/x"), "<stdin>");
  EXPECT_EQ(relativePath("--cluster", "/x"), "--cluster");
}

TEST(Fingerprint, WithoutAPlaceTheMessageCounts) {
  SourceManager Sources;
  std::vector<Diagnostic> Found(3);
  Found[0].Message = Found[2].Message = "cannot read `a`";
  Found[1].Message = "cannot read `b`";
  auto All = fingerprints(Found, Sources, ".");
  EXPECT_NE(All[0], All[1]);
  EXPECT_NE(All[0], All[2]);
}

} // namespace
