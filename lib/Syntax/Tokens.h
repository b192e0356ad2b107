// Tokens between lexer and parser as plain data. ANTLR does not show here.
#pragma once
#include "Basic/Diagnostic.h"
#include "Syntax/Parser.h"
#include <cstdint>
#include <string_view>
#include <vector>

namespace parlance::syntax {

// Our name and the name in grammar/Parlance.g4; Parser.cpp asserts that both number them alike.
// Not formatted: a list of pairs, which clang-format indents deeper and deeper.
// clang-format off
#define PARLANCE_TOKENS(X) \
  X(Ident, IDENT) X(Number, NUMBER) X(String, STRING) X(LBrace, LBRACE) X(RBrace, RBRACE) \
  X(LParen, LPAREN) X(RParen, RPAREN) X(LBracket, LBRACKET) X(RBracket, RBRACKET) \
  X(Assign, ASSIGN) X(Colon, COLON) X(Comma, COMMA) X(Dot, DOT) X(DotDot, DOTDOT) \
  X(Arrow, ARROW) X(Bar, BAR) X(EqEq, EQ) X(NotEq, NE) X(Less, LT) X(LessEq, LE) \
  X(Greater, GT) X(GreaterEq, GE) X(Plus, PLUS) X(Minus, MINUS) X(Star, STAR) \
  X(Slash, SLASH) X(Percent, PERCENT) X(Caret, CARET) X(Newline, NEWLINE) \
  X(Comment, COMMENT) X(Blank, BLANK) X(Triple, TRIPLE) X(OpenString, OPENSTRING) \
  X(Quoted, QUOTED) X(Slashes, SLASHES) X(AmpAmp, AMPAMP) X(BarBar, BARBAR) X(Bang, BANG) \
  X(StarStar, STARSTAR) X(Semicolon, SEMICOLON) X(NonAscii, NONASCII) X(Invalid, INVALID) \
  X(Sep, SEP) X(Name, NAME) X(Unit, UNIT) X(UnitExpr, UNITEXPR) X(LSet, LSET) X(RSet, RSET) \
  X(Reduce, REDUCE) X(Use, USE) X(Let, LET) X(Fn, FN) X(Require, REQUIRE) X(Warn, WARN) \
  X(Rule, RULE) X(Maximize, MAXIMIZE) X(Minimize, MINIMIZE) X(If, IF) X(Then, THEN) \
  X(Else, ELSE) X(And, AND) X(Or, OR) X(Not, NOT) X(True, TRUE) X(False, FALSE) \
  X(Auto, AUTO) X(Any, ANY) X(Import, IMPORT) X(From, FROM) X(On, ON) X(In, IN) \
  X(Assume, ASSUME) X(Note, NOTE) X(Fix, FIX) X(Nearest, NEAREST) X(UnitKw, UNITKW) \
  X(Refuse, REFUSE) X(Enum, ENUM) X(Schema, SCHEMA) X(Derive, DERIVE) X(When, WHEN) \
  X(Attribute, ATTRIBUTE) X(Range, RANGE)
// clang-format on

enum class Tok : uint8_t {
  End, ///< of the text; ANTLR's EOF
#define PARLANCE_TOKEN(Ours, Theirs) Ours,
  PARLANCE_TOKENS(PARLANCE_TOKEN)
#undef PARLANCE_TOKEN
};

struct LexToken {
  enum : uint8_t {
    Reported = 1, ///< wrong in itself, and a diagnostic says so already
    Open = 2,     ///< a string without its closing quote
    Dropped = 4,  ///< a bracket that closes nothing
    Stripped = 8, ///< something behind it was dropped
    TooDeep = 16, ///< a bracket beyond the deepest that is accepted
    Guessed = 32, ///< an operator that another was taken for: the value is not to be judged
  };
  Tok Kind = Tok::End;
  uint8_t Flags = 0;
  uint32_t Begin = 0, End = 0;
};

/// What the passes over the tokens of one text share. Raw ends with an End token while they run.
struct TokenContext {
  std::string_view Text;
  uint32_t File;
  const UnitTable &Units;
  DiagnosticEngine &Diags;
  bool Library = false;
  bool Fragment = false; ///< a single expression: line breaks mean nothing
  std::vector<LexToken> Raw;

