// Diagnostics as data: everything a reader sees is held here, and renderers (text, JSON) only lay it out.
#pragma once
#include "Basic/Source.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace parlance {

enum class Severity : uint8_t { Error, Warning, Note, Hint };
std::string_view severityName(Severity S);

/// How far a fix can be trusted: applied by a machine, probably right, or only shown.
enum class Applicability : uint8_t { Machine, Maybe, Display };
std::string_view applicabilityName(Applicability A);

struct Label {
  SourceRange Range;
  std::string Text;
};
struct Note {
  SourceRange Range; ///< may be nowhere
  std::string Message;
};
struct Edit {
  SourceRange Range;
  std::string NewText;
};
struct Fix {
  std::string Title;
  Applicability Trust = Applicability::Display;
  std::vector<Edit> Edits;
  /// What the change costs or gains: name and printed value, in order.
  std::vector<std::pair<std::string, std::string>> Effect;
};

/// One value with the way it came about: its formula, the same with numbers in place, and its terms. `explain`, JSON,
/// editor hover and reports all print this object.
struct Derivation {
  std::string Name;        ///< "overlap.dp", "layout.tp"; empty for an anonymous sub-expression
  std::string Formula;     ///< "comm / compute"; empty for a given value
  std::string Substituted; ///< "0.1201 s / 0.0896 s"
  std::string Value;       ///< "1.34"
  std::string Unit;        ///< "B/gpu"; "ratio" for plain numbers
  double Number = 0;       ///< in base units
  std::string Source;      ///< doc or paper of the formula, or where a given value came from
  SourceRange Origin;      ///< the line that set a given value
  std::vector<Derivation> Terms;
};

struct Diagnostic {
  std::string_view Code, Name; ///< "PL2003", "tp-divides-heads"; static storage
  Severity Level = Severity::Error;
  std::string Message;
  SourceRange Range;
  /// The file whose text the message and its notes may hold, 0 for none; empty: that of Range.
  std::optional<uint32_t> Quotes;
  std::string CaretText; ///< printed behind the carets of Range
  std::vector<Label> Labels;
  std::vector<std::string> Body; ///< lines of free layout between frame and notes (memory bars)
  std::vector<Note> Notes;
  std::vector<Derivation> Derivations;
  std::vector<Fix> Fixes;
  /// The jobs of which it is found; empty when it is about no job in particular, or only one was judged.
  std::vector<std::string> Jobs;
};

/// Adds a fix where there is one.
inline void addFix(Diagnostic &D, std::optional<Fix> F) {
  if (F)
    D.Fixes.push_back(std::move(*F));
}

/// "(job a)", "(jobs a, b)", with at most so many names; empty for none.
std::string jobsOf(const Diagnostic &D, size_t Most = 4);

/// Gives every range the file that `Ids` says for its own: what SourceManager::absorb returned.
void renumberFiles(Diagnostic &D, std::span<const uint32_t> Ids);

/// Leaves nothing of files outside (docs/security.md) in what was found: ranges there become the place that names the
/// file, and a message that may quote one becomes its path and the code.
void hideOutside(std::vector<Diagnostic> &Found, const SourceManager &Sources);

/// The declaration of one diagnostic, with the types of its message's parameters.
template <typename... Args> struct DiagnosticKind {
  std::string_view Code, Name;
  Severity Level;
  std::string_view Format;
};

/// Collects diagnostics. Nothing is printed here; `take` returns them sorted by file, position and code, each once.
class DiagnosticEngine {
public:
  /// Past this many errors the rest is counted, not kept.
  static constexpr unsigned MaxErrors = 100;

  explicit DiagnosticEngine(unsigned Limit = MaxErrors) : Limit(Limit) {}

  template <typename... Args>
  Diagnostic &report(const DiagnosticKind<Args...> &Kind, SourceRange Range,
                     const std::type_identity_t<Args> &...Values) {
    Diagnostic D;
    D.Code = Kind.Code;
    D.Name = Kind.Name;
    D.Level = Kind.Level;
    D.Message = fmt::format(fmt::runtime(Kind.Format), Values...);
    D.Range = Range;
    return add(std::move(D));
  }
  /// The reference stays valid until the engine dies. The same code and message at the same place a second time is
  /// dropped and not counted; what was found of several jobs names them all.
  Diagnostic &add(Diagnostic D);
  unsigned errors() const { return Errors; }
  unsigned warnings() const { return Warnings; }
  unsigned suppressedErrors() const { return Errors > Limit ? Errors - Limit : 0; }
  std::vector<Diagnostic> take();
  bool empty() const { return Kept.empty(); }
  /// From now on what is reported is found of a job; of none for an empty name.
  void beginJob(std::string_view Name);
  void endJob() { Job.clear(); }
  /// Whether an error of the text itself, not one that was found of a job, begins within a range: what depends on it is
  /// not worth judging.
  bool errorWithin(SourceRange Range) const {
    return std::ranges::any_of(Kept, [&](const Diagnostic &D) {
      return D.Level == Severity::Error && D.Jobs.empty() && D.Range.File == Range.File &&
             D.Range.Begin >= Range.Begin && D.Range.Begin <= Range.End;
    });
  }

private:
  unsigned Limit;
  std::deque<Diagnostic> Kept;
  Diagnostic Dropped; ///< what a caller may fill in of a diagnostic that is not kept
  /// By place, code and message; null for what is not kept.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string_view, std::string>, Diagnostic *> Seen;
  unsigned Errors = 0, Warnings = 0;
  std::string Job;
  std::set<std::string, std::less<>> AllJobs;
};

} // namespace parlance
