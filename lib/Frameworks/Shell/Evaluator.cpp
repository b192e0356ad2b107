#include "Frameworks/Shell/Evaluator.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/Shell/WordReader.h"
#include <algorithm>

namespace parlance::shell {

Evaluator::Evaluator(uint32_t File, std::string_view Text, const Overrides &Given, DiagnosticEngine &Diags,
                     ShellScript &Script)
    : Script(Script), Diags(Diags), Given(Given), Whole{File, 0, static_cast<uint32_t>(Text.size())} {
  LineStarts.push_back(0);
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      LineStarts.push_back(static_cast<uint32_t>(I + 1));
}

/// What Slurm sets from the options of the job; `#SBATCH --nodes=4` is where a person changes it.
static constexpr std::pair<std::string_view, std::string_view> SlurmVariables[] = {
    {"nodes", "SLURM_NNODES"},
    {"nodes", "SLURM_JOB_NUM_NODES"},
    {"ntasks", "SLURM_NTASKS"},
    {"ntasks", "SLURM_NPROCS"},
    {"ntasks-per-node", "SLURM_NTASKS_PER_NODE"},
    {"cpus-per-task", "SLURM_CPUS_PER_TASK"},
    {"gpus-per-node", "SLURM_GPUS_PER_NODE"},
    {"job-name", "SLURM_JOB_NAME"},
};

void Evaluator::run(ShellText Text) {
  for (const SbatchOption &O : Script.Sbatch)
    for (const auto &[Option, Name] : SlurmVariables)
      if (O.Name == Option && !O.Value.Text.empty()) {
        Variable V;
        V.Scalar = O.Value.Text;
        V.At = O.Range;
        set(std::string(Name), std::move(V));
      }
  runText(std::move(Text), Whole, false);
  for (const auto &[Name, V] : S.Variables) {
    std::vector<ShellWord> &Values = Script.Variables[Name];
    for (const ShellText &E : V->Elements)
      Values.push_back({E, V->At});
    if (!V->Array)
      Values.push_back({V->Scalar, V->At});
  }
  for (const auto &[Name, Value] : Given)
    if (!Used.contains(Name))
      Script.UnusedOverrides.push_back(Name);
}

// --- limits

bool Evaluator::charge(size_t More) {
  Cost += More;
  if (Cost > MaxCost && !Stopped) {
    Stopped = true;
    Diags.report(diag::ShellTooMuchWork, {Whole.File, 0, std::min(Whole.End, 1u)});
  }
  return !Stopped;
}

void Evaluator::bounded(ShellText &Text, Span At) {
  size_t Weight = Text.weight();
  if (!charge(Weight)) {
    Text = {};
    return;
  }
  if (Weight <= MaxText)
    return;
  Diags.report(diag::ShellTextTooLong, U->range(At), withThousands(int64_t{MaxText}));
  ShellText Short;
  Short.append(symbol("…", "grows too long to be followed", U->range(At)));
  Text = std::move(Short);
}

void Evaluator::bounded(Variable &V, Span At) {
  if (!V.Array)
    return bounded(V.Scalar, At);
  size_t Weight = 1;
  for (const ShellText &E : V.Elements)
    Weight += E.weight();
  if (!charge(Weight)) {
    V.Elements.clear();
    return;
  }
  if (Weight <= MaxText)
    return;
  Diags.report(diag::ShellTextTooLong, U->range(At), withThousands(int64_t{MaxText}));
  V.Elements.clear();
  V.Elements.emplace_back().append(symbol("…", "grows too long to be followed", U->range(At)));
}

// --- positions

uint32_t Evaluator::line(SourceRange At) const {
  return static_cast<uint32_t>(std::ranges::upper_bound(LineStarts, At.Begin) - LineStarts.begin());
}

/// "line 12", "lines 12 and 17"; the places are sorted.
std::string Evaluator::lines(std::vector<SourceRange> &Places) const {
  std::ranges::sort(Places, {}, &SourceRange::Begin);
  std::vector<std::string> Numbers;
  for (SourceRange R : Places)
    if (std::string N = std::to_string(line(R)); Numbers.empty() || Numbers.back() != N)
      Numbers.push_back(std::move(N));
  constexpr size_t Most = 4;
  if (Numbers.size() > Most) {
    std::string More = std::to_string(Numbers.size() - Most) + " more";
    Numbers.resize(Most);
    Numbers.push_back(std::move(More));
  }
  return (Numbers.size() == 1 ? "line " : "lines ") + joinList(Numbers, "and");
}

// --- symbols

Piece Evaluator::symbol(std::string Name, std::string Reason, SourceRange At, std::vector<SourceRange> Causes) {
  charge(100);
  Piece P;
  P.Text = Name;
  P.Range = At;
  P.Symbol = static_cast<uint32_t>(Script.Symbols.size());
  Script.Symbols.push_back({std::move(Name), std::move(Reason), At, std::move(Causes)});
  return P;
}

static std::string reasonOf(const std::string &Name) {
  if (isDigit(Name[0]) || Name == "@" || Name == "*" || Name == "#")
    return "is an argument of the script";
  if (!isNameStart(Name[0]))
    return "is known only when the script runs";
  if (Name.starts_with("SLURM_"))
    return "is set by Slurm";
  return "is not set in the script";
}

Piece Evaluator::rootSymbol(const std::string &Name, SourceRange At) {
  auto Known = Roots.find(Name);
  if (Known == Roots.end()) {
    std::string Reason = reasonOf(Name);
    std::vector<SourceRange> Causes;
    if (Reason == "is not set in the script" && !Script.Sources.empty()) {
      for (const ShellWord &W : Script.Sources)
        Causes.push_back(W.Written);
      Reason += "; what it sources at " + lines(Causes) + " is not read";
    }
    std::string Shown = (Name.size() > 1 && isDigit(Name[0])) ? "${" + Name + "}" : "$" + Name;
    Piece P = symbol(std::move(Shown), std::move(Reason), At, std::move(Causes));
    Roots.emplace(Name, P.Symbol);
    return P;
  }
  Piece P;
  P.Text = Script.Symbols[Known->second].Name;
  P.Range = At;
  P.Symbol = Known->second;
  return P;
}

Piece Evaluator::derived(Span At, const ShellText &From) {
  ShellText Written = U->slice(At);
  std::string Reason = "is computed when the script runs";
  for (const Piece &P : From.pieces())
    if (P.isSymbol()) {
      const ShellSymbol &Base = Script.Symbols[P.Symbol];
      Reason = "depends on `" + Base.Name + "`";
      if (!Base.Reason.starts_with("depends"))
        Reason += ", which " + Base.Reason;
      break;
    }
  return symbol(Written.shown(), std::move(Reason), U->range(At));
}

ShellText Evaluator::computed(std::string Text, SourceRange At) const {
  ShellText Result;
  Piece P;
  P.Text = std::move(Text);
  P.Range = At;
  Result.append(std::move(P));
  return Result;
}

// --- variables

const std::string *Evaluator::given(std::string_view Name) {
  auto Found = Given.find(Name);
  if (Found == Given.end())
    return nullptr;
  Used.emplace(Name);
  return &Found->second;
}

ShellText Evaluator::overrideOr(const std::string &Name, ShellText Value, SourceRange At) {
  if (!Value.symbolic())
    return Value;
  const std::string *Text = given(Name);
  return Text ? computed(*Text, At) : Value;
}

const Variable *Evaluator::find(std::string_view Name) const {
  auto Found = S.Variables.find(Name);
  return Found == S.Variables.end() ? nullptr : Found->second.get();
}

void Evaluator::set(const std::string &Name, Variable V) {
  if (!V.Array)
    V.Scalar = overrideOr(Name, std::move(V.Scalar), V.At);
  S.Variables[Name] = std::make_shared<const Variable>(std::move(V));
}

} // namespace parlance::shell
