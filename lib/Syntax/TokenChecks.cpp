// Pass 1 over the tokens: what is wrong in a token itself, reported once and repaired so that the parser goes on.
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include "Syntax/Tokens.h"

namespace parlance::syntax {

namespace {

bool isDigit(char C) { return C >= '0' && C <= '9'; }

class Checker {
public:
  explicit Checker(TokenContext &C) : C(C) {}
  void run() {
    bool Merge = false;
    for (LexToken &T : C.Raw)
      Merge |= T.Kind == Tok::NonAscii || T.Kind == Tok::Invalid;
    if (Merge)
      mergeForeign();
    joinAdjacent();
    cutBlockComments();
    for (Index = 0; Index < C.Raw.size(); ++Index)
      check(C.Raw[Index]);
  }

private:
  void check(LexToken &T) {
    switch (T.Kind) {
    case Tok::String:
      return checkEscapes(T);
    case Tok::OpenString:
      return openString(T);
    case Tok::Triple:
      return tripleString(T);
    case Tok::Quoted:
      return singleQuotes(T);
    case Tok::Number:
      return checkNumber(T);
    case Tok::AmpAmp:
      return respell(T, Tok::Ident, "and");
    case Tok::BarBar:
      return respell(T, Tok::Ident, "or");
    case Tok::Bang:
      return respell(T, Tok::Ident, "not");
    case Tok::StarStar:
      return respell(T, Tok::Caret, "^");
    case Tok::Slashes:
      return slashes(T);
    case Tok::Semicolon:
      return semicolon(T);
    case Tok::NonAscii:
    case Tok::Invalid:
      return foreign(T);
    case Tok::Ident:
      if (T.Flags & LexToken::Reported)
        foreignName(T);
      return;
    default:
      return;
    }
  }

  void fix(Diagnostic &D, std::string Title, SourceRange Range, std::string NewText,
           Applicability Trust = Applicability::Machine) {
    D.Fixes.push_back({std::move(Title), Trust, {{Range, std::move(NewText)}}, {}});
  }

  // --- strings

  void checkEscapes(const LexToken &T) {
    for (uint32_t I = T.Begin + 1; I + 1 < T.End; ++I) {
      if (C.Text[I] != '\\')
        continue;
      ++I;
      if (std::string_view("\"\\nt").find(C.Text[I]) != std::string_view::npos)
        continue;
      uint32_t Length = decodeUtf8(C.Text, I).Length;
      Diagnostic &D = C.Diags.report(diag::BadEscape, {C.File, I - 1, I + Length}, printable(C.Text.substr(I, Length)));
      fix(D, "write `\\\\` for a backslash", {C.File, I - 1, I}, "\\\\", Applicability::Maybe);
    }
  }
  void openString(LexToken &T) {
    C.Diags.report(diag::UnterminatedString, {C.File, T.Begin, T.Begin + 1}, "\"").CaretText = "opened here";
    T.Kind = Tok::String;
    T.Flags |= LexToken::Open | LexToken::Reported;
  }
  void tripleString(LexToken &T) {
    std::string_view Text = C.text(T);
    T.Kind = Tok::String;
    if (Text.size() >= 6 && Text.ends_with("\"\"\""))
      return;
    C.Diags.report(diag::UnterminatedString, {C.File, T.Begin, T.Begin + 3}, "\"\"\"").CaretText = "opened here";
    T.Flags |= LexToken::Open | LexToken::Reported;
  }
  void singleQuotes(LexToken &T) {
    T.Kind = Tok::String;
    T.Flags |= LexToken::Reported;
    uint32_t Quote = C.Text[T.Begin] == '\'' ? 1 : 3;
    bool Closed = Quote == 3 || (T.End - T.Begin > 1 && C.Text[T.End - 1] == '\'');
    Diagnostic &D = C.Diags.report(diag::SingleQuotes, {C.File, T.Begin, T.Begin + Quote});
    std::string_view Inner = Closed ? C.Text.substr(T.Begin + Quote, T.End - T.Begin - 2 * Quote) : "";
    if (!Closed)
      T.Flags |= LexToken::Open;
    else if (Inner.find_first_of("\"\\") == std::string_view::npos)
      fix(D, fmt::format("`\"{}\"`", printable(Inner)), C.range(T), fmt::format("\"{}\"", Inner));
  }

