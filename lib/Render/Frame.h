// Source lines with marks under them, as text diagnostics show them, and their colours.
#pragma once
#include "Basic/Diagnostic.h"

namespace parlance {

enum class Style : uint8_t { None, Bold, Gutter, Error, Warning, Note, Hint, Label, Fix, Dim };
Style severityStyle(Severity S);
/// Wraps text in ANSI colours, or leaves it alone.
struct Painter {
  bool Color = false;
  std::string operator()(Style S, std::string_view Text) const;
};

/// A range to underline: `^` for the place of the diagnostic, `-` for the others.
struct Mark {
  uint32_t Begin = 0, End = 0; ///< byte offsets in the file
  std::string Text;
  bool Primary = false;
};

/// The part of one source line that is shown. Columns here are terminal columns: tabs are expanded, every other code
/// point takes one, and a long line is cut to a window around the focus.
class LineView {
public:
  static constexpr uint32_t MaxColumns = 160, TabWidth = 4;
  /// Offsets are bytes from the start of `Line`.
  LineView(std::string_view Line, uint32_t FocusBegin, uint32_t FocusEnd);
  std::string text() const;
  /// Column of a byte offset, clamped into the window.
  uint32_t column(size_t Offset) const;

private:
  void expand(std::string_view Slice);
  void cut(uint32_t FocusBegin, uint32_t FocusEnd);

  size_t SliceBegin = 0;
  bool CutLeft = false, CutRight = false;
  std::vector<std::string> Cells; ///< what each column shows
  std::vector<uint32_t> ColumnOf; ///< by byte offset within the slice, with one past the end
  uint32_t WindowBegin = 0, WindowEnd = 0;
};

/// Columns for line numbers in front of ` | `.
unsigned gutterWidth(uint32_t LargestLine);
/// The lines that carry marks, in order, each followed by its carets and their texts. A range over several lines is
/// marked on its first.
std::string renderFrame(const SourceFile &File, const std::vector<Mark> &Marks, unsigned GutterWidth, Style Primary,
                        Painter Paint);

} // namespace parlance
