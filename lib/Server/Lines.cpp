#include "Server/Lines.h"
#include "Basic/Utf8.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

namespace parlance::server {

LineTable::LineTable(std::string_view Text, bool MarkDropped) : Text(Text), MarkDropped(MarkDropped) {
  Starts.push_back(0);
  for (size_t I = Text.find_first_of("\r\n"); I != std::string_view::npos; I = Text.find_first_of("\r\n", I + 1)) {
    if (Text[I] == '\r' && I + 1 < Text.size() && Text[I + 1] == '\n')
      ++I;
    Starts.push_back(static_cast<uint32_t>(I + 1));
  }
}

/// A line without its line break.
std::string_view LineTable::line(uint32_t Line) const {
  std::string_view Content = Text.substr(Starts[Line], lineStart(Line + 1) - Starts[Line]);
  if (Content.ends_with('\n'))
    Content.remove_suffix(1);
  if (Content.ends_with('\r'))
    Content.remove_suffix(1);
  return Content;
}

static unsigned units(CodePoint Point) { return Point.Valid && Point.Value > 0xFFFF ? 2 : 1; }

lsp::Position LineTable::position(uint32_t Offset) const {
  const auto After = std::ranges::upper_bound(Starts, Offset);
  const auto Line = static_cast<uint32_t>(After - Starts.begin()) - 1;
  const std::string_view Content = line(Line);
  const size_t Wanted = std::min<size_t>(Offset - Starts[Line], Content.size());
  int Column = Line == 0 && MarkDropped;
  for (size_t I = 0; I < Wanted;) {
    const CodePoint Point = decodeUtf8(Content, I);
    if (I + Point.Length > Wanted)
      break;
    Column += static_cast<int>(units(Point));
    I += Point.Length;
  }
  return {static_cast<int>(Line), Column};
}

uint32_t LineTable::offset(lsp::Position At) const {
  if (At.line < 0)
    return 0;
  if (static_cast<size_t>(At.line) >= Starts.size())
    return static_cast<uint32_t>(Text.size());
  const auto Line = static_cast<uint32_t>(At.line);
  const std::string_view Content = line(Line);
  int Left = At.character - (Line == 0 && MarkDropped);
  size_t I = 0;
  while (I < Content.size()) {
    const CodePoint Point = decodeUtf8(Content, I);
    Left -= static_cast<int>(units(Point));
    if (Left < 0)
      break;
    I += Point.Length;
  }
  return Starts[Line] + static_cast<uint32_t>(I);
}

void applyChange(std::string &Text, const lsp::TextDocumentContentChangeEvent &Change) {
  if (!Change.range) {
    Text = Change.text;
    return;
  }
  const LineTable Lines(Text);
  uint32_t Begin = Lines.offset(Change.range->start), End = Lines.offset(Change.range->end);
  if (End < Begin)
    std::swap(Begin, End);
  Text.replace(Begin, End - Begin, Change.text);
}

std::string validUtf8(std::string_view Text) {
  return llvm::json::isUTF8(Text) ? std::string(Text) : llvm::json::fixUTF8(Text);
}

} // namespace parlance::server
