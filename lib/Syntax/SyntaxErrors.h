// What the parser says when it meets a token that it cannot use, in words about Parlance and not about tokens.
#pragma once
#include "Syntax/Tokens.h"

namespace parlance::syntax {

/// Where the parser stands when it gives up.
enum class Place : uint8_t {
  Value,     ///< an expression must begin here
  Name,      ///< a name must stand here
  Token,     ///< one certain token, or what Wanted says
  Separator, ///< the item should be over
  InBracket, ///< a closing bracket, or an operator or comma
  Item,      ///< an item must begin here
};

struct SyntaxError {
  Place At = Place::Token;
  std::string_view Wanted; ///< "`=`", "a type"; for Place::Token
  size_t Index = 0;        ///< of the token found
  bool InBlock = false;    ///< inside `{ … }`: a comma separates too
};

/// Reports once; says nothing where the tokens are known to be broken.
void reportSyntaxError(const TokenContext &C, const std::vector<LexToken> &Tokens, const SyntaxError &E);
/// "`=`", "a name": how messages name a kind of token.
std::string_view tokenWords(Tok K);

} // namespace parlance::syntax
