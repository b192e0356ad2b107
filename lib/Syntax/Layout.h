// Where the pieces of a text stand. For Layout.cpp, Breaks.cpp and Format.cpp only.
#pragma once
#include "Syntax/Pieces.h"
#include <string>

namespace parlance::syntax {

/// Columns that lines should stay within.
inline constexpr size_t LineWidth = 120;
/// Blanks of one level of nesting.
inline constexpr size_t IndentWidth = 2;

/// Widths of pieces on one line, without padding.
class Widths {
public:
  explicit Widths(const Pieces &P);
  /// From piece First to piece Last, both included, without the blank before First.
  size_t of(size_t First, size_t Last) const { return Ends[Last] - Begins[First]; }

private:
  std::vector<size_t> Begins, Ends; ///< as if the whole text were one line
};

/// Decides which pieces begin a line (Breaks.cpp).
void breakLines(Pieces &P, const Widths &W);
/// Pads pieces so that they stand below each other (Align.cpp).
void alignPieces(Pieces &P, const Widths &W);
/// Indents lines and aligns comments. Every line ends in LineBreak.
std::string layOut(const Pieces &P, std::string_view LineBreak);

} // namespace parlance::syntax
