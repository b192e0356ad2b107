// Pass 2 over the tokens: which brackets belong together. What is unbalanced is reported here and mended in the token
// stream, so that the parser never sees it. Where braces do not balance, indentation tells which one is to blame.
#include "Basic/Diagnostics.h"
#include "Syntax/Tokens.h"
#include <algorithm>

namespace parlance::syntax {

namespace {

char closerOf(char Open) { return Open == '{' ? '}' : Open == '(' ? ')' : ']'; }

class Balancer {
public:
  Balancer(TokenContext &C, bool UseIndent) : C(C), UseIndent(UseIndent), Swallowed(swallowedByString()) {}

  /// Walks the tokens. Returns whether the braces of blocks balance.
  bool run() {
    for (Index = 0; C.Raw[Index].Kind != Tok::End; ++Index) {
      const LexToken &T = C.Raw[Index];
      if (T.Kind == Tok::Newline) {
        AtLineStart = true;
        continue;
      }
      if (T.Kind == Tok::Comment)
        continue;
      if (AtLineStart)
        startLine();
      if (!step(T))
        break;
      AtLineStart = false;
      Last = Index;
    }
    closeRest();
    return Balanced;
  }
  unsigned surplusClosers() const { return StrayBraces; }
  void allowStrays(unsigned N) { Surplus = N; }

  /// Reports what was found and mends the token stream.
  std::vector<MissingBracket> finish() {
    for (const Problem &P : Problems)
      report(P);
    for (size_t I : Dropped)
      C.Raw[I].Flags |= LexToken::Dropped;
    if (Cut)
      C.Raw[*Cut].Flags |= LexToken::TooDeep; // the next pass says so, unless it stops before
    return std::move(Missing);
  }

private:
  struct Open {
    size_t At;
    char Char;
    bool Block;       ///< a brace around items, not one of `any { … }`
    uint32_t Indent;  ///< of its line
    bool Put = false; ///< in the place of a forgotten one; At is the word before it
  };
  enum class Wrong : uint8_t { Unclosed, Stray, Mismatch, Forgotten };
  struct Problem {
    Wrong W;
    size_t At, Other;
  };

  // --- lines

  /// How far into its line a token begins.
  uint32_t indentOf(size_t I) const {
    uint32_t Begin = C.Raw[I].Begin, LineStart = Begin;
    while (LineStart > 0 && C.Text[LineStart - 1] != '\n')
      --LineStart;
    return Begin - LineStart;
  }
  void startLine() {
    LineIndent = indentOf(Index);
    bool Inner = !Stack.empty() && !Stack.back().Block;
    bool Indented = UseIndent && !Stack.empty();
    if ((Inner || Indented) && C.Raw[Index].Kind == Tok::Ident && beginsItem(C, Index)) {
      closeInner(Last + 1);
      if (Indented)
        closeDeeperThanItem();
    }
    if (UseIndent && Surplus > 0 && (Stack.empty() || Stack.back().Block))
      if (size_t Behind = headWithoutBrace()) {
        --Surplus;
        Stack.push_back({Behind - 1, '{', true, LineIndent, true});
        Problems.push_back({Wrong::Forgotten, Behind - 1, 0});
        Missing.push_back({Behind, Tok::LBrace, false});
      }
  }
  /// Where the `{` of a block is forgotten: behind `KIND NAME` or `KIND NAME from NAME` at the beginning of a line, in
  /// a block behind `NAME`, when a field follows in it or, indented, in the next. 0 elsewhere.
  size_t headWithoutBrace() const {
    auto IsWord = [&](size_t I) { return C.Raw[I].Kind == Tok::Ident; };
    std::string_view First = C.text(C.Raw[Index]);
    if (!IsWord(Index) || reservedWord(First) != Tok::Name || itemWord(First) != Tok::Name)
      return 0;
    size_t Behind = Index + 1;
    if (Stack.empty() && !IsWord(Behind++))
      return 0;
    if (IsWord(Behind) && C.text(C.Raw[Behind]) == "from" && IsWord(Behind + 1))
      Behind += 2;
    size_t Field = C.next(Behind - 1);
    bool SameLine = Field == Behind;
    bool Deeper = !SameLine && indentOf(Field) > LineIndent;
    return (SameLine || Deeper) && IsWord(Field) && beginsItem(C, Field) ? Behind : 0;
  }
  /// An item that stands no deeper than the line of an open brace cannot be in that block. Files without any
  /// indentation are spared, unless the item is one that stands at file level.
  void closeDeeperThanItem() {
    bool Header = C.kindAfter(Index) == Tok::Ident || isReserved(reservedWord(C.text(C.Raw[Index])));
    while (!Stack.empty() && Stack.back().Block && Stack.back().Indent >= LineIndent && (LineIndent > 0 || Header))
      closeBlock(Last + 1);
  }

