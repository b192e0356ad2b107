#include "Arguments.h"
#include "Basic/Diagnostics.h"
#include "Basic/Render.h"
#include "Commands.h"
#include "PolicyArguments.h"
#include "Session.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance check FILE... [options]

Checks files: syntax, names, units, and every rule on every job. A directory is walked for *.parl; `-` is standard input.
The frameworks' own files are checked where they are: launch scripts and configurations of Megatron-LM, DeepSpeed,
torchtitan, nanotron, accelerate and GPT-NeoX, with a model's config.json. Files of different kinds are one job.

  --cluster DEVICE*G*N@LINK    what such files run on: G GPUs in each of N nodes, and the network
  --set NAME=VALUE             a value for a variable that a script leaves open, or for a field of the job
  --format text|concise|json   text: frames, derivations and fixes; concise: one line each; json: on stdout
  --deny RULES                 make errors of them; `--deny warnings`: warnings make the exit status 1 too
  --select RULES               report only these, and what cannot run
  --ignore RULES               leave these out; RULES: codes (PL4003), names, beginnings (PL4), with commas
  --baseline FILE              leave out what stands in it; else the one that parlance.toml names
  --update-baseline            write all that is found into the baseline
  --frozen-baseline            report what is only in the baseline instead of removing it there
  --color auto|always|never

exit status: 0 nothing at error level, 1 an error, 2 unusable arguments or input

  parlance check train.parl
  parlance check ds_config.json config.json --cluster 'h100_sxm*8*2@infiniband_ndr'
  parlance check --format json configs/ > report.json
)";

const OptionSpec Options[] = {{"--format", {"text", "concise", "json"}},
                              {"--deny"},
                              {"--cluster"},
                              {"--set"},
                              {"--select"},
                              {"--ignore"},
                              {"--baseline"},
                              {"--update-baseline", {}, true},
                              {"--frozen-baseline", {}, true},
                              {"--color", {"auto", "always", "never"}},
                              {"--help", {}, true}};

/// The files that the arguments name, directories walked in sorted order. Errors are reported
/// without a position.
std::vector<std::string> expand(const std::vector<std::string> &Words, DiagnosticEngine &Diags) {
  namespace fs = std::filesystem;
  std::vector<std::string> Files;
  for (const std::string &Word : Words) {
    std::error_code Error;
    if (!fs::is_directory(Word, Error)) {
      Files.push_back(Word);
      continue;
    }
    std::vector<std::string> Found;
    for (auto It = fs::recursive_directory_iterator(
             Word, fs::directory_options::skip_permission_denied, Error);
         !Error && It != fs::recursive_directory_iterator(); It.increment(Error))
      if (It->path().extension() == ".parl" && It->is_regular_file(Error))
        Found.push_back(It->path().lexically_normal().string());
    if (Found.empty())
      Diags.report(diag::Unreadable, {}, Word, "is a directory without .parl files");
    std::ranges::sort(Found);
    Files.insert(Files.end(), Found.begin(), Found.end());
  }
  return Files;
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
  SourceManager Sources;
  DiagnosticEngine Diags;
  std::vector<Judgement> Judged;
  std::vector<std::string> Files = expand(Args->Files, Diags);
  bool Readable = !Diags.errors();
  auto Request = foreignRequest(*Args);
  if (!Request)
    return Unusable;
  std::vector<ForeignFile> Foreign;
  for (const std::string &File : Files) {
    auto Opened = openFile(File, Sources, Diags);
    if (!Opened) {
      Readable = false;
      continue;
    }
    if (isPolicyFile(File)) {
      Judged.emplace_back().Checked = {*Opened};
      continue;
    }
    if (isForeign(*Opened, Sources)) {
      Foreign.push_back(openForeign(*Opened, Sources, Diags));
      continue;
    }
    Session S(Sources, Diags);
    S.load(*Opened);
    S.addRules(policyRules(*Opened, Sources));
    S.analyze();
    Judged.push_back(S.judgement());
  }
  for (const auto &Group : groupFiles(Foreign)) {
    Session S(Sources, Diags);
    for (const ForeignFile *F : Group)
      S.addRules(policyRules(F->File, Sources));
    S.analyze(Group, *Request);
    Judged.push_back(S.judgement());
  }
  unsigned Dropped = Diags.suppressedErrors();
  CheckReport Report = applyPolicy(Diags.take(), Dropped, Sources, policyRequest(*Args), Judged);
  if (!Report.Unusable.empty()) {
    fmt::print(stderr, "parlance: error: {}; see `parlance check --help`\n", Report.Unusable);
    return Unusable;
  }
  std::string Format = Args->get("--format", "text");
  if (Format == "json") {
    if (!writeOut(renderJson(Report.Shown, Sources, Report.Suppressed)))
      return Unusable;
  } else {
    RenderOptions Render;
    Render.Color = useColor(Args->get("--color", "auto"));
    Render.Concise = Format == "concise";
    Render.SuppressedErrors = Report.Suppressed;
    fmt::print(stderr, "{}", renderText(Report.Shown, Sources, Render));
  }
  if (!Readable || !writeBaselines(Report))
    return Unusable;
  return Report.Errors || (Report.Warnings && deniesWarnings(*Args)) ? Findings : Clean;
}

} // namespace parlance
