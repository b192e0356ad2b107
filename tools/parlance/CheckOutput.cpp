#include "CheckOutput.h"
#include "Basic/Text.h"
#include "Commands.h"
#include "ForeignArguments.h"
#include "PolicyArguments.h"
#include "Render/Render.h"
#include "Report/Pages.h"
#include "std/Std.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

/// Named files, of which some may be one job; a folder or a list of all that has changed is none.
static std::vector<std::string> filesTogether(const Arguments &Args) {
  constexpr size_t Most = 4;
  auto IsFile = [](const std::string &Path) {
    std::error_code Error;
    return std::filesystem::is_regular_file(Path, Error);
  };
  bool Few = Args.Files.size() <= Most && std::ranges::all_of(Args.Files, IsFile);
  return Few ? Args.Files : std::vector<std::string>();
}

static bool printText(const CheckReport &Result, const Arguments &Args, bool Concise) {
  RenderOptions Options;
  Options.Color = useColor(Args.get("--color", "auto"));
  Options.Concise = Concise;
  Options.SuppressedErrors = Result.SuppressedErrors;
  Options.ForeignFiles = filesTogether(Args);
  Options.ForeignWords = foreignWords(Args);
  fmt::print(stderr, "{}", renderText(Result.Found, Result.Sources, Options));
  return true;
}

/// The jobs of all files, in their order.
static std::vector<JobVerdict> jobsOf(const CheckReport &Result) {
  std::vector<JobVerdict> Jobs;
  for (const Judgement &J : Result.Judged)
    Jobs.insert(Jobs.end(), J.Jobs.begin(), J.Jobs.end());
  return Jobs;
}

/// Whether something was found of a job, or of its file as a whole.
static bool hasFindings(const JobVerdict &V, const CheckReport &Result) {
  return std::ranges::any_of(Result.Found, [&](const Diagnostic &D) {
    return D.Range.File == V.File && (D.Jobs.empty() || std::ranges::count(D.Jobs, V.Name));
  });
}

void printVerdicts(const CheckReport &Result) {
  constexpr size_t Most = 20; // of more jobs only those that something was found of
  const std::vector<JobVerdict> Jobs = jobsOf(Result);
  for (const JobVerdict &V : Jobs)
    if (Jobs.size() <= Most || hasFindings(V, Result))
      fmt::print(stderr, "{}\n", verdictLine(V));
  if (Result.Walked)
    fmt::print(stderr, "{} checked, {} no training configuration\n", plural(Result.Walked - Result.PassedOver, "file"),
               Result.PassedOver == 1 ? "1 is" : fmt::format("{} are", Result.PassedOver));
}

bool printResult(const CheckReport &Result, const Arguments &Args) {
  const std::string Format = Args.get("--format", "text");
  if (Format == "text" || Format == "concise")
    return printText(Result, Args, Format == "concise");
  if (Format == "json")
    return writeOut(renderJson(Result.Found, Result.Sources, Result.SuppressedErrors, jobsOf(Result)));
  ReportOptions Options;
  Options.SuppressedErrors = Result.SuppressedErrors;
  Options.Version = version();
  Options.WarningsFail = deniesWarnings(Args);
  Options.Checked = Result.Checked;
  Options.Help = [](std::string_view Code) { return ruleHelp(standardLibrary(), Code); };
  auto Render = Format == "sarif"    ? renderSarif
                : Format == "github" ? renderGithub
                : Format == "gitlab" ? renderGitlab
                                     : renderJunit;
  return writeOut(Render(Result.Found, Result.Sources, Options));
}

} // namespace parlance
