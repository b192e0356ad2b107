// Pass 3 over the tokens: keywords, units, unit expressions and separators, so that the parser needs one token of
// lookahead and never guesses.
#include "Basic/Diagnostics.h"
#include "Syntax/Tokens.h"
#include <algorithm>
#include <utility>

namespace parlance::syntax {

namespace {

class Filter {
public:
  Filter(TokenContext &C, const std::vector<MissingBracket> &Missing) : C(C), Missing(Missing) {
    Out.reserve(C.Raw.size() + 8);
  }

  std::vector<LexToken> run() {
    for (I = 0; !Stopped; ++I) {
      insertMissing();
      const LexToken &T = C.Raw[I];
      if (T.Kind == Tok::End)
        break;
      if (T.Flags & LexToken::TooDeep) {
        tooDeep(T);
        break;
      }
      bool Stripped = (T.Flags & LexToken::Dropped) || isStray(T);
      if (Stripped && !Out.empty())
        Out.back().Flags |= LexToken::Stripped;
      if (T.Kind == Tok::Comment || (T.Flags & LexToken::Dropped))
        continue;
      if (T.Kind == Tok::Newline || T.Kind == Tok::Semicolon) {
        if (!inner() && !Pending)
          Pending = &T;
        continue;
      }
      if (Pending)
        endLine();
      token(T);
    }
    finish();
    return std::move(Out);
  }

private:
  /// Paren holds arguments, Group one value.
  enum class FrameKind : uint8_t { Block, Paren, Group, Params, Reduce, Bracket, Set };
  struct Frame {
    FrameKind Kind;
    unsigned Nesting, Ifs, Conditions; ///< of the surroundings, to come back to
    bool QuotedNames = false;          ///< that its fields have quotes was reported
  };
  /// What is known of the item that the current token belongs to.
  struct ItemState {
    Tok Kind = Tok::End; ///< its first token
    unsigned Length = 0; ///< tokens emitted for it
    bool Assigned = false, Typed = false;
    unsigned Operators = 0;
    std::vector<std::string_view> Params;
  };
  /// A declaration of the standard library in a user's file: its tokens are thrown away.
  struct Foreign {
    size_t Begin, Depth; ///< in Out; open brackets around it
  };

  // --- output

  Tok last() const { return Out.empty() ? Tok::Sep : Out.back().Kind; }
  uint32_t lastEnd() const { return Out.empty() ? 0 : Out.back().End; }
  bool inner() const { return Frames.empty() ? C.Fragment : Frames.back().Kind != FrameKind::Block; }
  FrameKind frame() const { return Frames.empty() ? FrameKind::Block : Frames.back().Kind; }

  void emit(Tok Kind, uint32_t Begin, uint32_t End, uint8_t Flags = 0) {
    Out.push_back({Kind, Flags, Begin, End});
    ++Item.Length;
  }
  void emit(Tok Kind, const LexToken &T) { emit(Kind, T.Begin, T.End, T.Flags); }
  void separate() {
    if (last() != Tok::Sep && last() != Tok::LBrace)
      emit(Tok::Sep, lastEnd(), lastEnd());
  }
  /// Drops a declaration that the file may not have: nothing in it is worth a second message.
  void dropForeign() {
    if (!Dropping || Frames.size() > Dropping->Depth)
      return;
    Out.resize(Dropping->Begin);
    Dropping.reset();
  }
  template <typename... Args>
  Diagnostic &report(const DiagnosticKind<Args...> &Kind, SourceRange Range,
                     const std::type_identity_t<Args> &...Values) {
    if (Dropping)
      return Unsaid = {};
    return C.Diags.report(Kind, Range, Values...);
  }
  void finish() {
    if (Stopped)
      while (!Frames.empty())
        closeFrame(lastEnd(), lastEnd());
    dropForeign();
    if (!C.Fragment)
      separate();
    auto End = static_cast<uint32_t>(C.Text.size());
    emit(Tok::End, End, End);
  }
  /// A limit is passed: the rest of the file is not parsed.
  void stop(const LexToken &T) {
    Stopped = true;
    emit(Tok::Invalid, T.Begin, T.End, LexToken::Reported);
  }