  // --- brackets

  bool step(const LexToken &T) {
    switch (T.Kind) {
    case Tok::LBrace:
      return open('{', Index == 0 || !isAny(Last));
    case Tok::LParen:
      return open('(', false);
    case Tok::LBracket:
      return open('[', false);
    case Tok::RParen:
      return close(')'), true;
    case Tok::RBracket:
      return close(']'), true;
    case Tok::RBrace:
      return closeBrace(), true;
    case Tok::Arrow:
      if (!Stack.empty() && !Stack.back().Block)
        closeInner(Index, false);
      return true;
    case Tok::Comma:
      if (!Stack.empty() && !Stack.back().Block && beginsField(C.next(Index)) && !closedOnLine())
        closeInner(Index);
      return true;
    default:
      return true;
    }
  }
  bool isAny(size_t I) const { return C.Raw[I].Kind == Tok::Ident && C.text(C.Raw[I]) == "any"; }
  bool beginsField(size_t I) const { return C.Raw[I].Kind == Tok::Ident && C.kindAfter(I) == Tok::Assign; }

  /// Whether the innermost bracket is closed further on in this line (looked for within reason).
  bool closedOnLine() const {
    int Depth = 1;
    for (size_t I = Index; I < Index + 1000 && C.Raw[I].Kind != Tok::Newline && C.Raw[I].Kind != Tok::End; ++I) {
      Tok K = C.Raw[I].Kind;
      Depth += K == Tok::LParen || K == Tok::LBracket || K == Tok::LBrace;
      Depth -= K == Tok::RParen || K == Tok::RBracket || K == Tok::RBrace;
      if (Depth == 0)
        return closerOf(Stack.back().Char) == C.Text[C.Raw[I].Begin];
    }
    return false;
  }

  bool open(char Char, bool Block) {
    if (Stack.size() >= MaxNesting) {
      Cut = Index;
      return false;
    }
    Stack.push_back({Index, Char, Block, LineIndent});
    return true;
  }
  void push(size_t Before, char Open, bool Block, bool Broken) {
    Tok Kind = Open == '(' ? Tok::RParen : Open == '[' ? Tok::RBracket : Block ? Tok::RBrace : Tok::RSet;
    Missing.push_back({Before, Kind, Broken});
  }
  /// Closes all brackets up to the innermost block; one error, at the innermost bracket.
  void closeInner(size_t Before, bool Broken = true) {
    bool First = true;
    while (!Stack.empty() && !Stack.back().Block) {
      if (First)
        Problems.push_back({Wrong::Unclosed, Stack.back().At, 0});
      push(Before, Stack.back().Char, false, Broken && First);
      First = false;
      ++Guessed;
      Stack.pop_back();
    }
  }
  void closeBlock(size_t Before) {
    if (!Swallowed && !Stack.back().Put)
      Problems.push_back({Wrong::Unclosed, Stack.back().At, 0});
    push(Before, '{', true, false);
    Stack.pop_back();
    Balanced = false;
  }
  void drop() {
    bool Known = C.Raw[Index].Kind != Tok::RBrace && Guessed > 0;
    Guessed -= Known;
    // Several stray closers side by side are one mistake.
    if (Known)
      ; // its opener was reported as unclosed
    else if (Dropped.empty() || C.next(Dropped.back()) != Index)
      Problems.push_back({Wrong::Stray, Index, 0});
    Dropped.push_back(Index);
  }

