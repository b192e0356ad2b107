// The wall around ANTLR: no other file of this folder includes its headers. Tokens in, tree out;
// its exceptions end here.
#include "Frameworks/Shell/Parser.h"
#include "ShellParser.h"
#include <algorithm>
#include <utility>

namespace parlance::shell {

namespace {

#define SAME(Ours, Theirs)                                                                                             \
  static_assert(static_cast<size_t>(Tok::Ours) == ShellParser::Theirs, #Ours " is out of step with the grammar");
SAME(Word, WORD)
SAME(Assign, ASSIGN)
SAME(Function, FUNCTION)
SAME(HereDoc, HEREDOC)
SAME(TestEnd, TESTEND)
SAME(DSemi, DSEMI)
SAME(Pipe, PIPE)
SAME(Bang, BANG)
SAME(Fi, FI)
SAME(Done, DONE)
SAME(Esac, ESAC)
#undef SAME

class AntlrToken final : public antlr4::Token {
public:
  AntlrToken(const Lexeme &T, size_t Index) : T(T), Index(Index) {}
  const Lexeme &T;
  size_t Index;

  std::string getText() const override { return {}; }
  size_t getType() const override { return T.Kind == Tok::End ? EOF : static_cast<size_t>(T.Kind); }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return DEFAULT_CHANNEL; }
  size_t getTokenIndex() const override { return Index; }
  size_t getStartIndex() const override { return T.At.Begin; }
  size_t getStopIndex() const override { return T.At.End; }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  antlr4::CharStream *getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }
};

class TokenStream final : public antlr4::TokenStream {
public:
  explicit TokenStream(const std::vector<Lexeme> &From) {
    All.reserve(From.size());
    for (const Lexeme &T : From)
      All.emplace_back(T, All.size());
  }
  const Lexeme &current() const { return All[At].T; }
  antlr4::Token *LT(ssize_t K) override {
    if (K < 0)
      return std::cmp_less(At, -K) ? nullptr : &All[At - static_cast<size_t>(-K)];
    return &All[std::min(At + static_cast<size_t>(K) - 1, All.size() - 1)];
  }
  size_t LA(ssize_t K) override {
    const antlr4::Token *T = LT(K);
    return T ? T->getType() : antlr4::Token::INVALID_TYPE;
  }
  void consume() override { At += At + 1 < All.size(); }
  antlr4::Token *get(size_t Index) const override { return const_cast<AntlrToken *>(&All[Index]); }
  antlr4::TokenSource *getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval &) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext *) override { return {}; }
  std::string getText(antlr4::Token *, antlr4::Token *) override { return {}; }
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  size_t index() override { return At; }
  void seek(size_t Index) override { At = std::min(Index, All.size() - 1); }
  size_t size() override { return All.size(); }
  std::string getSourceName() const override { return {}; }

private:
  std::vector<AntlrToken> All;
  size_t At = 0;
};

/// From the parse tree to ours.
class Builder {
public:
  explicit Builder(Tokens &From) : From(From) {}

  List list(ShellParser::ListContext *C) {
    List Result;
    for (antlr4::tree::ParseTree *Child : C->children)
      if (auto *Item = dynamic_cast<ShellParser::AndOrContext *>(Child))
        Result.push_back(andOr(Item));
      else if (auto *End = dynamic_cast<ShellParser::TerminatorContext *>(Child))
        if (!Result.empty() && End->AMP())
          Result.back()->Background = true;
    return Result;
  }

  std::unique_ptr<Node> andOr(ShellParser::AndOrContext *C) {
    auto Parts = C->pipeline();
    if (Parts.size() == 1)
      return pipeline(Parts[0]);
    auto N = make(Node::Kind::AndOr, C);
    for (antlr4::tree::ParseTree *Child : C->children)
      if (auto *P = dynamic_cast<ShellParser::PipelineContext *>(Child))
        N->Children.push_back(pipeline(P));
      else if (Tok K = token(Child).Kind; K != Tok::Newline)
        N->IsAnd.push_back(K == Tok::And);
    return N;
  }

private:
  static const Lexeme &token(antlr4::tree::ParseTree *Leaf) {
    auto *Symbol = static_cast<antlr4::tree::TerminalNode *>(Leaf)->getSymbol();
    return static_cast<AntlrToken *>(Symbol)->T;
  }
  static bool isToken(antlr4::tree::ParseTree *Child) {
    return dynamic_cast<antlr4::tree::TerminalNode *>(Child) != nullptr;
  }
  Word word(antlr4::tree::ParseTree *Leaf) { return std::move(From.Words[token(Leaf).Payload]); }
  Assignment assignment(antlr4::tree::ParseTree *Leaf) { return std::move(From.Assignments[token(Leaf).Payload]); }

  static std::unique_ptr<Node> make(Node::Kind K, antlr4::ParserRuleContext *C) {
    auto N = std::make_unique<Node>();
    N->K = K;
    N->At = {static_cast<AntlrToken *>(C->start)->T.At.Begin, static_cast<AntlrToken *>(C->stop)->T.At.End};
    return N;
  }

