#include "Syntax/Pieces.h"
#include <algorithm>
#include <utility>

namespace parlance::syntax {

namespace {

class Builder {
public:
  explicit Builder(TokenContext &C) : C(C), Filtered(filterTokens(C, balanceBrackets(C))) {
    Out.Blocks.emplace_back();
    Frames.push_back({0, true});
  }

  Pieces run() {
    for (const LexToken &T : C.Raw) {
      if (T.Kind == Tok::End)
        break;
      if (T.Kind == Tok::Newline)
        Breaks += Breaks < 2;
      else if (T.Kind == Tok::Comment)
        comment(T);
      else
        token(T);
    }
    return std::move(Out);
  }

private:
  struct Frame {
    size_t Block; ///< index; of a bracket, that of the block around it
    bool IsBlock; ///< holds items
    bool InItem = false;
  };

  static std::string_view withoutTrailingBlanks(std::string_view Text) {
    return Text.substr(0, Text.find_last_not_of(" \t\r\f\v") + 1);
  }
  Piece &add(Tok Kind, std::string_view Text) {
    Piece &P = Out.All.emplace_back(Piece{Kind, Text});
    P.Breaks = std::exchange(Breaks, 0);
    P.Block = Frames.back().Block;
    return P;
  }
  void comment(const LexToken &T) { add(Tok::Comment, withoutTrailingBlanks(C.text(T))).Space = 2; }

  /// Goes on to the filtered token that covers T or lies behind it.
  void follow(const LexToken &T) {
    for (; NextFiltered < Filtered.size(); ++NextFiltered) {
      const LexToken &F = Filtered[NextFiltered];
      if (F.Kind == Tok::Sep ? F.Begin > T.Begin : F.End > T.Begin)
        return;
      if (F.Kind == Tok::Sep)
        Frames.back().InItem = false;
    }
  }
  /// Whether the parser sees T, whole or in part.
  bool isSeen(const LexToken &T) const {
    return NextFiltered < Filtered.size() && Filtered[NextFiltered].Begin <= T.Begin &&
           Filtered[NextFiltered].Kind != Tok::Sep;
  }
  bool isInUnit(const LexToken &T) const { return isSeen(T) && Filtered[NextFiltered].Kind == Tok::UnitExpr; }
  /// `80GB` is a number and the beginning of a unit.
  bool endsInUnit(const LexToken &T) const {
    size_t Next = NextFiltered + 1;
    return Next < Filtered.size() && Filtered[Next].Kind == Tok::UnitExpr && Filtered[Next].Begin < T.End;
  }

  void token(const LexToken &T) {
    follow(T);
    // Between items, or before a closing bracket.
    if (T.Kind == Tok::Comma && !isSeen(T))
      return;
    bool InUnit = isInUnit(T);
    Piece &P = add(T.Kind, C.text(T));
    P.SpansLines = P.Text.find('\n') != std::string_view::npos;
    bool Closes = T.Kind == Tok::RBrace || T.Kind == Tok::RParen || T.Kind == Tok::RBracket;
    if (Closes)
      close(P);
    else if (Frames.back().IsBlock && !Frames.back().InItem)
      startItem(P);
    size_t Index = Out.All.size() - 1;
    P.Space = P.ItemStart ? 1 : inTable(P.Kind) ? std::max<uint32_t>(1, blanksBefore(T)) : spaceBefore(P, T, InUnit);
    noteParts(P, Index);
    if (T.Kind == Tok::LBrace || T.Kind == Tok::LParen || T.Kind == Tok::LBracket)
      open(P, Index);
    Before = {T.Kind, T.End, InUnit || endsInUnit(T), T.Kind == Tok::Minus && !endsOperand(Before.Kind)};
  }

  void startItem(Piece &P) {
    P.ItemStart = true;
    Frames.back().InItem = true;
    size_t Index = Out.All.size() - 1;
    items().push_back({Index, Index, P.Kind});
  }
  void open(Piece &P, size_t Index) {
    bool Block = P.Kind == Tok::LBrace && Before.Kind != Tok::Any;
    P.BlockBrace = Block;
    Frames.push_back({Frames.back().Block, Block});
    if (!Block)
      return;
    uint32_t Depth = Out.Blocks[Frames.back().Block].Depth + 1;
    Frames.back().Block = Out.Blocks.size();
    Out.Blocks.push_back({Index, NoPiece, Depth, {}});
  }
  void close(Piece &P) {
    if (Frames.back().IsBlock) {
      Out.Blocks[Frames.back().Block].Close = Out.All.size() - 1;
      P.BlockBrace = true;
    }
    Frames.pop_back();
    P.Block = Frames.back().Block;
  }

