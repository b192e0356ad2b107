// The language server: messages in, the features of this folder behind them, messages out.
#pragma once
#include "Server/Diagnostics.h"
#include "Server/Messages.h"

namespace parlance::server {

struct ServerOptions {
  std::string Version;  ///< "0.1.0"
  bool LitTest = false; ///< messages between lines `// -----`, no waiting, replies over many lines
};

/// Serves one client until it says `exit` or its end of `In` is closed. 0 when it asked for
/// `shutdown` before, else 1.
int serve(int In, llvm::raw_ostream &Out, const ServerOptions &Options);

} // namespace parlance::server
