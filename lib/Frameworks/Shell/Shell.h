// Reads a launch script (bash, sbatch) without running anything: which commands it runs, with which words, and where
// each word is written. What only a run would tell (arguments, the environment, the output of commands) stays a symbol.
#pragma once
#include "Basic/Diagnostic.h"
#include "Frameworks/Shell/ShellText.h"
#include <map>

namespace parlance::shell {

/// A word of a command after all expansions.
struct ShellWord {
  ShellText Text;
  /// Where the word itself stands in the command; `Text.range()` is where its value is written.
  SourceRange Written;

  /// Empty while symbols remain.
  std::optional<std::string> text() const { return Text.text(); }
  /// What a person changes to change the value: where all of it is written if that is one place in one piece, otherwise
  /// the word in the command.
  SourceRange value() const;
  /// The word without its first bytes: the value of `--flag=value`.
  ShellWord from(size_t Offset) const;
};

/// Something that the script alone does not tell.
struct ShellSymbol {
  std::string Name;                ///< as written: "$NNODES", "$(hostname)", "$((A*B))"
  std::string Reason;              ///< "is not set in the script", "is set differently at lines 12 and 17"
  SourceRange Use;                 ///< where it was first met
  std::vector<SourceRange> Causes; ///< the assignments that the reason is about
};

struct ShellVariable {
  std::string Name;
  ShellWord Value;
  SourceRange NameRange;
  bool Unset = false;       ///< by `unset` or `export -n`
  bool Conditional = false; ///< in a branch or loop that may not run
};

struct ShellCommand {
  std::vector<ShellWord> Words;
  /// Where the command was read from a string (`srun … bash -c "…"`): the words before `bash`.
  std::vector<ShellWord> Outer;
  std::vector<ShellVariable> Environment; ///< `NAME=value` in front
  size_t ExportsBefore = 0;               ///< how many of ShellScript::Exports come before it
  SourceRange Range;
  bool Conditional = false; ///< in a branch or loop that may not run
};

/// A file that the script writes with a text it holds: `cat <<END > file`, `echo … > file`.
struct ShellFile {
  ShellWord Path;
  ShellText Body; ///< with variables substituted; Body.range() maps back to the script
  SourceRange Range;
  bool Append = false;
  bool Conditional = false;
};

/// An option of an `#SBATCH` line, by its long name.
struct SbatchOption {
  std::string Name; ///< "nodes"
  ShellWord Value;  ///< empty for a flag
  SourceRange Range;
};

struct ShellScript {
  std::vector<ShellCommand> Commands;
  std::vector<ShellVariable> Exports; ///< in the order of the script
  std::vector<SbatchOption> Sbatch;
  std::vector<ShellFile> Files;
  std::vector<ShellWord> Sources; ///< what `source` and `.` name; none of it is read
  std::vector<ShellSymbol> Symbols;
  /// What each variable is in the end: the elements of an array, one word otherwise. For files that only set variables
  /// and are sourced by others.
  std::map<std::string, std::vector<ShellWord>, std::less<>> Variables;
  std::vector<std::string> UnusedOverrides; ///< names that no symbol asked for
  bool Broken = false;                      ///< a syntax error was reported: what bash would run is not known
};

/// NAME or the number of an argument, and its value. An override stands in for what is symbolic;
/// what the script sets to a known value is not overridden.
using Overrides = std::map<std::string, std::string, std::less<>>;

/// As far as the script alone tells, variables that it does not set are not set: `${V:-8}` is 8. Of an `if` or `case`
/// that depends on a symbol every branch is read, and a variable that they set differently becomes a symbol. A loop's
/// body is read once.
ShellScript readShell(uint32_t File, std::string_view Text, const Overrides &Given, DiagnosticEngine &Diags);

} // namespace parlance::shell
