// The library's text and the pages of diagnostics as files, so that every editor can show them.
#pragma once
#include "Sema/Library.h"
#include "Server/Lines.h"
#include <set>

namespace parlance::server {

class LibraryFolder {
public:
  /// `Version` names the folder below the user's cache folder.
  explicit LibraryFolder(std::string_view Version);
  /// Path of a file of the library ("std/hardware.parl"), written read-only if need be; empty when there is no such
  /// file or it cannot be written.
  std::string file(std::string_view Name);
  /// Path of the page of a diagnostic as Markdown; empty likewise.
  std::string page(std::string_view Code, const Library &Lib);
  /// Path of a result that is shown to the user, written anew; empty when it cannot be written.
  std::string result(const std::string &Name, std::string_view Text);

private:
  /// Writes what does not change: once for all runs of this version.
  std::string write(const std::string &Name, std::string_view Text);
  std::string Root;
  std::set<std::string> Written; ///< in this run
};

/// The place of a declaration in a file of the library: its name, with the file's text.
struct LibraryPlace {
  std::string_view File, Text; ///< "std/schema.parl"
  uint32_t Begin = 0, End = 0;
};
/// Of a declaration whose text is known ("fn peak_of…", as LibrarySource has it).
std::optional<LibraryPlace> placeIn(const LibrarySource &Source, std::string_view Name);
/// Of a field of a schema, or of the schema for an empty field.
std::optional<LibraryPlace> placeOfField(const SchemaDecl &Schema, std::string_view Field);
/// Of a unit with one of its spellings.
std::optional<LibraryPlace> placeOfUnit(std::string_view Spelling);
/// Of a module ("std/hardware"): its beginning.
std::optional<LibraryPlace> placeOfModule(std::string_view Module);

} // namespace parlance::server
