// Renaming: the edits, and whether everything means afterwards what it meant before.
#pragma once
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// The range of the name that would be renamed; an error where it cannot be.
llvm::Expected<json::Value> prepareRename(Document &D, lsp::Position At, Workspace &W);
/// The edits that rename it everywhere.
llvm::Expected<json::Value> rename(Document &D, lsp::Position At, const std::string &NewName, Workspace &W);

} // namespace parlance::server
