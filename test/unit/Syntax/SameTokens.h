// What formatting must keep: the tokens that the parser sees, and the comments.
#pragma once
#include "Syntax/Tokens.h"
#include <string>

namespace parlance {

/// Kinds and texts of the tokens behind all passes, then the comments without trailing blanks.
inline std::string tokensAndComments(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                     bool Library) {
  using namespace syntax;
  DiagnosticEngine Diags;
  TokenContext C{Sources.file(File).text(), File, Units, Diags, Library, false, {}};
  tokenize(C, 0);
  checkTokens(C);
  std::string Out;
  for (const LexToken &T : filterTokens(C, balanceBrackets(C))) {
    Out += std::to_string(static_cast<unsigned>(T.Kind)) + ' ';
    // Units are parts that blanks may separate.
    for (char X : T.Kind == Tok::Sep ? std::string_view() : C.text(T))
      if (T.Kind != Tok::UnitExpr || (X != ' ' && X != '\t' && X != '\r' && X != '\f' && X != '\v'))
        Out += X;
    Out += '\n';
  }
  for (const LexToken &T : C.Raw)
    if (T.Kind == Tok::Comment) {
      std::string_view Text = C.text(T);
      Out += Text.substr(0, Text.find_last_not_of(" \t\r\f\v") + 1);
      Out += '\n';
    }
  return Out;
}

} // namespace parlance