  // --- frames and limits

  void open(Tok Kind, FrameKind F, const LexToken &T) {
    Frames.push_back({F, Nesting, Ifs, Conditions});
    Nesting += 1 + Prefixes + Ifs;
    Prefixes = Ifs = Conditions = 0;
    emit(Kind, T);
    checkNesting(T);
  }
  void checkNesting(const LexToken &T) {
    if (!Stopped && Nesting + Prefixes + Ifs > MaxNesting)
      tooDeep(T);
  }
  void tooDeep(const LexToken &T) {
    C.Diags.report(diag::NestingTooDeep, C.range(T), MaxNesting);
    stop(T);
  }
  void prefix(Tok Kind, const LexToken &T) {
    ++(Kind == Tok::If ? Ifs : Prefixes);
    Conditions += Kind == Tok::If;
    emit(Kind, T);
    checkNesting(T);
  }
  void countOperator(const LexToken &T) {
    if (++Item.Operators != MaxOperators + 1)
      return;
    C.Diags.report(diag::TooManyOperators, C.range(T), MaxOperators);
    stop(T);
  }
  void closeFrame(uint32_t Begin, uint32_t End) {
    Tok Kind = Tok::RParen;
    switch (frame()) {
    case FrameKind::Block:
      dropForeign();
      separate();
      Kind = Tok::RBrace;
      break;
    case FrameKind::Bracket:
      Kind = Tok::RBracket;
      break;
    case FrameKind::Set:
      Kind = Tok::RSet;
      break;
    default:
      break;
    }
    emit(Kind, Begin, End);
    Nesting = Frames.back().Nesting;
    Ifs = Frames.back().Ifs;
    Conditions = Frames.back().Conditions;
    Prefixes = 0;
    Frames.pop_back();
  }
  void insertMissing() {
    for (; NextMissing < Missing.size() && Missing[NextMissing].Before <= I; ++NextMissing) {
      if (Missing[NextMissing].Kind == Tok::LBrace) {
        open(Tok::LBrace, FrameKind::Block, {Tok::LBrace, LexToken::Reported, lastEnd(), lastEnd()});
        continue;
      }
      if (Missing[NextMissing].Broken)
        emit(Tok::Invalid, lastEnd(), lastEnd(), LexToken::Reported);
      if (!Frames.empty())
        closeFrame(lastEnd(), lastEnd());
    }
  }

  // --- lines and items

  bool continuesLine(const LexToken &T) const {
    switch (T.Kind) {
    case Tok::Assign:
      return !Item.Assigned;
    case Tok::String:
    case Tok::Dot:
    case Tok::Arrow:
    case Tok::Bar:
    case Tok::LBrace:
    case Tok::RBrace:
      return true;
    case Tok::Ident: {
      Tok Word = reservedWord(C.text(T));
      return isReturn(T) || Word == Tok::Then || Word == Tok::Else || Word == Tok::And || Word == Tok::Or;
    }
    default:
      return isBinaryOperator(T.Kind);
    }
  }
  bool wantsMore(Tok K) const {
    if (K == Tok::Comma)
      return Item.Kind == Tok::UnitKw || Item.Kind == Tok::Refuse || Item.Kind == Tok::Fix;
    return isBinaryOperator(K) || K == Tok::Then || K == Tok::Else || K == Tok::Not || K == Tok::Arrow ||
           K == Tok::Bar || K == Tok::Dot;
  }
  /// A line break was passed: it separates items unless the line goes on.
  void endLine() {
    const LexToken &Break = *Pending;
    Pending = nullptr;
    if (last() == Tok::Sep || last() == Tok::LBrace)
      return;
    if (Break.Kind == Tok::Newline && last() == Tok::Assign && !inner() && !Dropping && beginsValue(C, I))
      return reportValueOnNextLine(C, lastEnd(), C.Raw[I]);
    if (Break.Kind == Tok::Newline && (continuesLine(C.Raw[I]) || (wantsMore(last()) && !beginsItem(C, I))))
      return;
    emit(Tok::Sep, Break.Begin, Break.End);
    AfterComma = false;
  }

