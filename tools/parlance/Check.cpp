#include "Basic/Diff.h"
#include "ChangedFiles.h"
#include "Check/CheckRun.h"
#include "Check/FixLoop.h"
#include "Check/Session.h"
#include "CheckOutput.h"
#include "Commands.h"
#include "ForeignArguments.h"
#include "OutputFiles.h"
#include "PathArguments.h"
#include "PolicyArguments.h"
#include <algorithm>

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance check FILE... [options]

Checks files: syntax, names, units, and every rule on every job. `-` is standard input.
The frameworks' own files are checked where they are: launch scripts and configurations of Megatron-LM, DeepSpeed,
torchtitan, nanotron, accelerate and GPT-NeoX, with a model's config.json. Named files of different kinds are one job.
A directory is walked for *.parl and for files that are certainly a framework's, each by itself; .gitignore is honoured.

  --cluster DEVICE*G*N@LINK    what such files run on: G GPUs in each of N nodes, and the network
  --set NAME=VALUE             a value for a variable that a script leaves open, or for a field of the job
  --format text|concise|json|sarif|github|gitlab|junit
                               text: frames, derivations and fixes; concise: one line each; the others on stdout
  --fix                        apply the fixes marked [machine] and write the files; then check what remains
  --diff                       show what --fix would change, and change nothing
  --changed-since REV          only files that git says changed since, and those that read one of them
  --deny RULES                 make errors of them; `--deny warnings`: warnings make the exit status 1 too
  --select RULES               report only these, and what cannot run
  --ignore RULES               leave these out; RULES: codes (PL4003), names, beginnings (PL4), with commas
  --baseline FILE              leave out what stands in it; else the one that parlance.toml names
  --update-baseline            write all that is found into the baseline
  --frozen-baseline            report what is only in the baseline instead of removing it there
  --quiet                      do not say on stderr what was judged of each job
  --allow-outside DIR          files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths               read nothing outside of the project (as where CI is set)
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance check train.parl
  parlance check --fix train.parl
  parlance check ds_config.json config.json --cluster 'h100_sxm*8*2@infiniband_ndr'
  parlance check --format sarif --changed-since origin/main . > report.sarif
)";

