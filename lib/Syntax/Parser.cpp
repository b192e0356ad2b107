// The wall around ANTLR: tokens in, tree out. Its parser builds a parse tree in one pass without lookahead beyond a
// token, and its exceptions end here.
#include "Syntax/Parser.h"

#include "Syntax/AntlrToken.h"
#include "Syntax/AstBuilder.h"
#include "Syntax/SyntaxErrors.h"
#include "Syntax/Tokens.h"
#include <utility>

namespace parlance {

namespace syntax {

#define PARLANCE_TOKEN(Ours, Theirs)                                                                                   \
  static_assert(static_cast<size_t>(Tok::Ours) == ParlanceParser::Theirs, #Ours " is out of step with the grammar");
PARLANCE_TOKENS(PARLANCE_TOKEN)
#undef PARLANCE_TOKEN

namespace {

/// The coarse kinds that editors and the formatter see.
Token::Kind coarse(const LexToken &T) {
  switch (T.Kind) {
  case Tok::Ident:
  case Tok::Name:
    return T.Flags & LexToken::Reported ? Token::Kind::Invalid : Token::Kind::Identifier;
  case Tok::Number:
    return Token::Kind::Number;
  case Tok::String:
    return Token::Kind::String;
  case Tok::Newline:
    return Token::Kind::Newline;
  case Tok::Comment:
    return Token::Kind::Comment;
  case Tok::Unit:
    return Token::Kind::Unit;
  case Tok::Invalid:
    return Token::Kind::Invalid;
  default:
    return T.Kind >= Tok::Reduce ? Token::Kind::Keyword : Token::Kind::Punctuation;
  }
}

// --- parsing

/// The filtered tokens as ANTLR's parser wants them: one contiguous vector, no copies.
class FilteredStream final : public antlr4::TokenStream {
public:
  explicit FilteredStream(const std::vector<LexToken> &From) {
    Tokens.reserve(From.size());
    for (const LexToken &T : From)
      Tokens.emplace_back(T, Tokens.size());
  }
  antlr4::Token *LT(ssize_t K) override {
    if (K < 0)
      return std::cmp_less(At, -K) ? nullptr : &Tokens[At - static_cast<size_t>(-K)];
    size_t I = At + static_cast<size_t>(K) - 1;
    return &Tokens[I < Tokens.size() ? I : Tokens.size() - 1];
  }
  size_t LA(ssize_t K) override {
    const antlr4::Token *T = LT(K);
    return T ? T->getType() : antlr4::Token::INVALID_TYPE;
  }
  Tok kind(size_t Offset = 0) const { return Tokens[std::min(At + Offset, Tokens.size() - 1)].T.Kind; }
  void consume() override { At += At + 1 < Tokens.size(); }
  antlr4::Token *get(size_t Index) const override { return const_cast<AntlrToken *>(&Tokens[Index]); }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval &) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext *) override { return {}; }
  std::string getText(antlr4::Token *, antlr4::Token *) override { return {}; }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return At; }
  void seek(size_t Index) override { At = Index; }
  size_t size() override { return Tokens.size(); }
  std::string getSourceName() const override { return {}; }

private:
  std::vector<AntlrToken> Tokens;
  size_t At = 0;
};

/// Separators and `}` are where parsing goes on after an error; no token is ever invented or thrown away in between.
/// One error is reported until a token matches again.
class Recovery final : public antlr4::ANTLRErrorStrategy {
public:
  Recovery(const TokenContext &C, const std::vector<LexToken> &Tokens, FilteredStream &Stream)
      : C(C), Tokens(Tokens), Stream(Stream) {}

  void reset(antlr4::Parser *) override { Recovering = false; }
  bool inErrorRecoveryMode(antlr4::Parser *) override { return Recovering; }
  void reportMatch(antlr4::Parser *) override { Recovering = false; }

