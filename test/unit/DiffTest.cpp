#include "Basic/Diff.h"
#include <gtest/gtest.h>
#include <random>

using namespace parlance;

namespace {

/// Applies what `diffLines` says.
std::string applied(std::string_view Old, std::string_view New) {
  std::vector<std::string_view> A = splitLines(Old), B = splitLines(New);
  std::string Out;
  size_t At = 0, Behind = 0;
  for (const LineChange &C : diffLines(A, B)) {
    EXPECT_TRUE(C.OldBegin < C.OldEnd || C.NewBegin < C.NewEnd);
    EXPECT_TRUE(C.OldBegin > At || C.OldBegin == 0) << "two changes side by side";
    EXPECT_EQ(C.OldBegin - At, C.NewBegin - Behind);
    for (; At < C.OldBegin; ++At)
      Out += A[At];
    for (size_t J = C.NewBegin; J < C.NewEnd; ++J)
      Out += B[J];
    At = C.OldEnd;
    Behind = C.NewEnd;
  }
  for (; At < A.size(); ++At)
    Out += A[At];
  return Out;
}

TEST(Diff, SplitsLinesWithTheirBreaks) {
  using L = std::vector<std::string_view>;
  EXPECT_EQ(splitLines(""), L());
  EXPECT_EQ(splitLines("a"), L({"a"}));
  EXPECT_EQ(splitLines("a\r\n\nb\n"), L({"a\r\n", "\n", "b\n"}));
}

TEST(Diff, FindsSmallChanges) {
  auto Changes = [](std::string_view Old, std::string_view New) { return diffLines(splitLines(Old), splitLines(New)); };
  using C = std::vector<LineChange>;
  EXPECT_EQ(Changes("a\nb\n", "a\nb\n"), C());
  EXPECT_EQ(Changes("a\nb\nc\n", "a\nx\nc\n"), C({{1, 2, 1, 2}}));
  EXPECT_EQ(Changes("", "a\n"), C({{0, 0, 0, 1}}));
  EXPECT_EQ(Changes("a\n", ""), C({{0, 1, 0, 0}}));
  // Repeated lines only: the table decides.
  EXPECT_EQ(Changes("}\n}\n}\n", "}\n}\n"), C({{2, 3, 2, 2}}));
  EXPECT_EQ(Changes("x\n}\ny\n}\n", "}\n}\n"), C({{0, 1, 0, 0}, {2, 3, 1, 1}}));
  // A line break that is added is a change of its line.
  EXPECT_EQ(Changes("a\nb", "a\nb\n"), C({{1, 2, 1, 2}}));
}

TEST(Diff, TurnsAnyTextIntoAnyOther) {
  std::mt19937 Random(20);
  for (unsigned Round = 0; Round < 2000; ++Round) {
    auto Text = [&] {
      std::string Out;
      unsigned Lines = Random() % 30, Kinds = 1 + Random() % 12;
      for (unsigned I = 0; I < Lines; ++I) {
        Out += static_cast<char>('a' + Random() % Kinds);
        Out += '\n';
      }
      return Out + (Random() % 3 ? "" : "end");
    };
    std::string Old = Text(), New = Text();
    ASSERT_EQ(applied(Old, New), New) << Old << "---\n" << New;
  }
}

TEST(Diff, StaysFastOnWhatItCannotMatch) {
  std::string Old, New;
  for (unsigned I = 0; I < 200000; ++I) {
    Old += "same\n";
    New += I % 2 ? "same\n" : "other\n";
  }
  EXPECT_EQ(applied(Old, New), New);
}

TEST(Diff, PrintsUnified) {
  EXPECT_EQ(unifiedDiff("a", "b", "1\n2\n", "1\n2\n"), "");
  EXPECT_EQ(unifiedDiff("a", "b", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n"), "--- a\n+++ b\n"
                                                                         "@@ -2,4 +2,4 @@\n"
                                                                         " 2\n 3\n 4\n-5\n+x\n");
  EXPECT_EQ(unifiedDiff("a", "b", "", "1\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+1\n");
  EXPECT_EQ(unifiedDiff("a", "b", "1", "1\n"), "--- a\n+++ b\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n");
  // Six equal lines between two changes are shown whole; seven part the hunks.
  EXPECT_EQ(unifiedDiff("a", "b", "x\n1\n2\n3\n4\n5\n6\nx\n", "y\n1\n2\n3\n4\n5\n6\ny\n"),
            "--- a\n+++ b\n@@ -1,8 +1,8 @@\n-x\n+y\n 1\n 2\n 3\n 4\n 5\n 6\n-x\n+y\n");
  EXPECT_EQ(unifiedDiff("a", "b", "x\n1\n2\n3\n4\n5\n6\n7\nx\n", "y\n1\n2\n3\n4\n5\n6\n7\ny\n"),
            "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-x\n+y\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-x\n+y\n");
}

} // namespace
