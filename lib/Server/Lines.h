// Positions as the protocol counts them: lines end with LF, CR LF or CR, columns are UTF-16 units.
#pragma once
#include "Basic/Source.h"
#include "llvm/Support/LSP/Protocol.h"

namespace parlance::server {

namespace lsp = llvm::lsp;

/// The lines of one text, which has to outlive the table. Any bytes may be in it: one that belongs to no code point
/// counts as one unit.
class LineTable {
public:
  LineTable() : LineTable("") {}
  /// With `MarkDropped`, the text lacks the byte order mark that the editor's first line begins with.
  explicit LineTable(std::string_view Text, bool MarkDropped = false);
  /// The position of a byte; of its code point, where it is inside one.
  lsp::Position position(uint32_t Offset) const;
  lsp::Range range(uint32_t Begin, uint32_t End) const { return {position(Begin), position(End)}; }
  /// The byte at a position: the end of the line where it is beyond, the end of the text where there is no such line,
  /// the beginning of the code point where it is inside one.
  uint32_t offset(lsp::Position At) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(Starts.size()); }
  /// Where a line begins, counted from 0; the end of the text past the last one.
  uint32_t lineStart(uint32_t Line) const {
    return Line < Starts.size() ? Starts[Line] : static_cast<uint32_t>(Text.size());
  }

private:
  std::string_view line(uint32_t Line) const;
  std::string_view Text;
  std::vector<uint32_t> Starts;
  bool MarkDropped;
};

/// Replaces a range of a text, as an editor tells it. Without a range the whole text.
void applyChange(std::string &Text, const lsp::TextDocumentContentChangeEvent &Change);

/// A text that JSON can hold: broken UTF-8 is replaced.
std::string validUtf8(std::string_view Text);

} // namespace parlance::server