  // --- tokens that touch

  /// Operators of other languages, which the lexer cuts in two. The next pass names them.
  static Tok joined(Tok First, Tok Second) {
    if (First == Tok::Assign && Second == Tok::Less)
      return Tok::LessEq;
    if (First == Tok::Assign && Second == Tok::Greater)
      return Tok::GreaterEq;
    if (First == Tok::Less && Second == Tok::Greater)
      return Tok::NotEq;
    if ((First == Tok::EqEq || First == Tok::NotEq) && Second == Tok::Assign)
      return First;
    return Tok::End;
  }
  /// Makes one token of `=<`, of `3.` and of `3.e5`.
  void joinAdjacent() {
    size_t Last = 0; // of the tokens that are kept
    for (size_t I = 1; I < C.Raw.size(); ++I) {
      LexToken &Before = C.Raw[Last];
      const LexToken &T = C.Raw[I];
      bool Touches = Before.End == T.Begin && T.Kind != Tok::End;
      Tok Both = Touches ? joined(Before.Kind, T.Kind) : Tok::End;
      if (Both != Tok::End)
        Before = {Both, 0, Before.Begin, T.End};
      else if (Touches && Before.Kind == Tok::Number &&
               (T.Kind == Tok::Dot || (T.Kind == Tok::Ident && C.Text[Before.End - 1] == '.')))
        Before.End = T.End;
      else
        C.Raw[++Last] = T;
    }
    C.Raw.resize(Last + 1);
  }

  // --- comments of other languages

  bool touches(size_t I, Tok First, Tok Second) const {
    return C.Raw[I].Kind == First && C.Raw[I + 1].Kind == Second && C.Raw[I].End == C.Raw[I + 1].Begin;
  }
  /// Makes one token of each `/* … */`, of all lines of it. The first line break behind one still ends its line.
  void cutBlockComments() {
    size_t Last = 0; // of the tokens that are kept
    for (size_t I = 0; I < C.Raw.size(); ++I, ++Last) {
      C.Raw[Last] = C.Raw[I];
      bool Opens = C.Raw[I].Kind == Tok::Slash && I + 1 < C.Raw.size() && C.Raw[I + 1].Begin == C.Raw[I].End &&
                   (C.Raw[I + 1].Kind == Tok::Star || C.Raw[I + 1].Kind == Tok::StarStar);
      if (!Opens)
        continue;
      auto Closes = [&](size_t J) {
        return C.Raw[J].Begin > C.Raw[Last].Begin + 1 &&
               (touches(J, Tok::Star, Tok::Slash) || touches(J, Tok::StarStar, Tok::Slash));
      };
      while (C.Raw[I + 1].Kind != Tok::End && !Closes(I))
        ++I;
      if (C.Raw[I + 1].Kind != Tok::End)
        ++I;
      C.Raw[Last].Kind = Tok::Comment;
      C.Raw[Last].End = C.Raw[I].End;
      blockComment(C.Raw[Last], C.Raw[std::min(I + 1, C.Raw.size() - 1)]);
    }
    C.Raw.resize(Last);
  }
  void blockComment(const LexToken &T, const LexToken &Next) {
    Diagnostic &D = C.Diags.report(diag::CommentStyle, {C.File, T.Begin, T.Begin + 2});
    std::string_view Text = C.text(T);
    bool EndsLine = Next.Kind == Tok::Newline || Next.Kind == Tok::End;
    if (EndsLine && Text.size() >= 4 && Text.ends_with("*/") && Text.find('\n') == std::string_view::npos)
      D.Fixes.push_back({"`#`",
                         Applicability::Machine,
                         {{{C.File, T.Begin, T.Begin + 2}, "#"}, {{C.File, T.End - 2, T.End}, ""}},
                         {}});
  }

  // --- numbers

