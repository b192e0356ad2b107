#include "Syntax/Tokens.h"
#include <algorithm>

namespace parlance::syntax {

Tok reservedWord(std::string_view Word) {
  struct Entry {
    std::string_view Word;
    Tok Kind;
  };
  static constexpr Entry Words[] = {
      {"if", Tok::If},
      {"or", Tok::Or},
      {"fn", Tok::Fn},
      {"let", Tok::Let},
      {"and", Tok::And},
      {"not", Tok::Not},
      {"any", Tok::Any},
      {"use", Tok::Use},
      {"auto", Tok::Auto},
      {"then", Tok::Then},
      {"else", Tok::Else},
      {"true", Tok::True},
      {"warn", Tok::Warn},
      {"rule", Tok::Rule},
      {"false", Tok::False},
      {"import", Tok::Import},
      {"require", Tok::Require},
      {"maximize", Tok::Maximize},
      {"minimize", Tok::Minimize},
  };
  if (Word.size() < 2 || Word.size() > 8)
    return Tok::Name;
  for (const Entry &E : Words)
    if (E.Word == Word)
      return E.Kind;
  return Tok::Name;
}

bool isAttributeWord(std::string_view Word) {
  static constexpr std::string_view Words[] = {"required", "computed", "optional", "list",
                                               "is",       "old",      "spelt",    "range"};
  return std::ranges::find(Words, Word) != std::end(Words);
}

Tok itemWord(std::string_view Word) {
  if (Word == "assume")
    return Tok::Assume;
  if (Word == "note")
    return Tok::Note;
  if (Word == "fix")
    return Tok::Fix;
  if (Word == "unit")
    return Tok::UnitKw;
  if (Word == "refuse")
    return Tok::Refuse;
  if (Word == "enum")
    return Tok::Enum;
  if (Word == "schema")
    return Tok::Schema;
  if (Word == "derive")
    return Tok::Derive;
  return Tok::Name;
}

bool isBinaryOperator(Tok K) {
  switch (K) {
  case Tok::EqEq:
  case Tok::NotEq:
  case Tok::Less:
  case Tok::LessEq:
  case Tok::Greater:
  case Tok::GreaterEq:
  case Tok::Plus:
  case Tok::Minus:
  case Tok::Star:
  case Tok::Slash:
  case Tok::Percent:
  case Tok::Caret:
  case Tok::And:
  case Tok::Or:
    return true;
  default:
    return false;
  }
}

bool endsOperand(Tok K) {
  switch (K) {
  case Tok::Number:
  case Tok::Unit:
  case Tok::UnitExpr:
  case Tok::String:
  case Tok::Name:
  case Tok::Ident:
  case Tok::True:
  case Tok::False:
  case Tok::Auto:
  case Tok::RParen:
  case Tok::RBracket:
  case Tok::RSet:
    return true;
  default:
    return false;
  }
}

static bool beginsStatement(Tok K) {
  return K == Tok::Use || K == Tok::Let || K == Tok::Fn || K == Tok::Require || K == Tok::Warn || K == Tok::Rule ||
         K == Tok::Maximize || K == Tok::Minimize;
}

bool beginsItem(const TokenContext &C, size_t I) {
  if (C.Raw[I].Kind != Tok::Ident)
    return false;
  std::string_view Word = C.text(C.Raw[I]);
  Tok Next = C.Raw[I + 1].Kind;
  Tok Reserved = reservedWord(Word);
  if (Reserved != Tok::Name)
    return beginsStatement(Reserved);
  if (Next == Tok::Assign || Next == Tok::LBrace)
    return true;
  if (Next != Tok::Ident)
    return false;
  Tok Second = C.Raw[I + 2].Kind;
  return itemWord(Word) != Tok::Name || Second == Tok::LBrace || Second == Tok::Assign ||
         (Second == Tok::Ident && C.text(C.Raw[I + 2]) == "from");
}

} // namespace parlance::syntax
