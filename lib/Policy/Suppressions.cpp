#include "Policy/Suppressions.h"
#include "Basic/Diagnostics.h"
#include "Policy/Comments.h"
#include <algorithm>

using namespace parlance;

namespace {

bool isBlank(std::string_view Text) { return Text.find_first_not_of(" \t\r") == std::string_view::npos; }

class AllowReader {
public:
  AllowReader(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags)
      : File(File), Source(Sources.file(File)), Syntax(syntaxOf(Source)), Diags(Diags) {}

  /// Nothing when the comment is malformed, which is reported.
  std::optional<Allow> read(const MarkedComment &C) {
    Allow Result;
    Result.File = File;
    Result.Comment = removed(C);
    const SourceRange Written{File, C.Begin, C.End};
    At = C.Content;
    End = C.End;
    if (!word("allow") || !word("(") || !rules(Result.Rules)) {
      Diags.report(diag::MalformedAllow, Written);
      return std::nullopt;
    }
    if (isBlank(Source.text().substr(At, End - At)))
      Diags.report(diag::AllowWithoutReason, Written);
    setLines(Result, C);
    return Result;
  }

private:
  /// Where a comment ends that could be deleted.
  uint32_t endOf(const MarkedComment &C) const {
    std::string_view Text = Source.text();
    size_t Close = Text.substr(C.Begin, 2) == "/*" ? Text.find("*/", C.End) : Text.npos;
    return Close == Text.npos ? C.End : static_cast<uint32_t>(Close + 2);
  }
  void skipBlanks() {
    while (At < End && (Source.text()[At] == ' ' || Source.text()[At] == '\t'))
      ++At;
  }
  bool word(std::string_view Word) {
    skipBlanks();
    if (!Source.text().substr(At, End - At).starts_with(Word))
      return false;
    At += static_cast<uint32_t>(Word.size());
    return true;
  }
  bool rules(std::vector<Allow::Rule> &Into) {
    do {
      skipBlanks();
      size_t Stop = Source.text().substr(0, End).find_first_of(" \t,()", At);
      if (Stop == std::string_view::npos || Stop == At)
        return false;
      auto Last = static_cast<uint32_t>(Stop);
      Into.push_back({std::string(Source.text().substr(At, Last - At)), {File, At, Last}, false});
      At = Last;
    } while (word(","));
    return word(")");
  }

  bool isComment(uint32_t Line) const {
    std::string_view Text = Source.line(Line);
    size_t First = Text.find_first_not_of(" \t");
    return First != std::string_view::npos &&
           (Text[First] == '#' || (Syntax == FileSyntax::Json &&
                                   (Text.substr(First).starts_with("//") || Text.substr(First).starts_with("/*"))));
  }
  /// Whether the command on a line goes on below. A comment of ours ends it.
  bool isContinued(uint32_t Line) const {
    std::string_view Text = Source.line(Line);
    if (Text.ends_with('\r'))
      Text.remove_suffix(1);
    return Syntax == FileSyntax::Shell && Text.ends_with('\\') && findCommentMark(Text) == std::string_view::npos;
  }

  /// A whole line, since an empty one would part the comments around it from what they are about;
  /// or the blanks before a comment as well, behind one that begins a line. Behind a `\` of a
  /// script neither: the line below would become a part of the command.
  SourceRange removed(const MarkedComment &C) const {
    std::string_view Text = Source.text();
    uint32_t Begin = C.Begin, End = endOf(C);
    while (Begin > 0 && (Text[Begin - 1] == ' ' || Text[Begin - 1] == '\t'))
      --Begin;
    const bool First = Begin == 0 || Text[Begin - 1] == '\n';
    const bool Alone = First && isBlank(Text.substr(End, Text.substr(End).find('\n')));
    const uint32_t Line = Source.position(C.Begin).Line;
    if (Alone ? Line > 1 && isContinued(Line - 1) : !First && Syntax == FileSyntax::Shell && Text[Begin - 1] == '\\')
      return {File, C.Begin, C.End};
    if (First && !Alone)
      return {File, C.Begin, static_cast<uint32_t>(Text.find_first_not_of(" \t", End))};
    if (Alone)
      End = static_cast<uint32_t>(std::min(Text.find('\n', End), Text.size() - 1) + 1);
    return {File, Begin, End};
  }

  void setLines(Allow &A, const MarkedComment &C) {
    LineColumn Begin = Source.position(C.Begin);
    A.First = A.Last = Begin.Line;
    if (isComment(Begin.Line)) {
      A.Last = lineBelow(Begin.Line);
      if (Begin.Line <= headLines())
        A.First = 1;
    }
    while (A.First > 1 && isContinued(A.First - 1))
      --A.First;
    while (isContinued(A.Last))
      ++A.Last;
  }
  /// The line that a comment stands above. Remembered for the further comments of one block.
  uint32_t lineBelow(uint32_t Line) {
    if (Line >= Below)
      for (Below = Line + 1; isComment(Below);)
        ++Below;
    return Below;
  }
  /// How many comments and empty lines the file begins with.
  uint32_t headLines() {
    if (!Head)
      for (Head = 0; Head < Source.lineCount() && (isComment(*Head + 1) || isBlank(Source.line(*Head + 1)));)
        ++*Head;
    return *Head;
  }

  uint32_t File;
  const SourceFile &Source;
  FileSyntax Syntax;
  DiagnosticEngine &Diags;
  uint32_t At = 0, End = 0, Below = 0;
  std::optional<uint32_t> Head;
};

} // namespace

std::vector<Allow> parlance::findAllows(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags) {
  std::vector<Allow> Result;
  AllowReader Reader(File, Sources, Diags);
  for (const MarkedComment &C : markedComments(File, Sources))
    if (auto A = Reader.read(C))
      Result.push_back(std::move(*A));
  return Result;
}