  antlr4::Token *recoverInline(antlr4::Parser *P) override {
    size_t Rule = P->getContext()->getRuleIndex();
    bool ItemOver = (Rule == ParlanceParser::RuleFile || Rule == ParlanceParser::RuleBody) && expected(P) == Tok::Sep;
    if (!ItemOver)
      throw antlr4::InputMismatchException(P);
    report({Place::Separator, {}, Stream.index(), Rule == ParlanceParser::RuleBody});
    antlr4::Token *At = Stream.LT(1);
    // What surely is the next item is parsed as one.
    if (!beginsSurely(Rule == ParlanceParser::RuleBody)) {
      size_t Begin = Stream.index();
      CutOff.push_back(Begin > 0 ? Tokens[Begin - 1].End : 0);
      skip();
      if (Tokens[Begin].Kind != Tok::Number)
        Skipped.push_back(Tokens[Begin].Begin);
      if (Stream.kind() == Tok::Sep)
        Stream.consume();
    }
    Recovering = false;
    return At;
  }

  void reportError(antlr4::Parser *P, const antlr4::RecognitionException &) override {
    report(classify(P));
    Recovering = true;
  }
  void recover(antlr4::Parser *, std::exception_ptr) override { skip(); }

  std::vector<uint32_t> Skipped, CutOff; ///< see BuildContext

  /// Called by the generated parser where a list of items begins or goes on.
  void sync(antlr4::Parser *P) override {
    size_t Rule = P->getContext()->getRuleIndex();
    bool Body = Rule == ParlanceParser::RuleBody;
    if (!Body && Rule != ParlanceParser::RuleFile)
      return;
    while (!beginsItemHere() && Stream.kind() != Tok::End && !(Body && Stream.kind() == Tok::RBrace)) {
      report({Place::Item, {}, Stream.index(), Body});
      Skipped.push_back(Tokens[Stream.index()].Begin);
      skip();
      if (Stream.kind() == Tok::Sep || !Body)
        Stream.consume();
      Recovering = false;
    }
  }

private:
  static Tok expected(antlr4::Parser *P) {
    ssize_t First = P->getExpectedTokens().getMinElement();
    return First < 0 ? Tok::End : static_cast<Tok>(First);
  }
  void report(const SyntaxError &E) {
    if (!Recovering)
      reportSyntaxError(C, Tokens, E);
    Recovering = true;
  }
  /// To the separator that ends the item, past the blocks in it.
  void skip() {
    for (unsigned Depth = 0; Stream.kind() != Tok::End; Stream.consume()) {
      Tok K = Stream.kind();
      if (Depth == 0 && (K == Tok::Sep || K == Tok::RBrace))
        return;
      if (K == Tok::LBrace)
        ++Depth;
      else if (K == Tok::RBrace)
        --Depth;
    }
  }
  bool beginsItemHere() const {
    Tok K = Stream.kind();
    return K == Tok::Name || K == Tok::Unit || (K >= Tok::Use && K <= Tok::Minimize) || K == Tok::Assume ||
           K == Tok::Note || K == Tok::Fix || (K >= Tok::UnitKw && K <= Tok::Derive);
  }
  /// A file holds no fields.
  bool beginsSurely(bool InBody) const {
    Tok K = Stream.kind(), Next = Stream.kind(1);
    if (K == Tok::Name || K == Tok::Unit)
      return InBody && (Next == Tok::Assign || Next == Tok::LBrace);
    return K >= Tok::Use && K <= Tok::Minimize && Next != Tok::Assign;
  }

