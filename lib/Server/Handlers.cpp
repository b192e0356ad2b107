#include "Server/Handlers.h"
#include "Frameworks/Job/FileKind.h"

namespace parlance::server {

/// A request of ours whose answer changes nothing.
static lsp::OutgoingRequest<json::Value> request(lsp::MessageHandler &Messages, llvm::StringLiteral Method) {
  return Messages.outgoingRequest<json::Value, lsp::NoParams>(
      Method, [](const json::Value &, llvm::Expected<lsp::NoParams> Answer) {
        if (!Answer)
          llvm::consumeError(Answer.takeError());
      });
}

Handlers::Handlers(lsp::MessageHandler &Messages, std::string_view Version)
    : Publish(Messages.outgoingNotification<json::Value>("textDocument/publishDiagnostics")),
      Register(request(Messages, "client/registerCapability")),
      RefreshDiagnostics(request(Messages, "workspace/diagnostic/refresh")),
      RefreshLenses(request(Messages, "workspace/codeLens/refresh")),
      RefreshHints(request(Messages, "workspace/inlayHint/refresh")),
      ShowDocument(request(Messages, "window/showDocument")), Library(Version), Version(Version) {
  Messages.method("initialize", this, &Handlers::onInitialize);
  Messages.notification("initialized", this, &Handlers::onInitialized);
  Messages.method("shutdown", this, &Handlers::onShutdown);
  Messages.notification("textDocument/didOpen", this, &Handlers::onOpen);
  Messages.notification("textDocument/didChange", this, &Handlers::onChange);
  Messages.notification("textDocument/didClose", this, &Handlers::onClose);
  Messages.notification("textDocument/didSave", this, &Handlers::onFiles);
  Messages.notification("workspace/didChangeWatchedFiles", this, &Handlers::onFiles);
  Messages.notification("workspace/didChangeConfiguration", this, &Handlers::onSettings);
  Messages.method("textDocument/diagnostic", this, &Handlers::onDiagnostic);
  listen(Messages);
}

//===----------------------------------------------------------------------===//
// Life of the server
//===----------------------------------------------------------------------===//

void Handlers::configure(const json::Value &Settings) {
  const json::Object *O = Settings.getAsObject();
  if (const json::Object *Own = O ? O->getObject("parlance") : nullptr)
    O = Own;
  if (!O)
    return;
  Files.Options.Foreign.Cluster = O->getString("cluster").value_or("").str();
  Files.Options.RulePages = O->getString("rulePages").value_or("").str();
  Files.Options.Foreign.Set.clear();
  if (const json::Object *Set = O->getObject("set"))
    for (const auto &[Name, V] : *Set)
      if (auto Text = V.getAsString())
        Files.Options.Foreign.Set[Name.str()] = Text->str();
}

void Handlers::onInitialize(const InitializeParams &P, Reply R) {
  Client = P;
  Ready = true;
  for (const std::string &Folder : P.Folders)
    Files.Folders.push_back(SourceManager::realPath(Folder));
  configure(P.Options);
  json::Object Capabilities = capabilities();
  if (P.PullDiagnostics)
    Capabilities["diagnosticProvider"] =
        json::Object{{"identifier", "parlance"}, {"interFileDependencies", true}, {"workspaceDiagnostics", false}};
  R(json::Object{{"capabilities", std::move(Capabilities)},
                 {"serverInfo", json::Object{{"name", "parlance"}, {"version", Version}}}});
}

void Handlers::onInitialized(const lsp::NoParams &) {
  if (!Client.WatchFiles)
    return;
  json::Object Watcher{{"globPattern", fmt::format("**/*.{{{}}}", fmt::join(knownEndings(), ","))}};
  json::Object Registration{{"id", "files"},
                            {"method", "workspace/didChangeWatchedFiles"},
                            {"registerOptions", json::Object{{"watchers", json::Array{std::move(Watcher)}}}}};
  Register(json::Object{{"registrations", json::Array{std::move(Registration)}}}, ++Requests);
}

void Handlers::onShutdown(const lsp::NoParams &, Reply R) {
  ShutDown = true;
  R(nullptr);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Handlers::onOpen(const lsp::DidOpenTextDocumentParams &P) {
  Files.open(P.textDocument);
  Behind = true;
}

void Handlers::onChange(const lsp::DidChangeTextDocumentParams &P) {
  Behind |= Files.change(P.textDocument.uri, P.textDocument.version, P.contentChanges);
}

void Handlers::onClose(const lsp::DidCloseTextDocumentParams &P) { Behind |= Files.close(P.textDocument.uri); }

void Handlers::onFiles(const FileEventParams &P) {
  for (const lsp::URIForFile &File : P.Files)
    Files.fileChanged(File.file().str());
  Behind |= Files.stale() > 0;
}

void Handlers::onSettings(const SettingsParams &P) {
  configure(P.Settings);
  Files.forgetAll();
  Behind = Files.stale() > 0;
}

Document *Handlers::document(const lsp::URIForFile &Uri, Reply &R) {
  Document *D = Files.find(Uri);
  if (!D)
    R(llvm::make_error<lsp::LSPError>("the document is not open: " + Uri.uri().str(), lsp::ErrorCode::InvalidParams));
  return D;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static std::string printed(const json::Value &V) { return llvm::formatv("{0}", V).str(); }

/// Sends what is found in a file unless the client has it: of an open document, for its present version.
void Handlers::send(const std::string &Uri, json::Value Found, const Document *D) {
  std::string Text = printed(Found);
  if (D)
    Text += fmt::format("@{}", D->Version);
  std::string &Before = Sent[Uri];
  if (Before == Text)
    return;
  json::Object Params{{"uri", Uri}, {"diagnostics", std::move(Found)}};
  if (D)
    Params["version"] = D->Version;
  Publish(std::move(Params));
  Before = std::move(Text);
}

void Handlers::publish() {
  Behind = false;
  // The client asks about the document that it has changed, not about those that use it.
  if (Files.takeOutdated()) {
    if (Client.RefreshLenses)
      RefreshLenses(nullptr, ++Requests);
    if (Client.RefreshHints)
      RefreshHints(nullptr, ++Requests);
    if (Client.RefreshDiagnostics && Client.PullDiagnostics)
      RefreshDiagnostics(nullptr, ++Requests);
  }
  std::set<std::string> Told;
  for (const std::string &Key : filesWithDiagnostics(Files)) {
    lsp::URIForFile Uri = Files.uriOf(Key);
    const Document *D = Files.find(Uri);
    // A client that asks does so for its documents, not for the files that they use.
    if (D && Client.PullDiagnostics)
      continue;
    json::Array Found = diagnosticsOf(Key, Files, Library);
    if (!D && Found.empty())
      continue;
    Told.insert(Uri.uri().str());
    send(Uri.uri().str(), std::move(Found), D);
  }
  std::erase_if(Sent, [&](const auto &Before) {
    if (Told.contains(Before.first))
      return false;
    Publish(json::Object{{"uri", Before.first}, {"diagnostics", json::Array()}});
    return true;
  });
}

void Handlers::onDiagnostic(const DocumentDiagnosticParams &P, Reply R) {
  Snapshot *S = snapshot(P.TextDocument.uri, R);
  if (!S)
    return;
  json::Value Found = diagnosticsOf(Files.find(P.TextDocument.uri)->Key, Files, Library);
  std::string Id = fmt::format("{:x}", std::hash<std::string>()(printed(Found)));
  if (Id == P.PreviousResultId) {
    R(json::Object{{"kind", "unchanged"}, {"resultId", Id}});
    return;
  }
  R(json::Object{{"kind", "full"}, {"resultId", Id}, {"items", std::move(Found)}});
}

} // namespace parlance::server
