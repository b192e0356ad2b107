#include "ReferenceLexer.h"
#include "ParlanceLexer.h"
#include <array>

namespace parlance::syntax {

namespace {

/// Bytes that the lexer's rules treat alike arrive as one of them: its automaton, which is built
/// while it runs, then has a tenth of the transitions. Those above 0x7E arrive as 0x7F, which keeps
/// them inside ANTLR's tables; a real 0x7F is as unwelcome as any other control character.
constexpr std::array<unsigned char, 256> foldedBytes() {
  std::array<unsigned char, 256> Fold{};
  for (unsigned B = 0; B < 256; ++B) {
    bool Letter = (B >= 'a' && B <= 'z') || (B >= 'A' && B <= 'Z');
    bool Digit = B >= '0' && B <= '9';
    bool Blank = B == ' ' || B == '\t' || B == '\f' || B == '\v';
    bool Own = std::string_view("_\r\n\"\\'#{}()[]=:,.->|<!+*/%^&;").find(static_cast<char>(B)) !=
               std::string_view::npos;
    bool Exponent = B == 'e' || B == 'E';
    Fold[B] = static_cast<unsigned char>(B > 0x7F   ? 0x7F
                                         : Exponent ? 'e'
                                         : Letter   ? 'a'
                                         : Digit    ? '0'
                                         : Blank    ? ' '
                                         : Own      ? B
                                                    : '$');
  }
  return Fold;
}

class ByteStream final : public antlr4::CharStream {
public:
  ByteStream(std::string_view Text, size_t Begin) : Text(Text), At(Begin) {}
  void consume() override { ++At; }
  size_t LA(ssize_t Offset) override {
    size_t I = At + static_cast<size_t>(Offset) - 1;
    if (I >= Text.size())
      return IntStream::EOF;
    static constexpr std::array<unsigned char, 256> Folded = foldedBytes();
    return Folded[static_cast<unsigned char>(Text[I])];
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return At; }
  void seek(size_t Index) override { At = Index; }
  size_t size() override { return Text.size(); }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval &) override { return {}; }
  std::string toString() const override { return {}; }

private:
  std::string_view Text;
  size_t At;
};

} // namespace

std::vector<LexToken> referenceTokens(std::string_view Text) {
  std::vector<LexToken> Tokens;
  ByteStream Input(Text, 0);
  ParlanceLexer Lexer(&Input);
  auto *Automaton = Lexer.getInterpreter<antlr4::atn::LexerATNSimulator>();
  while (Input.index() < Text.size()) {
    auto From = static_cast<uint32_t>(Input.index());
    // The lexer has no commands and a rule for every byte: its automaton can be run by itself.
    size_t Kind = Automaton->match(&Input, 0);
    if (Kind != static_cast<size_t>(Tok::Blank))
      Tokens.push_back({static_cast<Tok>(Kind), 0, From, static_cast<uint32_t>(Input.index())});
  }
  return Tokens;
}

} // namespace parlance::syntax