const OptionSpec Options[] = {{"--format", {"text", "concise", "json", "sarif", "github", "gitlab", "junit"}},
                              {"--changed-since"},
                              {"--fix", {}, true},
                              {"--diff", {}, true},
                              {"--deny"},
                              {"--cluster"},
                              {"--set"},
                              {"--select"},
                              {"--ignore"},
                              {"--baseline"},
                              {"--update-baseline", {}, true},
                              {"--frozen-baseline", {}, true},
                              {"--quiet", {}, true},
                              allowOutside(),
                              strictPaths(),
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

/// Fixes the files of units, each unit for itself, and returns by path what changed.
std::map<std::string, FixedFile> fixUnits(const std::vector<CheckUnit> &Units, CheckRequest &Request) {
  std::map<std::string, FixedFile> Fixed;
  for (const CheckUnit &Unit : Units)
    fixFiles(
        Unit.Files,
        [&](const FileTexts &Changed) {
          DiagnosticEngine Diags;
          CheckRequest Tried = Request;
          Tried.Texts = Changed;
          return checkUnits({Unit}, Tried, Diags);
        },
        Request.Texts, Fixed);
  for (auto &[Path, File] : Fixed)
    File.After = Request.Texts[Path];
  return Fixed;
}

/// "fixed 2 of 3 problems in train.parl"
std::string fixSummary(std::string_view Path, const FixedFile &F, std::string_view Verb) {
  unsigned All = F.Fixed + F.Left;
  return fmt::format("{} {} of {} problem{} in {}\n", Verb, F.Fixed, All, All == 1 ? "" : "s",
                     Path == "-" ? "<stdin>" : Path);
}

/// Shows what a check found. The exit status where its arguments or files are unusable.
std::optional<int> show(const CheckReport &Result, const Arguments &Args) {
  if (Result.Unusable.empty())
    return printResult(Result, Args) && Result.Readable ? std::nullopt : std::optional(Unusable);
  fmt::print(stderr, "parlance: error: {}; see `parlance check --help`\n", Result.Unusable);
  return Unusable;
}

/// Keeps standard input, which cannot be read again.
void keepInput(FileTexts &Texts, DiagnosticEngine &Diags) {
  SourceManager Sources;
  if (auto File = openFile("-", Sources, Diags))
    Texts["-"] = Sources.file(*File).text();
}

/// Fixes files and writes them, or shows what would change. Empty when the check of what remains follows; else the exit
/// status.
std::optional<int> fix(const std::vector<CheckUnit> &Units, const Arguments &Args, CheckRequest &Request,
                       DiagnosticEngine &Diags) {
  const bool OnlyShow = Args.has("--diff"), Input = std::ranges::count(Args.Files, "-") > 0;
  const std::string Format = Args.get("--format", "text");
  if (Input && !OnlyShow && Format != "text" && Format != "concise") {
    fmt::print(stderr, "parlance: error: the fixed text and `--format {}` would both go to standard output\n", Format);
    return Unusable;
  }
  if (Input)
    keepInput(Request.Texts, Diags);
  if (OnlyShow) { // no check follows that would say what is unusable
    const CheckReport Now = checkUnits(Units, Request, Diags);
    if (!Now.Readable || !Now.Unusable.empty())
      return show(Now, Args);
  }
  const auto Fixed = fixUnits(Units, Request);
  std::string Output = Input && !OnlyShow ? Request.Texts["-"] : "";
  FileTexts Changed;
  for (const auto &[Path, File] : Fixed)
    if (OnlyShow)
      Output += unifiedDiff(Path, Path, File.Before, File.After);
    else if (Path != "-")
      Changed[Path] = File.After;
  if (!rewriteFiles(Changed) || !writeOut(Output))
    return Unusable;
  for (const auto &[Path, File] : Fixed)
    fmt::print(stderr, "{}", fixSummary(Path, File, OnlyShow ? "would fix" : "fixed"));
  if (OnlyShow)
    return Fixed.empty() ? Clean : Findings;
  return std::nullopt;
}

} // namespace

int check(std::span<const std::string> Words) {
  auto Args = parseArguments(Words, Options, "check");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (Args->Files.empty()) {
    fmt::print(stderr, "parlance: error: no file to check\n\n{}", Help);
    return Unusable;
  }
  DiagnosticEngine Diags;
  const auto Access = fileAccess(*Args, Args->Files);
  if (!Access)
    return Unusable;
  const std::vector<CheckUnit> Units = findUnits(Args->Files, Access, Diags);
  std::vector<std::string> Files;
  for (const CheckUnit &Unit : Units)
    Files.insert(Files.end(), Unit.Files.begin(), Unit.Files.end());
  auto Foreign = foreignRequest(*Args, Files);
  if (!Foreign)
    return Unusable;
  CheckRequest Request{.Foreign = std::move(*Foreign), .Policy = policyRequest(*Args), .Access = Access};
  if (Args->has("--changed-since")) {
    auto Changed = changedSince(Args->get("--changed-since", ""), Args->Files);
    if (!Changed)
      return Unusable;
    Request.Filter = [Changed = std::move(*Changed)](const std::vector<std::string> &Paths) {
      return std::ranges::any_of(Paths, [&](const auto &Path) { return Changed.contains(Path); });
    };
  }
  if (Args->has("--fix") || Args->has("--diff"))
    if (auto Status = fix(Units, *Args, Request, Diags))
      return *Status;
  CheckReport Result = checkUnits(Units, Request, Diags);
  if (auto Status = show(Result, *Args))
    return *Status;
  if (!Args->has("--quiet") && Args->get("--format", "text") != "json") // which holds them
    printVerdicts(Result);
  if (!writeBaselines(Result.Baselines) || !Result.Understood)
    return Unusable;
  return Result.Errors || (Result.Warnings && deniesWarnings(*Args)) ? Findings : Clean;
}

} // namespace parlance
