// Where names are declared and used.
#pragma once
#include "Server/Index.h"
#include "Server/LibraryFolder.h"
#include "Server/Protocol.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// The declaration of the name at a position: in the document, a used file, or the library's text.
json::Value definition(Document &D, lsp::Position At, Workspace &W, LibraryFolder &Library);
/// All uses of the name in the document and the files that share it.
json::Value references(Document &D, lsp::Position At, bool WithDeclaration, Workspace &W);
/// The uses in this document.
json::Value highlights(Document &D, lsp::Position At, Workspace &W);

} // namespace parlance::server
