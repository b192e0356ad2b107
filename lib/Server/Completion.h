// What may be written at the cursor, and the parameters of the function that is being called.
#pragma once
#include "Server/Cursor.h"
#include "Server/Protocol.h"

namespace parlance::server {

/// Fields that are missing, values, units of the expected dimension, names. With `Snippets`, blocks come with
/// placeholders.
json::Value completion(Snapshot &S, lsp::Position At, bool Snippets);
/// Null outside of calls.
json::Value signatureHelp(Snapshot &S, lsp::Position At);

} // namespace parlance::server