  std::vector<FormatItem> &items() { return Out.Blocks[Frames.back().Block].Items; }
  /// What the item around a piece learns of it.
  void noteParts(const Piece &P, size_t Index) {
    if (items().empty())
      return;
    FormatItem &Item = items().back();
    Item.Last = Index;
    if (!Frames.back().IsBlock)
      return;
    if (P.Kind == Tok::Assign && Item.Assign == NoPiece)
      Item.Assign = Index;
    if (P.Kind == Tok::String && Item.Doc == NoPiece && endsOperand(Before.Kind))
      Item.Doc = Index;
  }

  /// Fields of schemas and `derive`s on one line are laid out as tables by hand, in the library alone: their columns
  /// stay.
  bool inTable(Tok K) {
    if (!Frames.back().IsBlock || (itemKind() != Tok::Derive && !isSchemaField()))
      return false;
    bool Text = K == Tok::String && endsOperand(Before.Kind);
    return Text || (K == Tok::Assign && Before.Kind == Tok::String) || K == Tok::Attribute || K == Tok::Range;
  }
  bool isSchemaField() {
    size_t Second = items().empty() ? NoPiece : items().back().First + 1;
    return Second < Out.All.size() && Out.All[Second].Kind == Tok::Colon && isWord(items().back().Kind);
  }
  static bool isWord(Tok K) { return K == Tok::Unit || K == Tok::Ident; }
  /// How many blanks stand before T, none where they are not plain spaces.
  uint32_t blanksBefore(const LexToken &T) const {
    std::string_view Blanks = C.Text.substr(Before.End, T.Begin - Before.End);
    bool Plain = Blanks.find_first_not_of(' ') == std::string_view::npos;
    return Plain ? static_cast<uint32_t>(Blanks.size()) : 0;
  }

  Tok itemKind() { return items().empty() ? Tok::End : items().back().Kind; }
  /// Blanks between the token before and T.
  uint32_t spaceBefore(const Piece &P, const LexToken &T, bool InUnit) {
    Tok Left = Before.Kind;
    if (InUnit && Before.InUnit)
      return isWord(T.Kind) && (isWord(Left) || Left == Tok::Number);
    if (Left == Tok::LParen || Left == Tok::LBracket || Before.Sign)
      return 0;
    switch (T.Kind) {
    case Tok::Comma:
    case Tok::RParen:
    case Tok::RBracket:
      return 0;
    case Tok::Colon:
      return itemKind() == Tok::UnitKw;
    case Tok::Dot:
      return Left == Tok::Number; // `3.x` would be a number
    case Tok::DotDot:
      return 0;
    case Tok::LParen:
      return !endsOperand(Left) && Left != Tok::Reduce && Left != Tok::DotDot;
    case Tok::Slash:
      return !isPath();
    case Tok::Number:
      if (P.Text == "%") // of `95%`
        return 0;
      break;
    case Tok::String:
      if (isTextOfClaim())
        return 2;
      break;
    default:
      break;
    }
    if (Left == Tok::DotDot)
      return T.Kind == Tok::Attribute || T.Kind == Tok::Range || T.Kind == Tok::String || T.Kind == Tok::RBrace;
    return Left != Tok::Dot && !(Left == Tok::Slash && isPath());
  }
  /// In `use std/hardware` and `refuse unit b "…" GB/s`.
  bool isPath() { return itemKind() == Tok::Use || itemKind() == Tok::Refuse; }
  bool isTextOfClaim() {
    Tok K = itemKind();
    return Frames.back().IsBlock && endsOperand(Before.Kind) && (K == Tok::Require || K == Tok::Warn || K == Tok::Enum);
  }

  TokenContext &C;
  std::vector<LexToken> Filtered;
  size_t NextFiltered = 0;
  Pieces Out;
  std::vector<Frame> Frames;
  uint8_t Breaks = 0;
  struct {
    Tok Kind = Tok::End;
    uint32_t End = 0;
    bool InUnit = false;
    bool Sign = false; ///< a minus before its operand
  } Before;            ///< the token before
};

} // namespace

Pieces takeApart(TokenContext &C) { return Builder(C).run(); }

} // namespace parlance::syntax
