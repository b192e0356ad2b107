// One document as the checker sees it at one moment: what `parlance check FILE` would find, kept with everything that
// it found it with.
#pragma once
#include "Server/Lines.h"
#include "Session/CheckResult.h"
#include "Session/Session.h"
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
  /// Checks a file. `Known`: as `check FILE` does; else a foreign file whose content leaves a doubt is left alone.
  /// `Rules` off: names and types only, for a search through many files.
  Snapshot(const std::string &Path, const TextSource &Texts, const Settings &S, bool Known = true, bool Rules = true);

  /// The document's own file; 0 when it cannot be read as text, which a diagnostic says.
  uint32_t file() const { return File; }
  bool isForeign() const { return Foreign; }
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
  std::string_view text() const { return File ? Sources.file(File).text() : std::string_view(); }
  /// Everything that is to be shown, in the order of `check`.
  const std::vector<Diagnostic> &found() const { return Found; }
  /// What was found, for a caller that needs nothing else; the snapshot is of no use afterwards.
  CheckResult result() &&;
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

  SourceManager Sources;
  DiagnosticEngine Engine{PolicyErrors};
  Session Run;

private:
  void judge(const std::string &Path, bool Rules);
  void judgeForeign(const Settings &S, bool Known, bool Rules);
  void awaitSettings(const std::string &Path);

  uint32_t File = 0;
  bool Foreign = false, Unknown = false, HasMark = false;
  bool IsSettings = false; ///< a parlance.toml: only the policy reads it
  std::set<std::string> Asked;
  std::map<uint32_t, LineTable> Lines;
  std::vector<Diagnostic> Found;
};

} // namespace parlance::server
