// Requests of the editor about one document: each is handed to its feature.
#include "Server/CodeActions.h"
#include "Server/Commands.h"
#include "Server/Completion.h"
#include "Server/Formatting.h"
#include "Server/Handlers.h"
#include "Server/Hints.h"
#include "Server/Hover.h"
#include "Server/Navigation.h"
#include "Server/Outline.h"
#include "Server/Rename.h"
#include "Server/SemanticTokens.h"

namespace parlance::server {

void Handlers::listen(lsp::MessageHandler &Messages) {
  Messages.method("textDocument/hover", this, &Handlers::onHover);
  Messages.method("textDocument/completion", this, &Handlers::onCompletion);
  Messages.method("textDocument/signatureHelp", this, &Handlers::onSignatureHelp);
  Messages.method("textDocument/definition", this, &Handlers::onDefinition);
  Messages.method("textDocument/references", this, &Handlers::onReferences);
  Messages.method("textDocument/documentHighlight", this, &Handlers::onHighlight);
  Messages.method("textDocument/prepareRename", this, &Handlers::onPrepareRename);
  Messages.method("textDocument/rename", this, &Handlers::onRename);
  Messages.method("textDocument/documentSymbol", this, &Handlers::onDocumentSymbol);
  Messages.method("workspace/symbol", this, &Handlers::onWorkspaceSymbol);
  Messages.method("textDocument/foldingRange", this, &Handlers::onFoldingRange);
  Messages.method("textDocument/selectionRange", this, &Handlers::onSelectionRange);
  Messages.method("textDocument/codeAction", this, &Handlers::onCodeAction);
  Messages.method("codeAction/resolve", this, &Handlers::onResolveAction);
  Messages.method("textDocument/inlayHint", this, &Handlers::onInlayHint);
  Messages.method("textDocument/codeLens", this, &Handlers::onCodeLens);
  Messages.method("textDocument/semanticTokens/full", this, &Handlers::onSemanticTokens);
  Messages.method("textDocument/semanticTokens/range", this, &Handlers::onSemanticTokens);
  Messages.method("textDocument/formatting", this, &Handlers::onFormatting);
  Messages.method("textDocument/rangeFormatting", this, &Handlers::onFormatting);
  Messages.method("workspace/executeCommand", this, &Handlers::onExecuteCommand);
}

json::Object Handlers::capabilities() const {
  return json::Object{
      {"positionEncoding", "utf-16"},
      {"textDocumentSync", json::Object{{"openClose", true},
                                        {"change", static_cast<int>(lsp::TextDocumentSyncKind::Incremental)},
                                        {"save", true}}},
      {"hoverProvider", true},
      {"completionProvider", json::Object{{"triggerCharacters", json::Array{".", "=", " ", "("}}}},
      {"signatureHelpProvider", json::Object{{"triggerCharacters", json::Array{"(", ","}}}},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"renameProvider", json::Object{{"prepareProvider", true}}},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"codeActionProvider",
       json::Object{{"codeActionKinds", json::Array{"quickfix", "refactor.rewrite", "source.fixAll.parlance",
                                                    "source.estimate", "source.lower"}},
                    {"resolveProvider", true}}},
      {"inlayHintProvider", true},
      {"codeLensProvider", json::Object{}},
      {"semanticTokensProvider", json::Object{{"legend", semanticTokensLegend()}, {"full", true}, {"range", true}}},
      {"documentFormattingProvider", true},
      {"documentRangeFormattingProvider", true},
      {"executeCommandProvider", json::Object{{"commands", commandNames()}}},
  };
}

void Handlers::onHover(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(hover(*S, P.position));
}

void Handlers::onCompletion(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(completion(*S, P.position, Client.Snippets));
}

void Handlers::onSignatureHelp(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(signatureHelp(*S, P.position));
}

void Handlers::onDefinition(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(definition(*D, P.position, Files, Library));
}

void Handlers::onReferences(const lsp::ReferenceParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(references(*D, P.position, P.context.includeDeclaration, Files));
}

void Handlers::onHighlight(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(highlights(*D, P.position, Files));
}

void Handlers::onPrepareRename(const lsp::TextDocumentPositionParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(prepareRename(*D, P.position, Files));
}

void Handlers::onRename(const RenameParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(rename(*D, P.position, P.NewName, Files));
}

void Handlers::onDocumentSymbol(const lsp::DocumentSymbolParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(documentSymbols(*S));
}

void Handlers::onWorkspaceSymbol(const WorkspaceSymbolParams &P, Reply R) { R(workspaceSymbols(P.Query, Files)); }

void Handlers::onFoldingRange(const lsp::DocumentSymbolParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(foldingRanges(*S));
}

void Handlers::onSelectionRange(const SelectionRangeParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.TextDocument.uri, R))
    R(selectionRanges(*S, P.Positions));
}

void Handlers::onCodeAction(const CodeActionParams &P, Reply R) {
  if (Document *D = document(P.TextDocument.uri, R))
    R(codeActions(*D, P, Client.ResolveEdits, Files));
}

void Handlers::onResolveAction(const CodeActionToResolve &P, Reply R) {
  if (Document *D = document(P.TextDocument.uri, R))
    R(resolved(*D, P.Action, Files));
}

void Handlers::onInlayHint(const lsp::InlayHintsParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.textDocument.uri, R))
    R(inlayHints(*S, P.range));
}

void Handlers::onCodeLens(const lsp::DocumentSymbolParams &P, Reply R) {
  if (Document *D = document(P.textDocument.uri, R))
    R(codeLenses(*D, Files.snapshot(*D)));
}

void Handlers::onSemanticTokens(const RangeParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.TextDocument.uri, R))
    R(semanticTokens(*S, P.Range));
}

void Handlers::onFormatting(const RangeParams &P, Reply R) {
  if (Snapshot *S = snapshot(P.TextDocument.uri, R))
    R(formatting(*S, P.Range));
}

void Handlers::onExecuteCommand(const ExecuteCommandParams &P, Reply R) {
  auto Result = execute(P, Files, Library, Version);
  if (!Result) {
    R(Result.takeError());
    return;
  }
  R(std::move(Result->Answer));
  if (Client.ShowDocuments && !Result->Shown.empty())
    ShowDocument(json::Object{{"uri", text(Files.uriOf(Result->Shown).uri())}, {"takeFocus", true}}, ++Requests);
}

} // namespace parlance::server
