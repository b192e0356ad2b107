#include "Basic/GitIgnore.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace parlance;

namespace {

constexpr std::string_view Text = "# a comment\n"
                                  "\n"
                                  "   \n"
                                  "*.log\r\n"
                                  "!keep.log\n"
                                  "build/\n"
                                  "/top.parl\n"
                                  "sub/anchored.json\n"
                                  "\\#hash\n"
                                  "\\!bang\n"
                                  "blank\\ \n"
                                  "trailing   \n"
                                  "deep/**/x.yaml\n"
                                  "/\n"
                                  "!\n"
                                  "last";

TEST(GitIgnore, TheLastPatternThatMatchesDecides) {
  const GitIgnore Ignore(Text);
  EXPECT_EQ(Ignore.ignores("a.log", false), true);
  EXPECT_EQ(Ignore.ignores("x/y/a.log", false), true);
  EXPECT_EQ(Ignore.ignores("x/keep.log", false), false);
  EXPECT_EQ(Ignore.ignores("build", true), true);
  EXPECT_EQ(Ignore.ignores("build", false), std::nullopt);
  EXPECT_EQ(Ignore.ignores("x/build", true), true);
  EXPECT_EQ(Ignore.ignores("top.parl", false), true);
  EXPECT_EQ(Ignore.ignores("x/top.parl", false), std::nullopt);
  EXPECT_EQ(Ignore.ignores("sub/anchored.json", false), true);
  EXPECT_EQ(Ignore.ignores("x/sub/anchored.json", false), std::nullopt);
  EXPECT_EQ(Ignore.ignores("#hash", false), true);
  EXPECT_EQ(Ignore.ignores("!bang", false), true);
  EXPECT_EQ(Ignore.ignores("blank ", false), true);
  EXPECT_EQ(Ignore.ignores("trailing", false), true);
  EXPECT_EQ(Ignore.ignores("deep/x.yaml", false), true);
  EXPECT_EQ(Ignore.ignores("deep/a/b/x.yaml", false), true);
  EXPECT_EQ(Ignore.ignores("last", false), true);
  EXPECT_EQ(Ignore.ignores("a comment", false), std::nullopt);
}

/// What git itself says of the same paths.
TEST(GitIgnore, AgreesWithGit) {
  namespace fs = std::filesystem;
  if (std::system("git --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no git";
  const fs::path Folder = fs::temp_directory_path() / ("parlance-ignore-" + std::to_string(getpid()));
  fs::create_directories(Folder);
  std::ofstream(Folder / ".gitignore") << Text << "\n[ab]*.toml\nfoo/*/bar\n**/nested/\n*.d/**\n";
  const std::string Paths[] = {"a.log",
                               "keep.log",
                               "x/keep.log",
                               "top.parl",
                               "x/top.parl",
                               "ab.toml",
                               "cab.toml",
                               "x/b.toml",
                               "foo/a/bar",
                               "foo/a/b/bar",
                               "foo/bar",
                               "c.d/x",
                               "c.d/y/z",
                               "#hash",
                               "last",
                               "deep/x.yaml",
                               "deep/a/b/x.yaml",
                               "trailing",
                               "sub/anchored.json"};
  std::ifstream In(Folder / ".gitignore");
  const GitIgnore Ignore(std::string(std::istreambuf_iterator<char>(In), {}));
  const std::string Git = "git -C " + Folder.string() + " ";
  ASSERT_EQ(std::system((Git + "init -q").c_str()), 0);
  for (const std::string &Path : Paths) {
    const int Status = std::system((Git + "check-ignore -q --no-index '" + Path + "'").c_str());
    EXPECT_EQ(Ignore.ignores(Path, false).value_or(false), Status == 0) << Path;
  }
  fs::remove_all(Folder);
}

} // namespace
