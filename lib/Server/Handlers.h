// One method per message of the protocol; what it does is in the file of its feature.
#pragma once
#include "Server/Diagnostics.h"

namespace parlance::server {

class Handlers {
public:
  Handlers(lsp::MessageHandler &Messages, std::string_view Version);

  /// After `initialize`.
  bool isReady() const { return Ready; }
  bool wasShutDown() const { return ShutDown; }
  /// Whether an edit was not answered with diagnostics yet.
  bool isBehind() const { return Behind; }
  /// Checks what has changed and what depends on it, and sends the diagnostics that differ.
  void publish();

  Workspace Files;

private:
  using Reply = lsp::Callback<json::Value>;
  void onInitialize(const InitializeParams &P, Reply R);
  void onInitialized(const lsp::NoParams &P);
  void onShutdown(const lsp::NoParams &P, Reply R);
  void onOpen(const lsp::DidOpenTextDocumentParams &P);
  void onChange(const lsp::DidChangeTextDocumentParams &P);
  void onClose(const lsp::DidCloseTextDocumentParams &P);
  void onFiles(const FileEventParams &P);
  void onSettings(const SettingsParams &P);
  void onDiagnostic(const DocumentDiagnosticParams &P, Reply R);

  // HandlersRequests.cpp
  void listen(lsp::MessageHandler &Messages);
  void onHover(const lsp::TextDocumentPositionParams &P, Reply R);
  void onCompletion(const lsp::TextDocumentPositionParams &P, Reply R);
  void onSignatureHelp(const lsp::TextDocumentPositionParams &P, Reply R);
  void onDefinition(const lsp::TextDocumentPositionParams &P, Reply R);
  void onReferences(const lsp::ReferenceParams &P, Reply R);
  void onHighlight(const lsp::TextDocumentPositionParams &P, Reply R);
  void onPrepareRename(const lsp::TextDocumentPositionParams &P, Reply R);
  void onRename(const RenameParams &P, Reply R);
  void onDocumentSymbol(const lsp::DocumentSymbolParams &P, Reply R);
  void onWorkspaceSymbol(const WorkspaceSymbolParams &P, Reply R);
  void onFoldingRange(const lsp::DocumentSymbolParams &P, Reply R);
  void onSelectionRange(const SelectionRangeParams &P, Reply R);
  void onCodeAction(const CodeActionParams &P, Reply R);
  void onResolveAction(const CodeActionToResolve &P, Reply R);
  void onInlayHint(const lsp::InlayHintsParams &P, Reply R);
  void onCodeLens(const lsp::DocumentSymbolParams &P, Reply R);
  void onSemanticTokens(const RangeParams &P, Reply R);
  void onFormatting(const RangeParams &P, Reply R);
  void onExecuteCommand(const ExecuteCommandParams &P, Reply R);

  void configure(const json::Value &Settings);
  void send(const std::string &Uri, json::Value Found, const Document *D);
  json::Object capabilities() const;
  /// An open document; answers the request when it is not open.
  Document *document(const lsp::URIForFile &Uri, Reply &R);
  /// The present state of a document; likewise.
  Snapshot *snapshot(const lsp::URIForFile &Uri, Reply &R) {
    Document *D = document(Uri, R);
    return D ? &Files.snapshot(*D) : nullptr;
  }

  lsp::OutgoingNotification<json::Value> Publish;
  lsp::OutgoingRequest<json::Value> Register, RefreshDiagnostics, RefreshLenses, RefreshHints, ShowDocument;
  LibraryFolder Library;
  std::string Version;
  InitializeParams Client;
  std::map<std::string, std::string> Sent; ///< diagnostics by URI, as the client has them
  bool Ready = false, ShutDown = false, Behind = false;
  int Requests = 0; ///< of ours
};

} // namespace parlance::server