  static bool inBody(antlr4::Parser *P) {
    for (auto *X = P->getContext(); X; X = static_cast<antlr4::ParserRuleContext *>(X->parent))
      if (X->getRuleIndex() == ParlanceParser::RuleBody)
        return true;
    return false;
  }
  SyntaxError classify(antlr4::Parser *P) const {
    using R = ParlanceParser;
    size_t Index = Stream.index();
    switch (P->getContext()->getRuleIndex()) {
    case R::RuleExpr:
    case R::RuleOperand:
    case R::RuleAtom: {
      // Past its first token an expression waits for `then`, `else` or `..`.
      Tok K = P->getContext()->children.empty() ? Tok::Number : expected(P);
      if (K == Tok::Then || K == Tok::Else || K == Tok::DotDot)
        return {Place::Token, tokenWords(K), Index};
      if (K == Tok::RSet)
        return {Place::InBracket, tokenWords(K), Index};
      return {Place::Value, {}, Index};
    }
    case R::RuleGroup:
    case R::RuleList:
      return {Place::InBracket, tokenWords(expected(P)), Index};
    case R::RulePostfix: {
      Tok K = expected(P);
      return K == Tok::Name ? SyntaxError{Place::Name, {}, Index} : SyntaxError{Place::InBracket, tokenWords(K), Index};
    }
    case R::RuleName:
      return {Place::Name, {}, Index};
    case R::RulePath:
      return {Place::Name, {}, Index};
    case R::RuleType:
    case R::RuleAlternative:
      return {Place::Token, expected(P) == Tok::RBracket ? "`]`" : "a type", Index};
    case R::RuleParam:
      return {Place::Token, "`:` and a type", Index};
    case R::RuleParams:
      return {Place::Token, expected(P) == Tok::RParen ? "`,` or `)`" : tokenWords(expected(P)), Index};
    case R::RuleUse:
      return {Place::Token, "a module or a path in quotes", Index};
    case R::RuleFix:
      return {Place::Token, expected(P) == Tok::Nearest ? "`nearest`" : "`=` or `in`", Index};
    case R::RuleNamed:
      return {Place::Token, "`=` or `{`", Index};
    case R::RuleImport_:
      if (Index > 1 && inBody(P) && Tokens[Index - 1].Kind == Tok::Assign &&
          Stream.kind() != Tok::Import) // `node node = 8`
        return {Place::Token, "`=` or `{`", Index - 2};
      return {Place::Token, tokenWords(expected(P)), Index};
    case R::RuleUnnamedCase:
      return {Place::Token, "`{`", Index};
    case R::RuleRecord:
      return {Place::Token, "`{`, `from` or `= import`", Index};
    case R::RuleUnitDecl:
      return {Place::Token, "`:` or `=`", Index};
    case R::RuleFragmentOfFile:
      return {Place::InBracket, "the end", Index};
    default:
      return {Place::Token, tokenWords(expected(P)), Index};
    }
  }

  const TokenContext &C;
  const std::vector<LexToken> &Tokens;
  FilteredStream &Stream;
  bool Recovering = false;
};

/// Runs the passes over the tokens and then the parser. `Start` is the grammar rule, `Build` takes its context and what
/// was lost.
template <typename Start, typename Build> void runParser(TokenContext &C, Start StartRule, Build BuildTree) {
  std::vector<LexToken> Tokens = filterTokens(C, balanceBrackets(C));
  FilteredStream Stream(Tokens);
  ParlanceParser Parser(&Stream);
  Parser.removeErrorListeners();
  auto Errors = std::make_shared<Recovery>(C, Tokens, Stream);
  Parser.setErrorHandler(Errors);
  auto *Context = (Parser.*StartRule)();
  BuildTree(Context, *Errors);
}

} // namespace

} // namespace syntax

using namespace syntax;

std::unique_ptr<SyntaxTree> parse(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                  DiagnosticEngine &Diags, const ParseOptions &Options) {
  auto Tree = std::make_unique<SyntaxTree>();
  Tree->File = File;
  TokenContext C{Sources.file(File).text(), File, Units, Diags, Options.Library, false, {}};
  tokenize(C, 0);
  checkTokens(C);
  runParser(C, &ParlanceParser::file, [&](ParlanceParser::FileContext *Context, Recovery &Errors) {
    buildFile({*Tree, C.Text, File, Diags, std::move(Errors.Skipped), std::move(Errors.CutOff)}, Context);
  });
  C.Raw.pop_back();
  Tree->Tokens.reserve(C.Raw.size());
  for (const LexToken &T : C.Raw)
    Tree->Tokens.push_back({coarse(T), T.Begin, T.End});
  return Tree;
}

ast::Expr *parseExpression(SyntaxTree &Into, const SourceManager &Sources, SourceRange Range, const UnitTable &Units,
                           DiagnosticEngine &Diags) {
  // The text is cut at the end of the range, not at its beginning: positions stay those of the file.
  std::string_view Text = Sources.file(Range.File).text().substr(0, Range.End);
  TokenContext C{Text, Range.File, Units, Diags, false, true, {}};
  unsigned Before = Diags.errors();
  tokenize(C, Range.Begin);
  checkTokens(C);
  ast::Expr *Result = nullptr;
  runParser(C, &ParlanceParser::fragmentOfFile, [&](ParlanceParser::FragmentOfFileContext *Context, Recovery &) {
    if (Diags.errors() == Before && !Context->children.empty())
      Result = buildExpr({Into, Text, Range.File, Diags, {}, {}}, Context->expr());
  });
  return Diags.errors() == Before ? Result : nullptr;
}

} // namespace parlance