  /// `fn f(x: B) -> B` and then `return x`.
  bool isReturn(const LexToken &T) const {
    return T.Kind == Tok::Ident && Item.Kind == Tok::Fn && !Item.Assigned && !inner() && C.text(T) == "return";
  }
  void startItem(const LexToken &T) {
    dropForeign();
    Item = ItemState();
    Nesting = static_cast<unsigned>(Frames.size());
    Prefixes = Ifs = Conditions = 0;
    if (T.Kind != Tok::Ident)
      return;
    std::string_view Word = C.text(T);
    Item.Kind = reservedWord(Word);
    Respelt = C.Library || Dropping || C.Fragment ? Tok::Name : statementMeant(C, I);
    if (Respelt != Tok::Name) {
      reportStatement(C, T, Respelt);
      Item.Kind = Respelt;
    }
    if (Item.Kind == Tok::Name && C.Raw[I + 1].Kind == Tok::Ident)
      Item.Kind = itemWord(Word);
    if (Item.Kind >= Tok::UnitKw && !C.Library && !Dropping) {
      report(diag::LibraryOnly, C.range(T), Word);
      Dropping = {Out.size(), Frames.size()};
    }
    if (Item.Kind == Tok::Fn || Item.Kind == Tok::Derive)
      Item.Params = paramNames(C, I);
  }
  // --- tokens

  /// All of a block are one mistake.
  void quotedName(const LexToken &T) {
    if (!std::exchange(Frames.back().QuotedNames, true))
      reportQuotedNames(C, I);
    Item.Kind = Tok::Name;
    emit(Tok::Name, T.Begin + 1, T.End - 1);
    if (C.Raw[I + 2].Kind != Tok::LBrace)
      emit(Tok::Assign, C.Raw[I + 1].Begin, C.Raw[I + 1].End);
    Item.Assigned = true;
    ++I;
  }

  void token(const LexToken &T) {
    if (!inner() && (last() == Tok::Sep || last() == Tok::LBrace))
      startItem(T);
    if (Item.Length == 0 && !Frames.empty() && frame() == FrameKind::Block && !Dropping && isQuotedName(C, I))
      return quotedName(T);
    bool InType = std::exchange(TypeNext, false);
    switch (T.Kind) {
    case Tok::Ident:
      ident(T, InType);
      break;
    case Tok::Number:
      number(T, InType);
      break;
    case Tok::LBrace:
      return brace(T);
    case Tok::LBracket:
      open(Tok::LBracket, FrameKind::Bracket, T);
      TypeNext = InType;
      return;
    case Tok::LParen:
      return parenthesis(T);
    case Tok::RBrace:
    case Tok::RParen:
    case Tok::RBracket:
      if (!Frames.empty())
        closeFrame(T.Begin, T.End);
      return;
    case Tok::Comma:
      return comma(T);
    case Tok::Colon:
      return colon(T);
    case Tok::EqEq:
    case Tok::NotEq:
    case Tok::LessEq:
    case Tok::GreaterEq:
      return comparison(T);
    case Tok::Assign:
      return equals(T);
    case Tok::Not:
      return prefix(Tok::Not, T);
    default:
      punctuation(T);
    }
    if (endsOperand(last()))
      Prefixes = 0;
  }

