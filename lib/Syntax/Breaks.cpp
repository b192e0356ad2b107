// Where the formatter breaks lines. It keeps those of the author, but a block is either on one line or has its braces
// at the ends of lines, and what is too long for one line is opened up.
#include "Basic/Utf8.h"
#include "Syntax/Layout.h"
#include <algorithm>

namespace parlance::syntax {

Widths::Widths(const Pieces &P) {
  size_t At = 0;
  for (size_t I = 0; I < P.All.size(); ++I) {
    const Piece &X = P.All[I];
    Begins.push_back(At += P.followsItem(I) ? 2 : X.Space);
    Ends.push_back(At += columns(X.Text));
  }
}

namespace {

class Breaker {
public:
  Breaker(Pieces &P, const Widths &W) : P(P), All(P.All), W(W) {}

  void run() {
    countBreaks();
    placeBraces();
    separateItems();
    for (size_t I = 0; I < All.size();)
      if (!openLine(I))
        I = P.lineEnd(I);
  }

private:
  static void atLeast(Piece &X, uint8_t Breaks) { X.Breaks = std::max(X.Breaks, Breaks); }
  static void atMost(Piece &X, uint8_t Breaks) { X.Breaks = std::min(X.Breaks, Breaks); }

  /// How many line breaks the text has up to each piece, those inside of texts included.
  void countBreaks() {
    Until.reserve(All.size());
    uint32_t Count = 0;
    for (const Piece &X : All)
      Until.push_back(Count += (X.Breaks > 0) + X.SpansLines);
  }
  bool spansLines(size_t First, size_t Last) const { return All[First].SpansLines || Until[First] != Until[Last]; }

  void placeBraces() {
    for (const FormatBlock &B : P.Blocks) {
      if (B.Open == NoPiece)
        continue;
      if (All[B.Open - 1].Kind != Tok::Comment)
        All[B.Open].Breaks = 0;
      if (!spansLines(B.Open, B.Close))
        continue;
      if (All[B.Open + 1].Kind != Tok::Comment)
        atLeast(All[B.Open + 1], 1);
      atLeast(All[B.Close], 1);
      atMost(All[B.Open + 1], 1);
      atMost(All[B.Close], 1);
    }
  }
  /// What takes several lines shares none of them with the items around it.
  void separateItems() {
    for (const FormatBlock &B : P.Blocks)
      for (size_t I = 1; I < B.Items.size(); ++I) {
        const FormatItem &X = B.Items[I - 1], &Y = B.Items[I];
        if (spansLines(X.First, X.Last) || spansLines(Y.First, Y.Last))
          atLeast(All[Y.First], 1);
      }
  }

  size_t indentation(size_t I) const {
    const Piece &X = All[I];
    bool Continues = !X.ItemStart && !X.BlockBrace;
    return IndentWidth * (P.Blocks[X.Block].Depth + Continues);
  }
  /// Breaks the line that begins with piece First if it is too long and can be broken: between the items on it, else
  /// inside its first block.
  bool openLine(size_t First) {
    size_t End = P.lineEnd(First);
    if (All[End - 1].Kind == Tok::Comment)
      --End;
    if (End == First)
      return false;
    if (indentation(First) + W.of(First, End - 1) <= LineWidth || spansText(First, End))
      return false;
    bool Broken = false;
    for (size_t I = First + 1; I < End; ++I)
      if (All[I].ItemStart && P.Blocks[All[I].Block].Open < First) {
        All[I].Breaks = 1;
        Broken = true;
      }
    return Broken || openBlock(First, End);
  }
  bool spansText(size_t First, size_t End) const {
    return std::any_of(All.begin() + static_cast<ptrdiff_t>(First), All.begin() + static_cast<ptrdiff_t>(End),
                       [](const Piece &X) { return X.SpansLines; });
  }
  bool openBlock(size_t First, size_t End) {
    for (size_t I = First; I < End; ++I) {
      bool Opens = All[I].BlockBrace && All[I].Kind == Tok::LBrace;
      if (!Opens || All[I + 1].BlockBrace) // `{ }`
        continue;
      size_t Close = P.Blocks[All[I + 1].Block].Close;
      if (Close >= End) // open already
        continue;
      All[I + 1].Breaks = All[Close].Breaks = 1;
      return true;
    }
    return false;
  }

  Pieces &P;
  std::vector<Piece> &All;
  const Widths &W;
  std::vector<uint32_t> Until;
};

} // namespace

void breakLines(Pieces &P, const Widths &W) { Breaker(P, W).run(); }

} // namespace parlance::syntax
