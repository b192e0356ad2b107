// The colours of a file: what each word stands for, where its spelling does not tell.
#pragma once
#include "Server/Protocol.h"
#include "Server/Snapshot.h"

namespace parlance::server {

/// The kinds of token and their modifiers, in the order of their numbers.
json::Value semanticTokensLegend();
/// Five numbers per token, each relative to the one before.
json::Value semanticTokens(Snapshot &S, std::optional<lsp::Range> In);

} // namespace parlance::server