  std::unique_ptr<Node> pipeline(ShellParser::PipelineContext *C) {
    auto Parts = C->command();
    bool Negated = C->BANG().size() % 2 == 1;
    std::unique_ptr<Node> N;
    if (Parts.size() == 1) {
      N = command(Parts[0]);
    } else {
      N = make(Node::Kind::Pipeline, C);
      for (auto *Part : Parts)
        N->Children.push_back(command(Part));
    }
    N->Negated = N->Negated != Negated;
    return N;
  }

  std::unique_ptr<Node> command(ShellParser::CommandContext *C) {
    if (auto *S = C->simple())
      return simple(S);
    if (auto *F = C->function()) {
      auto N = make(Node::Kind::Function, F);
      Word Name = word(F->FUNCTION());
      N->Name = From.Text.substr(Name.At.Begin, Name.At.End - Name.At.Begin);
      N->Children.push_back(compound(F->compound(), F->redirect()));
      return N;
    }
    return compound(C->compound(), C->redirect());
  }

  Redirect redirect(ShellParser::RedirectContext *C) {
    Redirect R;
    if (auto *Here = C->HEREDOC()) {
      R.Here = std::make_unique<HereDocument>(std::move(From.HereDocuments[token(Here).Payload]));
      return R;
    }
    const Lexeme &Op = token(C->REDIRECT());
    std::string_view Spelling = From.Text.substr(Op.At.Begin, Op.At.End - Op.At.Begin);
    size_t Number = Spelling.find_first_not_of("0123456789");
    R.Op = Spelling.substr(Number);
    R.Output = (Number == 0 || Spelling.substr(0, Number) == "1") && R.Op.find('>') != R.Op.npos;
    R.Target = word(C->WORD());
    return R;
  }

  std::unique_ptr<Node> simple(ShellParser::SimpleContext *C) {
    auto N = make(Node::Kind::Simple, C);
    for (antlr4::tree::ParseTree *Child : C->children) {
      if (auto *R = dynamic_cast<ShellParser::RedirectContext *>(Child)) {
        N->Redirects.push_back(redirect(R));
      } else if (token(Child).Kind == Tok::Word) {
        N->Arguments.push_back({word(Child), nullptr});
      } else if (N->Arguments.empty()) {
        N->Assignments.push_back(assignment(Child));
      } else {
        N->Arguments.push_back({{}, std::make_unique<Assignment>(assignment(Child))});
      }
    }
    return N;
  }

  std::unique_ptr<Node> compound(ShellParser::CompoundContext *C,
                                 const std::vector<ShellParser::RedirectContext *> &Redirects) {
    std::unique_ptr<Node> N = compound(C);
    for (auto *R : Redirects)
      N->Redirects.push_back(redirect(R));
    return N;
  }

  std::unique_ptr<Node> compound(ShellParser::CompoundContext *C) {
    std::unique_ptr<Node> N;
    if (auto *G = C->group()) {
      N = make(Node::Kind::Group, C);
      N->Children = list(G->list());
    } else if (auto *S = C->subshell()) {
      N = make(Node::Kind::Subshell, C);
      N->Children = list(S->list());
    } else if (auto *If = C->conditional()) {
      N = conditional(If);
    } else if (auto *L = C->loop()) {
      N = make(Node::Kind::While, C);
      N->Arms.push_back({list(L->list(0)), {}, list(L->list(1))});
    } else if (auto *F = C->forLoop()) {
      N = forLoop(F);
    } else if (auto *K = C->choice()) {
      N = choice(K);
    } else if (auto *T = C->test()) {
      N = test(T);
    } else {
      N = make(Node::Kind::Arithmetic, C);
      N->Expression = word(C->ARITH());
    }
    return N;
  }

  std::unique_ptr<Node> conditional(ShellParser::ConditionalContext *C) {
    auto N = make(Node::Kind::If, C);
    auto Lists = C->list();
    for (size_t I = 0; I + 1 < Lists.size(); I += 2)
      N->Arms.push_back({list(Lists[I]), {}, list(Lists[I + 1])});
    N->HasElse = C->ELSE() != nullptr;
    if (N->HasElse)
      N->Arms.push_back({{}, {}, list(Lists.back())});
    return N;
  }

  std::unique_ptr<Node> forLoop(ShellParser::ForLoopContext *C) {
    auto N = make(Node::Kind::For, C);
    bool First = true;
    for (antlr4::tree::ParseTree *Child : C->children) {
      if (!isToken(Child))
        continue;
      const Lexeme &T = token(Child);
      if (T.Kind == Tok::Arith)
        N->Expression = word(Child);
      else if (T.Kind == Tok::In)
        N->HasIn = true;
      else if (T.Kind == Tok::Word && std::exchange(First, false))
        N->Name = From.Text.substr(T.At.Begin, T.At.End - T.At.Begin);
      else if (T.Kind == Tok::Word)
        N->Words.push_back(word(Child));
      else if (T.Kind == Tok::Assign)
        N->Words.push_back(asWord(assignment(Child)));
    }
    N->Children = list(C->body()->list());
    return N;
  }