  /// `)` or `]`.
  void close(char Char) {
    if (!Stack.empty() && Stack.back().Block && closesBlock())
      return mismatch();
    if (Stack.empty() || Stack.back().Block)
      return drop();
    if (closerOf(Stack.back().Char) == Char) {
      Stack.pop_back();
      return;
    }
    size_t Depth = Stack.size();
    while (Depth > 0 && !Stack[Depth - 1].Block && closerOf(Stack[Depth - 1].Char) != Char)
      --Depth;
    if (Depth == 0 || Stack[Depth - 1].Block)
      return mismatch();
    Problems.push_back({Wrong::Unclosed, Stack.back().At, 0});
    for (bool First = true; Stack.size() > Depth; First = false) {
      push(Index, Stack.back().Char, false, First);
      Stack.pop_back();
    }
    Stack.pop_back();
  }
  /// Whether a `)` or `]` stands where the innermost block, whose brace nothing closes, should end: on the line of its
  /// `{`, or alone and indented like it.
  bool closesBlock() const {
    if (!UseIndent || Guessed > 0 || Stack.back().Put)
      return false;
    size_t Line = C.Text.find('\n', C.Raw[Stack.back().At].Begin);
    bool SameLine = Line == std::string_view::npos || C.Raw[Index].Begin < Line;
    return SameLine ? !closedOnLine() : AtLineStart && LineIndent == Stack.back().Indent;
  }
  /// The wrong kind of closer for the innermost bracket: it is taken for the right one.
  void mismatch() {
    Problems.push_back({Wrong::Mismatch, Index, Stack.back().At});
    push(Index, Stack.back().Char, Stack.back().Block, false);
    Dropped.push_back(Index);
    Stack.pop_back();
  }
  void closeBrace() {
    if (!Stack.empty() && !Stack.back().Block && Stack.back().Char == '{') {
      Stack.pop_back();
      return;
    }
    bool HasBrace = std::ranges::any_of(Stack, [](const Open &O) { return O.Char == '{'; });
    if (!HasBrace) {
      if (!Stack.empty())
        return mismatch();
      ++StrayBraces;
      Balanced = false;
      return drop();
    }
    while (Stack.back().Char != '{')
      closeNonBrace();
    if (!Stack.back().Block) {
      Stack.pop_back();
      return;
    }
    if (UseIndent && (AtLineStart ? judgeByIndent() : closesTooMuch()))
      return;
    Stack.pop_back();
  }
  void closeNonBrace() {
    Problems.push_back({Wrong::Unclosed, Stack.back().At, 0});
    push(Last + 1, Stack.back().Char, false, true);
    Stack.pop_back();
    // The rest of the run is the same mistake.
    while (Stack.back().Char != '{') {
      push(Last + 1, Stack.back().Char, false, false);
      Stack.pop_back();
    }
  }
  /// The second brace of `batch { … } }` while the block around goes on. Returns whether it was used up.
  bool closesTooMuch() {
    size_t Next = C.next(Index);
    if (Surplus == 0 || LineIndent <= Stack.back().Indent || C.Raw[Next].Kind != Tok::Ident ||
        indentOf(Next) <= Stack.back().Indent)
      return false;
    --Surplus;
    drop();
    return true;
  }
  /// A `}` alone on its line closes the block whose line is indented like it. Returns whether it was used up.
  bool judgeByIndent() {
    if (Surplus > 0 && LineIndent > Stack.back().Indent) {
      --Surplus;
      drop();
      return true;
    }
    bool Lower =
        std::any_of(Stack.begin(), Stack.end() - 1, [&](const Open &O) { return O.Block && O.Indent == LineIndent; });
    while (Lower && Stack.back().Block && Stack.back().Indent > LineIndent)
      closeBlock(Last + 1);
    return false;
  }

