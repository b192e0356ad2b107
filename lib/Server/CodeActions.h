// Changes that the editor offers at a place: verified fixes, a declared unit, explanations, files
// of a framework.
#pragma once
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

json::Value codeActions(Document &D, const CodeActionParams &P, Workspace &W);

/// Edits of one change by file, as a workspace edit.
json::Value workspaceEdit(std::span<const Edit> Edits, Snapshot &S, const Workspace &W);

} // namespace parlance::server