  void punctuation(const LexToken &T) {
    if (T.Kind == Tok::Dot && Item.Kind == Tok::Use && !inner()) {
      reportModuleDot(C, T);
      return emit(Tok::Slash, T.Begin, T.End, LexToken::Reported);
    }
    if (T.Kind == Tok::Minus && !endsOperand(last()))
      return prefix(Tok::Minus, T);
    emit(T.Kind, T);
    if (T.Kind == Tok::Assign) {
      TypeNext = Item.Kind == Tok::Enum && !Item.Assigned;
      Item.Assigned |= !inner();
    }
    if (T.Kind == Tok::Arrow || T.Kind == Tok::Bar)
      TypeNext = true;
    if (isBinaryOperator(T.Kind) || T.Kind == Tok::Dot)
      countOperator(T);
  }
  void brace(const LexToken &T) {
    bool Nameless = last() == Tok::Sep || last() == Tok::LBrace; // which is reported
    last() == Tok::Any ? open(Tok::LSet, FrameKind::Set, T) : open(Tok::LBrace, FrameKind::Block, T);
    Frames.back().QuotedNames = Nameless;
    AfterComma = false;
  }
  void parenthesis(const LexToken &T) {
    if (last() == Tok::Reduce)
      return open(Tok::LParen, FrameKind::Reduce, T);
    bool Header = !inner() && !Item.Assigned && !Item.Typed && (Item.Kind == Tok::Fn || Item.Kind == Tok::Derive);
    if (!Header && endsOperand(last()))
      countOperator(T);
    if (!Stopped)
      open(Tok::LParen, Header ? FrameKind::Params : endsOperand(last()) ? FrameKind::Paren : FrameKind::Group, T);
  }
  void comma(const LexToken &T) {
    if (inner()) {
      Ifs = Conditions = 0;
      Tok Next = C.kindAfter(I);
      bool Trailing =
          last() != Tok::Comma && (endsOperand(last())) &&
          (Next == Tok::RParen || Next == Tok::RBracket || (Next == Tok::RBrace && frame() == FrameKind::Set));
      if (!Trailing)
        emit(Tok::Comma, T);
      return;
    }
    bool Nearest = Item.Kind == Tok::Fix && C.kindAfter(I) == Tok::Ident && C.text(C.Raw[C.next(I)]) == "nearest";
    if (Nearest || Frames.empty())
      return emit(Tok::Comma, T);
    if (last() == Tok::LBrace || (last() == Tok::Sep && AfterComma)) {
      Diagnostic &D = report(diag::ExtraComma, C.range(T));
      D.Fixes.push_back({"leave it out", Applicability::Machine, {{C.range(T), ""}}, {}});
    } else if (last() != Tok::Sep)
      emit(Tok::Sep, T);
    AfterComma = true;
  }

  /// Whether a field's or a `let`'s name was just read, so that `=` must follow.
  bool setsField() const {
    return !inner() && !Item.Assigned &&
           ((Item.Kind == Tok::Name && Item.Length == 1) || (Item.Kind == Tok::Let && Item.Length == 2));
  }
  /// Whether a block, before which nothing more may stand, comes next: behind its name, or behind
  /// `layout main`.
  bool beginsBlock() const {
    bool Named = !inner() && !Item.Assigned && !Item.Typed && (Item.Kind == Tok::Name || Item.Kind == Tok::Rule) &&
                 (last() == Tok::Name || last() == Tok::Unit);
    size_t Brace = C.next(I);
    return Named && C.Raw[Brace].Kind == Tok::LBrace && (Item.Length > 1 || holdsItems(C, Brace));
  }
  static bool endsLine(const LexToken &T) {
    return T.Kind == Tok::Newline || T.Kind == Tok::Comment || T.Kind == Tok::End || T.Kind == Tok::Assign;
  }
  std::string_view text(SourceRange R) const { return C.Text.substr(R.Begin, R.End - R.Begin); }
  bool blankAt(uint32_t At) const { return At < C.Text.size() && C.Text[At] == ' '; }

