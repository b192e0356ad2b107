#include "Report/Estimate.h"
#include "Arguments.h"
#include "Basic/Render.h"
#include "Basic/Text.h"
#include "Commands.h"
#include "Session.h"

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance estimate FILE [options]

Prints what a job will need and how fast it will be: layout, memory per stage, communication, step time, MFU. The
estimate is printed also when rules are violated; they go to stderr.

  --job NAME                which job, when the file has several
  --json                    everything as JSON, on stdout
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance estimate train.parl
  parlance estimate train.parl --job pretrain --json | jq .memory.peak_bytes
)";

const OptionSpec Options[] = {{"--job"},
                              {"--json", {}, true},
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

/// The job that is asked for: by name, or the only one of the file; prints why there is none.
const AnalyzedJob *choose(const Session &S, const Arguments &Args, const std::string &File) {
  std::vector<const AnalyzedJob *> Own;
  std::vector<std::string> Names;
  for (const AnalyzedJob &J : S.Analysis.jobs())
    if (J.File == S.Main) {
      Own.push_back(&J);
      Names.emplace_back(J.Item->Id.Text);
    }
  if (Args.has("--job")) {
    std::string Wanted = Args.get("--job", "");
    for (const AnalyzedJob *J : Own)
      if (J->Item->Id.Text == Wanted)
        return J;
    fmt::print(stderr, "parlance: error: {} has no job `{}`{}\n", File, Wanted,
               Names.empty() ? "" : fmt::format("; it has {}", joinList(Names, "and")));
    return nullptr;
  }
  if (Own.size() == 1)
    return Own.front();
  if (Own.empty())
    fmt::print(stderr, "parlance: error: {} has no job\n", File);
  else
    fmt::print(stderr, "parlance: error: {} has several jobs; choose one with `--job`: {}\n", File,
               joinList(Names));
  return nullptr;
}

} // namespace

int estimate(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "estimate");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (Args->Files.size() != 1) {
    fmt::print(stderr, "parlance: error: `estimate` takes one file, not {}\n\n{}",
               Args->Files.size(), Help);
    return Unusable;
  }
  SourceManager Sources;
  DiagnosticEngine Diags;
  Session S(Sources, Diags);
  bool Readable = S.load(Args->Files[0]);
  if (Readable)
    S.analyze();
  unsigned Errors = Diags.errors();
  RenderOptions Render;
  Render.Color = useColor(Args->get("--color", "auto"));
  Render.SuppressedErrors = Diags.suppressedErrors();
  auto Found = Diags.take();
  if (!Found.empty())
    fmt::print(stderr, "{}", renderText(Found, Sources, Render));
  if (!Readable)
    return Unusable;
  const AnalyzedJob *Job = choose(S, *Args, Args->Files[0]);
  if (!Job)
    return Errors ? Findings : Unusable;
  // A layout that does not use the GPUs of the cluster is no job yet: its numbers would be of
  // another one.
  bool HasGrid =
      Job->Resolved && Job->Resolved->Context->derived("valid.world").Flag != Truth::False;
  if (!HasGrid) {
    if (!Errors)
      fmt::print(stderr, "parlance: error: job `{}` cannot be resolved\n", Job->Item->Id.Text);
    return Findings;
  }
  std::string Text = Args->has("--json") ? estimateJson(*Job->Resolved, Job->Item->Id.Text)
                                         : estimateText(*Job->Resolved, Job->Item->Id.Text);
  if (!writeOut(Text))
    return Unusable;
  return Errors ? Findings : Clean;
}

} // namespace parlance
