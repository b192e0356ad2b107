#include "Arguments.h"
#include "Basic/Text.h"
#include "Commands.h"
#include "Frameworks/Lower/Conversion.h"
#include "OneJob.h"
#include "OutputFiles.h"
#include "PathArguments.h"

namespace parlance {

namespace {

/// One row of the help for each target.
std::string targetRows() {
  std::string Rows;
  for (const Framework *F : frameworks())
    if (F->Write)
      Rows += fmt::format("  {:<25} {}: {}\n", Rows.empty() ? "--to TARGET" : "", F->Name, F->Written);
  return Rows;
}

constexpr std::string_view HelpBegin = R"(usage: parlance lower FILE... --to TARGET -o FOLDER [options]

Writes the files that launch a job: of a .parl file, or of another framework's own files (a conversion). Nothing is
written when a rule is violated at error level, or when the target has no option for a field.

)";

constexpr std::string_view HelpEnd = R"(  -o FOLDER                 where to; it is made
  --launcher LAUNCHER       torchrun: launch.sh; slurm: job.sbatch; k8s: job.yaml, a TrainJob of Kubeflow Trainer v2;
                            k8s-v1: a PyTorchJob
  --force                   replace files in FOLDER that were not written by parlance, or were changed since
  --explain-options         print each option with the place that set it
  --job NAME                which job, when the file has several
  --cluster DEVICE*G*N@LINK what a framework's own files run on
  --set NAME=VALUE          a value for a variable that a script leaves open
  --allow-outside DIR       files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths            read nothing outside of the project (as where CI is set)
  --color auto|always|never

A conversion ends with a report on stderr: which options became which, and which are lost.

exit status: 0 written, 1 an error, 2 unusable arguments or input

  parlance lower train.parl --to megatron -o launch/ --launcher slurm
  parlance lower train.sh --cluster 'h100_sxm*8*16' --to torchtitan -o titan/
)";

std::string help() { return fmt::format("{}{}{}", HelpBegin, targetRows(), HelpEnd); }

std::vector<OptionSpec> options() {
  std::span<const std::string_view> Targets = loweringTargets();
  return {{"--to", {Targets.begin(), Targets.end()}},
          {"-o"},
          {"--launcher", {"torchrun", "slurm", "k8s", "k8s-v1"}},
          {"--explain-options", {}, true},
          {"--force", {}, true},
          {"--job"},
          {"--cluster"},
          {"--set"},
          allowOutside(),
          strictPaths(),
          {"--color", {"auto", "always", "never"}},
          {"--help", {}, true}};
}

Launcher launcherNamed(std::string_view Name) {
  return Name == "torchrun" ? Launcher::Torchrun
         : Name == "slurm"  ? Launcher::Slurm
         : Name == "k8s"    ? Launcher::Kubernetes
         : Name == "k8s-v1" ? Launcher::KubernetesV1
                            : Launcher::None;
}

/// Where an option's value comes from: "train.parl:12:8", or a word.
std::string place(const Origin &O, const SourceManager &Sources) {
  if (O.Range) {
    if (Sources.isOutside(O.Range.File))
      return Sources.file(O.Range.File).name();
    LineColumn At = Sources.begin(O.Range);
    return fmt::format("{}:{}:{}{}", Sources.file(O.Range.File).name(), At.Line, At.Column,
                       O.K == Origin::Kind::Default ? " (default)" : "");
  }
  return O.K == Origin::Kind::Library || O.K == Origin::Kind::Deduced ? std::string(O.Where) : "default";
}

std::string explained(const Lowering &L, const SourceManager &Sources) {
  std::string Text;
  for (const LoweredOption &O : L.Options)
    Text += fmt::format("{:<48} {}\n", O.Value.empty() ? O.Name : O.Name + " " + O.Value, place(O.From, Sources));
  return Text;
}

} // namespace

int lower(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, options(), "lower");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(help()) ? Clean : Unusable;
  for (std::string_view Needed : {"--to", "-o"})
    if (!Args->has(Needed)) {
      fmt::print(stderr, "parlance: error: `lower` needs `{}`\n\n{}", Needed, help());
      return Unusable;
    }
  OneJob One(*Args, "lower", help());
  const AnalyzedJob *Job = One.job();
  if (!Job || !Job->Resolved || One.status() != Clean)
    return One.status() == Clean ? Findings : One.status();
  std::string Target = Args->get("--to", ""), Program = "parlance " + version();
  LowerRequest Request{Target, launcherNamed(Args->get("--launcher", "")), Program, Args->Files[0]};
  auto Lowered = lower(*Job->Resolved, Request, One.session().Values);
  One.flush();
  if (!Lowered)
    return Findings;
  if (Args->has("--explain-options") && !writeOut(explained(*Lowered, One.sources())))
    return Unusable;
  if (!writeFiles(Args->get("-o", ""), Lowered->Files, Args->has("--force")))
    return Unusable;
  fmt::print(stderr, "{}", conversionReport(*Job->Resolved, Target, *Lowered, One.session().Values));
  return One.status();
}

} // namespace parlance