  /// `==` or `:` where `=` is meant, or nothing at all.
  void assignment(const LexToken &T) {
    SourceRange Range = C.range(T);
    if (C.Raw[I + 1].Kind == Tok::Assign)
      Range.End = C.Raw[++I].End;
    if (beginsBlock())
      return assignedBlock(Range);
    Diagnostic &D = report(diag::AssignSpelling, Range, text(Range));
    bool Tight = Range.Begin > 0 && !blankAt(Range.Begin - 1);
    std::string_view Ours = !Tight ? "=" : blankAt(Range.End) ? " =" : " = ";
    D.Fixes.push_back({"`=`", Applicability::Machine, {{Range, std::string(Ours)}}, {}});
    // What `{` is about then is not a second mistake.
    bool Brace = C.Raw[I + 1].Kind == Tok::LBrace;
    emit(Tok::Assign, Range.Begin, Range.End, Brace ? LexToken::Stripped : 0);
    Item.Assigned = true;
  }
  /// `batch = { … }`: the block is read as one.
  void assignedBlock(SourceRange Range) {
    if (!Dropping)
      reportAssignedBlock(C, Range);
  }
  void equals(const LexToken &T) {
    if (beginsBlock())
      return assignedBlock(C.range(T));
    bool Sure = isCondition();
    if (!followsValue() || !(Sure || isSecondAssign()))
      return punctuation(T);
    Diagnostic &D = report(diag::EqualitySpelling, C.range(T));
    D.Fixes.push_back({"`==`", Sure ? Applicability::Machine : Applicability::Maybe, {{C.range(T), "=="}}, {}});
    emit(Tok::EqEq, T.Begin, T.End, LexToken::Reported | (Sure ? 0 : LexToken::Guessed));
    countOperator(T);
  }
  /// Whether a value ends here, and no name that a field begins with after a missing separator.
  bool followsValue() const {
    bool Word = last() == Tok::Name || last() == Tok::Unit;
    Tok Before = Out.size() > 1 ? Out[Out.size() - 2].Kind : Tok::Sep;
    return endsOperand(last()) && !(Word && (endsOperand(Before) || Before == Tok::RBrace));
  }
  /// Where only `==` makes sense.
  bool isCondition() const {
    if (Conditions > 0 || frame() == FrameKind::Group || (C.Fragment && Frames.empty()))
      return true;
    return !inner() && (Item.Kind == Tok::Require || Item.Kind == Tok::Warn);
  }
  bool isSecondAssign() const { return !inner() && Item.Assigned; }

  /// `===`, `=<` and `<>` are tokens that the pass before made.
  void comparison(const LexToken &T) {
    std::string_view Written = C.text(T);
    bool Spread = Written == "=<" || Written == "=>" || Written == "===";
    if (setsField() && (T.Kind == Tok::EqEq || Spread))
      return assignment(T);
    LexToken Ours = T;
    bool Result = Written == "=>" && Item.Kind == Tok::Fn && !Item.Assigned && !inner();
    Ours.Kind = Result ? Tok::Arrow : T.Kind;
    if (Spread || Written == "<>" || Written == "!==") {
      Ours.Flags |= LexToken::Reported;
      std::string_view Right = Result                  ? "->"
                               : T.Kind == Tok::EqEq   ? "=="
                               : T.Kind == Tok::NotEq  ? "!="
                               : T.Kind == Tok::LessEq ? "<="
                                                       : ">=";
      Diagnostic &D = report(diag::OperatorSpelling, C.range(T), Right, Written);
      D.Fixes.push_back({fmt::format("`{}`", Right), Applicability::Machine, {{C.range(T), std::string(Right)}}, {}});
    }
    punctuation(Ours);
  }
  void colon(const LexToken &T) {
    const LexToken &Next = C.Raw[I + 1];
    bool Inverse = Next.Kind == Tok::Number && C.Raw[I + 2].Kind == Tok::Slash;
    bool Type = Next.Kind == Tok::Ident || Next.Kind == Tok::LBracket || Inverse;
    bool Sets = setsField() && (Item.Kind == Tok::Name || !(Type || endsLine(Next)));
    bool Block = beginsBlock();
    if (Block || (Sets && !C.Library && !Dropping))
      return assignment(T);
    emit(Tok::Colon, T);
    TypeNext = frame() == FrameKind::Params || !inner();
    Item.Typed |= !inner();
  }

