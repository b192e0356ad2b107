// The lexical rules of grammar/Parlance.g4 by hand: the longest match, and of equally long ones the first rule. Running
// the generated lexer instead, whose automaton is built anew in every process, costs two fifths of a whole check. A
// test holds the two against each other.
#include "Syntax/Tokens.h"
#include <array>

namespace parlance::syntax {

namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isLetter(char C) { return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_'; }
bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\r' || C == '\f' || C == '\v'; }
bool isBreak(char C) { return C == '\r' || C == '\n'; }

class Scanner {
public:
  Scanner(std::string_view Text, uint32_t Begin) : Text(Text), At(Begin) {}
  LexToken next() {
    uint32_t Begin = At;
    Tok Kind = scan();
    return {Kind, 0, Begin, At};
  }

private:
  char peek(uint32_t Offset = 0) const { return At + Offset < Text.size() ? Text[At + Offset] : '\0'; }
  bool end() const { return At >= Text.size(); }
  template <typename Predicate> void skip(Predicate P) {
    while (!end() && P(Text[At]))
      ++At;
  }
  Tok take(Tok Kind, uint32_t Length) {
    At += Length;
    return Kind;
  }

  Tok scan() {
    char C = peek();
    if (isLetter(C)) {
      skip([](char X) { return isLetter(X) || isDigit(X); });
      return Tok::Ident;
    }
    if (isDigit(C))
      return number();
    if (C == '\n' || (C == '\r' && peek(1) == '\n'))
      return take(Tok::Newline, C == '\n' ? 1 : 2);
    if (isBlank(C)) {
      skip(isBlank);
      return Tok::Blank;
    }
    if (static_cast<unsigned char>(C) >= 0x80) {
      skip([](char X) { return static_cast<unsigned char>(X) >= 0x80; });
      return Tok::NonAscii;
    }
    switch (C) {
    case '"':
      return string();
    case '\'':
      return quoted();
    case '#':
      return comment();
    default:
      return punctuation(C);
    }
  }

  Tok number() {
    auto Digits = [&] { skip([](char X) { return isDigit(X) || X == '_'; }); };
    Digits();
    while (peek() == '.' && isDigit(peek(1))) {
      ++At;
      Digits();
    }
    uint32_t Sign = peek(1) == '+' || peek(1) == '-';
    if ((peek() == 'e' || peek() == 'E') && isDigit(peek(1 + Sign))) {
      At += 1 + Sign;
      skip(isDigit);
    }
    skip([](char X) { return isLetter(X) || isDigit(X); });
    return Tok::Number;
  }

  Tok string() {
    if (Text.substr(At, 3) == "\"\"\"") {
      size_t Close = Text.find("\"\"\"", At + 3);
      At = static_cast<uint32_t>(Close == std::string_view::npos ? Text.size() : Close + 3);
      return Tok::Triple;
    }
    ++At;
    while (!end() && !isBreak(peek())) {
      if (peek() == '"')
        return take(Tok::String, 1);
      bool Escape = peek() == '\\' && At + 1 < Text.size() && !isBreak(peek(1));
      At += Escape ? 2 : 1;
    }
    return Tok::OpenString;
  }

  Tok quoted() {
    ++At;
    skip([](char X) { return X != '\'' && !isBreak(X); });
    if (peek() == '\'' && !end())
      ++At;
    return Tok::Quoted;
  }

  /// To the end of the line; a carriage return belongs to it unless the line break follows.
  Tok comment() {
    uint32_t Last = ++At;
    for (; !end() && peek() != '\n'; ++At)
      if (peek() != '\r')
        Last = At + 1;
    At = Last;
    return Tok::Comment;
  }

  Tok punctuation(char C) {
    struct Pair {
      char First, Second;
      Tok Both;
    };
    static constexpr Pair Pairs[] = {{'.', '.', Tok::DotDot}, {'-', '>', Tok::Arrow},  {'=', '=', Tok::EqEq},
                                     {'!', '=', Tok::NotEq},  {'<', '=', Tok::LessEq}, {'>', '=', Tok::GreaterEq},
                                     {'&', '&', Tok::AmpAmp}, {'|', '|', Tok::BarBar}, {'*', '*', Tok::StarStar}};
    for (const Pair &P : Pairs)
      if (P.First == C && P.Second == peek(1))
        return take(P.Both, 2);
    if (C == '/' && peek(1) == '/') {
      skip([](char X) { return !isBreak(X); });
      return Tok::Slashes;
    }
    struct Single {
      char First;
      Tok Kind;
    };
    static constexpr Single Singles[] = {
        {'{', Tok::LBrace},   {'}', Tok::RBrace}, {'(', Tok::LParen},  {')', Tok::RParen}, {'[', Tok::LBracket},
        {']', Tok::RBracket}, {'=', Tok::Assign}, {':', Tok::Colon},   {',', Tok::Comma},  {'.', Tok::Dot},
        {'|', Tok::Bar},      {'<', Tok::Less},   {'>', Tok::Greater}, {'+', Tok::Plus},   {'-', Tok::Minus},
        {'*', Tok::Star},     {'/', Tok::Slash},  {'%', Tok::Percent}, {'^', Tok::Caret},  {'!', Tok::Bang},
        {';', Tok::Semicolon}};
    for (const Single &S : Singles)
      if (S.First == C)
        return take(S.Kind, 1);
    return take(Tok::Invalid, 1);
  }

  std::string_view Text;
  uint32_t At;
};

} // namespace

void tokenize(TokenContext &C, uint32_t Begin) {
  auto End = static_cast<uint32_t>(C.Text.size());
  C.Raw.reserve((End - Begin) / 3 + 8);
  Scanner S(C.Text, Begin);
  for (uint32_t At = Begin; At < End;) {
    LexToken T = S.next();
    At = T.End;
    if (T.Kind != Tok::Blank)
      C.Raw.push_back(T);
  }
  C.Raw.push_back({Tok::End, 0, End, End});
}

} // namespace parlance::syntax
