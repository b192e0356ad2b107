#include "OneJob.h"
#include "Basic/Diagnostics.h"
#include "Basic/Render.h"
#include "Basic/Text.h"
#include "Commands.h"
#include "ForeignArguments.h"
#include "PathArguments.h"
#include "std/Std.h"
#include <algorithm>
#include <iterator>

namespace parlance {

OneJob::OneJob(const Arguments &Args, std::string_view Command, std::string_view Help) : S(Sources, Diags), Args(Args) {
  bool Loaded = load(Command, Help);
  // As `check` would report it; baselines are its own business.
  CheckReport Report = applyPolicy(Diags.take(), Diags.suppressedErrors(), Sources, {}, {S.judgement()});
  Suppressed = Report.Suppressed;
  print(std::move(Report.Shown));
  if (!Loaded) {
    Status = Unusable;
    return;
  }
  Status = Report.Errors ? Findings : Clean;
  Job = choose();
  if (!Job && Status == Clean)
    Status = Unusable;
}

bool OneJob::load(std::string_view Command, std::string_view Help) {
  if (Args.Files.empty()) {
    fmt::print(stderr, "parlance: error: no file for `{}`\n\n{}", Command, Help);
    return false;
  }
  auto Request = foreignRequest(Args, Args.Files);
  if (!Request)
    return false;
  auto Access = fileAccess(Args, Args.Files);
  if (!Access)
    return false;
  Sources.setAccess(std::move(Access));
  std::vector<ForeignFile> Files;
  for (const std::string &Path : Args.Files) {
    auto File = openFile(Path, Sources, Diags);
    if (!File)
      return false;
    Foreign = isForeign(*File, Sources);
    if (Foreign) {
      Files.push_back(openForeign(*File, Sources, Diags));
      continue;
    }
    if (Args.Files.size() != 1) {
      fmt::print(stderr, "parlance: error: `{}` takes one .parl file, not {} files\n\n{}", Command, Args.Files.size(),
                 Help);
      return false;
    }
    S.judge(*File);
    return true;
  }
  auto Groups = groupFiles(Files);
  if (Groups.size() > 1) {
    fmt::print(stderr, "parlance: error: these files are {} jobs; `{}` takes one\n", Groups.size(), Command);
    return false;
  }
  for (const auto &Group : Groups)
    S.judge(Group, *Request);
  return true;
}

/// The job that is asked for: by name, or the only one; prints why there is none.
const AnalyzedJob *OneJob::choose() const {
  std::vector<const AnalyzedJob *> Own;
  std::vector<std::string> Names;
  for (const AnalyzedJob &J : S.Analysis.jobs())
    if (J.File == S.Main) {
      Own.push_back(&J);
      Names.emplace_back(J.Name);
    }
  const std::string &File = Args.Files[0];
  if (Args.has("--job")) {
    std::string Wanted = Args.get("--job", "");
    for (const AnalyzedJob *J : Own)
      if (J->Name == Wanted)
        return J;
    fmt::print(stderr, "parlance: error: {} has no job `{}`{}\n", File, Wanted,
               Names.empty() ? "" : fmt::format("; it has {}", joinList(Names, "and")));
    return nullptr;
  }
  if (Own.size() == 1)
    return Own.front();
  if (Own.empty())
    fmt::print(stderr, "parlance: error: {} has no job\n", File);
  else if (!Own.empty())
    fmt::print(stderr, "parlance: error: {} has several jobs; choose one with `--job`: {}\n", File, joinList(Names));
  return nullptr;
}

bool OneJob::hasEstimate() const {
  // A layout that does not use the GPUs of the cluster is no job yet: its numbers would be of another one.
  if (Job->Resolved && Job->Resolved->Context->derived(quantities::valid_world).Flag != Truth::False)
    return true;
  if (Status == Clean)
    fmt::print(stderr, "parlance: error: job `{}` cannot be resolved\n", Job->Name);
  return false;
}

void OneJob::flush() {
  auto Found = Diags.take();
  hideOutside(Found, Sources);
  if (std::ranges::any_of(Found, [](const Diagnostic &D) { return D.Level == Severity::Error; }))
    Status = Findings;
  print(std::move(Found));
}

void OneJob::print(std::vector<Diagnostic> Found) {
  RenderOptions Render;
  Render.Color = useColor(Args.get("--color", "auto"));
  Render.SuppressedErrors = Suppressed;
  Render.ForeignFiles = Args.Files;
  Render.ForeignWords = foreignWords(Args);
  if (!Found.empty())
    fmt::print(stderr, "{}", renderText(Found, Sources, Render));
  std::ranges::move(Found, std::back_inserter(Reported));
}

} // namespace parlance
