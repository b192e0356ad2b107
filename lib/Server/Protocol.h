// What llvm/Support/LSP lacks of the protocol, in its style, and helpers for what is sent.
#pragma once
#include "Server/Lines.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"

namespace parlance::server {

namespace json = llvm::json;

/// A text for JSON, with broken UTF-8 replaced.
json::Value text(std::string_view Text);
/// A place in a file; null without one. The conversion of lsp::Location would not own the address, which may end before
/// the answer is sent.
json::Value location(const lsp::URIForFile &Uri, lsp::Range Range);

struct InitializeParams : lsp::InitializeParams {
  std::vector<std::string> Folders;                 ///< paths of the workspace's roots
  bool PullDiagnostics = false;                     ///< the client asks for diagnostics itself
  bool RefreshDiagnostics = false;                  ///< it can be asked to do so again
  bool RefreshLenses = false, RefreshHints = false; ///< likewise
  bool ShowDocuments = false;                       ///< it opens documents on request
  bool WatchFiles = false;                          ///< it watches files on request
  bool Snippets = false;                            ///< completion may insert placeholders
  bool ResolveEdits = false;                        ///< it asks for the edit of an action when someone chooses it
  json::Value Options = nullptr;
};
bool fromJSON(const json::Value &V, InitializeParams &Result, json::Path P);

struct RangeParams { ///< semantic tokens of a range; formatting, whose options are fixed here
  lsp::TextDocumentIdentifier TextDocument;
  std::optional<lsp::Range> Range;
};
bool fromJSON(const json::Value &V, RangeParams &Result, json::Path P);

struct RenameParams : lsp::TextDocumentPositionParams {
  std::string NewName;
};
bool fromJSON(const json::Value &V, RenameParams &Result, json::Path P);

struct SelectionRangeParams {
  lsp::TextDocumentIdentifier TextDocument;
  std::vector<lsp::Position> Positions;
};
bool fromJSON(const json::Value &V, SelectionRangeParams &Result, json::Path P);

struct WorkspaceSymbolParams {
  std::string Query;
};
bool fromJSON(const json::Value &V, WorkspaceSymbolParams &Result, json::Path P);

struct DocumentDiagnosticParams {
  lsp::TextDocumentIdentifier TextDocument;
  std::string PreviousResultId;
};
bool fromJSON(const json::Value &V, DocumentDiagnosticParams &Result, json::Path P);

struct ExecuteCommandParams {
  std::string Command;
  std::vector<json::Value> Arguments;
};
bool fromJSON(const json::Value &V, ExecuteCommandParams &Result, json::Path P);

struct FileEventParams { ///< workspace/didChangeWatchedFiles, textDocument/didSave
  std::vector<lsp::URIForFile> Files;
};
bool fromJSON(const json::Value &V, FileEventParams &Result, json::Path P);

struct SettingsParams { ///< workspace/didChangeConfiguration
  json::Value Settings = nullptr;
};
bool fromJSON(const json::Value &V, SettingsParams &Result, json::Path P);

/// Code actions: the diagnostics of the client are not read, the server has its own.
struct CodeActionParams {
  lsp::TextDocumentIdentifier TextDocument;
  lsp::Range Range;
  std::vector<std::string> Only; ///< kinds that are asked for; empty: all
};
bool fromJSON(const json::Value &V, CodeActionParams &Result, json::Path P);

struct CodeActionToResolve {                ///< an action that was sent without its edit
  lsp::TextDocumentIdentifier TextDocument; ///< what stands in `data`
  json::Object Action;
};
bool fromJSON(const json::Value &V, CodeActionToResolve &Result, json::Path P);

} // namespace parlance::server