  /// Why the text is not a number; empty when it is one.
  std::string_view malformed(std::string_view Text) const {
    size_t I = 0;
    bool Ok = true;
    auto Digits = [&] {
      while (I < Text.size() && (isDigit(Text[I]) || Text[I] == '_')) {
        if (Text[I] == '_')
          Ok &= I > 0 && isDigit(Text[I - 1]) && I + 1 < Text.size() && isDigit(Text[I + 1]);
        ++I;
      }
    };
    Digits();
    if (I < Text.size() && Text[I] == '.') {
      size_t Point = I++;
      Digits();
      if (I == Point + 1)
        return "a digit must follow the point";
      if (I < Text.size() && Text[I] == '.')
        return "it has two decimal points";
    }
    if (!Ok)
      return "an underscore stands between two digits";
    if (Text.size() > 2 && Text[0] == '0' && (Text[1] == 'x' || Text[1] == 'X'))
      return "numbers are decimal";
    return {};
  }
  void checkNumber(LexToken &T) {
    std::string_view Text = C.text(T), Reason = malformed(Text);
    if (Reason.empty())
      return;
    Diagnostic &D = C.Diags.report(diag::MalformedNumber, C.range(T), Text, Reason);
    T.Flags |= LexToken::Reported;
    size_t Point = Text.find('.');
    if (Point != std::string_view::npos && Point + 1 == Text.size())
      fix(D, "leave the point out", {C.File, T.End - 1, T.End}, "");
  }

  // --- spellings of other languages

  void respell(LexToken &T, Tok Kind, std::string_view Ours) {
    Diagnostic &D = C.Diags.report(diag::OperatorSpelling, C.range(T), Ours, C.text(T));
    std::string New(Ours);
    bool Word = Kind == Tok::Ident;
    if (Word && T.End < C.Text.size() && C.Text[T.End] != ' ')
      New += ' ';
    if (Word && T.Begin > 0 && std::string_view(" (&|\n").find(C.Text[T.Begin - 1]) == std::string_view::npos)
      New.insert(0, " ");
    fix(D, fmt::format("`{}`", Ours), C.range(T), std::move(New));
    T.Flags |= LexToken::Reported;
    if (!Word)
      T.Kind = Kind;
    else
      T.Kind = reservedWord(Ours);
  }
  void slashes(LexToken &T) {
    Diagnostic &D = C.Diags.report(diag::CommentStyle, {C.File, T.Begin, T.Begin + 2});
    fix(D, "`#`", {C.File, T.Begin, T.Begin + 2}, "#");
    T.Kind = Tok::Comment;
  }
  void semicolon(LexToken &T) {
    Diagnostic &D = C.Diags.report(diag::Semicolon, C.range(T));
    const LexToken &Next = C.Raw[Index + 1];
    bool Last =
        Next.Kind == Tok::Newline || Next.Kind == Tok::Comment || Next.Kind == Tok::End || Next.Kind == Tok::RBrace;
    if (Last)
      fix(D, "leave it out", C.range(T), "");
    T.Flags |= LexToken::Reported;
  }

  // --- characters that have no place outside strings and comments

