// The shape of a file: symbols, folding and selection ranges.
#pragma once
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

json::Value documentSymbols(Snapshot &S);
/// Declarations whose names contain the letters of the query in order, in all files of the workspace.
json::Value workspaceSymbols(const std::string &Query, Workspace &W);
json::Value foldingRanges(Snapshot &S);
json::Value selectionRanges(Snapshot &S, std::span<const lsp::Position> At);

} // namespace parlance::server
