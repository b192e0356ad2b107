#include "ForeignArguments.h"
#include "Basic/Text.h"
#include "Check/Session.h"
#include "Commands.h"
#include "Render/Render.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

/// False after an error in what names and words mean, which is printed.
static bool isSound(const ForeignRequest &Request, const Arguments &Args) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  Session S(Sources, Diags);
  checkRequest(Request, S.Values);
  RenderOptions Options;
  Options.Color = useColor(Args.get("--color", "auto"));
  Options.Concise = Args.get("--format", "text") == "concise";
  const std::vector<Diagnostic> Found = Diags.take();
  fmt::print(stderr, "{}", Found.empty() ? "" : renderText(Found, Sources, Options));
  return Found.empty();
}

/// False where `--set` names what is nowhere, which is printed.
static bool isKnown(const ForeignRequest &Request, std::span<const std::string> Files) {
  SourceManager Sources;
  std::vector<std::string_view> Scripts;
  for (const std::string &Path : Files) {
    if (Path == "-" || Path == "/dev/stdin") // is read once only, and may be a script
      return true;
    SourceManager::ReadError Error;
    auto File = Sources.open(Path, Error);
    if (!File)
      return true; // there may be such a variable in it
    FileSyntax Syntax = syntaxOf(Sources.file(*File));
    if (Syntax == FileSyntax::Shell || Syntax == FileSyntax::Unknown)
      Scripts.push_back(Sources.file(*File).text());
  }
  auto Unknown = unknownSetting(Request, Scripts, standardLibrary());
  if (Unknown)
    fmt::print(stderr,
               "parlance: error: `--set`: no script here has a variable `{}`, and no job a field of "
               "that name{}\n",
               Unknown->Name, Unknown->Nearest ? fmt::format(", did you mean `{}`", *Unknown->Nearest) : "");
  return !Unknown;
}

std::optional<ForeignRequest> foreignRequest(const Arguments &Args, std::span<const std::string> Files) {
  ForeignRequest Result;
  Result.Cluster = Args.get("--cluster", "");
  if (auto It = Args.Lists.find("--set"); It != Args.Lists.end())
    for (const std::string &Word : It->second) {
      size_t Equals = Word.find('=');
      if (Equals == std::string::npos || Equals == 0) {
        fmt::print(stderr, "parlance: error: `--set` takes NAME=VALUE, not `{}`\n", Word);
        return std::nullopt;
      }
      Result.Set[Word.substr(0, Equals)] = Word.substr(Equals + 1);
    }
  bool IsEmpty = Result.Cluster.empty() && Result.Set.empty();
  if (!IsEmpty && (!isSound(Result, Args) || (!Result.Set.empty() && !isKnown(Result, Files))))
    return std::nullopt;
  return Result;
}

std::string foreignWords(const Arguments &Args) {
  std::string Result;
  for (std::string_view Name : {"--cluster", "--set"})
    if (auto It = Args.Lists.find(Name); It != Args.Lists.end())
      for (const std::string &Value : It->second)
        Result += fmt::format(" {} {}", Name, shellWord(Value));
  return Result;
}

} // namespace parlance