  static bool letterLike(uint32_t Point) {
    return Point >= 0xC0 && Point != 0xD7 && Point != 0xF7 && !(Point >= 0x2000 && Point <= 0x2BFF) &&
           !(Point >= 0x3000 && Point <= 0x3020) && Point != 0xFEFF && Point != 0xFFFD && Point < 0xFF00 &&
           !isSuperscript(Point);
  }
  static bool isSuperscript(uint32_t Point) { return Point == 0xB2 || Point == 0xB3 || Point == 0xB9; }
  struct Likeness {
    uint32_t Point;
    Tok Kind;
    std::string_view Ours;
  };
  static const Likeness *likeness(uint32_t Point) {
    static constexpr Likeness Table[] = {
        {0xA0, Tok::Blank, " "},        {0xB7, Tok::Star, "*"},     {0xD7, Tok::Star, "*"},
        {0xF7, Tok::Slash, "/"},        {0x200B, Tok::Blank, ""},   {0x2009, Tok::Blank, " "},
        {0x202F, Tok::Blank, " "},      {0x2012, Tok::Minus, "-"},  {0x2013, Tok::Minus, "-"},
        {0x2014, Tok::Minus, "-"},      {0x2192, Tok::Arrow, "->"}, {0x2212, Tok::Minus, "-"},
        {0x2215, Tok::Slash, "/"},      {0x2260, Tok::NotEq, "!="}, {0x2264, Tok::LessEq, "<="},
        {0x2265, Tok::GreaterEq, ">="}, {0x22C5, Tok::Star, "*"},   {0x2227, Tok::And, "and"},
        {0x2228, Tok::Or, "or"},        {0xFEFF, Tok::Blank, ""},
    };
    for (const Likeness &L : Table)
      if (L.Point == Point)
        return &L;
    return fullWidth(Point);
  }
  /// The forms of punctuation that are as wide as a Chinese character.
  static const Likeness *fullWidth(uint32_t Point) {
    static constexpr Likeness Table[] = {
        {0xFF01, Tok::Bang, "not"},   {0xFF05, Tok::Percent, "%"}, {0xFF08, Tok::LParen, "("},
        {0xFF09, Tok::RParen, ")"},   {0xFF0A, Tok::Star, "*"},    {0xFF0B, Tok::Plus, "+"},
        {0xFF0C, Tok::Comma, ","},    {0xFF0D, Tok::Minus, "-"},   {0xFF0E, Tok::Dot, "."},
        {0xFF0F, Tok::Slash, "/"},    {0xFF1A, Tok::Colon, ":"},   {0xFF1C, Tok::Less, "<"},
        {0xFF1D, Tok::Assign, "="},   {0xFF1E, Tok::Greater, ">"}, {0xFF3B, Tok::LBracket, "["},
        {0xFF3D, Tok::RBracket, "]"}, {0xFF5B, Tok::LBrace, "{"},  {0xFF5D, Tok::RBrace, "}"},
        {0x3000, Tok::Blank, " "},    {0x3001, Tok::Comma, ","},
    };
    for (const Likeness &L : Table)
      if (L.Point == Point)
        return &L;
    return nullptr;
  }
  /// The letter of ours that a Cyrillic or Greek one looks like; 0 for none.
  static char lookalike(uint32_t Point) {
    struct Row {
      uint32_t Point;
      char Ours;
    };
    static constexpr Row Table[] = {
        {0x430, 'a'}, {0x435, 'e'}, {0x43E, 'o'}, {0x440, 'p'}, {0x441, 'c'}, {0x443, 'y'}, {0x445, 'x'},
        {0x456, 'i'}, {0x458, 'j'}, {0x455, 's'}, {0x43A, 'k'}, {0x43C, 'm'}, {0x442, 't'}, {0x432, 'b'},
        {0x43D, 'h'}, {0x433, 'r'}, {0x501, 'd'}, {0x51B, 'q'}, {0x51D, 'w'}, {0x4CF, 'l'}, {0x410, 'A'},
        {0x412, 'B'}, {0x415, 'E'}, {0x41A, 'K'}, {0x41C, 'M'}, {0x41D, 'H'}, {0x41E, 'O'}, {0x420, 'P'},
        {0x421, 'C'}, {0x422, 'T'}, {0x425, 'X'}, {0x3BF, 'o'}, {0x3B1, 'a'}, {0x3BD, 'v'}, {0x3C1, 'p'},
        {0x391, 'A'}, {0x392, 'B'}, {0x395, 'E'}, {0x39F, 'O'}, {0x3A4, 'T'}, {0x131, 'i'},
    };
    for (const Row &R : Table)
      if (R.Point == Point)
        return R.Ours;
    return 0;
  }

