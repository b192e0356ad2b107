#include "Syntax/SyntaxErrors.h"
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"

namespace parlance::syntax {

std::string_view tokenWords(Tok K) {
  switch (K) {
  case Tok::Name:
  case Tok::Unit:
    return "a name";
  case Tok::String:
    return "a string";
  case Tok::Assign:
    return "`=`";
  case Tok::Colon:
    return "`:`";
  case Tok::Comma:
    return "`,`";
  case Tok::LBrace:
    return "`{`";
  case Tok::RBrace:
  case Tok::RSet:
    return "`}`";
  case Tok::LSet:
    return "`{`";
  case Tok::LParen:
    return "`(`";
  case Tok::RParen:
    return "`)`";
  case Tok::LBracket:
    return "`[`";
  case Tok::RBracket:
    return "`]`";
  case Tok::DotDot:
    return "`..`";
  case Tok::Arrow:
    return "`->` and the type of the result";
  case Tok::Then:
    return "`then`";
  case Tok::Else:
    return "`else`";
  case Tok::In:
    return "`in`";
  case Tok::On:
    return "`on`";
  case Tok::Import:
    return "`import`";
  case Tok::Nearest:
    return "`nearest`";
  case Tok::UnitKw:
    return "`unit`";
  case Tok::End:
    return "the end";
  default:
    return "something else";
  }
}

namespace {

class Reporter {
public:
  Reporter(const TokenContext &C, const std::vector<LexToken> &Tokens, const SyntaxError &E)
      : C(C), Tokens(Tokens), E(E), Found(Tokens[E.Index]), Previous(E.Index ? &Tokens[E.Index - 1] : nullptr) {}

  void run() {
    // A string that is never closed may have swallowed what is missing behind it.
    bool Broken =
        Previous && (Previous->Kind == Tok::Invalid || (Previous->Flags & (LexToken::Stripped | LexToken::Open)));
    if ((Found.Flags & LexToken::Reported) || Broken)
      return;
    if (keywordAsName())
      return;
    switch (E.At) {
    case Place::Value:
      return value();
    case Place::Name:
      return name();
    case Place::Token:
      return token();
    case Place::Separator:
      return separator();
    case Place::InBracket:
      return inBracket();
    case Place::Item:
      return item();
    }
  }

private:
  /// Nothing more can come: the mistake is behind the token before, not at what follows.
  bool atEnd() const {
    switch (Found.Kind) {
    case Tok::Sep:
    case Tok::End:
    case Tok::RBrace:
    case Tok::RParen:
    case Tok::RBracket:
    case Tok::RSet:
      return true;
    default:
      return false;
    }
  }
  SourceRange where() const {
    if (!atEnd())
      return C.range(Found);
    uint32_t At = Previous ? Previous->End : Found.Begin;
    return {C.File, At, At};
  }
  std::string quote(const LexToken &T) const {
    std::string_view Text = C.text(T);
    if (T.Kind == Tok::String && Text.size() > 24)
      return "a string";
    if (Text.size() <= 40)
      return fmt::format("`{}`", printable(Text));
    size_t Cut = 37;
    while (Cut > 0 && isContinuation(Text[Cut]))
      --Cut;
    return fmt::format("`{}...`", printable(Text.substr(0, Cut)));
  }
  std::string before() const {
    if (Previous)
      return quote(*Previous);
    uint32_t At = Found.Begin;
    return At > 0 && At <= C.Text.size() ? fmt::format("`{}`", printable(C.Text.substr(At - 1, 1))) : "the beginning";
  }
  std::string found() const { return atEnd() ? "" : fmt::format(", found {}", quote(Found)); }

