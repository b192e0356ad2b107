#include "Basic/Diagnostics.h"
#include "Frameworks/Shell/Evaluator.h"
#include "Frameworks/Shell/Parser.h"
#include <algorithm>

namespace parlance::shell {

/// Reads a text as commands: the script, or a string of `eval` and `bash -c`.
Truth Evaluator::runText(ShellText Text, SourceRange At, bool Isolated) {
  if (Calls >= MaxCalls || !charge(Text.weight() * 8))
    return Truth::Unknown;
  Unit &New = Units.emplace_back(std::move(Text));
  ParseResult Parsed = parseShell(New.text());
  New.Commands = std::move(Parsed.Commands);
  if (Parsed.Error) {
    SourceRange Where = New.range(Parsed.Error->At);
    Diags.report(diag::ShellSyntax, Where ? Where : At, Parsed.Error->Message);
    Script.Broken = true;
  }
  const Unit *Before = std::exchange(U, &New);
  ++Calls;
  Truth Result = Isolated ? isolated([&] { return runList(New.Commands); }) : runList(New.Commands);
  --Calls;
  U = Before;
  return Result;
}

Truth Evaluator::runList(const List &Commands) {
  Truth Result = Truth::True;
  for (const auto &N : Commands) {
    if (S.Dead || !charge(64))
      break;
    Result = runNode(*N);
  }
  return Result;
}

Truth Evaluator::runNode(const Node &N) {
  Truth Result = N.Background ? isolated([&] { return dispatch(N); }) : dispatch(N);
  if (!N.Negated || Result == Truth::Unknown)
    return Result;
  return Result == Truth::True ? Truth::False : Truth::True;
}

Truth Evaluator::dispatch(const Node &N) {
  switch (N.K) {
  case Node::Kind::Simple:
    return runSimple(N);
  case Node::Kind::AndOr:
    return runAndOr(N);
  case Node::Kind::Pipeline:
    return runPipeline(N);
  case Node::Kind::Group:
    return runList(N.Children);
  case Node::Kind::Subshell:
    return isolated([&] { return runList(N.Children); });
  case Node::Kind::If:
    return runIf(N);
  case Node::Kind::While:
    return runWhile(N);
  case Node::Kind::For:
    return runFor(N);
  case Node::Kind::Case:
    return runCase(N);
  case Node::Kind::Function:
    Functions[N.Name] = {N.Children[0].get(), U};
    return Truth::True;
  case Node::Kind::Test:
    return runTest(N);
  case Node::Kind::Arithmetic: {
    ShellText Expression = expand(N.Expression);
    Number Result = evaluate(Expression, 0);
    if (!Result.Error.empty())
      Diags.report(diag::ShellArithmetic, U->range(N.At), Result.Error);
    if (!Result.Value)
      return Truth::Unknown;
    return *Result.Value ? Truth::True : Truth::False;
  }
  }
  return Truth::Unknown;
}

Truth Evaluator::isolated(const std::function<Truth()> &Run) {
  State Before = S;
  charge(Before.Variables.size() * 32);
  Truth Result = Run();
  S = std::move(Before);
  return Result;
}

void Evaluator::branches(std::span<const std::function<void()>> Arms, bool MayNone) {
  State Before = S;
  std::vector<State> Ends;
  ++Conditional;
  for (const auto &Arm : Arms) {
    if (!charge(Before.Variables.size() * 32))
      break;
    S = Before;
    Arm();
    Ends.push_back(std::move(S));
  }
  --Conditional;
  if (MayNone || Stopped)
    Ends.push_back(Before);
  S = std::move(Before);
  merge(std::move(Ends));
}

Truth Evaluator::runAndOr(const Node &N) {
  Truth Result = runNode(*N.Children[0]);
  for (size_t I = 1; I < N.Children.size() && !S.Dead && !Stopped; ++I) {
    Truth Skips = N.IsAnd[I - 1] ? Truth::False : Truth::True;
    if (Result == Skips)
      continue;
    const Node &Next = *N.Children[I];
    if (Result != Truth::Unknown) {
      Result = runNode(Next);
      continue;
    }
    Truth Then = Truth::Unknown;
    std::function<void()> Arm = [&] { Then = runNode(Next); };
    branches({&Arm, 1}, true);
    Result = Then == Skips ? Skips : Truth::Unknown;
  }
  return Result;
}

Truth Evaluator::runPipeline(const Node &N) {
  Truth Result = Truth::Unknown;
  for (const auto &Part : N.Children)
    Result = isolated([&] { return runNode(*Part); });
  return Result;
}

Truth Evaluator::runIf(const Node &N) {
  std::vector<std::function<void()>> Arms;
  bool Decided = false;
  Truth Result = Truth::True;
  for (const Node::Arm &A : N.Arms) {
    bool Else = N.HasElse && &A == &N.Arms.back();
    Truth Condition = Else ? Truth::True : runList(A.Condition);
    if (S.Dead || Stopped)
      return Truth::Unknown;
    if (Condition == Truth::False)
      continue;
    if (Condition == Truth::True && Arms.empty())
      return runList(A.Body);
    Arms.emplace_back([this, &A] { runList(A.Body); });
    Result = Truth::Unknown;
    if (Condition == Truth::True) {
      Decided = true;
      break;
    }
  }
  if (!Arms.empty())
    branches(Arms, !Decided);
  return Result;
}

Truth Evaluator::runCase(const Node &N) {
  ShellText Subject = expand(N.Words[0]);
  std::vector<std::function<void()>> Arms;
  for (const Node::Arm &A : N.Arms) {
    Truth Match = matchArm(A, Subject);
    if (Match == Truth::False)
      continue;
    if (Match == Truth::True && Arms.empty())
      return runList(A.Body);
    Arms.emplace_back([this, &A] { runList(A.Body); });
    if (Match == Truth::True) {
      branches(Arms, false);
      return Truth::Unknown;
    }
  }
  if (!Arms.empty())
    branches(Arms, true);
  return Truth::Unknown;
}

Truth Evaluator::matchArm(const Node::Arm &Arm, const ShellText &Subject) {
  Truth Result = Truth::False;
  std::optional<std::string> Text = Subject.text();
  for (const Word &W : Arm.Patterns) {
    std::optional<std::string> Pattern = expand(W).text();
    if (Pattern == "*")
      return Truth::True;
    if (!Text || !Pattern || !charge(Text->size() + Pattern->size())) {
      Result = Truth::Unknown;
      continue;
    }
    // Quoted characters of a pattern stand for themselves.
    if (W.Quoted ? *Pattern == *Text : matches(*Pattern, *Text))
      return Truth::True;
  }
  return Result;
}

// --- loops and jumps

void Evaluator::loopBody(const List &Body, bool Once, bool MayNotRun, Span At) {
  State Before = S;
  charge(Before.Variables.size() * 32);
  if (!Once)
    markAssigned(Body, At);
  Targets.emplace_back();
  Conditional += MayNotRun;
  runList(Body);
  Conditional -= MayNotRun;
  std::vector<State> Ends = std::move(Targets.back().Ends);
  Targets.pop_back();
  Ends.push_back(std::move(S));
  if (MayNotRun || Stopped)
    Ends.push_back(Before);
  S = std::move(Before);
  std::string Reason = "changes in the loop at line " + std::to_string(line(U->range(At)));
  merge(std::move(Ends), Once ? std::string() : Reason);
}

/// `return`, `break` and `continue`: what holds here holds where they lead.
void Evaluator::jump(bool FromFunction) {
  for (size_t I = Targets.size(); I-- > 0;)
    if (Targets[I].IsFunction == FromFunction) {
      charge(S.Variables.size() * 32);
      Targets[I].Ends.push_back(S);
      S.Dead = true;
      return;
    }
  S.Dead |= FromFunction; // of a script that is sourced
}

Truth Evaluator::runFor(const Node &N) {
  if (!N.HasIn) { // over the arguments, or `for ((…))`
    if (N.Name.empty())
      expand(N.Expression);
    else
      set(N.Name, [&] {
        Variable V;
        V.At = U->range(N.At);
        V.Scalar.append(symbol("$" + N.Name, "takes the arguments of the script in turn", V.At));
        return V;
      }());
    loopBody(N.Children, false, true, N.At);
    return Truth::Unknown;
  }
  std::vector<ShellWord> Values;
  bool Exact = true;
  for (const Word &W : N.Words) {
    Exact &= !W.Glob;
    for (ShellWord &V : fields(W)) {
      for (const Piece &P : V.Text.pieces())
        Exact &= !P.MaySplit;
      Values.push_back(std::move(V));
    }
  }
  if (Values.empty())
    return Truth::True;
  bool Once = Exact && Values.size() == 1;
  Variable V;
  V.At = N.Words[0].At.Begin < N.Words.back().At.End ? U->range({N.Words[0].At.Begin, N.Words.back().At.End})
                                                     : U->range(N.At);
  if (Once)
    V.Scalar = std::move(Values[0].Text);
  else
    V.Scalar.append(symbol("$" + N.Name,
                           Exact ? "takes " + std::to_string(Values.size()) + " values in the loop at line " +
                                       std::to_string(line(V.At))
                                 : "changes in the loop at line " + std::to_string(line(V.At)),
                           V.At, {V.At}));
  set(N.Name, std::move(V));
  loopBody(N.Children, Once, !Exact, N.At);
  return Truth::Unknown;
}

/// Whether a loop reads the arguments of the script, of which there are none unless they are given.
static bool readsArguments(std::string_view Condition) {
  for (std::string_view Sign : {"$#", "${#}", "$1", "${1", "getopts"})
    if (Condition.find(Sign) != std::string_view::npos)
      return true;
  return false;
}

Truth Evaluator::runWhile(const Node &N) {
  const Node::Arm &A = N.Arms[0];
  Span Condition{N.At.Begin, A.Body.empty() ? N.At.End : A.Body.front()->At.Begin};
  bool Argumentless = Frames.empty() && (Given.empty() || Given.begin()->first > "9");
  std::string_view Written = U->text().substr(Condition.Begin, Condition.End - Condition.Begin);
  if (Argumentless && readsArguments(Written))
    return Truth::True;
  Truth Skips = Written.starts_with("until") ? Truth::True : Truth::False;
  if (runList(A.Condition) == Skips)
    return Truth::True;
  if (!S.Dead)
    loopBody(A.Body, false, true, N.At);
  return Truth::Unknown;
}

} // namespace parlance::shell