  /// Runs of foreign bytes are cut into code points; foreign letters join the name that they touch, equal stray
  /// characters side by side become one token, and what stands in typographic quotes a string.
  void mergeForeign() {
    std::vector<LexToken> Out;
    Out.reserve(C.Raw.size());
    for (size_t I = 0; I < C.Raw.size(); ++I) {
      const LexToken &T = C.Raw[I];
      if (size_t Behind = T.Kind == Tok::NonAscii ? quotedUntil(I) : 0) {
        Out.push_back({Tok::Quoted, 0, T.Begin, C.Raw[Behind - 1].End});
        I = Behind - 1;
      } else if (isBacktick(T))
        I = backticks(Out, I);
      else if (T.Kind == Tok::NonAscii)
        splitForeign(Out, T);
      else if (!Out.empty() && Out.back().End == T.Begin && joins(Out.back(), T))
        Out.back().End = T.End;
      else
        Out.push_back(T);
    }
    C.Raw = std::move(Out);
  }
  static bool typographicQuote(uint32_t Point) { return Point >= 0x2018 && Point <= 0x201F; }
  /// The token behind a string in typographic quotes that begins at token I; 0 when there is none.
  size_t quotedUntil(size_t I) const {
    if (!typographicQuote(decodeUtf8(C.Text, C.Raw[I].Begin).Value))
      return 0;
    for (size_t J = I; C.Raw[J].Kind != Tok::Newline && C.Raw[J].Kind != Tok::End; ++J) {
      const LexToken &T = C.Raw[J];
      bool Long = T.Kind == Tok::NonAscii && T.End - T.Begin >= 3 && T.End - 3 > C.Raw[I].Begin;
      if (Long && typographicQuote(decodeUtf8(C.Text, T.End - 3).Value))
        return J + 1;
    }
    return 0;
  }
  bool isBacktick(const LexToken &T) const { return T.Kind == Tok::Invalid && C.Text[T.Begin] == '`'; }
  /// The last of the backticks that touch each other from token I on.
  size_t lastBacktick(size_t I) const {
    while (isBacktick(C.Raw[I + 1]) && C.Raw[I + 1].Begin == C.Raw[I].End)
      ++I;
    return I;
  }
  /// Words in backticks are read without them: the first is reported, the second says nothing. A fence of Markdown is
  /// its whole line. Returns the last token that was used.
  size_t backticks(std::vector<LexToken> &Out, size_t I) {
    size_t Last = lastBacktick(I), Behind = Last + 1;
    LexToken T{Tok::Invalid, 0, C.Raw[I].Begin, C.Raw[Last].End};
    if (I == SecondBacktick) {
      Out.push_back({Tok::Comment, LexToken::Reported, T.Begin, T.End});
      return Last;
    }
    while (!endsLine(C.Raw[Behind]) && !isBacktick(C.Raw[Behind]))
      ++Behind;
    bool Alone = endsLine(C.Raw[Behind]);
    SecondBacktick = Behind;
    if (Alone && T.End - T.Begin >= 3 && (Out.empty() || endsLine(Out.back()))) {
      T.End = C.Raw[Behind - 1].End;
      Last = Behind - 1;
    }
    Out.push_back(T);
    return Last;
  }
  static bool endsLine(const LexToken &T) { return T.Kind == Tok::Newline || T.Kind == Tok::End; }
  void backtick(LexToken &T) {
    size_t J = Index + 1;
    auto IsSecond = [](const LexToken &X) { return X.Kind == Tok::Comment && (X.Flags & LexToken::Reported); };
    while (!endsLine(C.Raw[J]) && !IsSecond(C.Raw[J]))
      ++J;
    bool Pair = IsSecond(C.Raw[J]), Fence = !Pair && T.End - T.Begin >= 3;
    Diagnostic &D = C.Diags.report(diag::InvalidCharacter, C.range(T), Fence ? "a fence of Markdown" : "a backtick");
    T.Flags |= LexToken::Reported;
    T.Kind = Pair || Fence ? Tok::Comment : Tok::Invalid;
    if (!Pair)
      return fix(D, "leave it out", C.range(T), "", Fence ? Applicability::Machine : Applicability::Maybe);
    D.CaretText = "names and values stand without quotes";
    D.Fixes.push_back({"leave both out", Applicability::Machine, {{C.range(T), ""}, {C.range(C.Raw[J]), ""}}, {}});
  }
  bool joins(const LexToken &Before, const LexToken &T) const {
    if (T.Kind == Tok::Invalid)
      return Before.Kind == Tok::Invalid && C.Text[Before.Begin] == C.Text[T.Begin];
    return T.Kind == Tok::Ident && Before.Kind == Tok::Ident;
  }
  void splitForeign(std::vector<LexToken> &Out, LexToken T) const {
    while (T.Begin < T.End) {
      CodePoint P = decodeUtf8(C.Text, T.Begin);
      uint32_t End = T.Begin + P.Length;
      bool Letter = P.Valid && letterLike(P.Value);
      bool Touches = !Out.empty() && Out.back().End == T.Begin;
      if (Letter && Touches && Out.back().Kind == Tok::Ident) {
        Out.back().End = End;
        Out.back().Flags |= LexToken::Reported;
      } else if (Letter)
        Out.push_back({Tok::Ident, LexToken::Reported, T.Begin, End});
      else if (Touches && Out.back().Kind == Tok::NonAscii && !likeness(P.Value))
        Out.back().End = End;
      else
        Out.push_back({Tok::NonAscii, 0, T.Begin, End});
      T.Begin = End;
    }
  }
  void foreignName(LexToken &T) {
    std::string Letters, Ours; // those that are not ours; the name with what they look like
    bool AllAlike = true;
    for (uint32_t At = T.Begin; At < T.End;) {
      CodePoint P = decodeUtf8(C.Text, At);
      std::string_view Text = C.Text.substr(At, P.Length);
      At += P.Length;
      char Like = P.Value < 0x80 ? Text[0] : lookalike(P.Value);
      AllAlike &= Like != 0;
      Ours += Like ? Like : '_';
      if (P.Value >= 0x80 && Letters.find(Text) == std::string::npos)
        Letters += fmt::format("{}`{}` is U+{:04X}", Letters.empty() ? "" : ", ", printable(Text), P.Value);
    }
    Diagnostic &D = C.Diags.report(diag::InvalidCharacter, C.range(T), fmt::format("`{}`", printable(C.text(T))));
    D.CaretText = "names are made of the letters a to z, digits and `_`";
    D.Notes.push_back({{}, Letters});
    if (AllAlike)
      fix(D, fmt::format("`{}`", Ours), C.range(T), Ours);
  }
  /// `x²`
  void superscript(LexToken &T, uint32_t Point) {
    char Digit = Point == 0xB9 ? '1' : Point == 0xB2 ? '2' : '3';
    Diagnostic &D = C.Diags.report(diag::InvalidCharacter, C.range(T), fmt::format("`{}`", printable(C.text(T))));
    if (T.End - T.Begin == 2)
      fix(D, fmt::format("`^{}`", Digit), C.range(T), fmt::format("^{}", Digit));
    T.Flags |= LexToken::Reported;
    T.Kind = Tok::Invalid;
  }
  void foreign(LexToken &T) {
    if (C.Text[T.Begin] == '`')
      return backtick(T);
    CodePoint P = decodeUtf8(C.Text, T.Begin);
    if (P.Valid && isSuperscript(P.Value))
      return superscript(T, P.Value);
    std::string What = P.Valid && P.Value >= 0x20 && P.Value != 0x7F
                           ? fmt::format("`{}`", printable(C.Text.substr(T.Begin, P.Length)))
                       : P.Valid ? fmt::format("the control character U+{:04X}", P.Value)
                                 : fmt::format("the byte 0x{:02X}", static_cast<unsigned char>(C.Text[T.Begin]));
    const Likeness *Like = P.Valid ? likeness(P.Value) : nullptr;
    if (Like && Like->Kind == Tok::Blank)
      What = fmt::format("the invisible character U+{:04X}", P.Value);
    Diagnostic &D = C.Diags.report(diag::InvalidCharacter, C.range(T), What);
    T.Flags |= LexToken::Reported;
    T.Kind = Tok::Invalid;
    if (C.Text[T.Begin] == '?')
      D.CaretText = "a choice is written `if … then … else …`";
    if (Like && P.Value >= 0x80 && Like->Kind != Tok::Blank)
      D.CaretText = fmt::format("it is U+{:04X}", P.Value);
    if (!Like)
      return;
    fix(D,
        Like->Ours.empty()         ? "leave it out"
        : Like->Kind == Tok::Blank ? "a plain space"
                                   : fmt::format("`{}`", Like->Ours),
        C.range(T), std::string(Like->Ours));
    T.Kind = Like->Kind == Tok::Blank ? Tok::Comment : Like->Kind;
  }

  TokenContext &C;
  size_t Index = 0;
  size_t SecondBacktick = SIZE_MAX; ///< the raw token that closes the last pair
};

} // namespace

void checkTokens(TokenContext &C) { Checker(C).run(); }

} // namespace parlance::syntax