  // --- words

  bool isParam(std::string_view Word) const { return std::ranges::find(Item.Params, Word) != Item.Params.end(); }
  bool isUnitName(std::string_view Word) const { return C.Units.find(Word) || C.Units.refused(Word); }
  bool heads(size_t J) const { return C.Raw[J + 1].Kind == Tok::Dot && C.Raw[J + 2].Kind == Tok::Ident; }
  /// `name =`, `name {`: the key of an item that lacks its separator.
  bool isKey(size_t J) const {
    Tok K = C.Raw[J + 1].Kind;
    return K == Tok::Assign || K == Tok::LBrace;
  }
  /// Whether a factor of a unit expression stands at raw token J.
  bool isFactor(size_t J, bool AnyName) const {
    if (C.Raw[J].Kind != Tok::Ident || heads(J))
      return false;
    std::string_view Word = C.text(C.Raw[J]);
    return AnyName || (isUnitName(Word) && !isParam(Word));
  }

  /// Reads on behind the unit at raw token J: factors, exponents, a qualifier. Returns the last token that belongs to
  /// it.
  size_t extendUnit(size_t J, bool AnyName) {
    C.Raw[J].Kind = C.Raw[J].Kind == Tok::Ident ? Tok::Unit : C.Raw[J].Kind;
    for (;;) {
      Tok K = C.Raw[J + 1].Kind;
      if ((K == Tok::Slash || K == Tok::Star) && isFactor(J + 2, AnyName)) {
        C.Raw[J += 2].Kind = Tok::Unit;
      } else if (K == Tok::Caret && C.Raw[J + 2].Kind == Tok::Number) {
        J += 2;
      } else if (K == Tok::Caret && C.Raw[J + 2].Kind == Tok::Minus && C.Raw[J + 3].Kind == Tok::Number) {
        J += 3;
      } else {
        break;
      }
    }
    if (C.Raw[J + 1].Kind != Tok::Ident)
      return J;
    std::string_view Word = C.text(C.Raw[J + 1]);
    if (Word == "bidirectional" || Word == "dense" || Word == "sparse")
      J += 1;
    else if (Word == "per" && C.Raw[J + 2].Kind == Tok::Ident && C.text(C.Raw[J + 2]) == "direction")
      C.Raw[J + 1].Kind = Tok::Unit, J += 2;
    else
      return J;
    C.Raw[J].Kind = Tok::Unit;
    return J;
  }
  void emitUnit(uint32_t Begin, size_t Last, bool Alone) {
    emit(Alone ? Tok::Unit : Tok::UnitExpr, Begin, C.Raw[Last].End);
    I = Last;
  }

