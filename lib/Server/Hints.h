// What the editor writes between the user's own text: values of `auto`, units, the outcome of a job.
#pragma once
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// Inlay hints of a range.
json::Value inlayHints(Snapshot &S, lsp::Range In);
/// Above each job: whether it fits, how long a step takes, what is hidden.
json::Value codeLenses(const Document &D, Snapshot &S);

} // namespace parlance::server
