// The token that the generated parser handles: one of ours behind ANTLR's interface. For Parser.cpp and AstBuilder.cpp
// only; no other file includes ANTLR's headers.
#pragma once
#include "ParlanceParser.h"
#include "Syntax/Tokens.h"

namespace parlance::syntax {

class AntlrToken final : public antlr4::Token {
public:
  AntlrToken(LexToken T, size_t Index) : T(T), Index(Index) {}
  LexToken T;
  size_t Index;

  std::string getText() const override { return {}; }
  size_t getType() const override { return T.Kind == Tok::End ? EOF : static_cast<size_t>(T.Kind); }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return Index; }
  size_t getStartIndex() const override { return T.Begin; }
  size_t getStopIndex() const override { return T.End; }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  antlr4::CharStream *getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }
};

} // namespace parlance::syntax
