// What the formatter lays out: the tokens and comments of a text without its blanks, with what they are to each other.
// For Pieces.cpp, Layout.cpp and Format.cpp only.
#pragma once
#include "Syntax/Tokens.h"
#include <cstddef>

namespace parlance::syntax {

constexpr size_t NoPiece = SIZE_MAX;

struct Piece {
  Tok Kind; ///< as the filter left it: units and keywords are marked
  std::string_view Text;
  uint8_t Breaks = 0; ///< line breaks before it; 2: a blank line
  uint32_t Space = 0; ///< blanks before it where it does not begin a line
  bool ItemStart = false;
  bool BlockBrace = false; ///< `{` or `}` around items
  bool SpansLines = false; ///< a text in three quotes
  uint32_t Pad = 0;        ///< further blanks, so that it stands below others
  size_t Block = 0;        ///< index of the block that it stands in; braces are outside of theirs
};

struct FormatItem {
  size_t First, Last; ///< pieces
  Tok Kind;           ///< of its first piece: a keyword, or Ident
  size_t Assign = NoPiece;
  size_t Doc = NoPiece; ///< a text behind a value or type
};

struct FormatBlock {
  size_t Open = NoPiece, Close = NoPiece; ///< its braces; none for the file
  uint32_t Depth = 0;                     ///< blocks around what it holds
  std::vector<FormatItem> Items;
};

struct Pieces {
  std::vector<Piece> All;
  std::vector<FormatBlock> Blocks; ///< the file, then in the order of their opening braces

  /// Whether a comma parts piece I from the item before it, where both are on one line.
  bool followsItem(size_t I) const {
    return All[I].ItemStart && I > 0 && !(All[I - 1].BlockBrace && All[I - 1].Kind == Tok::LBrace);
  }
  /// The first piece behind I that begins a line; the number of pieces behind the last line.
  size_t lineEnd(size_t I) const {
    do
      ++I;
    while (I < All.size() && All[I].Breaks == 0);
    return I;
  }
};

/// Takes a text without syntax errors apart. Commas between items and before closing brackets are left out: an item
/// that begins no line and no block has a comma before it.
Pieces takeApart(TokenContext &C);

} // namespace parlance::syntax
