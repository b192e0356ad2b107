// The documents that are open in the editor, each with its snapshot, and what depends on what.
#pragma once
#include "Server/Snapshot.h"

namespace parlance::server {

struct Document {
  lsp::URIForFile Uri;
  std::string Path; ///< as the client calls it
  std::string Key;  ///< the real path: what other documents know it by
  int64_t Version = 0;
  std::string Text;
  /// It was Parlance's or a framework's at some time: what breaks it now is worth saying.
  bool Recognised = false;
  std::unique_ptr<Snapshot> Latest; ///< null: the text or what it depends on has changed
};

class Workspace {
public:
  Settings Options;
  std::vector<std::string> Folders; ///< roots of the workspace: real paths

  void open(const lsp::TextDocumentItem &Item);
  /// False when no such document is open.
  bool change(const lsp::URIForFile &Uri, int64_t Version,
              std::span<const lsp::TextDocumentContentChangeEvent> Changes);
  bool close(const lsp::URIForFile &Uri);
  /// A file has changed on disk, or came or went.
  void fileChanged(const std::string &Path);
  /// Settings have changed: everything is to be checked again.
  void forgetAll();

  Document *find(const lsp::URIForFile &Uri);
  std::vector<Document *> documents();
  /// Checks a document unless it was checked in its present state.
  Snapshot &snapshot(Document &D);
  /// How many documents have to be checked.
  size_t stale() const;
  /// How long the last check took, in milliseconds.
  double lastCheck() const { return LastCheck; }
  /// The URI of a file by its real path: the client's own where it is open.
  lsp::URIForFile uriOf(const std::string &Key) const;
  /// .parl files below the workspace's folders that are not open, by real path, in order.
  std::vector<std::string> otherFiles() const;
  /// A file that is not open, checked for names only.
  std::unique_ptr<Snapshot> peek(const std::string &Path) const;

private:
  void changed(const std::string &Key);
  std::map<std::string, Document> Open; ///< by Key
  double LastCheck = 0;
  TextSource Texts = [this](const std::string &Key) {
    auto It = Open.find(Key);
    return It == Open.end() ? nullptr : &It->second.Text;
  };
};

} // namespace parlance::server
