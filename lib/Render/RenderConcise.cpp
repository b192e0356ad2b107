#include "Basic/Utf8.h"
#include "Render/RenderText.h"
#include "Render/ReportPlace.h"

using namespace parlance;

bool parlance::isPlaced(SourceRange Range, const SourceManager &Sources) {
  return Range.File != 0 && Range.File <= Sources.count();
}

std::string parlance::placeName(SourceRange Range, const SourceManager &Sources) {
  if (!isPlaced(Range, Sources))
    return "parlance";
  const auto [Line, Column] = Sources.begin(Range);
  return fmt::format("{}:{}:{}", printable(Sources.file(Range.File).name()), Line, Column);
}

std::string parlance::headLine(const Diagnostic &D, const SourceManager &Sources, Painter Paint) {
  std::string Line = Paint(Style::Bold, placeName(D.Range, Sources) + ":") + ' ';
  Line += Paint(severityStyle(D.Level), fmt::format("{}:", severityName(D.Level))) + ' ';
  Line += Paint(Style::Bold, printable(D.Message));
  if (D.Code.empty())
    return Line;
  const std::string Tag = fmt::format("[{}{}{}]", D.Code, D.Name.empty() ? "" : " ", D.Name);
  Line += ' ' + Paint(Style::Dim, Tag);
  return D.Jobs.empty() ? Line : Line + ' ' + printable(jobsOf(D));
}

std::string parlance::suppressedLine(unsigned SuppressedErrors) {
  if (SuppressedErrors == 0)
    return "";
  return moreErrors(SuppressedErrors) + '\n';
}

std::string parlance::renderConcise(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                    const RenderOptions &Options) {
  std::string Out;
  for (const Diagnostic &D : Diagnostics)
    Out += headLine(D, Sources, {Options.Color}) + '\n';
  return Out + suppressedLine(Options.SuppressedErrors);
}
