#include "Arguments.h"
#include "Commands.h"
#include "OneJob.h"
#include "OutputFiles.h"
#include "PathArguments.h"
#include "Report/JobText.h"

namespace parlance {

namespace {

constexpr std::string_view Help =
    R"(usage: parlance import FILE... --cluster DEVICE*G*N@LINK [-o OUT.parl] [options]

Writes the job that a framework's own files describe as a .parl file. Options of the framework that no other field
means are kept in a block of its name; values that are not known become comments.

  -o OUT.parl               where to; standard output without it
  --cluster DEVICE*G*N@LINK what the files run on: G GPUs in each of N nodes, and the network
  --set NAME=VALUE          a value for a variable that a script leaves open
  --allow-outside DIR       files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths            read nothing outside of the project (as where CI is set)
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance import train.sh --cluster 'h100_sxm*8*16@infiniband_ndr' -o train.parl
)";

const OptionSpec Options[] = {{"-o"},
                              {"--cluster"},
                              {"--set"},
                              allowOutside(),
                              strictPaths(),
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

} // namespace

int import(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "import");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  OneJob One(*Args, "import", Help);
  const AnalyzedJob *Job = One.job();
  if (!Job || !Job->Resolved)
    return One.status();
  if (!One.isForeign()) {
    fmt::print(stderr, "parlance: error: {} is a .parl file already\n", Args->Files[0]);
    return Unusable;
  }
  if (!hasCluster(*Job->Resolved)) {
    fmt::print(stderr, "parlance: error: the files do not say which GPUs they run on; give "
                       "`--cluster DEVICE*GPUS_PER_NODE*NODES`, for example `h100_sxm*8*16`\n");
    return Unusable;
  }
  std::string Text = jobText(*Job->Resolved, fmt::format("Imported from {}.", Args->Files[0]), One.session().Values);
  if (!Args->has("-o"))
    return writeOut(Text) ? One.status() : Unusable;
  return writeFile(Args->get("-o", ""), Text) ? One.status() : Unusable;
}

} // namespace parlance
