#include "Analysis/Verdict.h"
#include "Analysis/ChangeJudge.h"
#include "Analysis/RuleRunner.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Eval/UnknownFinder.h"
#include "Sema/RuleForm.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

namespace {

/// Collects what a job lacks, each in the words that end it.
class NeedFinder {
public:
  NeedFinder(const Plan &P, Evaluator &E, LibraryTrees &Trees) : P(P), E(E), Trees(Trees), Unknown(E, Trees, *P.Job) {}

  /// What a rule lacks to be decided.
  void ofRule(uint32_t Rule, std::vector<std::string> &Needs) {
    DiagnosticEngine Ignored; // it was checked when the library was built
    const ast::Item *Tree = Trees.rule(Rule);
    const auto Form = Tree ? ruleForm(*Tree, Ignored) : std::nullopt;
    for (const ast::Expr *X : Form ? std::initializer_list<const ast::Expr *>{Form->When, Form->Unless}
                                   : std::initializer_list<const ast::Expr *>{})
      if (X)
        addTo(Needs, Unknown.ofCondition(*X, P.frame()));
  }
  /// What some quantities lack.
  std::vector<std::string> of(std::initializer_list<Quantity> Quantities) {
    std::vector<std::string> Needs;
    for (Quantity Q : Quantities)
      addTo(Needs, Unknown.ofDerived(Q.Index, P.frame()));
    return Needs;
  }

private:
  void addTo(std::vector<std::string> &Needs, const std::vector<UnknownField> &Fields) const {
    for (const UnknownField &F : Fields)
      if (std::string Need = needOf(F); std::ranges::find(Needs, Need) == Needs.end())
        Needs.push_back(std::move(Need));
  }
  std::string needOf(const UnknownField &F) const;

  const Plan &P;
  Evaluator &E;
  LibraryTrees &Trees;
  UnknownFinder Unknown;
};

/// "TP" of "$TP" or "${TP}"; empty of anything else.
std::string_view variableIn(std::string_view Text) {
  if (!Text.starts_with('$'))
    return {};
  Text.remove_prefix(Text.starts_with("${") ? 2 : 1);
  size_t End = 0;
  while (End < Text.size() && (std::isalnum(static_cast<unsigned char>(Text[End])) || Text[End] == '_'))
    ++End;
  const bool IsAll = Text.substr(End).empty() || Text.substr(End) == "}";
  return IsAll ? Text.substr(0, End) : std::string_view();
}

/// Whether a field follows from the cluster: device, GPUs per node and groups, and how many replicas share the batch.
bool followsFromCluster(const UnknownField &F, const Record &Job) {
  auto Is = [&](const Record *Of, unsigned Field) { return F.Of == Of && F.Field == &Of->Schema->Fields[Field]; };
  return F.Of->Schema->Name == "cluster" || (F.Of == &Job && F.Field->Computed) ||
         Is(Job.rec(fields::job::batch), fields::batch::accum) || Is(Job.rec(fields::job::layout), fields::layout::dp);
}

std::string NeedFinder::needOf(const UnknownField &F) const {
  const bool OfHardware = F.Of->Schema->Name == "device" || F.Of->Schema->Name == "link";
  if (!hasCluster(P) && (OfHardware || followsFromCluster(F, *P.Job)))
    return P.Foreign ? "`--cluster DEVICE*GPUS*NODES@LINK`" : "`cluster`";
  if (OfHardware)
    return fmt::format("`{}` of {}", F.Field->Name, F.Of->Name);
  if (!P.Foreign)
    return fmt::format("`{}`", F.Name);
  if (F.Of == P.Job->rec(fields::job::model) && F.Of->num(fields::model::hidden).isUnknown() && !F.Range)
    return "the model's `config.json`";
  if (F.Range && !E.Sources.isOutside(F.Range.File))
    if (std::string_view Variable = variableIn(E.Sources.text(F.Range)); !Variable.empty())
      return fmt::format("`--set {}=…`", Variable);
  return fmt::format("`--set {}=…`", F.Name);
}

} // namespace

JobVerdict verdictOf(const Plan &P, std::span<const uint32_t> Undecided, Evaluator &E, LibraryTrees &Trees) {
  JobVerdict Result;
  Result.Resolved = true;
  NeedFinder Needs(P, E, Trees);
  if (memoryIsJudged(P)) {
    const double Peak = rt::num(P.Context->derived(quantities::memory_peak)).real(),
                 Usable = rt::num(P.Context->derived(quantities::memory_usable)).real();
    Result.Memory = fmt::format("{:.1f} of {}", Peak / (1 << 30), formatGiB(Usable));
  } else {
    Result.Open.push_back({"memory", Needs.of({quantities::memory_peak, quantities::memory_usable})});
  }
  if (stepIsJudged(P))
    Result.Step = formatQuantity(rt::num(P.Context->derived(quantities::time_step)),
                                 P.Context->library().Derives[quantities::time_step.Index].Result.Dimension);
  else
    Result.Open.push_back({"step time", Needs.of({quantities::time_step})});
  if (!Undecided.empty()) {
    // With memory and time open, what they need says most; the trees of dozens of rules are not parsed for more.
    constexpr size_t MostRules = 8;
    OpenPart Rules{plural(static_cast<int64_t>(Undecided.size()), "rule"), {}};
    for (size_t I = 0; Result.Open.empty() && I < std::min(Undecided.size(), MostRules); ++I)
      Needs.ofRule(Undecided[I], Rules.Needs);
    Result.Open.push_back(std::move(Rules));
  }
  Result.OpenRules = static_cast<unsigned>(Undecided.size());
  for (const RuleDecl &R : P.Context->library().Rules)
    Result.Rules += isFor(R.Frameworks, P);
  Result.Rules -= Result.OpenRules;
  return Result;
}

} // namespace parlance
