#include "Render/Frame.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <map>

using namespace parlance;

Style parlance::severityStyle(Severity S) {
  switch (S) {
  case Severity::Error:
    return Style::Error;
  case Severity::Warning:
    return Style::Warning;
  case Severity::Note:
    return Style::Note;
  case Severity::Hint:
    return Style::Hint;
  }
  return Style::None;
}

std::string Painter::operator()(Style S, std::string_view Text) const {
  constexpr std::string_view Codes[] = {"", "1", "34", "1;31", "1;33", "1;36", "1;32", "36", "32", "2"};
  if (!Color || S == Style::None || Text.empty())
    return std::string(Text);
  return fmt::format("\x1b[{}m{}\x1b[0m", Codes[static_cast<unsigned>(S)], Text);
}

LineView::LineView(std::string_view Line, uint32_t FocusBegin, uint32_t FocusEnd) {
  // A line of megabytes is not walked from its start: what lies far from the focus is cut away before decoding.
  constexpr size_t Before = 1024, After = 2048;
  size_t Begin = FocusBegin > Before ? FocusBegin - Before : 0;
  size_t End = std::min(Line.size(), static_cast<size_t>(FocusBegin) + After);
  if (Line.size() <= Before + After) {
    Begin = 0;
    End = Line.size();
  }
  Begin = std::min(Begin, End);
  while (Begin > 0 && Begin < End && isContinuation(Line[Begin]))
    ++Begin;
  while (End < Line.size() && End > Begin && isContinuation(Line[End]))
    --End;
  SliceBegin = Begin;
  CutLeft = Begin > 0;
  CutRight = End < Line.size();
  expand(Line.substr(Begin, End - Begin));
  cut(FocusBegin, FocusEnd);
}

void LineView::expand(std::string_view Slice) {
  ColumnOf.reserve(Slice.size() + 1);
  Cells.reserve(Slice.size());
  for (size_t I = 0; I < Slice.size();) {
    const CodePoint P = decodeUtf8(Slice, I);
    ColumnOf.insert(ColumnOf.end(), P.Length, static_cast<uint32_t>(Cells.size()));
    if (P.Value == '\t') {
      do
        Cells.emplace_back(" ");
      while (Cells.size() % TabWidth != 0);
    } else {
      appendPrintable(Cells.emplace_back(), Slice, I, P);
    }
    I += P.Length;
  }
  ColumnOf.push_back(static_cast<uint32_t>(Cells.size()));
}

void LineView::cut(uint32_t FocusBegin, uint32_t FocusEnd) {
  constexpr uint32_t Context = 60;
  const auto Total = static_cast<uint32_t>(Cells.size());
  WindowEnd = Total;
  if (Total > MaxColumns) {
    const uint32_t First = column(FocusBegin), Last = std::max(First, column(FocusEnd));
    // As far left as the whole range allows, so that a line that starts near the window keeps its start.
    if (Last + Context > MaxColumns)
      WindowBegin = First > Context ? First - Context : 0;
    WindowBegin = std::min(WindowBegin, Total - MaxColumns);
    WindowEnd = WindowBegin + MaxColumns;
  }
  CutLeft |= WindowBegin > 0;
  CutRight |= WindowEnd < Total;
  if (CutLeft && WindowBegin < WindowEnd)
    Cells[WindowBegin] = "…";
  if (CutRight && WindowBegin < WindowEnd)
    Cells[WindowEnd - 1] = "…";
}

std::string LineView::text() const {
  std::string Result;
  for (uint32_t I = WindowBegin; I < WindowEnd; ++I)
    Result += Cells[I];
  return Result;
}

uint32_t LineView::column(size_t Offset) const {
  const size_t InSlice = Offset > SliceBegin ? Offset - SliceBegin : 0;
  const uint32_t Column = ColumnOf[std::min(InSlice, ColumnOf.size() - 1)];
  return std::clamp(Column, WindowBegin, WindowEnd) - WindowBegin;
}

unsigned parlance::gutterWidth(uint32_t LargestLine) {
  constexpr size_t Usual = 5;
  return static_cast<unsigned>(std::max(Usual, fmt::format("{}", LargestLine).size()));
}

namespace {

/// A mark in the columns of its line.
struct Placed {
  uint32_t Begin, End;
  std::string Text;
  bool Primary;
};

class FrameWriter {
public:
  FrameWriter(const SourceFile &File, unsigned GutterWidth, Style Primary, Painter Paint)
      : File(File), GutterWidth(GutterWidth), Primary(Primary), Paint(Paint) {}

  void writeLine(uint32_t Line, const std::vector<Mark> &Marks);
  void writeGap(uint32_t Line);
  std::string take() { return std::move(Out); }

private:
  void writeSource(uint32_t Line, std::string Text);
  void writeUnder(const std::string &Content);
  void writeCarets(const std::vector<Placed> &Marks, const Placed *Inline);
  void writeHanging(std::vector<const Placed *> Hanging);
  std::vector<Placed> place(const LineView &View, uint32_t Start, size_t Length, const std::vector<Mark> &Marks) const;

