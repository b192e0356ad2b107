#include "Frameworks/Lower/Lower.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

std::span<const std::string_view> loweringTargets() {
  static const std::vector<std::string_view> Targets = [] {
    std::vector<std::string_view> Names;
    for (const Framework *F : frameworks())
      if (F->Write)
        Names.push_back(F->Name);
    return Names;
  }();
  return Targets;
}

namespace {

class Lowerer {
public:
  Lowerer(const Plan &P, const LowerRequest &Request, Evaluator &E)
      : P(P), Request(Request), E(E), F(*frameworkNamed(Request.Target)) {}
  std::optional<Lowering> run();

private:
  bool expressible(const Plan &Own, const Record &Options);
  bool known(const Record &R, const std::string &Prefix);
  struct Other {
    const Framework *F;
    std::vector<LostField> Lost;
  };
  const std::vector<Other> &others();
  std::vector<std::string> othersThatCan(std::string_view Path);
  std::string header() const {
    return fmt::format("Written by {} from {}, job {}.", Request.Program, Request.Source, P.Job->Name);
  }

  const Plan &P;
  const LowerRequest &Request;
  Evaluator &E;
  const Framework &F;
  std::vector<Other> Others;
};

} // namespace

//===----------------------------------------------------------------------===//
// What a target can express
//===----------------------------------------------------------------------===//

/// A value in a message.
static std::string shown(const Value &V, const FieldDecl &F) {
  if (V.isAbsent() || V.K == Value::Kind::Record)
    return "not given";
  return V.K == Value::Kind::Quantity ? formatQuantity(V.Number, F.Ty.Dimension) : rt::sourceText(V, F);
}

/// Reports fields that somebody gave and nobody knows.
bool Lowerer::known(const Record &R, const std::string &Prefix) {
  bool Known = true;
  for (unsigned I = 0; I < R.Values.size(); ++I) {
    const FieldDecl &Field = R.Schema->Fields[I];
    if (Field.Computed || Field.Optional)
      continue;
    std::string Path = Prefix + std::string(Field.Name);
    if (const Record *Inner = R.rec(I)) {
      Known &= Field.Ty.K == Type::Kind::Record ? known(*Inner, Path + ".") : true;
    } else if (!R.at(I).isAbsent() && R.Origins[I].K == Origin::Kind::Given && !rt::knownValue(R.at(I)) &&
               R.at(I).K != Value::Kind::Auto) {
      E.Diags.report(diag::UnknownAtLowering, R.Origins[I].Range, Path,
                     std::string(E.Sources.text(R.Origins[I].Range)));
      Known = false;
    }
  }
  return Known;
}

/// What each other target would lose, found when it is first asked for.
const std::vector<Lowerer::Other> &Lowerer::others() {
  if (!Others.empty())
    return Others;
  for (const Framework *Of : frameworks()) {
    if (!Of->Write || Of == &F || !optionsBlock(E.Lib, Of->Name).Schema)
      continue;
    if (auto Own = retarget(P, Of->Name, E))
      Others.push_back({Of, notExpressed(*Own, Of->Name, *writeOptions(*Own, Of->Name, E), Of->Elsewhere, E)});
  }
  return Others;
}

std::vector<std::string> Lowerer::othersThatCan(std::string_view Path) {
  std::vector<std::string> Can;
  for (const Other &O : others()) {
    bool Elsewhere = std::ranges::any_of(O.F->Elsewhere, [&](std::string_view Skipped) {
      return Path == Skipped || (Path.starts_with(Skipped) && Path[Skipped.size()] == '.');
    });
    if (!Elsewhere && std::ranges::find(O.Lost, Path, &LostField::Path) == O.Lost.end())
      Can.emplace_back(O.F->Title);
  }
  return Can;
}

bool Lowerer::expressible(const Plan &Own, const Record &Written) {
  auto Lost = notExpressed(Own, F.Name, Written, F.Elsewhere, E);
  for (const LostField &L : Lost) {
    FieldPath At = fieldAt(*Own.Job, L.Path);
    Diagnostic &D =
        E.Diags.report(diag::NotExpressible, placeOf(*P.Job, L.Path), F.Title, L.Path, shown(L.Wanted, At.decl()));
    if (!L.Got.isAbsent() && rt::knownValue(L.Got))
      D.Notes.push_back({{}, fmt::format("it would run with {}", shown(L.Got, At.decl()))});
    auto Others = othersThatCan(L.Path);
    D.Notes.push_back({{},
                       Others.empty() ? std::string("no other target can express it either")
                                      : fmt::format("{} can", joinList(std::span<const std::string>(Others), "and"))});
  }
  return Lost.empty();
}

std::optional<Lowering> Lowerer::run() {
  if (!known(*P.Written, {}))
    return std::nullopt;
  auto Own = retarget(P, F.Name, E);
  if (!Own)
    return std::nullopt;
  Record *Written = writeOptions(*Own, F.Name, E);
  const Record *Model = Own->Job->rec(fields::job::model);
  bool Named = !F.NameModel || F.NameModel(*Written, *Model, E);
  if (!Named)
    E.Diags.report(diag::NotExpressible, placeOf(*P.Job, "model"), F.Title, "model", std::string(Model->Name));
  if (!expressible(*Own, *Written) || !Named)
    return std::nullopt;
  Record &Options = *E.own(*E.complete(*Written));
  if (F.FromFacts)
    F.FromFacts(Options, E);
  TargetWriter To(F, Options, P, *Own, Request.Launch, header(), E);
  F.Write(To);
  if (To.Failed)
    return std::nullopt;
  return Lowering{std::move(To.Files), optionList(F, Options)};
}

std::optional<Lowering> lower(const Plan &P, const LowerRequest &Request, Evaluator &E) {
  return Lowerer(P, Request, E).run();
}

} // namespace parlance
