#include "Report/Estimate.h"
#include "Arguments.h"
#include "Commands.h"
#include "OneJob.h"
#include "PathArguments.h"

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance estimate FILE... [options]

Prints what a job will need and how fast it will be: layout, memory per stage, communication, step time, MFU. The
estimate is printed also when rules are violated; they go to stderr.

  --job NAME                which job, when the file has several
  --cluster DEVICE*G*N@LINK what a framework's own files run on
  --set NAME=VALUE          a value for a variable that a script leaves open
  --json                    everything as JSON, on stdout
  --allow-outside DIR       files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths            read nothing outside of the project (as where CI is set)
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance estimate train.parl
  parlance estimate train.parl --job pretrain --json | jq .memory.peak_bytes
)";

const OptionSpec Options[] = {{"--job"},
                              {"--cluster"},
                              {"--set"},
                              allowOutside(),
                              strictPaths(),
                              {"--json", {}, true},
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

} // namespace

int estimate(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "estimate");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  OneJob One(*Args, "estimate", Help);
  const AnalyzedJob *Job = One.job();
  if (!Job)
    return One.status();
  if (!One.hasEstimate())
    return Findings;
  std::string Text =
      Args->has("--json") ? estimateJson(*Job->Resolved, Job->Name) : estimateText(*Job->Resolved, Job->Verdict);
  if (!writeOut(Text))
    return Unusable;
  return One.status();
}

} // namespace parlance