  void ident(const LexToken &T, bool InType) {
    std::string_view Word = C.text(T);
    if (Item.Length == 0 && Respelt != Tok::Name && !inner())
      return reserved(std::exchange(Respelt, Tok::Name), T);
    if (last() == Tok::Dot)
      return emit(Tok::Name, T);
    if (isReturn(T))
      return assignment(T);
    if (Tok Reserved = reservedWord(Word); Reserved != Tok::Name)
      return reserved(Reserved, T);
    Tok Kind = contextual(Word);
    if (Kind != Tok::Name) {
      C.Raw[I].Kind = Kind;
      return emit(Kind, T);
    }
    if (InType)
      return typeWord(T);
    // A refused spelling is a unit only where a unit must stand.
    if (isParam(Word) || heads(I) || !C.Units.find(Word))
      return emit(Tok::Name, T);
    C.Raw[I].Kind = Tok::Unit;
    emit(Tok::Unit, T);
  }
  void typeWord(const LexToken &T) {
    Tok Next = C.Raw[I + 1].Kind;
    if (!isUnitName(C.text(T)) && Next != Tok::Slash && Next != Tok::Caret)
      return emit(Tok::Name, T);
    uint32_t Begin = T.Begin;
    size_t First = I, Last = extendUnit(I, true);
    emitUnit(Begin, Last, Last == First);
  }
  void reserved(Tok Kind, const LexToken &T) {
    // `let a = 3 let b = 4`: the parser says what is missing between them.
    if (!inner() && Item.Length > 0 && Kind >= Tok::Use && Kind <= Tok::Minimize)
      startItem(T);
    C.Raw[I].Kind = Kind;
    if (Kind == Tok::If || Kind == Tok::Not || Kind == Tok::Any)
      return prefix(Kind, T);
    if (Kind == Tok::Then && Conditions > 0)
      --Conditions;
    emit(Kind, T);
    if (Kind == Tok::And || Kind == Tok::Or)
      countOperator(T);
  }

  /// Words that are keywords in their place only.
  Tok contextual(std::string_view Word) const {
    if (frame() == FrameKind::Reduce && Word == "in")
      return Out.size() >= 2 && Out[Out.size() - 2].Kind == Tok::LParen ? Tok::In : Tok::Name;
    if ((Word == "sum" || Word == "min" || Word == "max") && C.Raw[I + 1].Kind == Tok::LParen &&
        holdsReduction(C, I + 1))
      return Tok::Reduce;
    if (inner())
      return Tok::Name;
    if (Item.Length == 0)
      return Item.Kind;
    switch (Item.Kind) {
    case Tok::Rule:
      return Word == "on" && Item.Length >= 2 ? Tok::On : Tok::Name;
    case Tok::Fix:
      if (last() == Tok::Comma && Word == "nearest")
        return Tok::Nearest;
      return Word == "in" && !Item.Assigned ? Tok::In : Tok::Name;
    case Tok::Refuse:
      return Word == "unit" && Item.Length == 1 ? Tok::UnitKw : Tok::Name;
    case Tok::Derive:
      return Word == "when" && Item.Typed && !Item.Assigned ? Tok::When : Tok::Name;
    case Tok::Name:
      if (Word == "from" && last() != Tok::Assign &&
          (Item.Length == 2 || (Item.Length == 1 && ast::isCaseWord(C.text(Out.back())))))
        return Tok::From;
      return Item.Typed ? attribute(Word) : Tok::Name;
    default:
      return Tok::Name;
    }
  }
  Tok attribute(std::string_view Word) const {
    bool Place = endsOperand(last()) || last() == Tok::DotDot || last() == Tok::Attribute;
    if (!Place || !isAttributeWord(Word))
      return Tok::Name;
    return Word == "range" ? Tok::Range : Tok::Attribute;
  }

  // --- numbers

