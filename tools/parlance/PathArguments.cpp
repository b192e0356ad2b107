#include "PathArguments.h"
#include "Commands.h"
#include "Render/Render.h"
#include <filesystem>

namespace parlance {

std::shared_ptr<const FileAccess> fileAccess(const Arguments &Args, std::span<const std::string> Files) {
  AccessRequest Request{{Files.begin(), Files.end()}, {}, Args.has("--strict-paths")};
  if (Args.has("--baseline"))
    Request.Named.push_back(Args.get("--baseline", ""));
  if (auto Given = Args.Lists.find("--allow-outside"); Given != Args.Lists.end())
    Request.Allowed = Given->second;
  for (const std::string &Folder : Request.Allowed)
    if (std::error_code Error; !std::filesystem::is_directory(Folder, Error)) {
      fmt::print(stderr, "parlance: error: `--allow-outside` takes a folder, and `{}` is not one\n", Folder);
      return nullptr;
    }
  SourceManager Sources;
  DiagnosticEngine Diags;
  auto Result = accessFor(Request, Sources, Diags);
  if (Diags.empty())
    return Result;
  RenderOptions Options;
  Options.Color = useColor(Args.get("--color", "auto"));
  fmt::print(stderr, "{}", renderText(Diags.take(), Sources, Options));
  return nullptr;
}

} // namespace parlance
