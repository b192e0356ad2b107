#include "OneJob.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Commands.h"
#include "ForeignArguments.h"
#include "Render/Render.h"
#include "UnitArguments.h"
#include "std/Std.h"
#include <algorithm>
#include <iterator>

namespace parlance {

OneJob::OneJob(const Arguments &Args, std::string_view Command, std::string_view Help) : Args(Args) {
  if (!check(Command, Help)) {
    Status = Unusable;
    return;
  }
  Status = Check->Report.Errors ? Findings : Clean;
  Job = choose();
  if (!Job && Status == Clean)
    Status = Unusable;
}

/// False when there is nothing to choose a job from, which is printed.
bool OneJob::check(std::string_view Command, std::string_view Help) {
  if (Args.Files.empty()) {
    fmt::print(stderr, "parlance: error: no file for `{}`\n\n{}", Command, Help);
    return false;
  }
  auto Asked = unitRequest(Args, Args.Files);
  if (!Asked)
    return false;
  Unit.Files = Args.Files;
  Request = std::move(*Asked);
  Check = std::make_unique<UnitCheck>(Unit, Request);
  applyPolicy(Check->Report, Request.Policy); // as `check` would report it; baselines are its own business
  print(Check->Report.Found);
  return Check->Report.Readable && Check->Report.Understood && isOne(Command, Help);
}

/// Whether the files can hold one job; prints why not.
bool OneJob::isOne(std::string_view Command, std::string_view Help) const {
  const auto &Sessions = Check->sessions();
  if (Sessions.size() <= 1)
    return true;
  if (std::ranges::any_of(Sessions, [](const auto &S) { return S->Main; }))
    fmt::print(stderr, "parlance: error: `{}` takes one .parl file, not {} files\n\n{}", Command, Args.Files.size(),
               Help);
  else
    fmt::print(stderr, "parlance: error: these files are {} jobs; `{}` takes one\n", Sessions.size(), Command);
  return false;
}

/// The job that is asked for: by name, or the only one; prints why there is none.
const AnalyzedJob *OneJob::choose() const {
  std::vector<const AnalyzedJob *> Own;
  std::vector<std::string> Names;
  const Session &S = session();
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
  // A layout that does not use the GPUs of the cluster is not a job yet: its numbers would be of another one.
  if (Job->Resolved && Job->Resolved->Context->derived(quantities::valid_world).Flag != Truth::False)
    return true;
  if (Status == Clean)
    fmt::print(stderr, "parlance: error: job `{}` cannot be resolved\n", Job->Name);
  return false;
}

void OneJob::flush() {
  auto Found = Check->Diags.take();
  hideOutside(Found, sources());
  if (std::ranges::any_of(Found, [](const Diagnostic &D) { return D.Level == Severity::Error; }))
    Status = Findings;
  print(std::move(Found));
}

void OneJob::print(std::vector<Diagnostic> Found) {
  RenderOptions Render;
  Render.Color = useColor(Args.get("--color", "auto"));
  Render.SuppressedErrors = suppressedErrors();
  Render.ForeignFiles = Args.Files;
  Render.ForeignWords = foreignWords(Args);
  if (!Found.empty())
    fmt::print(stderr, "{}", renderText(Found, sources(), Render));
  std::ranges::move(Found, std::back_inserter(Reported));
}

} // namespace parlance
