#include "Analysis/RuleRunner.h"
#include "Analysis/FixFinder.h"
#include "Analysis/RuleReporter.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

bool isFor(std::span<const std::string_view> Frameworks, const Plan &P) {
  if (Frameworks.empty())
    return true;
  const FieldDecl &Target = P.Job->Schema->Fields[fields::job::target];
  int Index = P.Job->enumerator(fields::job::target);
  return Index >= 0 && std::ranges::find(Frameworks, Target.Ty.Enum->Values[Index]) != Frameworks.end();
}

std::vector<uint32_t> RuleRunner::violations(const Plan &P, std::vector<uint32_t> *Undecided) const {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < Lib.Rules.size(); ++I) {
    if (!isFor(Lib.Rules[I].Frameworks, P))
      continue;
    Truth Violated = Lib.Rules[I].Violated(*P.Context);
    if (Violated == Truth::True)
      Result.push_back(I);
    else if (Violated == Truth::Unknown && Undecided)
      Undecided->push_back(I);
  }
  return Result;
}

namespace {

/// A rule of the library: its condition is compiled, its texts are parsed when they are shown.
class LibraryRule : public JudgedRule {
public:
  LibraryRule(const Library &Lib, LibraryTrees &Trees, uint32_t Index)
      : R(Lib.Rules[Index]), Trees(Trees), Index(Index) {}
  const RuleDecl &declaration() const override { return R; }
  Truth violated(const Plan &P) override { return R.Violated(*P.Context); }
  const ast::Expr *expression(std::string_view Text, const Type *Wanted) override {
    return Trees.jobExpression(Text, Wanted);
  }
  const ast::Expr *condition() override {
    DiagnosticEngine Ignored; // it was checked when the library was built
    const ast::Item *Tree = Trees.rule(Index);
    auto Form = Tree ? ruleForm(*Tree, Ignored) : std::nullopt;
    return !Form ? nullptr : Form->Unless ? Form->Unless : Form->When;
  }
  Evaluator::Frame frame(const Plan &P) const override { return P.frame(); }

private:
  const RuleDecl &R;
  LibraryTrees &Trees;
  uint32_t Index;
};

} // namespace

Diagnostic RuleRunner::describe(uint32_t Rule, const Plan &P, FixFinder &Fixes) {
  LibraryRule Judged(Lib, Trees, Rule);
  return RuleReporter(Judged, P, E, Trees).report(Fixes);
}

} // namespace parlance
