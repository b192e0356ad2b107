// Simple commands: assignments, the shell's own commands, functions, and what is recorded.
#include "Basic/Diagnostics.h"
#include "Frameworks/Shell/Evaluator.h"
#include "Frameworks/Shell/Sbatch.h"
#include "Frameworks/Shell/WordReader.h"
#include <algorithm>
#include <charconv>
#include <utility>

namespace parlance::shell {

namespace {

bool isOneOf(std::string_view Name, std::initializer_list<std::string_view> Of) {
  return std::ranges::find(Of, Name) != Of.end();
}
bool isDeclaration(std::string_view Name) {
  return isOneOf(Name, {"export", "declare", "typeset", "local", "readonly"});
}
/// What a script takes for granted to succeed: `mkdir -p x && cd x && TP=8`.
bool succeeds(std::string_view Name) {
  return isOneOf(Name, {"cd",  "pushd", "popd",  "mkdir", "echo",   "printf", "cat",   "cp",
                        "rm",  "ln",    "touch", "chmod", "module", "ulimit", "conda", "sleep",
                        "set", "shopt", "trap",  "wait",  "date",   "pwd",    "ls",    "tee"});
}
std::string_view baseName(std::string_view Path) {
  return Path.substr(Path.rfind('/') + 1); // npos + 1 is 0
}
bool isName(std::string_view Text) {
  return !Text.empty() && isNameStart(Text[0]) && std::ranges::all_of(Text, isNamePart);
}

/// Arguments joined by blanks, as `eval` and `echo` do.
ShellText joined(std::span<const ShellWord> Words) {
  ShellText Result;
  for (const ShellWord &W : Words) {
    if (!Result.empty()) {
      Piece Blank;
      Blank.Text = " ";
      Blank.Range = W.Written;
      Blank.Range.End = Blank.Range.Begin;
      Result.append(std::move(Blank));
    }
    Result.append(W.Text);
  }
  return Result;
}

} // namespace

std::vector<ShellWord> Evaluator::words(const Argument &A) {
  if (!A.Assign)
    return fields(A.W);
  // `NAME=value` behind a command is a word like any other.
  const Assignment &Of = *A.Assign;
  ShellWord W;
  W.Written = U->place(Of.At);
  if (Of.Array) {
    W.Text = U->slice(Of.At);
  } else {
    W.Text = U->slice({Of.At.Begin, Of.Value.At.Begin});
    W.Text.append(expand(Of.Value));
  }
  return {std::move(W)};
}

Truth Evaluator::runSimple(const Node &N) {
  if (N.Arguments.empty()) {
    for (const Assignment &A : N.Assignments)
      assign(A);
    return Truth::True;
  }
  std::vector<ShellWord> Words = words(N.Arguments[0]);
  if (Words.size() == 1 && isDeclaration(Words[0].text().value_or(""))) {
    declare(N, *Words[0].text());
    return Truth::True;
  }
  for (size_t I = 1; I < N.Arguments.size() && !Stopped; ++I)
    for (ShellWord &W : words(N.Arguments[I]))
      Words.push_back(std::move(W));
  if (Words.empty())
    return Truth::Unknown;
  std::string Name = Words[0].text().value_or("");
  auto F = Functions.find(Name);
  if (F != Functions.end()) {
    for (const Assignment &A : N.Assignments)
      assign(A);
    return call(F->second, std::span(Words).subspan(1));
  }
  if (std::optional<Truth> Result = runBuiltin(N, Name, Words))
    return *Result;
  std::vector<ShellVariable> Environment;
  for (const Assignment &A : N.Assignments)
    Environment.push_back(prefix(A));
  writtenFile(N, Words);
  bool Last = Name == "exec" && Words.size() > 1;
  if (fedScript(N, Words))
    return Truth::Unknown;
  record(N, std::move(Words), std::move(Environment));
  S.Dead |= Last;
  return succeeds(Name) ? Truth::True : Truth::Unknown;
}

std::optional<Truth> Evaluator::runBuiltin(const Node &N, std::string_view Name, std::span<const ShellWord> Words) {
  std::span<const ShellWord> Rest = Words.subspan(1);
  if (Name == "true" || Name == ":")
    return Truth::True;
  if (Name == "false")
    return Truth::False;
  if (Name == "[" || Name == "test") {
    bool Closed = Name == "[" && !Rest.empty() && Rest.back().text() == "]";
    return runBracket(Closed ? Rest.first(Rest.size() - 1) : Rest);
  }
  if (Name == "eval")
    return runText(joined(Rest), U->range(N.At), false);
  if (Name == "exit") {
    S.Dead = true;
  } else if (Name == "return" || Name == "break" || Name == "continue") {
    jump(Name == "return");
  } else if (Name == "source" || Name == ".") {
    if (!Rest.empty())
      Script.Sources.push_back(Rest[0]);
  } else if (Name == "unset") {
    unset(Rest);
  } else if (Name == "shift") {
    shift(Rest);
  } else if (isOneOf(Name, {"read", "mapfile", "readarray", "getopts"})) {
    for (const ShellWord &W : Rest)
      assignSymbol(W, "is read when the script runs");
  } else {
    return {};
  }
  return Truth::True;
}

Truth Evaluator::call(const Function &F, std::span<const ShellWord> Arguments) {
  if (Calls >= MaxCalls || !charge(1000))
    return Truth::Unknown;
  Frame New;
  for (const ShellWord &W : Arguments)
    New.Arguments.push_back(W.Text);
  Frames.push_back(std::move(New));
  Targets.push_back({true, {}});
  const Unit *Before = std::exchange(U, F.In);
  ++Calls;
  Truth Result = runNode(*F.Body);
  --Calls;
  U = Before;
  std::vector<State> Ends = std::move(Targets.back().Ends);
  Targets.pop_back();
  if (!Ends.empty()) {
    Ends.push_back(std::move(S));
    S = State();
    merge(std::move(Ends));
    Result = Truth::Unknown;
  }
  std::vector<std::pair<std::string, std::shared_ptr<const Variable>>> Locals = std::move(Frames.back().Locals);
  Frames.pop_back();
  for (auto It = Locals.rbegin(); It != Locals.rend(); ++It)
    if (It->second)
      S.Variables[It->first] = It->second;
    else
      S.Variables.erase(It->first);
  return Result;
}

// --- assignments

void Evaluator::assignElement(const Assignment &A, Variable &V) {
  Number Index = evaluate(computed(A.Index, U->range(A.At)), 0);
  constexpr int64_t MostElements = 1000;
  if (!V.Array && !V.Scalar.empty())
    V.Elements.push_back(std::exchange(V.Scalar, {}));
  if (A.Index.find('$') != A.Index.npos || !Index.Value || *Index.Value < 0 || *Index.Value >= MostElements) {
    V.Array = false;
    V.Elements.clear();
    V.Scalar = {};
    V.Scalar.append(symbol("$" + A.Name, "is an array with keys", U->range(A.At)));
    return;
  }
  V.Array = true;
  auto I = static_cast<size_t>(*Index.Value);
  if (V.Elements.size() <= I)
    V.Elements.resize(I + 1);
  ShellText Value = expand(A.Value);
  if (A.Append)
    V.Elements[I].append(Value);
  else
    V.Elements[I] = std::move(Value);
}

void Evaluator::assign(const Assignment &A, bool Export) {
  const Variable *Old = find(A.Name);
  Variable V;
  if (Old && (A.Append || !A.Index.empty()))
    V = *Old;
  V.Exported = Export || (Old && Old->Exported);
  V.At = U->range(A.At);
  if (!A.Index.empty()) {
    assignElement(A, V);
  } else if (A.Array) {
    if (!V.Array && !V.Scalar.empty())
      V.Elements.push_back(std::exchange(V.Scalar, {}));
    V.Array = true;
    for (const Word &W : A.Elements)
      for (ShellWord &F : fields(W))
        V.Elements.push_back(std::move(F.Text));
  } else if (V.Array) { // `ARGS+=" x"` extends the first element
    if (V.Elements.empty())
      V.Elements.emplace_back();
    V.Elements[0].append(expand(A.Value));
  } else {
    V.Scalar.append(expand(A.Value));
  }
  bounded(V, A.At);
  bool Exported = V.Exported;
  set(A.Name, std::move(V));
  if (Exported)
    noteExport(A.Name, U->range(A.NameAt));
}

void Evaluator::assignSymbol(const ShellWord &Name, std::string Reason) {
  std::string Text = Name.text().value_or("");
  if (!isName(Text))
    return;
  Variable V;
  V.At = Name.Written;
  Piece P = symbol("$" + Text, std::move(Reason), Name.Written);
  P.MaySplit = true;
  V.Scalar.append(std::move(P));
  set(Text, std::move(V));
}

ShellVariable Evaluator::prefix(const Assignment &A) {
  ShellVariable V;
  V.Name = A.Name;
  V.NameRange = U->range(A.NameAt);
  V.Value.Written = U->range(A.Value.At);
  V.Value.Text = overrideOr(A.Name, expand(A.Value), V.Value.Written);
  V.Conditional = Conditional > 0;
  return V;
}

void Evaluator::keepLocal(const std::string &Name) {
  if (Frames.empty())
    return;
  auto Found = S.Variables.find(Name);
  Frames.back().Locals.emplace_back(Name, Found == S.Variables.end() ? nullptr : Found->second);
}

void Evaluator::declare(const Node &N, std::string_view Builtin) {
  bool Export = Builtin == "export", NotExport = false;
  bool Local = !Export && Builtin != "readonly";
  for (size_t I = 1; I < N.Arguments.size() && !Stopped; ++I) {
    const Argument &A = N.Arguments[I];
    if (A.Assign) {
      if (Local)
        keepLocal(A.Assign->Name);
      assign(*A.Assign, Export);
      continue;
    }
    for (const ShellWord &W : fields(A.W)) {
      std::string Flat = W.Text.flat();
      if (Flat.starts_with('-')) {
        NotExport |= Export && Flat.find('n') != Flat.npos;
        Export |= Local && Flat.find('x') != Flat.npos;
      } else if (NotExport) {
        noteExport(Flat, W.Written, true);
      } else {
        if (Local)
          keepLocal(Flat.substr(0, Flat.find('=')));
        declareWord(W, Export);
      }
    }
  }
}

/// `export NAME`, or `export "NAME=value"`.
void Evaluator::declareWord(const ShellWord &W, bool Export) {
  std::string Flat = W.Text.flat();
  size_t Equals = Flat.find('=');
  std::string Name = Flat.substr(0, Equals);
  if (!isName(Name))
    return;
  const Variable *Old = find(Name);
  Variable V = Old ? *Old : Variable();
  if (Equals != Flat.npos) {
    V = {};
    V.Scalar = W.Text.slice(Equals + 1, Flat.size());
    V.At = W.Written;
  } else if (!Old) {
    if (Export) { // what comes from the environment stays there
      assignSymbol(W, "is not set in the script");
      noteExport(Name, W.Written);
    }
    return;
  }
  V.Exported |= Export;
  set(Name, std::move(V));
  if (Export)
    noteExport(Name, W.Text.range(0, Name.size()));
}

void Evaluator::noteExport(const std::string &Name, SourceRange NameRange, bool Unset) {
  ShellVariable E;
  E.Name = Name;
  E.NameRange = NameRange;
  E.Unset = Unset;
  E.Conditional = Conditional > 0;
  if (const Variable *V = find(Name); V && !Unset) {
    E.Value.Text = V->Array && !V->Elements.empty() ? V->Elements[0] : V->Scalar;
    E.Value.Written = V->At;
    charge(E.Value.Text.weight());
  }
  Script.Exports.push_back(std::move(E));
}

void Evaluator::unset(std::span<const ShellWord> Words) {
  for (const ShellWord &W : Words) {
    std::string Name = W.text().value_or("");
    if (!isName(Name))
      continue;
    S.Variables.erase(Name);
    noteExport(Name, W.Written, true);
  }
}

void Evaluator::shift(std::span<const ShellWord> Words) {
  unsigned By = 1;
  if (!Words.empty()) {
    const std::string Digits = Words[0].Text.flat();
    int Given = 0;
    std::from_chars(Digits.data(), Digits.data() + Digits.size(), Given);
    By = static_cast<unsigned>(std::clamp(Given, 0, 1000));
  }
  if (Frames.empty()) {
    Shifted = std::min(Shifted + By, 10000u);
    return;
  }
  std::vector<ShellText> &All = Frames.back().Arguments;
  All.erase(All.begin(), All.begin() + static_cast<ptrdiff_t>(std::min<size_t>(By, All.size())));
}

// --- what is recorded

void Evaluator::record(const Node &N, std::vector<ShellWord> Words, std::vector<ShellVariable> Environment) {
  ShellCommand C;
  C.Words = std::move(Words);
  C.Outer = Outer;
  C.Environment = std::move(Environment);
  C.ExportsBefore = Script.Exports.size();
  C.Range = U->range(N.At);
  C.Conditional = Conditional > 0;
  for (const ShellWord &W : C.Words)
    charge(W.Text.weight() + sizeof(ShellWord));
  charge(C.Outer.size() * 64);
  if (!Stopped && !runString(C))
    Script.Commands.push_back(std::move(C));
}

/// `srun … bash -c "…"`: what is in the string runs. False if nothing was read of it.
bool Evaluator::runString(const ShellCommand &C) {
  auto IsShell = [](const ShellWord &W) { return isOneOf(baseName(W.text().value_or("")), {"bash", "sh"}); };
  auto Shell = std::ranges::find_if(C.Words, IsShell);
  if (Shell == C.Words.end())
    return false;
  auto At = Shell + 1;
  bool IsString = false;
  for (; At != C.Words.end() && !IsString; ++At) {
    std::string Option = At->Text.flat();
    if (!Option.starts_with('-'))
      return false;
    IsString = !Option.starts_with("--") && Option.find('c') != Option.npos;
  }
  if (!IsString || At == C.Words.end() || At->Text.pieces().empty() ||
      std::ranges::all_of(At->Text.pieces(), &Piece::isSymbol))
    return false;
  size_t Before = Script.Commands.size();
  std::vector<ShellWord> Around = Outer;
  Outer.insert(Outer.end(), C.Words.begin(), Shell);
  Frame Inner;
  for (auto Argument = At + 1; Argument < C.Words.end(); ++Argument)
    if (Argument != At + 1) // the first one is `$0`
      Inner.Arguments.push_back(Argument->Text);
  Frames.push_back(std::move(Inner));
  runText(At->Text, At->Written, true);
  Frames.pop_back();
  Outer = std::move(Around);
  return Script.Commands.size() > Before;
}

/// `sbatch <<END`, `bash <<END`: the here-document is a script.
bool Evaluator::fedScript(const Node &N, std::span<const ShellWord> Words) {
  if (!isOneOf(baseName(Words[0].text().value_or("")), {"sbatch", "bash", "sh"}) ||
      !std::ranges::all_of(Words.subspan(1), [](const ShellWord &W) { return W.Text.flat().starts_with('-'); }))
    return false;
  for (const Redirect &R : N.Redirects) {
    if (!R.Here)
      continue;
    ShellText Text = expand(R.Here->Parts);
    if (baseName(*Words[0].text()) == "sbatch")
      for (SbatchOption &O : readSbatch(Text))
        Script.Sbatch.push_back(std::move(O));
    std::vector<ShellWord> Around = Outer;
    Outer.insert(Outer.end(), Words.begin(), Words.end());
    runText(std::move(Text), U->range(R.Here->At), true);
    Outer = std::move(Around);
    return true;
  }
  return false;
}

void Evaluator::writtenFile(const Node &N, std::span<const ShellWord> Words) {
  std::string_view Known[] = {"cat", "tee", "echo"};
  std::string Name = Words[0].text().value_or("");
  if (std::ranges::find(Known, Name) == std::end(Known))
    return;
  ShellFile File;
  bool HasPath = false, HasBody = false;
  for (const Redirect &R : N.Redirects) {
    if (R.Here || R.Op == "<<<") {
      File.Body = R.Here ? expand(R.Here->Parts) : expand(R.Target);
      File.Range = R.Here ? U->range(R.Here->Body) : U->range(R.Target.At);
      HasBody = Name != "echo";
    } else if (R.Output && R.Op.find('&') == R.Op.npos) {
      File.Path.Text = expand(R.Target);
      File.Path.Written = U->range(R.Target.At);
      File.Append = R.Op == ">>";
      HasPath = true;
    }
  }
  std::span<const ShellWord> Rest = Words.subspan(1);
  while (!Rest.empty() && Name != "cat" && Rest[0].Text.flat().starts_with('-')) {
    File.Append |= Name == "tee" && Rest[0].text() == "-a";
    Rest = Rest.subspan(1);
  }
  if (Name == "tee" && !Rest.empty()) {
    File.Path = Rest[0];
    HasPath = true;
  }
  if (Name == "echo" && !Rest.empty()) {
    File.Body = joined(Rest);
    File.Range = Rest.front().Written.to(Rest.back().Written);
    HasBody = true;
  }
  if (!HasPath || !HasBody)
    return;
  File.Conditional = Conditional > 0;
  bounded(File.Body, N.At);
  Script.Files.push_back(std::move(File));
}

} // namespace parlance::shell
