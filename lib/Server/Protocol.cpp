#include "Server/Protocol.h"
#include "llvm/ADT/STLExtras.h"

namespace parlance::server {

json::Value text(std::string_view Text) { return validUtf8(Text); }

json::Value location(const lsp::URIForFile &Uri, lsp::Range Range) {
  if (!Uri)
    return nullptr;
  return json::Object{{"uri", text(Uri.uri())}, {"range", Range}};
}

static bool flag(const json::Object *O, std::initializer_list<llvm::StringRef> Path, llvm::StringRef Last) {
  for (llvm::StringRef Key : Path)
    if (O)
      O = O->getObject(Key);
  return O && O->getBoolean(Last).value_or(false);
}

static void addFolder(const json::Value *Uri, std::vector<std::string> &Into) {
  auto Text = Uri ? Uri->getAsString() : std::nullopt;
  if (!Text)
    return;
  auto Parsed = lsp::URIForFile::fromURI(*Text);
  if (Parsed)
    Into.push_back(Parsed->file().str());
  else
    llvm::consumeError(Parsed.takeError());
}

bool fromJSON(const json::Value &V, InitializeParams &Result, json::Path P) {
  if (!fromJSON(V, static_cast<lsp::InitializeParams &>(Result), P))
    return false;
  const json::Object *O = V.getAsObject();
  if (const json::Array *Folders = O->getArray("workspaceFolders")) {
    for (const json::Value &Folder : *Folders)
      if (const json::Object *F = Folder.getAsObject())
        addFolder(F->get("uri"), Result.Folders);
  } else {
    addFolder(O->get("rootUri"), Result.Folders);
  }
  const json::Object *C = O->getObject("capabilities");
  const json::Object *Document = C ? C->getObject("textDocument") : nullptr;
  Result.PullDiagnostics = Document && Document->getObject("diagnostic");
  auto Refresh = [&](llvm::StringRef What) { return flag(C, {"workspace", What}, "refreshSupport"); };
  Result.RefreshDiagnostics = Refresh("diagnostics");
  Result.RefreshLenses = Refresh("codeLens");
  Result.RefreshHints = Refresh("inlayHint");
  Result.ShowDocuments = flag(C, {"window", "showDocument"}, "support");
  Result.WatchFiles = flag(C, {"workspace", "didChangeWatchedFiles"}, "dynamicRegistration");
  Result.Snippets = flag(C, {"textDocument", "completion", "completionItem"}, "snippetSupport");
  const json::Object *Action = Document ? Document->getObject("codeAction") : nullptr;
  const json::Object *Resolve = Action ? Action->getObject("resolveSupport") : nullptr;
  if (const json::Array *Properties = Resolve ? Resolve->getArray("properties") : nullptr)
    Result.ResolveEdits = llvm::is_contained(*Properties, json::Value("edit"));
  if (const json::Value *Options = O->get("initializationOptions"))
    Result.Options = *Options;
  return true;
}

bool fromJSON(const json::Value &V, RangeParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.TextDocument) && O.map("range", Result.Range);
}

bool fromJSON(const json::Value &V, RenameParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  return fromJSON(V, static_cast<lsp::TextDocumentPositionParams &>(Result), P) && O &&
         O.map("newName", Result.NewName);
}

bool fromJSON(const json::Value &V, SelectionRangeParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.TextDocument) && O.map("positions", Result.Positions);
}

bool fromJSON(const json::Value &V, WorkspaceSymbolParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("query", Result.Query);
}

bool fromJSON(const json::Value &V, DocumentDiagnosticParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("textDocument", Result.TextDocument) && O.mapOptional("previousResultId", Result.PreviousResultId);
}

bool fromJSON(const json::Value &V, ExecuteCommandParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("command", Result.Command))
    return false;
  if (const json::Array *Arguments = V.getAsObject()->getArray("arguments"))
    Result.Arguments.assign(Arguments->begin(), Arguments->end());
  return true;
}

bool fromJSON(const json::Value &V, FileEventParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O)
    return false;
  if (V.getAsObject()->get("textDocument")) {
    lsp::TextDocumentIdentifier Saved;
    if (!O.map("textDocument", Saved))
      return false;
    Result.Files.push_back(Saved.uri);
    return true;
  }
  if (const json::Array *Changes = V.getAsObject()->getArray("changes"))
    for (const json::Value &Change : *Changes) {
      const json::Object *C = Change.getAsObject();
      auto Uri = lsp::URIForFile::fromURI(C ? C->getString("uri").value_or("") : "");
      if (Uri)
        Result.Files.push_back(*Uri);
      else
        llvm::consumeError(Uri.takeError());
    }
  return true;
}

bool fromJSON(const json::Value &V, SettingsParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O)
    return false;
  if (const json::Value *Settings = V.getAsObject()->get("settings"))
    Result.Settings = *Settings;
  return true;
}

bool fromJSON(const json::Value &V, CodeActionParams &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("textDocument", Result.TextDocument) || !O.map("range", Result.Range))
    return false;
  const json::Object *Context = V.getAsObject()->getObject("context");
  if (const json::Array *Only = Context ? Context->getArray("only") : nullptr)
    for (const json::Value &Kind : *Only)
      if (auto Text = Kind.getAsString())
        Result.Only.push_back(Text->str());
  return true;
}

bool fromJSON(const json::Value &V, CodeActionToResolve &Result, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("data", Result.TextDocument))
    return false;
  Result.Action = *V.getAsObject();
  return true;
}

} // namespace parlance::server
