// What a run may read: the files that were named, what the user allows, and whether it runs for a build service.
#pragma once
#include "Basic/Diagnostic.h"
#include <memory>

namespace parlance {

struct AccessRequest {
  std::vector<std::string> Named;   ///< files and folders
  std::vector<std::string> Allowed; ///< folders of `--allow-outside`
  bool Strict = false;              ///< `--strict-paths`
};

/// The user's own settings, `parlance/config.toml` in $XDG_CONFIG_HOME or ~/.config, may allow folders too, but not
/// where they lie in what is checked. What is wrong with them is reported. With CI in the environment access is strict.
std::shared_ptr<const FileAccess> accessFor(const AccessRequest &Request, SourceManager &Sources,
                                            DiagnosticEngine &Diags);

} // namespace parlance
