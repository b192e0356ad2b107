// The name at a place and everything that is the same name: what references and renaming start with.
#pragma once
#include "Server/Index.h"
#include "Server/Workspace.h"

namespace parlance::server {

/// The name at a position, with what it was found in.
struct NameAt {
  std::vector<Occurrence> All;
  const Occurrence *Here = nullptr;
};
NameAt nameAt(Snapshot &S, lsp::Position At);

/// A place in a file of the Snapshot, by what the file is known by.
using UseVisitor = std::function<void(const std::string &Path, Snapshot &S, const Occurrence &O)>;

/// Every use of a name of the document: in it, in open documents, and in files of the workspace. A file is visited
/// once, in whatever snapshot it is met first.
void eachUse(Document &D, Snapshot &S, const Occurrence &Name, Workspace &W, const UseVisitor &Visit);

/// Whether a file that is not open contains a word, as far as it can be read.
bool holdsWord(const std::string &Path, std::string_view Word);

} // namespace parlance::server
