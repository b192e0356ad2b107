// Messages from the client, read ahead as far as they have arrived: what was cancelled or overtaken meanwhile is known
// before it is begun.
#pragma once
#include "llvm/Support/JSON.h"
#include <deque>
#include <optional>
#include <string>

namespace parlance::server {

/// One message, or why what arrived is none.
struct Message {
  llvm::json::Value Content = nullptr;
  std::string Fault; ///< not empty: no JSON, or no object of JSON-RPC 2.0
  bool Cancelled = false;
};

class MessageReader {
public:
  /// With `Delimited`, the input is read whole, and messages stand between lines `// -----`, as in tests; other lines
  /// that begin with `//` are comments.
  MessageReader(int File, bool Delimited) : File(File), Delimited(Delimited) {}
  /// The next message, waiting so many milliseconds for it (-1: for ever). Empty when none came or none will come.
  std::optional<Message> next(int Timeout);
  /// Whether a message has arrived already that changes or closes a document.
  bool changeIsWaiting();
  /// The input has ended and everything in it was handed out.
  bool ended() const { return AtEnd && Waiting.empty(); }

private:
  bool read(int Timeout);
  void readAll();
  bool split();
  void add(std::string_view Text);
  void cancel(const llvm::json::Value &Id);

  int File;
  bool Delimited;
  bool AtEnd = false;
  std::string Buffer;
  size_t Skip = 0; ///< bytes of a message that is too long
  std::deque<Message> Waiting;
};

} // namespace parlance::server
