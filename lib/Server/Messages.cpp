#include "Server/Messages.h"
#include "Server/Lines.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <poll.h>
#include <unistd.h>

namespace parlance::server {

namespace json = llvm::json;

/// A text of the largest file that is read, with every byte escaped, and the rest of the message.
static constexpr size_t MaxMessageBytes = (6 * SourceManager::MaxFileBytes) + (1 << 20);

std::optional<Message> MessageReader::next(int Timeout) {
  if (Delimited && !AtEnd)
    readAll();
  while (read(0)) // everything that is there: a cancellation may stand behind what it cancels
    ;
  while (Waiting.empty() && !AtEnd && read(Timeout))
    ;
  if (Waiting.empty())
    return std::nullopt;
  Message M = std::move(Waiting.front());
  Waiting.pop_front();
  return M;
}

bool MessageReader::changeIsWaiting() {
  while (read(0))
    ;
  return std::ranges::any_of(Waiting, [](const Message &M) {
    const json::Object *O = M.Content.getAsObject();
    auto Method = O ? O->getString("method") : std::nullopt;
    return Method && Method->starts_with("textDocument/did");
  });
}

/// Reads what has arrived. False when nothing came in time or the input has ended.
bool MessageReader::read(int Timeout) {
  if (AtEnd)
    return false;
  pollfd Ready{File, POLLIN, 0};
  int Count = ::poll(&Ready, 1, Timeout);
  if (Count < 0 && errno == EINTR)
    return true;
  if (Count <= 0) {
    AtEnd = Count < 0;
    return false;
  }
  char Chunk[1 << 16];
  ssize_t Size = ::read(File, Chunk, sizeof Chunk);
  if (Size < 0 && errno == EINTR)
    return true;
  if (Size <= 0) {
    AtEnd = true;
    return false;
  }
  Buffer.append(Chunk, static_cast<size_t>(Size));
  while (split())
    ;
  return true;
}

/// Takes one whole message with its header off the buffer.
bool MessageReader::split() {
  if (Skip) {
    size_t Now = std::min(Skip, Buffer.size());
    Buffer.erase(0, Now);
    Skip -= Now;
    if (Skip)
      return false;
  }
  size_t HeaderEnd = Buffer.find("\r\n\r\n");
  if (HeaderEnd == std::string::npos) {
    // No header is as long: whatever this is, it does not grow without end.
    if (Buffer.size() > (1 << 16))
      Buffer.clear();
    return false;
  }
  static constexpr std::string_view Name = "content-length:";
  std::string Header = Buffer.substr(0, HeaderEnd);
  std::ranges::transform(Header, Header.begin(),
                         [](char C) { return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C; });
  size_t At = Header.rfind(Name), Length = 0;
  bool HasLength = At != std::string::npos;
  if (HasLength) {
    const char *First = Header.data() + At + Name.size(), *Last = Header.data() + Header.size();
    while (First != Last && *First == ' ')
      ++First;
    HasLength = std::from_chars(First, Last, Length).ec == std::errc();
  }
  size_t Begin = HeaderEnd + 4;
  if (!HasLength || Length > MaxMessageBytes) {
    Buffer.erase(0, Begin);
    Skip = HasLength ? Length : 0;
    Message &M = Waiting.emplace_back();
    M.Fault = HasLength ? "the message is too long" : "a header has no Content-Length";
    return true;
  }
  if (Buffer.size() - Begin < Length)
    return false;
  add(std::string_view(Buffer).substr(Begin, Length));
  Buffer.erase(0, Begin + Length);
  return true;
}

void MessageReader::readAll() {
  std::string All;
  char Chunk[1 << 16];
  for (ssize_t Size; (Size = ::read(File, Chunk, sizeof Chunk)) != 0;)
    if (Size > 0)
      All.append(Chunk, static_cast<size_t>(Size));
    else if (errno != EINTR)
      break;
  AtEnd = true;
  std::string One;
  bool Something = false;
  auto Finish = [&] {
    if (Something)
      add(One);
    One.clear();
    Something = false;
  };
  for (size_t Begin = 0; Begin < All.size();) {
    size_t End = std::min(All.find('\n', Begin), All.size() - 1);
    std::string_view Line = std::string_view(All).substr(Begin, End + 1 - Begin);
    Begin = End + 1;
    if (Line.starts_with("// -----")) {
      Finish();
    } else if (!Line.starts_with("//")) {
      One += Line;
      Something |= Line.find_first_not_of(" \t\r\n") != std::string_view::npos;
    }
  }
  Finish();
}

/// Whether brackets are nested deeper than any message of the protocol: LLVM's parser takes stack for each.
static bool isTooDeep(std::string_view Text) {
  constexpr unsigned Deepest = 200;
  unsigned Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '"')
      for (++I; I < Text.size() && Text[I] != '"'; ++I)
        I += Text[I] == '\\';
    else if ((C == '[' || C == '{') && ++Depth > Deepest)
      return true;
    else if ((C == ']' || C == '}') && Depth)
      --Depth;
  }
  return false;
}

void MessageReader::add(std::string_view Text) {
  if (isTooDeep(Text)) {
    Waiting.emplace_back().Fault = "the message is nested too deep";
    return;
  }
  auto Parsed = json::parse(validUtf8(Text));
  Message M;
  if (!Parsed) {
    M.Fault = "the message is not JSON: " + llvm::toString(Parsed.takeError());
  } else {
    M.Content = std::move(*Parsed);
    const json::Object *O = M.Content.getAsObject();
    if (!O || O->getString("jsonrpc") != llvm::StringRef("2.0"))
      M.Fault = "the message is not an object of JSON-RPC 2.0";
    else if (!O->getString("method") && !O->get("result") && !O->get("error"))
      M.Fault = "the message has no method";
    else if (O->getString("method") == llvm::StringRef("$/cancelRequest")) {
      if (const json::Object *Params = O->getObject("params"))
        if (const json::Value *Id = Params->get("id"))
          cancel(*Id);
      return;
    }
  }
  Waiting.push_back(std::move(M));
}

void MessageReader::cancel(const json::Value &Id) {
  for (Message &M : Waiting)
    if (const json::Object *O = M.Content.getAsObject(); O && O->get("method"))
      if (const json::Value *Own = O->get("id"); Own && *Own == Id)
        M.Cancelled = true;
}

} // namespace parlance::server
