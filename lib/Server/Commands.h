// What an editor can have done on demand: an estimate, the files of a framework, an explanation.
#pragma once
#include "Server/LibraryFolder.h"
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// The commands, as the client is told of them.
json::Array commandNames();

struct CommandResult {
  json::Value Answer = nullptr; ///< for a client that shows it itself
  std::string Shown;            ///< path of a file that has it as text, for all others; or empty
};
/// `parlance.estimate URI [JOB]`, `parlance.lower URI JOB TARGET`, `parlance.explain CODE` or `URI
/// POSITION`.
llvm::Expected<CommandResult> execute(const ExecuteCommandParams &P, Workspace &W, LibraryFolder &Files,
                                      const std::string &Version);

} // namespace parlance::server
