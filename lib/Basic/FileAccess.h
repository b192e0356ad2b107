// Which files a run may read, and of which it may show anything. A checked repository is not trusted: a file in it may
// name any other file, or be a link to it. The promises are those of docs/security.md.
#pragma once
#include <cstdint>
#include <set>
#include <string>

namespace parlance {

/// The folder whose files a file may name.
struct FileRoot {
  std::string Folder;
  bool Project = false; ///< a repository, or a folder with settings; otherwise just the file's own folder
};

/// The root of the files in a folder, which is given by its real path: the outermost repository or worktree around it,
/// else the outermost folder around it with a parlance.toml, else itself. Looked for up to the home folder or the
/// mount; a home folder that is a repository is the root only of files that are in no repository below it.
FileRoot rootOf(const std::string &Folder);

class FileAccess {
public:
  /// `Strict`: nothing outside is read at all, and no link that was named leads out of its folder.
  explicit FileAccess(bool Strict = false) : Strict(Strict) {}

  /// A file or folder that the user names: its root is inside. A link that is in no project may lead elsewhere.
  void name(const std::string &Path);
  /// A folder that the user allows, with all that is in it.
  void allow(const std::string &Folder);

  enum class Place : uint8_t {
    Inside,  ///< read and shown
    Outside, ///< read where it is a configuration and parses, never shown
    Git,     ///< of a repository's own folder: may hold a token, never read
  };
  Place placeOf(const std::string &RealPath) const;
  /// The same for a file that another one names: it may be in a repository's own folder of any name.
  Place placeOfNamed(const std::string &RealPath) const;
  /// Whether a folder, by its real path, is where what is inside ends.
  bool isRoot(const std::string &Folder) const { return Roots.contains(Folder); }
  bool isStrict() const { return Strict; }
  /// "`/home/me/repo`", for messages; the first ones of many.
  std::string inside() const;

private:
  bool Strict;
  std::set<std::string> Roots; ///< real paths
};

} // namespace parlance
