// The documents that are open in the editor, each with its snapshot, and what depends on what.
#pragma once
#include "Server/Snapshot.h"

namespace parlance::server {

struct Document {
  lsp::URIForFile Uri;
  std::string Path; ///< as the client calls it
  /// The real path: what other documents know it by. Of a second document of one file, its Path.
  std::string Key;
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
  /// A document, checked as if files held these texts; by what documents know the files by.
  std::unique_ptr<Snapshot> tryOut(const Document &D, const FileTexts &Changed) const;
  /// How many documents have to be checked.
  size_t stale() const;
  /// Whether, since the last call, something changed for a document that the client did not change itself.
  bool takeOutdated() { return std::exchange(Outdated, false); }
  /// How long the last check took, in milliseconds.
  double lastCheck() const { return LastCheck; }
  /// The URI of a file by its real path: the client's own where it is open.
  lsp::URIForFile uriOf(const std::string &Key) const;
  /// The text of a document after all fixes that need no one's consent, as `check --fix` applies them; empty when there
  /// are none.
  std::optional<std::string> fixed(const Document &D) const;
  /// .parl files below the workspace's folders that are not open, by real path, in order.
  std::vector<std::string> otherFiles() const;
  /// A file that is not open, checked for names only; likewise.
  std::unique_ptr<Snapshot> peek(const std::string &Path, const FileTexts &Changed = {}) const;

private:
  void changed(const std::string &Key);
  void rename(const std::string &Key, const std::string &NewKey);
  std::map<std::string, Document> Open; ///< by Key
  bool Outdated = false;
  double LastCheck = 0;
  TextSource Texts = [this](const std::string &Key) {
    auto It = Open.find(Key);
    return It == Open.end() ? nullptr : &It->second.Text;
  };
};

} // namespace parlance::server
