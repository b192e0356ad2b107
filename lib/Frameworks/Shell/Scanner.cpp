#include "Frameworks/Shell/Scanner.h"
#include "Frameworks/Shell/WordReader.h"
#include <array>
#include <utility>

namespace parlance::shell {

namespace {

constexpr std::array<std::pair<std::string_view, Tok>, 17> ReservedWords{{
    {"if", Tok::If},
    {"then", Tok::Then},
    {"elif", Tok::Elif},
    {"else", Tok::Else},
    {"fi", Tok::Fi},
    {"for", Tok::For},
    {"select", Tok::For},
    {"do", Tok::Do},
    {"done", Tok::Done},
    {"while", Tok::While},
    {"until", Tok::While},
    {"case", Tok::Case},
    {"esac", Tok::Esac},
    {"{", Tok::LBrace},
    {"}", Tok::RBrace},
    {"!", Tok::Bang},
    {"[[", Tok::TestBegin},
}};

constexpr std::array<std::pair<std::string_view, Tok>, 11> Operators{{
    {";;&", Tok::DSemi},
    {";;", Tok::DSemi},
    {";&", Tok::DSemi},
    {"&&", Tok::And},
    {"||", Tok::Or},
    {"|&", Tok::Pipe},
    {";", Tok::Semi},
    {"&", Tok::Amp},
    {"|", Tok::Pipe},
    {"(", Tok::LParen},
    {")", Tok::RParen},
}};

constexpr std::array<std::string_view, 12> RedirectOperators{"<<<", "<<-", "<<", "<&", "<>", "<",
                                                             "&>>", "&>",  ">>", ">&", ">|", ">"};

class Scanner {
public:
  explicit Scanner(Tokens &Out) : Out(Out), Text(Out.Text) {}

  void run() {
    while (!Out.Error && skipBlanks())
      next();
    if (!Out.Error && !Pending.empty())
      readHereDocuments();
    add(Tok::End, size(), size());
  }

private:
  /// What the position asks of the next word.
  enum class Expect : uint8_t { Command, Argument, ForName, AfterForName, Subject, In, Pattern };

  uint32_t size() const { return static_cast<uint32_t>(Text.size()); }
  char peek(uint32_t Ahead = 0) const { return At + Ahead < size() ? Text[At + Ahead] : '\0'; }

  void add(Tok Kind, uint32_t Begin, uint32_t End, uint32_t Payload = 0) {
    Out.List.push_back({Kind, {Begin, End}, Payload});
  }
  void fail(Span Where, std::string Message) {
    if (!Out.Error)
      Out.Error = ScanError{Where, std::move(Message)};
  }
  void take(const WordReader &R) {
    At = R.position();
    if (R.error() && !Out.Error)
      Out.Error = R.error();
  }

  /// False at the end of the text.
  bool skipBlanks() {
    for (;; ++At) {
      if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n')))
        At += peek(1) == '\r' ? 2 : 1;
      else if (peek() == '#' && At < size())
        comment();
      else if (peek() != ' ' && peek() != '\t' && !(peek() == '\r' && peek(1) == '\n'))
        return At < size();
    }
  }

  /// To the last character before the line break.
  void comment() {
    uint32_t Begin = At;
    while (At + 1 < size() && peek(1) != '\n')
      ++At;
    Out.Comments.push_back({Begin, At + 1});
  }

  void next() {
    if (peek() == '\n')
      return newline();
    if (InTest ? testOperator() : redirect() || operatorToken())
      return;
    word();
  }

  void newline() {
    if (!InTest)
      add(Tok::Newline, At, At + 1);
    ++At;
    if (!Pending.empty())
      readHereDocuments();
    if (State == Expect::Argument)
      State = Expect::Command;
  }

  // --- operators

