#include "Check/Access.h"
#include "Basic/Diagnostics.h"
#include "Config/Toml.h"
#include <cstdlib>
#include <filesystem>

namespace parlance {

namespace fs = std::filesystem;

static std::string environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

static bool isBuildService() {
  const std::string Value = environment("CI");
  return !Value.empty() && Value != "false" && Value != "0";
}

static fs::path userSettings() {
  const fs::path Folder = environment("XDG_CONFIG_HOME"), Home = environment("HOME");
  if (Folder.is_absolute())
    return Folder / "parlance" / "config.toml";
  return Home.is_absolute() ? Home / ".config" / "parlance" / "config.toml" : fs::path();
}

/// The folders of the key `allow-outside`; a path may begin with `~/`.
static std::vector<std::string> allowedFolders(uint32_t File, const SourceManager &Sources, DiagnosticEngine &Diags) {
  std::vector<std::string> Result;
  const auto Tree = parseToml(File, Sources.file(File).text(), Diags);
  if (!Tree)
    return Result;
  for (const ConfigValue &Entry : Tree->Items) {
    if (Entry.Key != "allow-outside") {
      Diags.report(diag::PolicyKey, Entry.KeyRange, Entry.Key, "the user's settings", "`allow-outside`");
      continue;
    }
    for (const ConfigValue &Item : Entry.Items) {
      fs::path Path = Item.Text;
      if (Item.Text.starts_with("~/"))
        Path = fs::path(environment("HOME")) / Item.Text.substr(2);
      if (Item.K == ConfigValue::Kind::String && Path.is_absolute())
        Result.push_back(Path.string());
      else
        Diags.report(diag::PolicyValue, Item.Range, "allow-outside", "folders with their whole paths",
                     fmt::format("`{}`", Item.Text));
    }
    if (Entry.K != ConfigValue::Kind::Array)
      Diags.report(diag::PolicyValue, Entry.Range, "allow-outside", "a list of folders",
                   fmt::format("`{}`", Entry.Text));
  }
  return Result;
}

std::shared_ptr<const FileAccess> accessFor(const AccessRequest &Request, SourceManager &Sources,
                                            DiagnosticEngine &Diags) {
  auto Result = std::make_shared<FileAccess>(Request.Strict || isBuildService());
  for (const std::string &Path : Request.Named)
    Result->name(Path);
  for (const std::string &Folder : Request.Allowed)
    Result->allow(Folder);
  std::error_code Error;
  const fs::path Settings = userSettings();
  const bool IsUsers = fs::is_regular_file(Settings, Error) &&
                       Result->placeOf(SourceManager::realPath(Settings.string())) == FileAccess::Place::Outside;
  SourceManager::ReadError Why;
  if (auto File = IsUsers ? Sources.open(Settings.string(), Why) : std::nullopt)
    for (const std::string &Folder : allowedFolders(*File, Sources, Diags))
      Result->allow(Folder);
  else if (IsUsers)
    Diags.report(diag::Unreadable, {}, Settings.string(), Why.Reason);
  return Result;
}

} // namespace parlance
