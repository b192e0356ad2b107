// What the filter asks about the tokens ahead of it.
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
