// A text that is read as commands: the script itself, or a string that it has read again.
#pragma once
#include "Frameworks/Shell/ShellText.h"
#include "Frameworks/Shell/Tree.h"
#include <algorithm>

namespace parlance::shell {

class Unit {
public:
  explicit Unit(ShellText Of) : Content(std::move(Of)), Flat(Content.flat()) {}

  /// The text that is scanned; a symbol is one NUL byte in it.
  std::string_view text() const { return Flat; }
  ShellText slice(Span At) const { return Content.slice(At.Begin, At.End); }
  SourceRange range(Span At) const { return Content.range(At.Begin, At.End); }
  /// Where a word stands; of one that is put together of several texts, the last of them.
  SourceRange place(Span At) const {
    ShellText Word = Content.slice(At.Begin, At.End);
    return Word.pieces().size() > 1 ? Word.pieces().back().Range : range(At);
  }

  List Commands; ///< what was read of it

private:
  ShellText Content;
  std::string Flat;
};

} // namespace parlance::shell
