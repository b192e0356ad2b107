// Indentation and trailing comments.
//
// Inside an item a line that goes on stands below the value. In brackets it stands one level deeper than what began the
// line that opens them, in parentheses that begin a line or value below what they hold. `then` and `else` stand below
// their `if`, and what goes on in one of its parts one level deeper.
#include "Syntax/Layout.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <utility>

namespace parlance::syntax {

namespace {

struct Line {
  std::string Code; ///< with its indentation; may span lines of the text
  std::string_view Comment;
  size_t Width = 0; ///< of the last line of the code
  uint32_t Depth = 0;
  bool BlankBefore = false;
  bool HasCode = false;
};

class Printer {
public:
  explicit Printer(const Pieces &P) : P(P), All(P.All) { Contexts.push_back({}); }

  std::vector<Line> run() {
    for (size_t I = 0; I < All.size(); ++I) {
      bool Begins = I == 0 || All[I].Breaks > 0;
      if (Begins)
        beginLine(I);
      if (All[I].Kind == Tok::Comment) {
        Lines.back().Comment = All[I].Text;
        continue;
      }
      if (!Begins) {
        write(P.followsItem(I) ? ", " : std::string(All[I].Space, ' '));
        write(std::string(All[I].Pad, ' '));
      }
      before(I);
      write(All[I].Text);
      Lines.back().HasCode = true;
      behind(I);
    }
    return std::move(Lines);
  }

private:
  /// A block or bracket that is open.
  struct Context {
    bool Block = true;
    bool InValue = false; ///< of a block: behind the `=` or the keyword of an item
    size_t Base = 0;      ///< where lines inside go on
    size_t Closer = 0;    ///< where its closing bracket stands if that begins a line
    size_t Ifs = 0;       ///< those around it
  };
  /// An `if` that is not over.
  struct If {
    enum { Condition, Then, Else } Part;
    size_t Base;
  };

  void write(std::string_view Text) {
    Lines.back().Code += Text;
    if (size_t Break = Text.rfind('\n'); Break != std::string_view::npos) {
      Lines.back().Width = 0;
      Text.remove_prefix(Break + 1);
    }
    Lines.back().Width += columns(Text);
  }
  size_t column() const { return Lines.back().Width; }
  uint32_t depth(size_t I) const { return P.Blocks[All[I].Block].Depth; }

  // --- indentation

  /// A comment stands where the code below it does, or what is in the bracket that ends below it.
  void beginLine(size_t I) {
    size_t Next = I;
    while (Next < All.size() && All[Next].Kind == Tok::Comment)
      ++Next;
    size_t Indent = Next == All.size() ? 0 : Next != I && closes(Next) ? inside(Next) : indentation(Next);
    bool Operator = Next == I && (All[I].Kind == Tok::Assign || isBinaryOperator(All[I].Kind));
    LineBegin = LineBase = Operator ? Indent + All[I].Text.size() + 1 : Indent;
    Lines.push_back({std::string(Indent, ' '), {}, Indent, depth(I), I > 0 && All[I].Breaks > 1, false});
  }
  bool closes(size_t I) const {
    Tok K = All[I].Kind;
    return K == Tok::RBrace || K == Tok::RParen || K == Tok::RBracket;
  }
  /// Where lines stand that end with closing bracket I.
  size_t inside(size_t I) const { return All[I].BlockBrace ? IndentWidth * (depth(I) + 1) : Contexts.back().Base; }
  size_t indentation(size_t I) const {
    const Piece &X = All[I];
    const Context &C = Contexts.back();
    size_t Item = IndentWidth * depth(I);
    if (X.ItemStart || X.BlockBrace)
      return Item;
    if (closes(I))
      return C.Closer;
    bool Header = C.Block && (!C.InValue || isText(I));
    return Header ? Item + IndentWidth : inExpression(X.Kind);
  }
  /// Whether a string is not a value but the text behind one.
  bool isText(size_t I) const {
    size_t Before = I - 1;
    while (Before > 0 && All[Before].Kind == Tok::Comment)
      --Before;
    return All[I].Kind == Tok::String && endsOperand(All[Before].Kind);
  }
  size_t inExpression(Tok K) const {
    const Context &C = Contexts.back();
    if (K == Tok::Then || K == Tok::Else)
      if (size_t Depth = ifOf(K); Depth > C.Ifs)
        return Ifs[Depth - 1].Base;
    return Ifs.size() > C.Ifs ? Ifs.back().Base + IndentWidth : C.Base;
  }
  /// How many `if`s are open including the one that `then` or `else` belongs to.
  size_t ifOf(Tok K) const {
    size_t Depth = Ifs.size();
    while (Depth > Contexts.back().Ifs && Ifs[Depth - 1].Part != (K == Tok::Then ? If::Condition : If::Then))
      --Depth;
    return Depth;
  }

