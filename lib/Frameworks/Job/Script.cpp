// Launch scripts: which command trains, on how many GPUs, and what it says to each framework.
#include "Basic/Diagnostics.h"
#include "Frameworks/Job/Inputs.h"
#include "Frameworks/Shell/Launch.h"
#include <algorithm>
#include <charconv>

namespace parlance {

using namespace shell;

static const SbatchOption *sbatch(const ShellScript &Script, std::string_view Name) {
  const SbatchOption *Last = nullptr;
  for (const SbatchOption &O : Script.Sbatch)
    if (O.Name == Name)
      Last = &O;
  return Last;
}

/// The number that ends a word: `8`, `gpu:8`, `gpu:a100:8`. Empty when it is not known.
static std::optional<int64_t> count(JobSink &Job, const ShellWord &W, std::string_view Option) {
  auto Text = W.text();
  if (!Text) {
    Job.addSymbol({W.Text.shown(), W.value(), std::string(Option)});
    return std::nullopt;
  }
  std::string_view Digits = std::string_view(*Text).substr(Text->rfind(':') + 1);
  int64_t N = 0;
  auto [End, Error] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), N);
  return Error == std::errc() && End == Digits.data() + Digits.size() && N > 0 ? std::optional(N) : std::nullopt;
}

static void readWorld(JobSink &Job, const ShellScript &Script, const TrainingCommand &C) {
  World W;
  auto Take = [&](const ShellWord &Value, std::string_view Option, std::optional<int64_t> &Number, SourceRange &At) {
    Number = count(Job, Value, Option);
    At = Value.value();
  };
  auto FromLauncher = [&](std::initializer_list<std::string_view> Names, std::optional<int64_t> &Number,
                          SourceRange &At) {
    for (std::string_view Name : Names)
      if (const LauncherOption *O = C.option(Name); O && O->Value) {
        Take(*O->Value, "--" + std::string(Name), Number, At);
        return true;
      }
    return false;
  };
  auto FromSbatch = [&](std::initializer_list<std::string_view> Names, std::optional<int64_t> &Number,
                        SourceRange &At) {
    for (std::string_view Name : Names)
      if (const SbatchOption *O = sbatch(Script, Name); O && !Number) {
        Take(O->Value, "#SBATCH --" + std::string(Name), Number, At);
        if (Number)
          return;
      }
  };
  if (!FromLauncher({"nnodes", "nodes"}, W.Nodes, W.NodesAt) || !W.Nodes)
    FromSbatch({"nodes"}, W.Nodes, W.NodesAt);
  if (!FromLauncher({"nproc-per-node", "gpus-per-node", "ntasks-per-node"}, W.PerNode, W.PerNodeAt) || !W.PerNode)
    FromSbatch({"gpus-per-node", "gres", "ntasks-per-node"}, W.PerNode, W.PerNodeAt);
  // torchrun starts one process on one node unless told otherwise.
  bool Torchrun = std::ranges::find(C.Launchers, "torchrun") != C.Launchers.end();
  if (Torchrun && !C.option("nnodes") && !W.Nodes) {
    W.Nodes = 1;
    W.NodesAt = C.Program.Written;
  }
  Job.addWorld(W);
}

void readLaunchScript(JobSink &Job, const FileInput &In) {
  Overrides Given(In.Set.begin(), In.Set.end());
  ShellScript Script = readShell(In.File, Job.Sources.file(In.File).text(), Given, Job.Diags);
  if (Script.Broken)
    return Job.giveUp();
  std::vector<TrainingCommand> Commands = findTraining(Script);
  if (Commands.empty()) {
    Diagnostic &D = Job.Diags.report(diag::UnknownForeign, {In.File, 0, 0}, Job.Sources.file(In.File).name());
    D.Notes.push_back({{}, "no command in it starts a training program"});
    return;
  }
  Job.addProgram(Commands.front().Program.Text.shown(), Commands.front().Program.Written, Commands.front().Distributed);
  readWorld(Job, Script, Commands.front());
  for (const Framework *F : frameworks())
    if (F->ReadTraining)
      F->ReadTraining(Job, Script, Commands.front(), In.File);
}

} // namespace parlance
