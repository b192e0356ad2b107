// One document as the checker sees it at one moment: what `parlance check FILE` would find, kept with everything that
// it found it with.
#pragma once
#include "Check/UnitCheck.h"
#include "Server/Lines.h"
#include <set>

namespace parlance::server {

/// What the editor holds of files, by real path; null for others.
using TextSource = std::function<const std::string *(const std::string &RealPath)>;

struct Settings {
  ForeignRequest Foreign; ///< what foreign files run on
  std::string RulePages;  ///< where the pages of diagnostics are; empty: beside the library's text
};

class Snapshot {
public:
  /// Checks a document: the first file of a unit, with the other files of its job. In a walked unit a foreign file
  /// whose content leaves a doubt is left alone. `NamesOnly`: for a search through many files.
  Snapshot(CheckUnit Unit, const TextSource &Texts, const Settings &S, bool NamesOnly = false);

  /// The document's own file; 0 when it cannot be read as text, which a diagnostic says.
  uint32_t file() const { return Check.file(0); }
  /// A file that is neither Parlance's nor known to be a framework's: an editor shows the server every JSON file there
  /// is.
  bool isUnknown() const { return Unknown; }
  /// The document's declarations; null for a foreign or unreadable file.
  Module *main() const { return Run.Main; }
  /// Whether what was found depends on a file: it was read, or looked for in vain.
  bool dependsOn(const std::string &RealPath) const { return Asked.contains(RealPath); }
  /// The file by which an id is known to the editor; empty for texts of the library.
  std::string pathOf(uint32_t Id) const;
  const LineTable &lines(uint32_t Id);
  lsp::Range range(SourceRange R) { return lines(R.File).range(R.Begin, R.End); }
  std::string_view text() const { return file() ? Sources.file(file()).text() : std::string_view(); }
  /// Everything that is to be shown, in the order of `check`.
  const std::vector<Diagnostic> &found() const { return Check.Report.Found; }
  /// What was found, for a caller that needs nothing else; the snapshot is of no use afterwards.
  CheckReport result() && { return std::move(Check).take(); }
  /// The jobs of the document, and of the files that it uses.
  const std::vector<AnalyzedJob> &jobs() const { return Run.Analysis.jobs(); }
  /// A job of the document by name; its only one for an empty name; else null.
  const AnalyzedJob *job(std::string_view Name) const;
  /// The job around a declaration of the document, resolved; else null.
  const AnalyzedJob *jobAround(const ast::Item &Outermost) const;

  /// What the document's own file is known by; empty: its real path.
  std::string Key;
  /// The text after all safe fixes, once someone has asked for it.
  std::optional<std::string> AllFixed;

private:
  CheckRequest request(const TextSource &Texts, const Settings &S, bool NamesOnly);
  void awaitSettings();

  CheckUnit Unit;
  std::set<std::string> Asked; ///< by real path
  CheckRequest Request;
  UnitCheck Check;
  bool Unknown = false, HasMark = false;
  std::map<uint32_t, LineTable> Lines;

public:
  SourceManager &Sources;
  DiagnosticEngine &Engine;
  Session &Run; ///< the document's
};

} // namespace parlance::server
