// The lexer by hand and the one of the grammar cut every text alike.
#include "ReferenceLexer.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace parlance;
using namespace parlance::syntax;

static std::string list(const std::vector<LexToken> &Tokens) {
  std::string Out;
  for (const LexToken &T : Tokens)
    if (T.Kind != Tok::End)
      Out += fmt::format("{}@{}-{} ", static_cast<int>(T.Kind), T.Begin, T.End);
  return Out;
}

static void compare(std::string_view Text) {
  DiagnosticEngine Diags;
  UnitTable Units;
  TokenContext C{Text, 1, Units, Diags, false, false, {}};
  tokenize(C, 0);
  ASSERT_EQ(list(C.Raw), list(referenceTokens(Text))) << Text;
}

TEST(Lexer, agreesOnSources) {
  namespace fs = std::filesystem;
  unsigned Files = 0;
  for (const char *Folder : {"lib/std", "docs", "test"})
    for (const auto &Entry : fs::recursive_directory_iterator(fs::path(PARLANCE_SOURCE_DIR) / Folder))
      if (Entry.path().extension() == ".parl") {
        std::ifstream In(Entry.path(), std::ios::binary);
        std::stringstream Text;
        Text << In.rdbuf();
        compare(Text.str());
        ++Files;
      }
  EXPECT_GT(Files, 20u);
}

TEST(Lexer, agreesOnCornerCases) {
  for (std::string_view Text : {"",
                                "\"",
                                "\"\"",
                                "\"\"\"",
                                "\"\"\"a\"\"",
                                "\"\"\"a\"\"\"b\"",
                                "\"a\\",
                                "\"a\\\n",
                                "\"a\\\"b\"",
                                "'",
                                "'a",
                                "'a'b'",
                                "#",
                                "#a\rb\r\nc",
                                "#\r",
                                "\r",
                                "\r\n",
                                " \r\n",
                                "\r\r\n",
                                "1e",
                                "1e+",
                                "1e5x",
                                "1.2.3",
                                "1..8",
                                "1.e5",
                                "1_0__",
                                "7e9elem",
                                "4Mi",
                                "a//b",
                                "a/b",
                                "!",
                                "!=",
                                "&",
                                "&&&",
                                "|||",
                                "***",
                                "<=>=",
                                "->-",
                                "...",
                                "\x7f\x80\xff",
                                "a\0b",
                                ";;",
                                "0x1F",
                                "1E5E5",
                                "1e-"})
    compare(Text);
}

TEST(Lexer, agreesOnRandomText) {
  std::mt19937 Random(7);
  static constexpr std::string_view Alphabet = "ae09_ .\t\r\n\"\\'#{}()[]=:,->|<!+*/%^&;E$\x7f\xc3";
  for (unsigned Round = 0; Round < 20000; ++Round) {
    std::string Text;
    for (unsigned N = Random() % 24; N > 0; --N)
      Text += Alphabet[Random() % Alphabet.size()];
    compare(Text);
    if (HasFatalFailure())
      return;
  }
}