  /// `a=b` where no assignment can be.
  static Word asWord(Assignment A) {
    Word W = std::move(A.Value);
    Part Head;
    Head.At = {A.At.Begin, A.Array ? A.At.End : W.At.Begin};
    W.Parts.insert(W.Parts.begin(), Head);
    W.At = A.At;
    return W;
  }

  std::unique_ptr<Node> choice(ShellParser::ChoiceContext *C) {
    auto N = make(Node::Kind::Case, C);
    N->Words.push_back(word(C->WORD()));
    for (auto *A : C->arm()) {
      Node::Arm Arm;
      for (auto *Pattern : A->WORD())
        Arm.Patterns.push_back(word(Pattern));
      Arm.Body = list(A->list());
      N->Arms.push_back(std::move(Arm));
    }
    return N;
  }

  std::unique_ptr<Node> test(ShellParser::TestContext *C) {
    auto N = make(Node::Kind::Test, C);
    for (antlr4::tree::ParseTree *Child : C->children) {
      const Lexeme &T = token(Child);
      if (T.Kind == Tok::TestBegin || T.Kind == Tok::TestEnd)
        continue;
      if (T.Kind == Tok::Word)
        N->Tests.push_back({{}, word(Child)});
      else
        N->Tests.push_back({std::string(From.Text.substr(T.At.Begin, T.At.End - T.At.Begin)), {}});
    }
    return N;
  }

  Tokens &From;
};

std::string shown(const Tokens &All, const Lexeme &T) {
  if (T.Kind == Tok::End)
    return "the end of the script";
  if (T.Kind == Tok::Newline)
    return "the end of the line";
  std::string Spelling(All.Text.substr(T.At.Begin, std::min(T.At.End - T.At.Begin, 40u)));
  return '`' + Spelling.substr(0, Spelling.find_first_of(std::string_view("\n\0", 2))) + '`';
}

/// The word that ends what is open: "`fi`"; empty if there is none.
std::string_view awaited(antlr4::RuleContext *C) {
  for (; C; C = static_cast<antlr4::RuleContext *>(C->parent))
    switch (C->getRuleIndex()) {
    case ShellParser::RuleConditional:
      return "`fi`";
    case ShellParser::RuleLoop:
    case ShellParser::RuleForLoop:
      return "`done`";
    case ShellParser::RuleChoice:
      return "`esac`";
    case ShellParser::RuleGroup:
      return "`}`";
    case ShellParser::RuleSubshell:
      return "`)`";
    case ShellParser::RuleTest:
      return "`]]`";
    default:
      break;
    }
  return {};
}

/// Gives up at the first error of a command, with words of our own.
class Strategy final : public antlr4::BailErrorStrategy {
public:
  Strategy(const Tokens &All, TokenStream &Stream, std::optional<ScanError> &First)
      : All(All), Stream(Stream), First(First) {}

  void recover(antlr4::Parser *P, std::exception_ptr E) override {
    report(P);
    BailErrorStrategy::recover(P, E);
  }
  antlr4::Token *recoverInline(antlr4::Parser *P) override {
    report(P);
    return BailErrorStrategy::recoverInline(P);
  }

private:
  void report(antlr4::Parser *P) {
    if (First)
      return;
    const Lexeme &T = Stream.current();
    std::string Message = shown(All, T) + " is not expected here";
    if (std::string_view End = awaited(P->getContext()); !End.empty())
      Message += "; " + std::string(End) + " is missing";
    First = ScanError{T.At, std::move(Message)};
  }

  const Tokens &All;
  TokenStream &Stream;
  std::optional<ScanError> &First;
};

/// Past the line on which parsing stopped.
void skipLine(TokenStream &Stream) {
  while (Stream.current().Kind != Tok::End && Stream.current().Kind != Tok::Newline)
    Stream.consume();
}

} // namespace

ParseResult parseShell(std::string_view Text) {
  Tokens All = scan(Text);
  ParseResult Result;
  Result.Error = std::move(All.Error);
  ShellParser::decodeTables();
  TokenStream Stream(All.List);
  Builder Build(All);
  ShellParser Parser(&Stream);
  Parser.removeErrorListeners();
  Parser.setErrorHandler(std::make_shared<Strategy>(All, Stream, Result.Error));
  // Command by command, so that an error loses only one of them, and no tree grows large.
  while (Stream.current().Kind != Tok::End) {
    Tok K = Stream.current().Kind;
    if (K == Tok::Newline || K == Tok::Semi) {
      Stream.consume();
      continue;
    }
    try {
      ShellParser::LineContext *Line = Parser.line();
      std::unique_ptr<Node> Command = Build.andOr(Line->andOr());
      Command->Background = Line->terminator() && Line->terminator()->AMP();
      Result.Commands.push_back(std::move(Command));
    } catch (const antlr4::ParseCancellationException &) {
      skipLine(Stream);
    }
  }
  return Result;
}

} // namespace parlance::shell
