// Diagnostics as the editor shows them.
#pragma once
#include "Server/LibraryFolder.h"
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// One diagnostic with related places, the link to its page, and tags.
json::Value diagnosticJson(const Diagnostic &D, Snapshot &S, const Workspace &W, LibraryFolder &Pages);
/// What the snapshots of all documents say about one file, by its real path: each finding once, in the order of
/// `check`. What has no place belongs to the first line of the document.
json::Array diagnosticsOf(const std::string &Key, Workspace &W, LibraryFolder &Pages);
/// The files that snapshots say something about, with the open documents.
std::set<std::string> filesWithDiagnostics(Workspace &W);

} // namespace parlance::server