  /// `let if = 1`, `rule = 2`, `x.` followed by a keyword.
  bool keywordAsName() const {
    const LexToken *Word = nullptr;
    Tok Next = E.Index + 1 < Tokens.size() ? Tokens[E.Index + 1].Kind : Tok::End;
    bool Sets = Next == Tok::Assign || Next == Tok::LBrace || Next == Tok::Colon;
    if (isReserved(Found.Kind) && (E.At == Place::Name || (E.At == Place::Item && Sets)))
      Word = &Found;
    bool Begins = E.Index < 2 || Tokens[E.Index - 2].Kind == Tok::Sep || Tokens[E.Index - 2].Kind == Tok::LBrace;
    if (Found.Kind == Tok::Assign && Previous && isReserved(Previous->Kind) && Begins && E.At != Place::Separator)
      Word = Previous;
    if (!Word)
      return false;
    C.Diags.report(diag::KeywordAsName, C.range(*Word), C.text(*Word));
    return true;
  }
  Tok kindAt(size_t I) const { return I < Tokens.size() ? Tokens[I].Kind : Tok::End; }
  /// `llama3.1_70b`: a name goes on behind the point with what cannot begin one.
  void name() {
    Diagnostic &D = C.Diags.report(diag::MissingName, where(), before(), found());
    bool Inside = Found.Kind == Tok::Number && Previous && Previous->Kind == Tok::Dot && E.Index > 1 &&
                  Previous->End == Found.Begin && kindAt(E.Index - 2) == Tok::Name;
    if (!Inside)
      return;
    const LexToken &First = Tokens[E.Index - 2];
    bool Unit = kindAt(E.Index + 1) == Tok::UnitExpr && Tokens[E.Index + 1].Begin == Found.End;
    std::string Ours(C.Text.substr(First.Begin, (Unit ? Tokens[E.Index + 1] : Found).End - First.Begin));
    Ours[Previous->Begin - First.Begin] = '_';
    D.Notes.push_back({{}, "a name has no `.` in it"});
    D.Fixes.push_back({fmt::format("`{}`", Ours),
                       Applicability::Maybe,
                       {{{C.File, First.Begin, First.Begin + static_cast<uint32_t>(Ours.size())}, Ours}},
                       {}});
  }
  void item() {
    Diagnostic &D = C.Diags.report(diag::MissingItem, C.range(Found),
                                   E.InBlock ? "a field or a declaration" : "a declaration", quote(Found));
    if (Found.Kind == Tok::LBrace && E.Index == 0)
      D.CaretText = "a JSON file needs a name that ends in `.json`";
    if (Found.Kind == Tok::Minus && E.Index + 1 < Tokens.size() && kindAt(E.Index + 2) == Tok::Assign)
      D.Fixes.push_back(
          {"leave it out", Applicability::Machine, {{{C.File, Found.Begin, Tokens[E.Index + 1].Begin}, ""}}, {}});
  }
  /// Whether a value stands where its `=` is missing.
  bool lacksAssign() const {
    bool Value = Found.Kind == Tok::Number || Found.Kind == Tok::String || Found.Kind == Tok::True ||
                 Found.Kind == Tok::False || Found.Kind == Tok::Auto || Found.Kind == Tok::Name;
    return Value && !atEnd() && (E.Wanted == "`=` or `{`" || E.Wanted == tokenWords(Tok::Assign));
  }
  /// `fn f(B x)`: the type before its name.
  bool typeFirst() const {
    return E.Wanted == "`:` and a type" && Previous && Found.Kind == Tok::Name &&
           (Previous->Kind == Tok::Name || Previous->Kind == Tok::Unit);
  }
  void token() {
    Diagnostic &D = C.Diags.report(diag::MissingToken, where(), E.Wanted, before(), found());
    if (lacksAssign() && Previous && Tokens[E.Index].Begin > Previous->End)
      D.Fixes.push_back({"write it", Applicability::Machine, {{{C.File, Found.Begin, Found.Begin}, "= "}}, {}});
    if (typeFirst()) {
      std::string Ours = fmt::format("{}: {}", C.text(Found), C.text(*Previous));
      D.Fixes.push_back(
          {fmt::format("`{}`", Ours), Applicability::Machine, {{{C.File, Previous->Begin, Found.End}, Ours}}, {}});
    }
    if (E.Wanted != tokenWords(Tok::In) || atEnd())
      return;
    // `sum(i = 0..8: …)`: what stands for `in` is replaced, else `in` is inserted.
    bool Instead = Found.Kind == Tok::Assign || Found.Kind == Tok::Colon || Found.Kind == Tok::Comma;
    SourceRange Range{C.File, Found.Begin, Instead ? Found.End : Found.Begin};
    auto Blank = [&](uint32_t I) { return I < C.Text.size() && C.Text[I] == ' '; };
    D.Fixes.push_back({"`in`",
                       Applicability::Machine,
                       {{Range, fmt::format("{}in{}", Blank(Range.Begin - 1) ? "" : " ", Blank(Range.End) ? "" : " ")}},
                       {}});
  }
  /// `tp = { 1, 2 }`, not to be mistaken for a block.
  bool listsChoices() const {
    if (Found.Kind != Tok::LBrace || !Previous || Previous->Kind != Tok::Assign || E.Index + 2 >= Tokens.size())
      return false;
    Tok First = Tokens[E.Index + 1].Kind, Second = Tokens[E.Index + 2].Kind;
    return First == Tok::Number || (First == Tok::Name && Second == Tok::Sep);
  }
  void value() {
    if (Found.Kind == Tok::If) {
      C.Diags.report(diag::NestedIf, C.range(Found));
      return;
    }
    const LexToken *Next = E.Index + 1 < Tokens.size() ? &Tokens[E.Index + 1] : nullptr;
    if (Found.Kind == Tok::Dot && Next && Next->Kind == Tok::Number && Next->Begin == Found.End) {
      Diagnostic &D =
          C.Diags.report(diag::MalformedNumber, C.range(Found).to(C.range(*Next)),
                         C.Text.substr(Found.Begin, Next->End - Found.Begin), "a digit stands before the point");
      D.Fixes.push_back({"write the zero", Applicability::Machine, {{{C.File, Found.Begin, Found.Begin}, "0"}}, {}});
      return;
    }
    Diagnostic &D = C.Diags.report(diag::MissingValue, where(), before(), found());
    if (listsChoices())
      D.Fixes.push_back({"`any { … }` lists values to choose from",
                         Applicability::Maybe,
                         {{{C.File, Found.Begin, Found.Begin}, "any "}},
                         {}});
  }
  /// How the thing before is called: a value, a block.
  std::string_view finished() const { return Previous && Previous->Kind == Tok::RBrace ? "the block" : "the value"; }
  void separator() {
    if (atEnd()) {
      C.Diags.report(diag::MissingToken, where(), "an item", before(), "");
      return;
    }
    Diagnostic &D = C.Diags.report(diag::MissingSeparator, C.range(Found), quote(Found), finished(),
                                   E.InBlock ? "start a new line or write a comma" : "start a new line");
    Tok Next = E.Index + 1 < Tokens.size() ? Tokens[E.Index + 1].Kind : Tok::End;
    bool Sure = Found.Kind == Tok::Name && (Next == Tok::Assign || Next == Tok::LBrace);
    if (E.InBlock && Sure && Previous)
      D.Fixes.push_back({"write a comma", Applicability::Machine, {{{C.File, Previous->End, Previous->End}, ","}}, {}});
    bool Statement = Found.Kind >= Tok::Use && Found.Kind <= Tok::Minimize;
    if (!E.InBlock && Statement && Previous)
      D.Fixes.push_back(
          {"start a new line", Applicability::Machine, {{{C.File, Previous->End, Found.Begin}, "\n"}}, {}});
    if (C.text(Found) == "per" && Previous && Previous->Kind == Tok::UnitExpr)
      D.Notes.push_back({{}, "in a unit `per` is written `/`, and only units stand behind it"});
    else if (E.InBlock && Found.Kind == Tok::Name && !Sure)
      D.Notes.push_back({{}, "a remark begins with `#`"});
  }
  void inBracket() {
    if (atEnd()) {
      C.Diags.report(diag::MissingToken, where(), E.Wanted, before(), "");
      return;
    }
    Tok Before = Previous ? Previous->Kind : Tok::End;
    if (Before == Tok::LParen || Before == Tok::LBracket || Before == Tok::LSet)
      return value();
    C.Diags.report(diag::UnexpectedToken, C.range(Found), quote(Found), finished());
  }

  const TokenContext &C;
  const std::vector<LexToken> &Tokens;
  const SyntaxError &E;
  const LexToken &Found;
  const LexToken *Previous;
};

} // namespace

void reportSyntaxError(const TokenContext &C, const std::vector<LexToken> &Tokens, const SyntaxError &E) {
  Reporter(C, Tokens, E).run();
}

} // namespace parlance::syntax