  bool testOperator() {
    for (std::string_view Op : {"&&", "||", "(", ")"})
      if (Text.substr(At).starts_with(Op)) {
        Tok Kind = Op == "&&" ? Tok::And : Op == "||" ? Tok::Or : Op == "(" ? Tok::LParen : Tok::RParen;
        add(Kind, At, At + static_cast<uint32_t>(Op.size()));
        At += static_cast<uint32_t>(Op.size());
        return true;
      }
    char C = peek();
    if (C != '<' && C != '>' && C != ';' && C != '&' && C != '|')
      return false;
    if (C != '<' && C != '>') {
      fail({At, At + 1}, "`]]` is missing before this");
      return true;
    }
    Word W;
    W.At = {At, At + 1};
    Part P;
    P.At = W.At;
    W.Parts.push_back(std::move(P));
    ++At;
    addWord(Tok::Word, std::move(W));
    return true;
  }

  bool operatorToken() {
    bool MayBegin = State == Expect::Command || State == Expect::ForName;
    if (peek() == '(' && peek(1) == '(' && MayBegin && arithmetic())
      return true;
    return plainOperator();
  }

  bool plainOperator() {
    for (const auto &[Spelling, Kind] : Operators)
      if (Text.substr(At).starts_with(Spelling)) {
        add(Kind, At, At + static_cast<uint32_t>(Spelling.size()));
        At += static_cast<uint32_t>(Spelling.size());
        afterOperator(Kind);
        return true;
      }
    return false;
  }

  void afterOperator(Tok Kind) {
    if (State == Expect::Pattern) {
      if (Kind == Tok::RParen)
        State = Expect::Command;
      return;
    }
    State = Kind == Tok::DSemi ? Expect::Pattern : Expect::Command;
    if (Kind == Tok::LParen)
      nest(1);
    else if (Kind == Tok::RParen)
      nest(-1);
  }

  void nest(int By) {
    if (By > 0 && ++Nesting > MaxNesting)
      fail({At - 1, At}, "commands are nested too deeply");
    if (By < 0 && Nesting > 0)
      --Nesting;
  }

  bool arithmetic() {
    uint32_t Begin = At;
    WordReader R(Text, At + 2);
    std::optional<Word> Inner = R.arithmetic();
    if (!Inner)
      return false;
    take(R);
    add(Tok::Arith, Begin, At, static_cast<uint32_t>(Out.Words.size()));
    Out.Words.push_back(std::move(*Inner));
    State = Expect::Command;
    return true;
  }

  // --- redirections and here-documents

  /// `2>file`, `&>file`, `<<END`; what is not a redirection is left alone.
  bool redirect() {
    uint32_t Number = At;
    while (Number < size() && isDigit(Text[Number]))
      ++Number;
    std::string_view Rest = Text.substr(Number);
    if (Number == At && placeholderAt(Text, At) > 0)
      return false;
    bool Begins = Rest.starts_with('<') || Rest.starts_with('>') || (Number == At && Rest.starts_with("&>"));
    if (!Begins || (Rest.size() > 1 && Rest[1] == '(' && Number == At))
      return false;
    std::string_view Op;
    for (std::string_view Candidate : RedirectOperators)
      if (Op.empty() && Rest.starts_with(Candidate))
        Op = Candidate;
    uint32_t Begin = At;
    At = Number + static_cast<uint32_t>(Op.size());
    if (Op == "<<" || Op == "<<-")
      hereOperator(Begin, Op == "<<-");
    else
      add(Tok::Redirect, Begin, At);
    return true;
  }

  struct Awaited {
    uint32_t Index;
    std::string End;
    bool Quoted, StripTabs;
  };

  void hereOperator(uint32_t Begin, bool StripTabs) {
    while (peek() == ' ' || peek() == '\t')
      ++At;
    WordReader R(Text, At);
    Word W = R.word();
    take(R);
    std::string End;
    for (const Part &P : W.Parts)
      End += Text.substr(P.At.Begin, P.At.End - P.At.Begin);
    if (End.empty() && !W.Quoted)
      return fail({Begin, At}, "`<<` is not followed by the word that ends the here-document");
    bool Quoted = W.Quoted || W.At.End - W.At.Begin != End.size();
    HereDocument H;
    H.At = {Begin, At};
    auto Index = static_cast<uint32_t>(Out.HereDocuments.size());
    Pending.push_back({Index, std::move(End), Quoted, StripTabs});
    Out.HereDocuments.push_back(std::move(H));
    add(Tok::HereDoc, Begin, At, Index);
  }

