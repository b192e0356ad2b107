// What the formatter puts below each other on lines of one block.
#include "Syntax/Layout.h"
#include <algorithm>

namespace parlance::syntax {

namespace {

class Aligner {
public:
  Aligner(Pieces &P, const Widths &W) : All(P.All), Blocks(P.Blocks), W(W) {}

  void run() {
    for (const FormatBlock &B : Blocks) {
      alignRuns(B, [&](const FormatItem &X) { return assignment(X); });
      alignRuns(B, [&](const FormatItem &X) { return textOfClaim(X); });
    }
  }

private:
  /// What an item lines up with.
  enum class Kin : uint8_t { None, Field, Let, Assume, Claim };
  struct Cell {
    Kin Kind = Kin::None;
    size_t Anchor = NoPiece; ///< the piece that is moved, if there is one
  };

  bool sharesLine(size_t First, size_t Last) const {
    return std::none_of(All.begin() + static_cast<ptrdiff_t>(First) + 1, All.begin() + static_cast<ptrdiff_t>(Last) + 1,
                        [](const Piece &X) { return X.Breaks > 0 || X.SpansLines; });
  }

  /// The `=` of a field, `let` or `assume`, and the brace of a block on one line.
  Cell assignment(const FormatItem &X) const {
    Kin Kind = X.Kind == Tok::Let      ? Kin::Let
               : X.Kind == Tok::Assume ? Kin::Assume
               : isWord(X.Kind)        ? Kin::Field
                                       : Kin::None;
    if (Kind == Kin::None || X.First == X.Last)
      return {};
    const Piece &Second = All[X.First + 1];
    if (Kind == Kin::Field && Second.BlockBrace && sharesLine(X.First, X.Last))
      return {Kind, X.First + 1};
    if (X.Assign == NoPiece || (Kind == Kin::Field && Second.Kind != Tok::Assign) || !sharesLine(X.First, X.Assign))
      return {};
    const Piece &Value = All[X.Assign + 1];
    if (Value.SpansLines || Value.Kind == Tok::LBracket)
      return {};
    return {Kind, X.Assign};
  }
  static bool isWord(Tok K) { return K == Tok::Ident || K == Tok::Unit; }

  /// The text behind a condition on the same line.
  Cell textOfClaim(const FormatItem &X) const {
    if ((X.Kind != Tok::Require && X.Kind != Tok::Warn) || !sharesLine(X.First, X.Last))
      return {};
    return {Kin::Claim, X.Doc};
  }

  /// Whether item Y is on the line below item X.
  bool isBelow(const FormatItem &X, const FormatItem &Y) const {
    for (size_t I = X.Last + 1; I <= Y.First; ++I)
      if (All[I].Breaks > 1)
        return false;
    return All[Y.First].Breaks > 0;
  }
  bool isAlone(const FormatBlock &B, size_t I) const {
    bool Begins = All[B.Items[I].First].Breaks > 0 || (I == 0 && B.Open == NoPiece);
    return Begins && (I + 1 == B.Items.size() || All[B.Items[I + 1].First].Breaks > 0);
  }

  /// Moves the anchors of items on lines below each other to one column.
  template <typename CellOf> void alignRuns(const FormatBlock &B, CellOf CellAt) {
    Kin Kind = Kin::None;
    std::vector<std::pair<size_t, size_t>> Run; // anchors and the widths before them
    auto Flush = [&] {
      size_t Widest = 0;
      for (auto [Anchor, Width] : Run)
        Widest = std::max(Widest, Width);
      for (auto [Anchor, Width] : Run)
        All[Anchor].Pad = static_cast<uint32_t>(Widest - Width);
      Run.clear();
    };
    for (size_t I = 0; I < B.Items.size(); ++I) {
      const FormatItem &X = B.Items[I];
      Cell C = isAlone(B, I) ? CellAt(X) : Cell();
      if (C.Kind != Kind || I == 0 || !isBelow(B.Items[I - 1], X))
        Flush();
      Kind = C.Kind;
      if (Kind != Kin::None && C.Anchor != NoPiece)
        Run.emplace_back(C.Anchor, W.of(X.First, C.Anchor - 1));
    }
    Flush();
  }

  std::vector<Piece> &All;
  const std::vector<FormatBlock> &Blocks;
  const Widths &W;
};

} // namespace

void alignPieces(Pieces &P, const Widths &W) { Aligner(P, W).run(); }

} // namespace parlance::syntax
