#include "Server/Lines.h"
#include <gtest/gtest.h>
#include <random>

using namespace parlance::server;

namespace {

/// "3:5" of a byte offset.
std::string at(std::string_view Text, uint32_t Offset) {
  lsp::Position P = LineTable(Text).position(Offset);
  return std::to_string(P.line) + ":" + std::to_string(P.character);
}

uint32_t offset(std::string_view Text, int Line, int Column) { return LineTable(Text).offset({Line, Column}); }

std::string changed(std::string Text, std::array<int, 4> Range, std::string New) {
  lsp::TextDocumentContentChangeEvent Change;
  Change.range = lsp::Range({Range[0], Range[1]}, {Range[2], Range[3]});
  Change.text = std::move(New);
  applyChange(Text, Change);
  return Text;
}

} // namespace

TEST(ServerLines, CountsUtf16Units) {
  std::string_view Text = "aé€😀b"; // 1, 2, 3, 4 and 1 bytes
  EXPECT_EQ(at(Text, 0), "0:0");
  EXPECT_EQ(at(Text, 1), "0:1");
  EXPECT_EQ(at(Text, 3), "0:2");
  EXPECT_EQ(at(Text, 6), "0:3");
  EXPECT_EQ(at(Text, 10), "0:5"); // a surrogate pair is two units
  EXPECT_EQ(at(Text, 11), "0:6");
  for (uint32_t Offset : {0u, 1u, 3u, 6u, 10u, 11u})
    EXPECT_EQ(LineTable(Text).offset(LineTable(Text).position(Offset)), Offset);
}

TEST(ServerLines, GoesToTheBeginningOfACodePoint) {
  std::string_view Text = "a😀b";
  EXPECT_EQ(offset(Text, 0, 2), 1u) << "between the halves of a pair";
  EXPECT_EQ(at(Text, 3), "0:1") << "inside of its bytes";
}

TEST(ServerLines, KnowsThreeLineBreaks) {
  std::string_view Text = "a\nb\r\nc\rd";
  EXPECT_EQ(LineTable(Text).lineCount(), 4u);
  EXPECT_EQ(at(Text, 2), "1:0");
  EXPECT_EQ(at(Text, 5), "2:0");
  EXPECT_EQ(at(Text, 7), "3:0");
  EXPECT_EQ(offset(Text, 1, 99), 3u) << "the end of the line is before its break";
  EXPECT_EQ(offset(Text, 2, 99), 6u);
}

TEST(ServerLines, ClampsWhatIsOutside) {
  EXPECT_EQ(offset("ab\ncd", 9, 0), 5u);
  EXPECT_EQ(offset("ab\ncd", -1, 3), 0u);
  EXPECT_EQ(offset("ab\ncd", 0, -7), 0u);
  EXPECT_EQ(offset("", 0, 4), 0u);
  EXPECT_EQ(at("ab", 99), "0:2");
  EXPECT_EQ(at("ab\n", 3), "1:0");
}

TEST(ServerLines, TakesEachBrokenByteForOneUnit) {
  std::string_view Text = "a\xff\xe2\x82z"; // a byte that is none, and a cut sequence
  EXPECT_EQ(at(Text, 4), "0:4");
  EXPECT_EQ(offset(Text, 0, 4), 4u);
  EXPECT_EQ(validUtf8("a\xff"), "a\xEF\xBF\xBD");
}

TEST(ServerLines, CountsAMarkThatTheTextLacks) {
  LineTable Lines("ab\ncd", true);
  EXPECT_EQ(Lines.position(0).character, 1);
  EXPECT_EQ(Lines.position(3).character, 0);
  EXPECT_EQ(Lines.offset({0, 2}), 1u);
  EXPECT_EQ(Lines.offset({0, 0}), 0u);
}

TEST(ServerLines, AppliesEdits) {
  EXPECT_EQ(changed("tp = 8\n", {0, 5, 0, 6}, "4"), "tp = 4\n");
  EXPECT_EQ(changed("a\nb\nc", {0, 1, 2, 0}, ""), "ac");
  EXPECT_EQ(changed("a😀b", {0, 3, 0, 4}, "€"), "a😀€");
  EXPECT_EQ(changed("ab", {0, 2, 0, 1}, "x"), "ax") << "ends before it begins";
  EXPECT_EQ(changed("ab", {7, 0, 9, 9}, "x"), "abx") << "behind the end";
  EXPECT_EQ(changed("a\r\nb", {0, 9, 1, 0}, "\n"), "a\nb");
}

TEST(ServerLines, ReplacesTheWholeText) {
  std::string Text = "old";
  lsp::TextDocumentContentChangeEvent Change;
  Change.text = "new";
  applyChange(Text, Change);
  EXPECT_EQ(Text, "new");
}

/// The same edits on a list of lines of UTF-16 units, which is what an editor has.
TEST(ServerLines, AgreesWithAnEditor) {
  using Lines = std::vector<std::u32string>;
  static constexpr char32_t Alphabet[] = {U'a', U'=', U'é', U'€', U'😀', U'\n', U'#'};
  auto Split = [](const std::u32string &Text) {
    Lines Result(1);
    for (char32_t C : Text)
      if (C == U'\n')
        Result.emplace_back();
      else
        Result.back() += C;
    return Result;
  };
  auto Encode = [](const std::u32string &Text) {
    std::string Out;
    for (char32_t C : Text)
      if (C < 0x80)
        Out += static_cast<char>(C);
      else if (C < 0x800)
        Out += {static_cast<char>(0xC0 | C >> 6), static_cast<char>(0x80 | (C & 63))};
      else if (C < 0x10000)
        Out += {static_cast<char>(0xE0 | C >> 12), static_cast<char>(0x80 | (C >> 6 & 63)),
                static_cast<char>(0x80 | (C & 63))};
      else
        Out += {static_cast<char>(0xF0 | C >> 18), static_cast<char>(0x80 | (C >> 12 & 63)),
                static_cast<char>(0x80 | (C >> 6 & 63)), static_cast<char>(0x80 | (C & 63))};
    return Out;
  };
  std::mt19937 Random(7);
  auto Below = [&](size_t N) { return N ? Random() % N : 0; };
  std::u32string Model;
  std::string Text;
  for (int Step = 0; Step < 5000; ++Step) {
    // Two places of the model, as the editor names them.
    size_t First = Below(Model.size() + 1), Last = First + Below(std::min<size_t>(Model.size() - First + 1, 9));
    auto Position = [&](size_t Index) {
      Lines Before = Split(Model.substr(0, Index));
      int Column = 0;
      for (char32_t C : Before.back())
        Column += C > 0xFFFF ? 2 : 1;
      return lsp::Position(static_cast<int>(Before.size()) - 1, Column);
    };
    std::u32string New;
    for (size_t I = Below(6); I > 0; --I)
      New += Alphabet[Below(std::size(Alphabet))];
    lsp::TextDocumentContentChangeEvent Change;
    Change.range = lsp::Range(Position(First), Position(Last));
    Change.text = Encode(New);
    applyChange(Text, Change);
    Model.replace(First, Last - First, New);
    ASSERT_EQ(Text, Encode(Model)) << "step " << Step;
  }
}
