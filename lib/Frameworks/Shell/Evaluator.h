// The symbolic evaluator behind readShell. One object reads one script; its member functions are spread over
// Statements.cpp, Commands.cpp, Expand.cpp, Parameters.cpp, Conditions.cpp, Merge.cpp.
#pragma once
#include "Frameworks/Shell/Arithmetic.h"
#include "Frameworks/Shell/Shell.h"
#include "Frameworks/Shell/Unit.h"
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <span>

namespace parlance::shell {

enum class Truth : uint8_t { False, True, Unknown };

struct Variable {
  bool Array = false, Exported = false;
  ShellText Scalar;
  std::vector<ShellText> Elements;
  SourceRange At; ///< the assignment
};

/// Variables are shared between the states of branches, and never changed in place.
struct State {
  std::map<std::string, std::shared_ptr<const Variable>, std::less<>> Variables;
  bool Dead = false; ///< `exit`, `return` or `break` was met
};

/// What a parameter stands for.
struct Parameter {
  bool Set = false;
  bool Many = false; ///< `$@` or `${A[@]}`: one word for each value
  std::vector<ShellText> Values;
};

class Evaluator {
public:
  Evaluator(uint32_t File, std::string_view Text, const Overrides &Given, DiagnosticEngine &Diags, ShellScript &Script);
  void run(ShellText Whole);

private:
  /// No value may grow longer, and no script may cost more, whatever it says.
  static constexpr size_t MaxText = 1u << 18, MaxCost = 16u << 20;
  static constexpr unsigned MaxCalls = 20;

  struct Frame {
    std::vector<ShellText> Arguments;
    std::vector<std::pair<std::string, std::shared_ptr<const Variable>>> Locals; ///< as they were
  };
  struct Function {
    const Node *Body = nullptr;
    const Unit *In = nullptr;
  };
  /// Where a jump out of a function or loop goes: the states it leaves there.
  struct Target {
    bool IsFunction = false;
    std::vector<State> Ends;
  };
  struct Test; // Conditions.cpp

  // --- Evaluator.cpp: limits, symbols, variables
  bool charge(size_t Cost);
  uint32_t line(SourceRange At) const;
  std::string lines(std::vector<SourceRange> &Places) const;
  Piece symbol(std::string Name, std::string Reason, SourceRange At, std::vector<SourceRange> Causes = {});
  /// The symbol of a variable or argument: the same one wherever it is met.
  Piece rootSymbol(const std::string &Name, SourceRange At);
  /// A symbol that is computed from others.
  Piece derived(Span At, const ShellText &From);
  ShellText computed(std::string Text, SourceRange At) const;
  const std::string *given(std::string_view Name);
  ShellText overrideOr(const std::string &Name, ShellText Value, SourceRange At);
  const Variable *find(std::string_view Name) const;
  void set(const std::string &Name, Variable V);
  void bounded(ShellText &Text, Span At);
  void bounded(Variable &V, Span At);

  // --- Statements.cpp
  Truth runText(ShellText Text, SourceRange At, bool Isolated);
  Truth runList(const List &Commands);
  Truth runNode(const Node &N);
  Truth dispatch(const Node &N);
  Truth runAndOr(const Node &N);
  Truth runPipeline(const Node &N);
  Truth runIf(const Node &N);
  Truth runFor(const Node &N);
  Truth runWhile(const Node &N);
  Truth runCase(const Node &N);
  Truth matchArm(const Node::Arm &Arm, const ShellText &Subject);
  void loopBody(const List &Body, bool Once, bool MayNotRun, Span At);
  /// Runs in a state of its own that is dropped.
  Truth isolated(const std::function<Truth()> &Run);
  /// Reads every branch from the same state and joins what they leave.
  void branches(std::span<const std::function<void()>> Arms, bool MayNone);
  void jump(bool FromFunction);

  // --- Merge.cpp
  void merge(std::vector<State> Ends, const std::string &LoopReason = {});
  std::shared_ptr<const Variable> mergeVariable(const std::string &Name, const std::vector<const Variable *> &Values,
                                                const std::string &LoopReason);
  ShellText mergeText(const std::vector<const ShellText *> &Texts, const Piece &Rest) const;
  void markAssigned(const List &Body, Span Loop);

  // --- Commands.cpp
  Truth runSimple(const Node &N);
  /// Empty if the command is none of the shell's own.
  std::optional<Truth> runBuiltin(const Node &N, std::string_view Name, std::span<const ShellWord> Words);
  Truth call(const Function &F, std::span<const ShellWord> Arguments);
  std::vector<ShellWord> words(const Argument &A);
  void assign(const Assignment &A, bool Export = false);
  void assignElement(const Assignment &A, Variable &V);
  void assignSymbol(const ShellWord &Name, std::string Reason);
  ShellVariable prefix(const Assignment &A);
  void declare(const Node &N, std::string_view Builtin);
  void declareWord(const ShellWord &W, bool Export);
  void keepLocal(const std::string &Name);
  void noteExport(const std::string &Name, SourceRange NameRange, bool Unset = false);
  void unset(std::span<const ShellWord> Words);
  void shift(std::span<const ShellWord> Words);
  void record(const Node &N, std::vector<ShellWord> Words, std::vector<ShellVariable> Environment);
  bool runString(const ShellCommand &Command);
  bool fedScript(const Node &N, std::span<const ShellWord> Words);
  void writtenFile(const Node &N, std::span<const ShellWord> Words);

  // --- Expand.cpp
  std::vector<ShellWord> fields(const Word &W);
  /// Without splitting: the right side of an assignment, a pattern, the text of a here-document.
  ShellText expand(std::span<const Part> Parts);
  ShellText expand(const Word &W) { return expand(W.Parts); }
  ShellText arithmetic(const Part &P);
  Number evaluate(const ShellText &Expression, unsigned Depth);

  // --- Parameters.cpp
  Parameter parameter(const Part &P);
  Parameter lookUp(const Part &P);
  Parameter argument(const std::string &Name, Span At);
  Parameter element(const Part &P, const Variable &V);
  Parameter length(const Part &P, const Parameter &Of);
  Parameter withDefault(const Part &P, Parameter Of);
  ShellText transformed(const Part &P, const ShellText &Value);
  ShellText stripped(const Part &P, const ShellText &Value, const std::string &Pattern);
  ShellText replaced(const Part &P, const ShellText &Value);
  ShellText withCase(const Part &P, const ShellText &Value);
  void sliced(const Part &P, Parameter &Of);

  // --- Conditions.cpp
  Truth runTest(const Node &N);
  Truth runBracket(std::span<const ShellWord> Words);

  ShellScript &Script;
  DiagnosticEngine &Diags;
  const Overrides &Given;
  std::set<std::string, std::less<>> Used; ///< overrides that were asked for
  std::vector<uint32_t> LineStarts;
  SourceRange Whole;

  State S;
  const Unit *U = nullptr;
  std::deque<Unit> Units; ///< kept: functions refer to their trees
  std::map<std::string, Function, std::less<>> Functions;
  std::vector<Frame> Frames;
  std::vector<Target> Targets;
  std::map<std::string, uint32_t, std::less<>> Roots;
  std::vector<ShellWord> Outer;
  size_t Cost = 0;
  unsigned Conditional = 0, Calls = 0, Shifted = 0;
  bool Stopped = false;
};

/// Shell patterns: `*`, `?`, `[a-z]`; a backslash quotes.
bool matches(std::string_view Pattern, std::string_view Text);

} // namespace parlance::shell