  const SourceFile &File;
  unsigned GutterWidth;
  Style Primary;
  Painter Paint;
  std::string Out;
};

void trimRight(std::string &Text) { Text.erase(Text.find_last_not_of(' ') + 1); }

void FrameWriter::writeSource(uint32_t Line, std::string Text) {
  trimRight(Text);
  Out += Paint(Style::Gutter, fmt::format("{:>{}} |", Line, GutterWidth));
  Out += Text.empty() ? "\n" : ' ' + Text + '\n';
}

void FrameWriter::writeUnder(const std::string &Content) {
  Out += Paint(Style::Gutter, fmt::format("{:{}} |", "", GutterWidth));
  Out += ' ' + Content + '\n';
}

/// Between two marked lines: the line itself when it is only one, dots otherwise.
void FrameWriter::writeGap(uint32_t Line) {
  if (Line != 0)
    writeSource(Line, LineView(File.line(Line), 0, 0).text());
  else
    Out += Paint(Style::Gutter, fmt::format("{:>{}}", "...", GutterWidth)) + '\n';
}

std::vector<Placed> FrameWriter::place(const LineView &View, uint32_t Start, size_t Length,
                                       const std::vector<Mark> &Marks) const {
  std::vector<Placed> Result;
  for (const Mark &M : Marks) {
    const size_t First = std::min<size_t>(M.Begin - Start, Length);
    const size_t Last = std::min<size_t>(M.End > Start ? M.End - Start : 0, Length);
    const uint32_t Begin = View.column(First);
    Result.push_back({Begin, std::max(View.column(Last), Begin + 1), printable(M.Text), M.Primary});
  }
  return Result;
}

void FrameWriter::writeCarets(const std::vector<Placed> &Marks, const Placed *Inline) {
  uint32_t Width = 0;
  for (const Placed &M : Marks)
    Width = std::max(Width, M.End);
  std::string Row(Width, ' ');
  for (const bool IsPrimary : {false, true}) // carets over dashes
    for (const Placed &M : Marks)
      if (M.Primary == IsPrimary)
        std::fill(Row.begin() + M.Begin, Row.begin() + M.End, IsPrimary ? '^' : '-');
  std::string Content;
  for (size_t I = 0; I < Row.size();) {
    const size_t End = std::min(Row.find_first_not_of(Row[I], I), Row.size());
    const Style S = Row[I] == '^' ? Primary : Row[I] == '-' ? Style::Label : Style::None;
    Content += Paint(S, std::string_view(Row).substr(I, End - I));
    I = End;
  }
  if (Inline)
    Content += ' ' + Paint(Inline->Primary ? Primary : Style::Label, Inline->Text);
  writeUnder(Content);
}

/// Texts that found no place behind their carets, rightmost first, each under the start of its mark. Bars lead from the
/// marks further left to the lines below.
void FrameWriter::writeHanging(std::vector<const Placed *> Hanging) {
  std::ranges::sort(Hanging, [](const Placed *A, const Placed *B) {
    return A->Begin != B->Begin ? A->Begin > B->Begin : A < B; // all lie in one vector
  });
  for (size_t I = 0; I < Hanging.size(); ++I) {
    const Placed &M = *Hanging[I];
    std::string Bars(M.Begin, ' ');
    for (size_t Later = I + 1; Later < Hanging.size(); ++Later)
      if (Hanging[Later]->Begin < M.Begin)
        Bars[Hanging[Later]->Begin] = '|';
    const Style S = M.Primary ? Primary : Style::Label;
    writeUnder(Paint(Style::Label, Bars) + Paint(S, M.Text));
  }
}

void FrameWriter::writeLine(uint32_t Line, const std::vector<Mark> &Marks) {
  const uint32_t Start = *File.offset({Line, 1});
  const std::string_view Content = File.line(Line);
  const auto Focus =
      std::ranges::max_element(Marks, [](const Mark &A, const Mark &B) { return A.Primary < B.Primary; });
  const auto Within = [&](uint32_t Offset) {
    return static_cast<uint32_t>(std::min<size_t>(Offset > Start ? Offset - Start : 0, Content.size()));
  };
  const LineView View(Content, Within(Focus->Begin), Within(Focus->End));
  writeSource(Line, View.text());
  const std::vector<Placed> All = place(View, Start, Content.size(), Marks);
  // The text of the mark that ends last stands behind it; primary ones win a tie.
  const Placed &Last = *std::ranges::max_element(
      All, [](const Placed &A, const Placed &B) { return std::tie(A.End, A.Primary) < std::tie(B.End, B.Primary); });
  const Placed *Inline = Last.Text.empty() ? nullptr : &Last;
  writeCarets(All, Inline);
  std::vector<const Placed *> Hanging;
  for (const Placed &M : All)
    if (&M != Inline && !M.Text.empty())
      Hanging.push_back(&M);
  writeHanging(std::move(Hanging));
}

} // namespace

std::string parlance::renderFrame(const SourceFile &File, const std::vector<Mark> &Marks, unsigned GutterWidth,
                                  Style Primary, Painter Paint) {
  std::map<uint32_t, std::vector<Mark>> ByLine;
  for (const Mark &M : Marks)
    ByLine[File.position(M.Begin).Line].push_back(M);
  FrameWriter Writer(File, GutterWidth, Primary, Paint);
  uint32_t Last = 0;
  for (const auto &[Line, OnLine] : ByLine) {
    if (Last != 0 && Line > Last + 1)
      Writer.writeGap(Line == Last + 2 ? Last + 1 : 0);
    Writer.writeLine(Line, OnLine);
    Last = Line;
  }
  return Writer.take();
}