  // --- what is open

  /// Before piece I is written: its column is that of the line's end.
  void before(size_t I) {
    Context &C = Contexts.back();
    switch (All[I].Kind) {
    case Tok::If:
      return beginIf(I);
    case Tok::Then:
    case Tok::Else:
      Ifs.resize(ifOf(All[I].Kind));
      if (Ifs.size() > C.Ifs)
        Ifs.back().Part = All[I].Kind == Tok::Then ? If::Then : If::Else;
      return;
    case Tok::Comma:
    case Tok::Colon:
      Ifs.resize(C.Ifs);
      return;
    case Tok::RBrace:
    case Tok::RParen:
    case Tok::RBracket:
      Ifs.resize(C.Ifs);
      if (Contexts.size() > 1)
        Contexts.pop_back();
      return;
    default:
      return;
    }
  }
  void beginIf(size_t I) {
    const Context &C = Contexts.back();
    // `else if` goes on with the `if` before.
    if (I > 0 && All[I - 1].Kind == Tok::Else && Ifs.size() > C.Ifs)
      Ifs.back().Part = If::Condition;
    else
      Ifs.push_back({If::Condition, column()});
  }

  void behind(size_t I) {
    const Piece &X = All[I];
    Context &C = Contexts.back();
    if (X.ItemStart) {
      C.InValue = false;
      Ifs.resize(C.Ifs);
    }
    bool Leads = X.ItemStart &&
                 (X.Kind == Tok::Require || X.Kind == Tok::Warn || X.Kind == Tok::Maximize || X.Kind == Tok::Minimize);
    if (C.Block && !C.InValue && (Leads || X.Kind == Tok::Assign)) {
      C.InValue = true;
      C.Base = LineBase = column() + 1;
    }
    if (X.Kind == Tok::LBrace || X.Kind == Tok::LParen || X.Kind == Tok::LBracket)
      open(I);
  }
  void open(size_t I) {
    const Piece &X = All[I];
    Context C;
    C.Block = X.BlockBrace;
    C.Ifs = Ifs.size();
    bool Hangs = I + 1 < All.size() && (All[I + 1].Breaks > 0 || All[I + 1].Kind == Tok::Comment);
    bool Leads = X.Kind == Tok::LParen && column() - 1 == LineBase;
    C.Closer = Hangs ? LineBegin : LineBase;
    C.Base = C.Closer + (Leads && !Hangs ? 1 : IndentWidth);
    Contexts.push_back(C);
  }

  const Pieces &P;
  const std::vector<Piece> &All;
  std::vector<Line> Lines;
  std::vector<Context> Contexts; ///< the first one is the file
  std::vector<If> Ifs;
  size_t LineBegin = 0; ///< column of the line's first token that is not an operator
  size_t LineBase = 0;  ///< column of the value on it, where there is one, else LineBegin
};

/// Puts the comments of lines of one block, without a blank line between them, into one column.
void alignComments(std::vector<Line> &Lines) {
  auto IsTrailing = [](const Line &L) { return L.HasCode && !L.Comment.empty(); };
  for (size_t I = 0; I < Lines.size();) {
    size_t End = I, Widest = 0;
    do {
      if (IsTrailing(Lines[End]))
        Widest = std::max(Widest, Lines[End].Width);
      ++End;
    } while (End < Lines.size() && !Lines[End].BlankBefore && Lines[End].Depth == Lines[I].Depth);
    for (; I < End; ++I)
      if (IsTrailing(Lines[I]))
        Lines[I].Code += std::string(Widest - Lines[I].Width + 2, ' ');
  }
}

} // namespace

std::string layOut(const Pieces &P, std::string_view LineBreak) {
  std::vector<Line> Lines = Printer(P).run();
  alignComments(Lines);
  std::string Out;
  for (const Line &L : Lines) {
    if (L.BlankBefore)
      Out += LineBreak;
    Out += L.Code;
    Out += L.Comment;
    Out += LineBreak;
  }
  return Out;
}

} // namespace parlance::syntax
