// Changes that the editor offers at a place: verified fixes, a declared unit, explanations, files of a framework.
#pragma once
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// `Resolves`: the client asks for the edit of an action when it is chosen.
json::Value codeActions(Document &D, const CodeActionParams &P, bool Resolves, Workspace &W);
/// An action of the document with the edit that it was sent without.
json::Value resolved(Document &D, json::Object Action, Workspace &W);

/// Edits of one change by file, as a workspace edit.
json::Value workspaceEdit(std::span<const Edit> Edits, Snapshot &S, const Workspace &W);

} // namespace parlance::server
