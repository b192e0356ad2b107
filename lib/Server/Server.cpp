#include "Server/Server.h"
#include "Server/Handlers.h"
#include <algorithm>

namespace parlance::server {

namespace {

/// What a message is, taken apart.
struct Envelope {
  std::optional<json::Value> Id;
  std::string Method; ///< empty for the reply to a request of ours
  json::Value Params = nullptr;
};

class Connection {
public:
  Connection(int In, llvm::raw_ostream &Out, const ServerOptions &Options)
      : LitTest(Options.LitTest), Reader(In, Options.LitTest),
        Transport(stdin, Out, lsp::JSONStreamStyle::Standard, Options.LitTest), Messages(Transport),
        All(Messages, Options.Version) {}
  int run();

private:
  void handle(Message &M);
  void answered(Envelope E, const json::Object &O);
  void handleRequest(Envelope E, bool Cancelled);
  void fail(json::Value Id, llvm::StringRef Why, lsp::ErrorCode Code) {
    Transport.reply(std::move(Id), llvm::make_error<lsp::LSPError>(Why.str(), Code));
  }
  int patience() const;

  bool LitTest;
  MessageReader Reader;
  lsp::JSONTransport Transport;
  lsp::MessageHandler Messages;
  Handlers All;
  bool Running = true;
};

/// How long to wait for more edits before a check, in milliseconds: nothing for a check that is not noticed, else
/// longer the longer it takes, but never so long that one waits for it.
int Connection::patience() const {
  constexpr double Unnoticed = 20, Longest = 200;
  double Last = All.Files.lastCheck();
  return LitTest || Last < Unnoticed ? 0 : static_cast<int>(std::min(2 * Last, Longest));
}

int Connection::run() {
  while (Running) {
    bool Behind = All.isBehind();
    auto M = Reader.next(Behind ? patience() : -1);
    if (M)
      handle(*M);
    else if (Reader.ended())
      break;
    // Edits that have arrived already are taken in before anything is checked.
    if (All.isBehind() && (LitTest || (!M && !Reader.changeIsWaiting())))
      All.publish();
  }
  return All.wasShutDown() ? 0 : 1;
}

void Connection::handle(Message &M) {
  const json::Object *O = M.Content.getAsObject();
  Envelope E;
  if (O) {
    if (const json::Value *Id = O->get("id"))
      E.Id = *Id;
    E.Method = O->getString("method").value_or("").str();
    if (const json::Value *Params = O->get("params"))
      E.Params = *Params;
  }
  if (!M.Fault.empty()) {
    fail(E.Id.value_or(nullptr), M.Fault, O ? lsp::ErrorCode::InvalidRequest : lsp::ErrorCode::ParseError);
    return;
  }
  if (E.Method.empty()) {
    answered(std::move(E), *O);
    return;
  }
  if (E.Id) {
    handleRequest(std::move(E), M.Cancelled);
    return;
  }
  if (E.Method == "exit")
    Running = false;
  else if (All.isReady())
    Messages.onNotify(E.Method, std::move(E.Params));
}

/// The client's answer to a request of ours.
void Connection::answered(Envelope E, const json::Object &O) {
  if (!E.Id)
    return;
  if (const json::Value *Result = O.get("result"))
    Messages.onReply(std::move(*E.Id), *Result);
  else
    Messages.onReply(std::move(*E.Id), llvm::make_error<lsp::LSPError>("refused", lsp::ErrorCode::RequestFailed));
}

void Connection::handleRequest(Envelope E, bool Cancelled) {
  if (Cancelled)
    fail(*E.Id, "the request was cancelled", lsp::ErrorCode::RequestCancelled);
  else if (All.wasShutDown())
    fail(*E.Id, "the server was shut down", lsp::ErrorCode::InvalidRequest);
  else if (!All.isReady() && E.Method != "initialize")
    fail(*E.Id, "the server is not initialized", lsp::ErrorCode::ServerNotInitialized);
  else if (All.isReady() && E.Method == "initialize")
    fail(*E.Id, "the server is initialized already", lsp::ErrorCode::InvalidRequest);
  else
    Messages.onCall(E.Method, std::move(E.Params), std::move(*E.Id));
}

} // namespace

int serve(int In, llvm::raw_ostream &Out, const ServerOptions &Options) { return Connection(In, Out, Options).run(); }

} // namespace parlance::server
