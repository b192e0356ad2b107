// Text that a script makes out of pieces, each of which knows where it is written.
#pragma once
#include "Basic/Source.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::shell {

/// A part of an expanded word: known text, or a symbol for what the script alone does not tell.
struct Piece {
  static constexpr uint32_t NoSymbol = ~0u;

  std::string Text;           ///< of a symbol: as the script writes it ("$1", "$(hostname)")
  SourceRange Range;          ///< where the text is written; of a computed text: the expression
  uint32_t Symbol = NoSymbol; ///< index into ShellScript::Symbols; equal indices, equal values
  bool Verbatim = false;      ///< each byte of Text stands in Range, in order
  bool MaySplit = false;      ///< an unquoted symbol (or `$@`): it may be several words, or none

  bool isSymbol() const { return Symbol != NoSymbol; }
};

/// A sequence of pieces. Offsets count the bytes of known text, and one for each symbol.
class ShellText {
public:
  const std::vector<Piece> &pieces() const { return Pieces; }
  /// Joins the piece to the one before where both are written side by side.
  void append(Piece P);
  void append(const ShellText &Other);

  bool empty() const { return Pieces.empty(); }
  bool symbolic() const;
  /// Empty while symbols remain.
  std::optional<std::string> text() const;
  /// The text with each symbol as one NUL byte, which no script can contain.
  std::string flat() const;
  /// The text with each symbol as the script writes it, for messages.
  std::string shown() const;
  size_t size() const;
  /// What memory and time it costs to copy it.
  size_t weight() const;

  ShellText slice(size_t Begin, size_t End) const;
  /// Where the bytes [Begin, End) are written: exact while they come from one text, otherwise the smallest range around
  /// them, or nowhere if they come from several files.
  SourceRange range(size_t Begin, size_t End) const;
  SourceRange range() const;

  /// Whether both certainly stand for one text: same known bytes, same symbols.
  bool same(const ShellText &Other) const;

private:
  std::vector<Piece> Pieces;
  std::vector<uint32_t> Starts; ///< of each piece, so that slices of long texts are quick
};

} // namespace parlance::shell