  /// `1,000` becomes one number, unless the comma may separate arguments. Reads on to its end.
  LexToken thousands(LexToken T) {
    size_t Last = inner() ? I : lastOfSpaced(C, I);
    bool Spaced = Last != I;
    if (!Spaced)
      Last = lastOfThousands(C, I);
    bool Arguments = inner() && frame() != FrameKind::Group && frame() != FrameKind::Reduce;
    // Nobody writes an argument with a zero before it.
    auto Zero = [&](size_t J) { return C.Text[C.Raw[J].Begin] == '0'; };
    bool Sure = !Arguments;
    for (size_t J = I + 2; J <= Last && !Spaced; J += 2)
      Sure |= Zero(J);
    if (Last == I || !Sure)
      return T;
    I = Last;
    T.End = C.Raw[I].End;
    T.Flags |= LexToken::Reported;
    if (!Dropping)
      reportThousands(C, {C.File, T.Begin, suffixBegin(C, C.Raw[I])}, !Arguments);
    return T;
  }
  void number(const LexToken &First, bool InType) {
    LexToken T = thousands(First);
    if (InType) {
      bool Inverse = C.text(T) == "1" && C.Raw[I + 1].Kind == Tok::Slash && C.Raw[I + 2].Kind == Tok::Ident;
      if (Inverse)
        return emitUnit(T.Begin, extendUnit(I, true), false);
      return emit(Tok::Number, T);
    }
    uint32_t Suffix = suffixBegin(C, C.Raw[I]);
    std::string_view Letters = C.Text.substr(Suffix, T.End - Suffix);
    if (!Letters.empty() && !magnitude(Letters) && isUnitName(Letters)) {
      emit(Tok::Number, T.Begin, Suffix, T.Flags);
      return emitUnit(Suffix, extendUnit(I, unitItem()), false);
    }
    const LexToken &Next = C.Raw[I + 1];
    bool Percent = Next.Kind == Tok::Percent && !startsOperand(C, I + 2, Item.Typed);
    if (Percent && (Next.Begin == T.End || C.Raw[I + 2].Kind != Tok::Minus)) {
      if (Next.Begin != T.End && !Dropping)
        reportSpacedPercent(C, T, Next);
      emit(Tok::Number, T.Begin, Next.End, Next.Begin == T.End ? T.Flags : T.Flags | LexToken::Reported);
      C.Raw[++I].Kind = Tok::Number;
      return;
    }
    emit(Tok::Number, T);
    size_t Unit = I + 1;
    while (isStray(C.Raw[Unit]))
      ++Unit;
    if (isUnitBehindNumber(Unit)) {
      uint32_t Begin = C.Raw[Unit].Begin;
      emitUnit(Begin, extendUnit(Unit, unitItem()), false);
    }
  }
  /// A character that was reported and is read over: a backtick, a blank from a web page.
  static bool isStray(const LexToken &T) { return T.Kind == Tok::Comment && (T.Flags & LexToken::Reported); }
  /// In the declaration of a unit the table may not know the units yet.
  bool unitItem() const { return Item.Kind == Tok::UnitKw; }

  bool isUnitBehindNumber(size_t J) const {
    if (C.Raw[J].Kind != Tok::Ident || isKey(J))
      return false;
    std::string_view Word = C.text(C.Raw[J]);
    if (isFactor(J, false))
      return true;
    if (reservedWord(Word) != Tok::Name || isParam(Word))
      return false;
    if (unitItem())
      return Word != "prefixes" && Word != "alias";
    if (Item.Typed && isAttributeWord(Word))
      return false;
    // No unit of that name is known, but nothing else can stand here: the checker says so.
    Tok After = C.Raw[J + 1].Kind;
    return After == Tok::Newline || After == Tok::Comment || After == Tok::End || After == Tok::Comma ||
           After == Tok::RBrace || After == Tok::RParen || After == Tok::RBracket || After == Tok::String ||
           isBinaryOperator(After);
  }

  TokenContext &C;
  const std::vector<MissingBracket> &Missing;
  size_t NextMissing = 0, I = 0;
  std::vector<LexToken> Out;
  std::vector<Frame> Frames;
  ItemState Item;
  const LexToken *Pending = nullptr; ///< a line break that may become a separator
  bool AfterComma = false;           ///< the last separator was a comma
  bool TypeNext = false;             ///< a type stands at the next token
  Tok Respelt = Tok::Name;           ///< the statement that the first word of the item was taken for
  bool Stopped = false;
  unsigned Nesting = 0, Prefixes = 0, Ifs = 0;
  unsigned Conditions = 0; ///< `if` without its `then` so far
  std::optional<Foreign> Dropping;
  Diagnostic Unsaid; ///< what would have been said about it
};

} // namespace

std::vector<LexToken> filterTokens(TokenContext &C, const std::vector<MissingBracket> &Missing) {
  return Filter(C, Missing).run();
}

} // namespace parlance::syntax
