// What the filter asks about the tokens ahead of it.
#include "Basic/Text.h"
#include "Syntax/Tokens.h"
#include <algorithm>

namespace parlance::syntax {

static bool isDigit(char X) { return X >= '0' && X <= '9'; }
static bool isDigits(std::string_view S) { return std::ranges::all_of(S, isDigit); }

/// Whether a number begins with three digits and no fourth.
static bool beginsWithThree(const TokenContext &C, const LexToken &T) {
  if (T.Kind != Tok::Number || (T.Flags & LexToken::Reported))
    return false;
  std::string_view S = C.text(T);
  return std::ranges::find_if_not(S, isDigit) - S.begin() == 3;
}

std::vector<std::string_view> paramNames(const TokenContext &C, size_t I) {
  std::vector<std::string_view> Names;
  while (C.Raw[I].Kind == Tok::Ident || C.Raw[I].Kind == Tok::Dot)
    ++I;
  if (C.Raw[I].Kind != Tok::LParen)
    return Names;
  unsigned Depth = 0;
  for (; C.Raw[I].Kind != Tok::End; ++I) {
    Tok K = C.Raw[I].Kind;
    Depth += K == Tok::LParen;
    if (K == Tok::RParen && --Depth == 0)
      break;
    if (K == Tok::LBrace || K == Tok::RBrace || K == Tok::Arrow || (K == Tok::Newline && beginsItem(C, I + 1)))
      break;
    if (K == Tok::Ident && C.Raw[I + 1].Kind == Tok::Colon)
      Names.push_back(C.text(C.Raw[I]));
  }
  return Names;
}

bool holdsItems(const TokenContext &C, size_t J) {
  size_t First = C.next(J);
  if (C.Raw[First].Kind != Tok::Ident)
    return C.Raw[First].Kind == Tok::RBrace;
  switch (C.Raw[First + 1].Kind) {
  case Tok::Assign:
  case Tok::Colon:
  case Tok::EqEq:
  case Tok::GreaterEq:
  case Tok::LBrace:
  case Tok::Ident:
    return true;
  default:
    return false;
  }
}

bool holdsReduction(const TokenContext &C, size_t Open) {
  size_t First = C.next(Open), Second = C.next(First);
  if (C.Raw[First].Kind == Tok::Ident && C.Raw[Second].Kind == Tok::Ident && C.text(C.Raw[Second]) == "in")
    return true;
  constexpr size_t Reach = 64; // the search must not make nested calls slow
  unsigned Depth = 0;
  for (size_t J = Open + 1; J < Open + Reach; ++J) {
    switch (C.Raw[J].Kind) {
    case Tok::LParen:
    case Tok::LBracket:
      ++Depth;
      break;
    case Tok::RParen:
    case Tok::RBracket:
      if (Depth-- == 0)
        return false;
      break;
    case Tok::Colon:
      if (Depth == 0)
        return true;
      break;
    case Tok::Newline:
      if (beginsItem(C, J + 1))
        return false;
      break;
    case Tok::LBrace:
    case Tok::RBrace:
    case Tok::End:
      return false;
    default:
      break;
    }
  }
  return false;
}

bool startsOperand(const TokenContext &C, size_t I, bool BehindType) {
  const LexToken &T = C.Raw[I];
  if (T.Kind != Tok::Ident)
    return T.Kind == Tok::Number || T.Kind == Tok::LParen;
  Tok Word = reservedWord(C.text(T));
  bool Connective = Word == Tok::Then || Word == Tok::Else || Word == Tok::And || Word == Tok::Or;
  return !Connective && !(BehindType && isAttributeWord(C.text(T)));
}

bool beginsValue(const TokenContext &C, size_t I) {
  const LexToken &T = C.Raw[I];
  if (T.Kind != Tok::Ident)
    return T.Kind == Tok::Number || T.Kind == Tok::LParen || T.Kind == Tok::Minus;
  Tok Word = reservedWord(C.text(T));
  bool Value = Word == Tok::If || Word == Tok::True || Word == Tok::False || Word == Tok::Auto || Word == Tok::Any;
  bool Read = Word == Tok::Name && (isBinaryOperator(C.Raw[I + 1].Kind) || C.Raw[I + 1].Kind == Tok::Dot);
  return Value || Read;
}

/// Whether what follows the word at raw token I can follow a statement's keyword.
static bool canFollow(const TokenContext &C, size_t I, Tok Statement) {
  const LexToken &Next = C.at(I + 1), &Second = C.at(I + 2);
  bool Word = Next.Kind == Tok::Ident;
  switch (Statement) {
  case Tok::Let:
    return Word && (Second.Kind == Tok::Assign || Second.Kind == Tok::Colon);
  case Tok::Fn:
    return Word && Second.Kind == Tok::LParen;
  case Tok::Use:
    return Word || Next.Kind == Tok::String;
  case Tok::Rule:
    return Word && Second.Kind == Tok::Ident && C.text(Second) != "from";
  default:
    return Word || Next.Kind == Tok::Number || Next.Kind == Tok::LParen || Next.Kind == Tok::Minus;
  }
}

/// `kind name { … }`, `kind name from base { … }`, `kind name = import "…"`.
static bool isRecord(const TokenContext &C, size_t I) {
  const LexToken &Name = C.at(I + 1), &Behind = C.at(I + 2);
  if (Name.Kind != Tok::Ident)
    return false;
  if (Behind.Kind == Tok::Ident)
    return C.text(Behind) == "from";
  return Behind.Kind == Tok::LBrace || (Behind.Kind == Tok::Assign && C.text(C.at(I + 3)) == "import");
}

Tok statementMeant(const TokenContext &C, size_t I) {
  struct Row {
    std::string_view Word;
    Tok Kind;
  };
  static constexpr Row Elsewhere[] = {
      {"var", Tok::Let},       {"const", Tok::Let},      {"val", Tok::Let},           {"set", Tok::Let},
      {"define", Tok::Let},    {"def", Tok::Fn},         {"func", Tok::Fn},           {"function", Tok::Fn},
      {"fun", Tok::Fn},        {"define", Tok::Fn},      {"assert", Tok::Require},    {"ensure", Tok::Require},
      {"check", Tok::Require}, {"expect", Tok::Require}, {"must", Tok::Require},      {"verify", Tok::Require},
      {"warning", Tok::Warn},  {"should", Tok::Warn},    {"lint", Tok::Rule},         {"include", Tok::Use},
      {"using", Tok::Use},     {"import", Tok::Use},     {"maximise", Tok::Maximize}, {"minimise", Tok::Minimize}};
  static constexpr std::string_view Ours[] = {"use", "let", "fn", "require", "warn", "rule", "maximize", "minimize"};
  if (C.Raw[I].Kind != Tok::Ident || isRecord(C, I))
    return Tok::Name;
  std::string_view Word = C.text(C.Raw[I]);
  for (const Row &R : Elsewhere)
    if (R.Word == Word && canFollow(C, I, R.Kind))
      return R.Kind;
  if (reservedWord(Word) != Tok::Name || itemWord(Word) != Tok::Name)
    return Tok::Name;
  auto Near = nearest(Word, Ours);
  Tok Kind = Near ? reservedWord(*Near) : Tok::Name;
  return Near && canFollow(C, I, Kind) ? Kind : Tok::Name;
}

size_t lastOfSpaced(const TokenContext &C, size_t I) {
  size_t Last = I;
  auto OnlyBlanks = [&](const LexToken &A, const LexToken &B) {
    return C.Text.substr(A.End, B.Begin - A.End).find_first_not_of(' ') == std::string_view::npos;
  };
  if (C.text(C.Raw[I]).size() <= 3)
    while (isDigits(C.text(C.Raw[Last])) && beginsWithThree(C, C.Raw[Last + 1]) &&
           OnlyBlanks(C.Raw[Last], C.Raw[Last + 1]))
      ++Last;
  return Last;
}

uint32_t suffixBegin(const TokenContext &C, const LexToken &Number) {
  std::string_view S = C.text(Number);
  auto Digit = [&](size_t J) { return J < S.size() && isDigit(S[J]); };
  size_t J = 0;
  while (J < S.size() && (Digit(J) || S[J] == '_' || S[J] == '.'))
    ++J;
  if (J < S.size() && (S[J] == 'e' || S[J] == 'E')) {
    size_t E = J + 1;
    if (E < S.size() && (S[E] == '+' || S[E] == '-'))
      ++E;
    if (Digit(E)) {
      J = E;
      while (Digit(J))
        ++J;
    }
  }
  return Number.Begin + static_cast<uint32_t>(J);
}

size_t lastOfThousands(const TokenContext &C, size_t I) {
  size_t Last = I;
  if (C.text(C.Raw[I]).size() <= 3)
    while (isDigits(C.text(C.Raw[Last])) && C.Raw[Last + 1].Kind == Tok::Comma &&
           C.Raw[Last + 1].Begin == C.Raw[Last].End && beginsWithThree(C, C.Raw[Last + 2]) &&
           C.Raw[Last + 2].Begin == C.Raw[Last + 1].End)
      Last += 2;
  return Last;
}

} // namespace parlance::syntax
