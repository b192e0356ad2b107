#include "Render/RenderText.h"
#include "Basic/Text.h"
#include "Basic/Utf8.h"
#include "Render/ReportPlace.h"
#include <algorithm>

using namespace parlance;

namespace {

constexpr std::string_view Indent = "  ";

class TextWriter {
public:
  TextWriter(const Diagnostic &D, const SourceManager &Sources, const RenderOptions &Options)
      : D(D), Sources(Sources), Options(Options), Paint({Options.Color}), Gutter(gutterWidth(largestLine())) {}
  std::string write();

private:
  uint32_t largestLine() const;
  void writeFrame();
  void writeNote(SourceRange Range, std::string_view Message);
  void writeIndented(std::string_view Text, size_t Continued);
  void writeFix(const Fix &F);
  void writeWhereAll();

  const Diagnostic &D;
  const SourceManager &Sources;
  const RenderOptions &Options;
  Painter Paint;
  unsigned Gutter;
  std::string Out;
};

uint32_t TextWriter::largestLine() const {
  uint32_t Largest = 0;
  const auto Count = [&](SourceRange Range) {
    if (isPlaced(Range, Sources))
      Largest = std::max(Largest, Sources.begin(Range).Line);
  };
  Count(D.Range);
  for (const Label &L : D.Labels)
    Count(L.Range);
  for (const Note &N : D.Notes)
    Count(N.Range);
  return Largest;
}

void TextWriter::writeFrame() {
  if (!isPlaced(D.Range, Sources))
    return;
  std::vector<Mark> Marks{{D.Range.Begin, D.Range.End, D.CaretText, true}};
  for (const Label &L : D.Labels)
    if (L.Range.File == D.Range.File)
      Marks.push_back({L.Range.Begin, L.Range.End, L.Text, false});
  Out += renderFrame(Sources.file(D.Range.File), Marks, Gutter, severityStyle(D.Level), Paint);
}

/// Prints text whose first line continues the current one; further lines are indented.
void TextWriter::writeIndented(std::string_view Text, size_t Continued) {
  while (true) {
    const size_t Break = Text.find('\n');
    Out += printable(Text.substr(0, Break)) + '\n';
    if (Break == std::string_view::npos || Break + 1 == Text.size())
      return;
    Text.remove_prefix(Break + 1);
    Out.append(Continued, ' ');
  }
}

void TextWriter::writeNote(SourceRange Range, std::string_view Message) {
  const bool Placed = isPlaced(Range, Sources);
  Out += Indent;
  if (Placed)
    Out += Paint(Style::Bold, placeName(Range, Sources) + ":") + ' ';
  Out += Paint(Style::Note, "note:") + ' ';
  constexpr size_t UnderMessage = 8; // behind "  note: "
  writeIndented(Message, UnderMessage);
  if (Placed && Range != D.Range)
    Out += renderFrame(Sources.file(Range.File), {{Range.Begin, Range.End, "", true}}, Gutter, Style::Note, Paint);
}

/// `fix: TITLE → effect   [machine]`, the brackets in one column where the text is short enough.
void TextWriter::writeFix(const Fix &F) {
  constexpr size_t TagColumn = 65, Least = 3;
  const std::string Text = "fix: " + printable(fixLine(F));
  const size_t Width = Indent.size() + columns(Text);
  const size_t Space = Width + Least > TagColumn ? Least : TagColumn - Width;
  Out += Indent;
  Out += Paint(Style::Fix, "fix:") + Text.substr(4) + std::string(Space, ' ');
  Out += fmt::format("[{}]\n", applicabilityName(F.Trust));
}

/// How to see the whole of what was cut.
void TextWriter::writeWhereAll() {
  const auto IsForeign = [](std::string_view Name) { return !Name.ends_with(".parl"); };
  const std::string &Name = Sources.file(D.Range.File).name();
  std::string Words = shellWord(placeName(D.Range, Sources));
  if (IsForeign(Name)) {
    for (const std::string &File : Options.ForeignFiles)
      if (File != Name && IsForeign(File))
        Words += ' ' + shellWord(File);
    Words += Options.ForeignWords;
  }
  Out += fmt::format("  … all of it: `parlance explain {}`\n", Words);
}

std::string TextWriter::write() {
  Out = headLine(D, Sources, Paint) + '\n';
  writeFrame();
  for (const Label &L : D.Labels) // those that the frame cannot show
    if (!isPlaced(D.Range, Sources) || L.Range.File != D.Range.File)
      writeNote(L.Range, L.Text);
  for (const std::string &Line : D.Body) {
    Out += Indent;
    writeIndented(Line, Indent.size());
  }
  for (const Note &N : D.Notes)
    writeNote(N.Range, N.Message);
  bool Cut = false;
  for (const Derivation &Tree : D.Derivations)
    Out += renderBriefDerivation(Tree, Sources, Indent.size(), Cut);
  if (Cut && isPlaced(D.Range, Sources))
    writeWhereAll();
  for (const Fix &F : D.Fixes)
    writeFix(F);
  return std::move(Out);
}

} // namespace

std::string parlance::renderText(const Diagnostic &D, const SourceManager &Sources, const RenderOptions &Options) {
  if (Options.Concise)
    return headLine(D, Sources, {Options.Color}) + '\n';
  return TextWriter(D, Sources, Options).write();
}

std::string parlance::renderText(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                 const RenderOptions &Options) {
  if (Options.Concise)
    return renderConcise(Diagnostics, Sources, Options);
  std::string Out;
  unsigned Errors = Options.SuppressedErrors, Warnings = 0;
  for (const Diagnostic &D : Diagnostics) {
    Errors += D.Level == Severity::Error;
    Warnings += D.Level == Severity::Warning;
    Out += renderText(D, Sources, Options) + '\n';
  }
  Out += suppressedLine(Options.SuppressedErrors);
  if (Errors + Warnings > 0)
    Out += summaryLine(Errors, Warnings) + '\n';
  return Out;
}

std::string parlance::summaryLine(unsigned Errors, unsigned Warnings) {
  const auto Counted = [](unsigned Count, std::string_view Noun) {
    return fmt::format("{} {}{}", Count, Noun, Count == 1 ? "" : "s");
  };
  if (Warnings == 0)
    return Errors == 0 ? "no errors" : Counted(Errors, "error");
  if (Errors == 0)
    return Counted(Warnings, "warning");
  return Counted(Errors, "error") + ", " + Counted(Warnings, "warning");
}
