#include "Render/Render.h"
#include "Render/RenderText.h"
#include "Render/ReportPlace.h"

using namespace parlance;

namespace {

/// What ends a command or a property is written as `%XX`. Source: github.com/actions/toolkit,
/// packages/core/src/command.ts, escapeData and escapeProperty.
std::string escaped(std::string_view Text, bool IsProperty) {
  std::string Out;
  for (char C : Text)
    if (C == '%' || C == '\r' || C == '\n' || (IsProperty && (C == ':' || C == ',')))
      Out += fmt::format("%{:02X}", static_cast<unsigned>(C));
    else
      Out += C;
  return Out;
}

std::string_view commandName(Severity S) {
  switch (S) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  default:
    return "notice";
  }
}

} // namespace

std::string parlance::renderGithub(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                   const ReportOptions &Options) {
  ReportPaths Paths(Sources, Options.Folder);
  std::string Out;
  for (const Diagnostic &D : Diagnostics) {
    Out += fmt::format("::{} title={}", commandName(D.Level), escaped(fmt::format("{} {}", D.Code, D.Name), true));
    if (isPlaced(D.Range, Sources)) {
      const LineColumn Begin = Sources.begin(D.Range), End = Sources.end(D.Range);
      Out += fmt::format(",file={},line={},endLine={}", escaped(Paths.of(D.Range.File), true), Begin.Line, End.Line);
      if (Begin.Line == End.Line) // columns of several lines are refused
        Out += fmt::format(",col={},endColumn={}", Begin.Column, End.Column);
    }
    Out += fmt::format("::{}\n", escaped(messageWithNotes(D, Sources), false));
  }
  if (Options.SuppressedErrors > 0)
    Out += fmt::format("::error::{}\n", moreErrors(Options.SuppressedErrors));
  return Out;
}
