#include "CheckOutput.h"
#include "Basic/Render.h"
#include "Commands.h"
#include "PolicyArguments.h"
#include "Report/Pages.h"
#include "std/Std.h"

namespace parlance {

static bool printText(const CheckResult &Result, const Arguments &Args, bool Concise) {
  RenderOptions Options;
  Options.Color = useColor(Args.get("--color", "auto"));
  Options.Concise = Concise;
  Options.SuppressedErrors = Result.SuppressedErrors;
  fmt::print(stderr, "{}", renderText(Result.Found, Result.Sources, Options));
  return true;
}

bool printResult(const CheckResult &Result, const Arguments &Args) {
  const std::string Format = Args.get("--format", "text");
  if (Format == "text" || Format == "concise")
    return printText(Result, Args, Format == "concise");
  if (Format == "json")
    return writeOut(renderJson(Result.Found, Result.Sources, Result.SuppressedErrors));
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