  void readHereDocuments() {
    for (Awaited &A : std::exchange(Pending, {})) {
      uint32_t Begin = At, End = At;
      bool Closed = false;
      while (At < size() && !Closed) {
        End = At;
        auto Line = static_cast<uint32_t>(std::min(Text.find('\n', At), Text.size()));
        std::string_view Content = Text.substr(At, Line - At);
        while (A.StripTabs && Content.starts_with('\t'))
          Content.remove_prefix(1);
        if (Content.ends_with('\r'))
          Content.remove_suffix(1);
        Closed = Content == A.End;
        At = std::min(Line + 1, size());
      }
      HereDocument &H = Out.HereDocuments[A.Index];
      if (!Closed)
        return fail(H.At, "the here-document is not closed by a line `" + A.End + "`");
      H.Body = {Begin, End};
      readBody(H, A);
    }
  }

  void readBody(HereDocument &H, const Awaited &A) {
    if (A.Quoted && !A.StripTabs) {
      Part P;
      P.At = H.Body;
      P.Quoted = true;
      H.Parts.push_back(std::move(P));
      return;
    }
    WordReader R(Text.substr(0, H.Body.End), H.Body.Begin);
    H.Parts = R.hereDocument(A.StripTabs);
    if (R.error())
      fail(R.error()->At, R.error()->Message);
    if (A.Quoted) // with its tabs left out, nothing in it is special
      for (Part &P : H.Parts)
        P.K = Part::Kind::Literal;
  }

  // --- words

  void addWord(Tok Kind, Word W) {
    add(Kind, W.At.Begin, W.At.End, static_cast<uint32_t>(Out.Words.size()));
    Out.Words.push_back(std::move(W));
  }

  void word() {
    uint32_t Begin = At;
    bool Target = !Out.List.empty() && Out.List.back().Kind == Tok::Redirect;
    if (!InTest && !Target && (State == Expect::Command || State == Expect::Argument) && assignment())
      return;
    WordReader R(Text, At);
    Word W = InTest && AfterMatch ? R.regex() : R.word();
    take(R);
    if (Out.Error)
      return;
    if (At == Begin)
      return fail({Begin, Begin + 1}, "this character is not expected here");
    std::string_view Spelling = Text.substr(Begin, At - Begin);
    if (InTest)
      return testWord(std::move(W), Spelling);
    if (Target)
      return addWord(Tok::Word, std::move(W));
    if (State != Expect::Argument && reserved(Spelling, Begin))
      return;
    if (State == Expect::Command && (FunctionName || functionHead()))
      return function(std::move(W));
    addWord(Tok::Word, std::move(W));
    State = afterWord();
  }

  Expect afterWord() const {
    switch (State) {
    case Expect::ForName:
      return Expect::AfterForName;
    case Expect::Subject:
      return Expect::In;
    case Expect::Pattern:
      return Expect::Pattern;
    default:
      return Expect::Argument;
    }
  }

  void testWord(Word W, std::string_view Spelling) {
    AfterMatch = Spelling == "=~";
    if (Spelling == "]]") {
      InTest = false;
      State = Expect::Command;
      return add(Tok::TestEnd, W.At.Begin, W.At.End);
    }
    if (Spelling == "!")
      return add(Tok::Bang, W.At.Begin, W.At.End);
    addWord(Tok::Word, std::move(W));
  }

  bool reserved(std::string_view Spelling, uint32_t Begin) {
    if (Spelling == "in" && (State == Expect::AfterForName || State == Expect::In)) {
      add(Tok::In, Begin, At);
      State = State == Expect::In ? Expect::Pattern : Expect::Argument;
      return true;
    }
    if (State == Expect::AfterForName && Spelling != "do" && Spelling != "{")
      return false;
    if (State == Expect::Pattern && Spelling != "esac")
      return false;
    if (State == Expect::ForName || State == Expect::Subject || State == Expect::In)
      return false;
    if (State == Expect::Command && Spelling == "function") {
      FunctionName = true;
      return true;
    }
    if (State == Expect::Command && Spelling == "time")
      return true; // times what follows, and changes nothing
    for (const auto &[Name, Kind] : ReservedWords)
      if (Name == Spelling) {
        add(Kind, Begin, At);
        afterReserved(Kind);
        return true;
      }
    return false;
  }

