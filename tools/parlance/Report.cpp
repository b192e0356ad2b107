#include "Arguments.h"
#include "Commands.h"
#include "OneJob.h"
#include "OutputFiles.h"
#include "PathArguments.h"
#include "Report/LiveReport.h"
#include <filesystem>

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance report FILE... -o PAGE.html [options]

Writes a page about one job that needs no network: memory by stage and part, the pipeline's passes as a timeline, what
communication hides behind compute, matrix products under the roofline, ranks and their groups, derivations that unfold.
It is written also when rules are violated; they stand on top.

  -o PAGE.html              where to; `-` is standard output
  --job NAME                which job, when the file has several
  --cluster DEVICE*G*N@LINK what a framework's own files run on
  --set NAME=VALUE          a value for a variable that a script leaves open
  --allow-outside DIR       files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths            read nothing outside of the project (as where CI is set)
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance report train.parl -o report.html
)";

const OptionSpec Options[] = {{"-o"},
                              {"--job"},
                              {"--cluster"},
                              {"--set"},
                              allowOutside(),
                              strictPaths(),
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

} // namespace

int report(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "report");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (!Args->has("-o")) {
    fmt::print(stderr, "parlance: error: `report` needs a place to write to: `-o PAGE.html`\n");
    return Unusable;
  }
  std::string Where = Args->get("-o", "");
  for (const std::string &File : Args->Files)
    if (std::error_code Error; std::filesystem::equivalent(File, Where, Error)) {
      fmt::print(stderr, "parlance: error: the page would replace `{}`\n", File);
      return Unusable;
    }
  OneJob One(*Args, "report", Help);
  const AnalyzedJob *Job = One.job();
  if (!Job)
    return One.status();
  if (!One.hasEstimate())
    return Findings;
  std::string Text = reportPage({*Job->Resolved, Job->Verdict, Args->Files[0], version(), One.reported(),
                                 One.suppressedErrors(), One.session().Values, One.session().Trees});
  if (!(Where == "-" ? writeOut(Text) : writeFile(Where, Text)))
    return Unusable;
  return One.status();
}

} // namespace parlance
