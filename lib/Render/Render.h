// Renderers of diagnostics: text with carets, one line each, JSON (docs/command-line.md), and the formats of build
// services (docs/ci.md).
#pragma once
#include "Basic/Diagnostic.h"
#include "Basic/JobVerdict.h"
#include <functional>
#include <optional>

namespace parlance {

struct RenderOptions {
  bool Color = false;
  bool Concise = false;          ///< first lines only
  unsigned SuppressedErrors = 0; ///< errors that the engine counted but did not keep
  /// What `explain` is told besides a place in a framework's file: files that may belong to it, and options, with a
  /// blank in front.
  std::vector<std::string> ForeignFiles = {};
  std::string ForeignWords = {};
};

/// `FILE:LINE:COL: severity: message [CODE name]`, frame, carets, body, notes, derivations, fixes;
/// then `N errors, M warnings`. Without a position the line begins with `parlance: `.
std::string renderText(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                       const RenderOptions &Options);
/// One diagnostic without the closing count.
std::string renderText(const Diagnostic &D, const SourceManager &Sources, const RenderOptions &Options);
/// `{"version":1,"diagnostics":[…],"jobs":[…],"summary":{"errors","warnings"}}`, stable field order, a final
/// newline. Without a position `file`, `line` and the others are null. A derivation's `value` is a number in the base
/// units of its `unit`, a string where it is not a number, null where it is unknown; `text` is what is printed.
std::string renderJson(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                       unsigned SuppressedErrors = 0, const std::vector<JobVerdict> &Jobs = {});
/// A derivation as it stands in `renderJson`.
std::string renderJson(const Derivation &D, const SourceManager &Sources);

/// The page of a diagnostic, as reports carry it along.
struct RuleHelp {
  Severity Level;
  std::string Description;    ///< one line; its first sentence is a summary
  std::string Text, Markdown; ///< the whole page
};

/// What reports for other programs need besides the diagnostics.
struct ReportOptions {
  std::string Folder = ".";         ///< paths are relative to it
  unsigned SuppressedErrors = 0;    ///< errors that were counted but not kept
  std::string Version;              ///< of the program
  bool WarningsFail = false;        ///< in JUnit: a warning is a failed test
  std::vector<std::string> Checked; ///< in JUnit: the files that were checked, clean ones too
  std::function<std::optional<RuleHelp>(std::string_view Code)> Help;
};

/// SARIF 2.1.0: rules with their pages, results with columns in UTF-16 units, notes as related locations, fixes,
/// fingerprints. The paths of files below the folder are relative URIs.
std::string renderSarif(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                        const ReportOptions &Options);
/// Workflow commands of GitHub Actions, one line per diagnostic: `::error title=…,file=…::…`.
std::string renderGithub(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                         const ReportOptions &Options);
/// GitLab's code quality report: a JSON array.
std::string renderGitlab(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                         const ReportOptions &Options);
/// JUnit's XML: a suite per file, a test per diagnostic, and a passed one for a clean file.
std::string renderJunit(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                        const ReportOptions &Options);

/// A derivation as an indented tree: name = formula = substituted = value unit, terms below; behind it in brackets
/// where a formula is documented or a given value was set.
std::string renderDerivation(const Derivation &D, const SourceManager &Sources, unsigned Indent = 0);
/// "1 error", "3 errors, 1 warning".
std::string summaryLine(unsigned Errors, unsigned Warnings);

} // namespace parlance