  void closeRest() {
    if (Cut)
      return;
    bool Report = !Swallowed && !endsAbruptly();
    for (bool First = true; !Stack.empty(); First = false) {
      const Open &O = Stack.back();
      Balanced &= !O.Block;
      if (First && Report && !O.Put)
        Problems.push_back({Wrong::Unclosed, O.At, 0});
      push(Index, O.Char, O.Block, First && !O.Block);
      Stack.pop_back();
    }
  }
  /// Whether the text ends within a value, which is reported there: it is cut off, and so are its brackets.
  bool endsAbruptly() const {
    const LexToken &T = C.Raw[Last];
    bool Blocks = std::ranges::all_of(Stack, &Open::Block);
    return Blocks && ((T.Flags & LexToken::Open) || isBinaryOperator(T.Kind) || T.Kind == Tok::Assign);
  }
  /// Whether a string that is not closed, already reported, may have eaten the closing bracket.
  bool swallowedByString() const {
    return std::ranges::any_of(C.Raw, [&](const LexToken &T) {
      return (T.Flags & LexToken::Open) && C.text(T).find_first_of("})]") != std::string_view::npos;
    });
  }

  void report(const Problem &P) {
    LexToken &T = C.Raw[P.At];
    std::string_view Text = C.text(T).substr(0, 1);
    switch (P.W) {
    case Wrong::Forgotten: {
      SourceRange Behind{C.File, T.End, T.End};
      Diagnostic &D = C.Diags.report(diag::MissingToken, Behind, "`{`", fmt::format("`{}`", C.text(T)), "");
      D.Fixes.push_back({"write it", Applicability::Machine, {{Behind, " {"}}, {}});
      return;
    }
    case Wrong::Unclosed:
      T.Flags |= LexToken::Reported;
      C.Diags.report(diag::UnclosedBracket, C.range(T), Text).CaretText =
          fmt::format("no `{}` for it", closerOf(Text[0]));
      return;
    case Wrong::Stray: {
      Diagnostic &D = C.Diags.report(diag::StrayCloser, C.range(T), Text);
      D.Fixes.push_back({"leave it out", Applicability::Maybe, {{C.range(T), ""}}, {}});
      return;
    }
    case Wrong::Mismatch: {
      const LexToken &Opener = C.Raw[P.Other];
      Diagnostic &D = C.Diags.report(diag::MismatchedBracket, C.range(T), Text, C.text(Opener));
      D.Labels.push_back({C.range(Opener), "opened here"});
      std::string Right(1, closerOf(C.Text[Opener.Begin]));
      D.Fixes.push_back({fmt::format("`{}`", Right), Applicability::Maybe, {{C.range(T), Right}}, {}});
      return;
    }
    }
  }

  TokenContext &C;
  bool UseIndent;
  bool Swallowed; ///< an open string may hold the missing bracket
  size_t Index = 0;
  size_t Last = 0; ///< the last token that is not a line break or a comment
  bool AtLineStart = true;
  bool Balanced = true;
  uint32_t LineIndent = 0;
  unsigned StrayBraces = 0, Surplus = 0;
  unsigned Guessed = 0; ///< brackets closed before their own closer was seen
  std::vector<Open> Stack;
  std::vector<Problem> Problems;
  std::vector<size_t> Dropped;
  std::vector<MissingBracket> Missing;
  std::optional<size_t> Cut;
};

} // namespace

std::vector<MissingBracket> balanceBrackets(TokenContext &C) {
  Balancer Plain(C, false);
  if (Plain.run())
    return Plain.finish();
  Balancer ByIndent(C, true);
  ByIndent.allowStrays(Plain.surplusClosers());
  ByIndent.run();
  return ByIndent.finish();
}

} // namespace parlance::syntax