  std::string_view text(const LexToken &T) const { return Text.substr(T.Begin, T.End - T.Begin); }
  SourceRange range(const LexToken &T) const { return {File, T.Begin, T.End}; }
  /// The raw token at I; the End token behind the end.
  const LexToken &at(size_t I) const { return Raw[std::min(I, Raw.size() - 1)]; }
  /// The next token that is not a line break or a comment; the End token at the end.
  size_t next(size_t I) const {
    if (Raw[I].Kind == Tok::End)
      return I;
    do
      ++I;
    while (Raw[I].Kind == Tok::Newline || Raw[I].Kind == Tok::Comment);
    return I;
  }
  Tok kindAfter(size_t I) const { return Raw[I].Kind == Tok::End ? Tok::End : Raw[next(I)].Kind; }
};

/// The reserved word that `Word` is; Name when it is none.
Tok reservedWord(std::string_view Word);
/// Words that begin an item when a name follows; elsewhere they are names. Name for all others.
Tok itemWord(std::string_view Word);
/// What may follow the type, default and text of a schema's field.
bool isAttributeWord(std::string_view Word);
constexpr bool isReserved(Tok K) { return K >= Tok::Use && K <= Tok::Import; }
/// Whether raw token `I` begins an item: `let`, `name =`, `name {`, `kind name {`. `I` must be at
/// the start of a line or behind a separator.
bool beginsItem(const TokenContext &C, size_t I);
bool isBinaryOperator(Tok K);
/// Whether an operand can end with this (filtered or raw) token.
bool endsOperand(Tok K);

// What the tokens ahead tell (Lookahead.cpp). None of these reports.

/// The parameters of the `fn` or `derive` at raw token I: they hide units of the same name.
std::vector<std::string_view> paramNames(const TokenContext &C, size_t I);
/// Whether the brace that is raw token J holds items, not values.
bool holdsItems(const TokenContext &C, size_t J);
/// Whether the parentheses at raw token Open hold `i in a..b: …`, perhaps without its `in`: no
/// arguments have a colon.
bool holdsReduction(const TokenContext &C, size_t Open);
/// Whether an operand begins at raw token I; behind a type, the word of an attribute is none.
bool startsOperand(const TokenContext &C, size_t I, bool BehindType);
/// Whether raw token I, which begins a line, begins a value and nothing else that could begin one.
bool beginsValue(const TokenContext &C, size_t I);
/// The statement that the word at raw token I, which begins an item, is written for: `assert`, `requre`, `import`. Name
/// where it is none, or where the item can be a field or a block.
Tok statementMeant(const TokenContext &C, size_t I);
/// Where the letters behind the digits of a number begin.
uint32_t suffixBegin(const TokenContext &C, const LexToken &Number);
/// The last number of `1 000 000`, whose first is raw token I; I itself where there is no such.
size_t lastOfSpaced(const TokenContext &C, size_t I);
/// The last number of `1,000,000`, whose first is raw token I; I itself where there is no such.
size_t lastOfThousands(const TokenContext &C, size_t I);

/// Cuts a text from `Begin` on into raw tokens, blanks left out, with an End token behind them.
void tokenize(TokenContext &C, uint32_t Begin);

/// Pass 1: strings, numbers, characters and spellings that are wrong in themselves. Repairs their
/// kinds.
void checkTokens(TokenContext &C);

/// A bracket that the text lacks, to be put before raw token Before: a closing one, or the `{` of a
/// block.
struct MissingBracket {
  size_t Before;
  Tok Kind;
  bool Broken; ///< the contents are not to be trusted: the parser gives up on the item silently
};
/// Pass 2: brackets. Marks stray closers as dropped, and the first one that is too deep.
std::vector<MissingBracket> balanceBrackets(TokenContext &C);

// Forms of other languages that the filter reads as they were meant (Repairs.cpp).

/// `assert`, `var`: a statement of another name.
void reportStatement(TokenContext &C, const LexToken &T, Tok Meant);
/// `use std.hardware`
void reportModuleDot(TokenContext &C, const LexToken &T);
/// `8 %` with nothing to divide by.
void reportSpacedPercent(TokenContext &C, const LexToken &Number, const LexToken &Percent);
/// `1,000`, `1 000`: what is offered may be wrong where the comma can separate arguments.
void reportThousands(TokenContext &C, SourceRange Number, bool Sure);
/// `batch = { … }`: the sign before the block.
void reportAssignedBlock(TokenContext &C, SourceRange Sign);
/// A value on the line behind its `=`, which ends at `Behind`.
void reportValueOnNextLine(TokenContext &C, uint32_t Behind, const LexToken &Value);
/// Whether raw token I is `"tp"` before `:` or `=`: the name of a field as a dictionary has it.
bool isQuotedName(const TokenContext &C, size_t I);
/// All such names of a block, of which raw token `First` is the first, are one mistake.
void reportQuotedNames(TokenContext &C, size_t First);

/// Pass 3: the tokens that the parser sees. Marks units and keywords in Raw on the way.
std::vector<LexToken> filterTokens(TokenContext &C, const std::vector<MissingBracket> &Missing);

} // namespace parlance::syntax
