// The lexer that ANTLR makes from grammar/Parlance.g4, for the test that holds ours against it.
#pragma once
#include "Syntax/Tokens.h"

namespace parlance::syntax {

/// All tokens of a text but blanks, without an End token.
std::vector<LexToken> referenceTokens(std::string_view Text);

} // namespace parlance::syntax
