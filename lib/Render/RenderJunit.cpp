#include "Basic/Utf8.h"
#include "Render/Render.h"
#include "Render/RenderText.h"
#include "Render/ReportPlace.h"
#include <algorithm>
#include <map>

using namespace parlance;

namespace {

/// Text of an XML 1.0 document: markup escaped, and what no document may hold replaced.
std::string xml(std::string_view Text) {
  std::string Out;
  for (size_t At = 0; At < Text.size();) {
    const CodePoint Point = decodeUtf8(Text, At);
    const uint32_t C = Point.Value;
    const bool Allowed = Point.Valid && (C == '\n' || C == '\t' || C >= 0x20) && C != 0xFFFE && C != 0xFFFF;
    if (C == '<')
      Out += "&lt;";
    else if (C == '>')
      Out += "&gt;";
    else if (C == '&')
      Out += "&amp;";
    else if (C == '"')
      Out += "&quot;";
    else if (C == '\n' && Point.Valid)
      Out += "&#10;";
    else if (Allowed)
      Out += Text.substr(At, Point.Length);
    else
      Out += "\uFFFD";
    At += Point.Length;
  }
  return Out;
}

/// A suite per file.
class JunitWriter {
public:
  JunitWriter(const SourceManager &Sources, const ReportOptions &Options) : Sources(Sources), Options(Options) {}
  std::string write(const std::vector<Diagnostic> &Diagnostics);

private:
  struct Suite {
    std::string Name;
    std::vector<const Diagnostic *> Found;
  };
  std::vector<Suite> suites(const std::vector<Diagnostic> &Diagnostics);
  bool fails(const Diagnostic &D) const {
    return D.Level == Severity::Error || (Options.WarningsFail && D.Level == Severity::Warning);
  }
  void writeSuite(const Suite &S);
  void writeCase(const Suite &S, const Diagnostic &D);

  const SourceManager &Sources;
  const ReportOptions &Options;
  std::string Out;
};

/// Files in the order in which they were checked; behind them what is found in others.
std::vector<JunitWriter::Suite> JunitWriter::suites(const std::vector<Diagnostic> &Diagnostics) {
  std::vector<Suite> Result;
  std::map<std::string, size_t> Index;
  auto Of = [&](const std::string &Name) -> Suite & {
    auto [Known, IsNew] = Index.emplace(Name, Result.size());
    if (IsNew)
      Result.push_back({Name, {}});
    return Result[Known->second];
  };
  for (const std::string &File : Options.Checked)
    Of(File);
  for (const Diagnostic &D : Diagnostics)
    Of(isPlaced(D.Range, Sources) ? Sources.file(D.Range.File).name() : "parlance").Found.push_back(&D);
  return Result;
}

void JunitWriter::writeCase(const Suite &S, const Diagnostic &D) {
  const std::string Place = isPlaced(D.Range, Sources) ? fmt::format(" line {}", Sources.begin(D.Range).Line) : "";
  Out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\">\n", xml(S.Name),
                     xml(fmt::format("{} {}{}", D.Code, D.Name, Place)));
  const std::string Text = xml(renderText(D, Sources, {}));
  if (fails(D))
    Out += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", severityName(D.Level),
                       xml(messageOf(D)), Text);
  else
    Out += fmt::format("      <system-out>{}</system-out>\n", Text);
  Out += "    </testcase>\n";
}

void JunitWriter::writeSuite(const Suite &S) {
  const auto Failures = std::ranges::count_if(S.Found, [&](const Diagnostic *D) { return fails(*D); });
  Out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n", xml(S.Name),
                     std::max<size_t>(S.Found.size(), 1), Failures);
  for (const Diagnostic *D : S.Found)
    writeCase(S, *D);
  if (S.Found.empty())
    Out += fmt::format("    <testcase classname=\"{0}\" name=\"{0}\" time=\"0\"/>\n", xml(S.Name));
  Out += "  </testsuite>\n";
}

std::string JunitWriter::write(const std::vector<Diagnostic> &Diagnostics) {
  const std::vector<Suite> Suites = suites(Diagnostics);
  size_t Tests = 0;
  for (const Suite &S : Suites)
    Tests += std::max<size_t>(S.Found.size(), 1);
  const bool More = Options.SuppressedErrors > 0;
  const auto Failures = std::ranges::count_if(Diagnostics, [&](const Diagnostic &D) { return fails(D); }) + More;
  Out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  Out +=
      fmt::format("<testsuites name=\"parlance\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n", Tests + More, Failures);
  for (const Suite &S : Suites)
    writeSuite(S);
  if (More)
    Out += fmt::format("  <testsuite name=\"parlance\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
                       "    <testcase classname=\"parlance\" name=\"all errors are listed\" "
                       "time=\"0\">\n      <failure message=\"{}\"/>\n    </testcase>\n"
                       "  </testsuite>\n",
                       moreErrors(Options.SuppressedErrors));
  return Out + "</testsuites>\n";
}

} // namespace

std::string parlance::renderJunit(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                                  const ReportOptions &Options) {
  return JunitWriter(Sources, Options).write(Diagnostics);
}
