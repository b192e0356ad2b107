// The canonical form of a document, as edits of its lines.
#pragma once
#include "Server/Protocol.h"
#include "Server/Snapshot.h"

namespace parlance::server {

/// Of the whole document, or of the lines of a range; null where syntax errors leave no form.
json::Value formatting(Snapshot &S, std::optional<lsp::Range> In);

} // namespace parlance::server