  void afterReserved(Tok Kind) {
    State = Kind == Tok::For ? Expect::ForName : Kind == Tok::Case ? Expect::Subject : Expect::Command;
    InTest = Kind == Tok::TestBegin;
    if (Kind == Tok::If || Kind == Tok::For || Kind == Tok::While || Kind == Tok::Case || Kind == Tok::LBrace)
      nest(1);
    else if (Kind == Tok::Fi || Kind == Tok::Done || Kind == Tok::Esac || Kind == Tok::RBrace)
      nest(-1);
  }

  /// Whether `( )` follows; it is then passed over.
  bool functionHead() {
    uint32_t I = At;
    auto Blanks = [&] {
      while (I < size() && (Text[I] == ' ' || Text[I] == '\t'))
        ++I;
    };
    Blanks();
    if (I >= size() || Text[I] != '(')
      return false;
    ++I;
    Blanks();
    if (I >= size() || Text[I] != ')')
      return false;
    At = I + 1;
    return true;
  }

  void function(Word Name) {
    if (FunctionName)
      functionHead();
    FunctionName = false;
    add(Tok::Function, Name.At.Begin, At, static_cast<uint32_t>(Out.Words.size()));
    Out.Words.push_back(std::move(Name));
  }

  // --- assignments

  /// `NAME=`, `NAME+=` or `NAME[index]=` and its value.
  bool assignment() {
    uint32_t I = At;
    if (!isNameStart(peek()))
      return false;
    while (I < size() && isNamePart(Text[I]))
      ++I;
    Assignment A;
    A.NameAt = {At, I};
    A.Name = Text.substr(At, I - At);
    if (I < size() && Text[I] == '[') {
      uint32_t Open = I + 1;
      while (I < size() && Text[I] != ']' && Text[I] != '\n' && Text[I] != ' ')
        ++I;
      if (I >= size() || Text[I] != ']')
        return false;
      A.Index = Text.substr(Open, I - Open);
      ++I;
    }
    A.Append = Text.substr(I).starts_with("+=");
    I += A.Append;
    if (I >= size() || Text[I] != '=')
      return false;
    A.At.Begin = At;
    At = I + 1;
    if (peek() == '(')
      array(A);
    else
      value(A);
    A.At.End = At;
    add(Tok::Assign, A.At.Begin, At, static_cast<uint32_t>(Out.Assignments.size()));
    Out.Assignments.push_back(std::move(A));
    return true;
  }

  void value(Assignment &A) {
    WordReader R(Text, At);
    A.Value = R.word();
    take(R);
  }

  void array(Assignment &A) {
    A.Array = true;
    uint32_t Open = At++;
    while (!Out.Error) {
      if (!skipBlanks())
        return fail({Open, Open + 1}, "the parenthesis of this array is not closed");
      if (peek() == '\n') {
        ++At;
        continue;
      }
      if (peek() == ')') {
        ++At;
        return;
      }
      WordReader R(Text, At);
      Word W = R.word();
      if (R.position() == At && !R.error())
        return fail({At, At + 1}, "an operator cannot stand in an array");
      take(R);
      A.Elements.push_back(std::move(W));
    }
  }

  Tokens &Out;
  std::string_view Text;
  uint32_t At = 0;
  Expect State = Expect::Command;
  bool InTest = false, AfterMatch = false, FunctionName = false;
  unsigned Nesting = 0;
  std::vector<Awaited> Pending;
};

} // namespace

Tokens scan(std::string_view Text) {
  Tokens Result;
  Result.Text = Text;
  Scanner(Result).run();
  return Result;
}

} // namespace parlance::shell
