#include "Frameworks/Lower/Lower.h"
#include "Basic/ConfigWriter.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Frameworks/Launch/Launch.h"
#include "Frameworks/Megatron/Write.h"
#include "Frameworks/Torchtitan/Write.h"
#include "Plan/Options.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

static constexpr std::string_view Targets[] = {"megatron", "deepspeed", "torchtitan", "nanotron", "accelerate"};
std::span<const std::string_view> loweringTargets() { return Targets; }

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
  std::optional<Launch> launch();
  void addLauncher(Launch L);
  void writeMegatron();
  void writeDeepSpeed();
  void writeTorchtitan(const Plan &Own);
  void writeNanotron();
  void writeAccelerate();
  std::string header() const {
    return fmt::format("Written by {} from {}, job {}.", Request.Program, Request.Source, P.Job->Name);
  }
  void add(std::string Name, std::string Text, bool Executable = false) {
    Result.Files.push_back({std::move(Name), std::move(Text), Executable});
  }

  const Plan &P;
  const LowerRequest &Request;
  Evaluator &E;
  const Framework &F;
  const Record *Options = nullptr;
  std::vector<Other> Others;
  bool NoCluster = false; ///< a launcher needs one, and there is none
  Lowering Result;
};

} // namespace

//===----------------------------------------------------------------------===//
// What a target can express
//===----------------------------------------------------------------------===//

/// A value in a message.
static std::string shown(const Value &V, const FieldDecl &F) {
  switch (V.K) {
  case Value::Kind::Quantity:
    return formatQuantity(V.Number, F.Ty.Dimension);
  case Value::Kind::Enum:
    return std::string(F.Ty.Enum->Values[V.Index]);
  case Value::Kind::Bool:
    return V.Flag == Truth::True ? "true" : "false";
  case Value::Kind::String:
    return fmt::format("\"{}\"", V.Text);
  default:
    return "not given";
  }
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
  for (std::string_view Target : Targets) {
    const Framework *Of = frameworkNamed(Target);
    if (Target == Request.Target || !optionsBlock(E.Lib, Target).Schema)
      continue;
    if (auto Own = retarget(P, Target, E))
      Others.push_back({Of, notExpressed(*Own, Target, *writeOptions(*Own, Target, E), Of->Elsewhere, E)});
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

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string jsonOf(const std::vector<std::string> &Words) {
  ConfigValue List;
  List.K = ConfigValue::Kind::Array;
  for (const std::string &Word : Words) {
    ConfigValue Item;
    Item.K = ConfigValue::Kind::String;
    Item.Text = Word;
    List.Items.push_back(std::move(Item));
  }
  return writeJson(List);
}

/// Nodes and GPUs; reports a cluster that is not known.
std::optional<Launch> Lowerer::launch() {
  Launch L;
  Num Nodes = rt::fieldNum(P.Job->rec(fields::job::cluster), fields::cluster::nodes),
      PerNode = P.Job->num(fields::job::gpus_per_node);
  if (!Nodes.isIntegral() || !PerNode.isIntegral()) {
    E.Diags.report(diag::NoClusterAtLowering, placeOf(*P.Job, "cluster.nodes"));
    NoCluster = true;
    return std::nullopt;
  }
  L.Name = P.Job->Name;
  L.Header = header();
  L.Nodes = Nodes.toInteger();
  L.PerNode = PerNode.toInteger();
  L.Environment = environment(*Options);
  return L;
}

void Lowerer::addLauncher(Launch L) {
  switch (Request.Launch) {
  case Launcher::Torchrun:
  case Launcher::None:
    return add("launch.sh", torchrunScript(L), true);
  case Launcher::Slurm:
    return add("job.sbatch", slurmScript(L), true);
  case Launcher::Kubernetes:
    return add("job.yaml", trainJob(L));
  case Launcher::KubernetesV1:
    return add("job.yaml", pytorchJob(L));
  }
}

void Lowerer::writeMegatron() {
  std::vector<std::string> Words = commandLine(F, *Options);
  megatron::spellPatterns(Words);
  add("args.json", jsonOf(Words));
  ConfigValue Variables;
  Variables.K = ConfigValue::Kind::Object;
  for (auto &[Name, Value] : environment(*Options)) {
    ConfigValue Member;
    Member.K = ConfigValue::Kind::String;
    Member.Key = Name;
    Member.Text = Value;
    Variables.Items.push_back(std::move(Member));
  }
  add("env.json", writeJson(Variables));
  if (auto L = launch()) {
    L->Program = {"${MEGATRON_LM:-.}/pretrain_gpt.py"};
    L->Arguments = std::move(Words);
    addLauncher(std::move(*L));
  }
}

void Lowerer::writeDeepSpeed() {
  add("ds_config.json", writeJson(optionTree(*Options)));
  if (auto L = launch()) {
    L->Program = {"${TRAIN_SCRIPT:?the training script}"};
    L->Arguments = {"--deepspeed", "--deepspeed_config", "ds_config.json"};
    addLauncher(std::move(*L));
  }
}

void Lowerer::writeTorchtitan(const Plan &Own) {
  add("train.toml", writeToml(optionTree(*Options), header()));
  // The main branch has no file for 8-bit training, and functions for some models alone.
  Record *Main = writeOptions(Own, "torchtitan_main", E);
  if (nameTorchtitanModel(*Main, *Own.Job->rec(fields::job::model), E) &&
      notExpressed(Own, "torchtitan_main", *Main, {}, E).empty())
    add("args.json", jsonOf(torchtitanArguments(*Main)));
  if (Request.Launch == Launcher::None)
    return;
  if (auto L = launch()) {
    L->Program = {"-m", "torchtitan.train"};
    L->Arguments = {"--job.config_file", "train.toml"};
    addLauncher(std::move(*L));
  }
}

void Lowerer::writeNanotron() {
  add("config.yaml", writeYaml(optionTree(*Options), header()));
  if (Request.Launch == Launcher::None)
    return;
  if (auto L = launch()) {
    L->Program = {"${NANOTRON:-.}/run_train.py"};
    L->Arguments = {"--config-file", "config.yaml"};
    addLauncher(std::move(*L));
  }
}

void Lowerer::writeAccelerate() {
  add("accelerate.yaml", writeYaml(optionTree(*Options), header()));
  if (Request.Launch == Launcher::None)
    return;
  if (auto L = launch()) {
    L->Starter = {"accelerate", "launch", "--config_file", "accelerate.yaml"};
    if (L->Nodes > 1)
      for (const char *Word : {"--machine_rank", "\"$NODE_RANK\"", "--main_process_ip", "\"$MASTER_ADDR\"",
                               "--main_process_port", "\"${MASTER_PORT:-29500}\""})
        L->Starter.emplace_back(Word);
    L->Program = {"${TRAIN_SCRIPT:?the training script}"};
    addLauncher(std::move(*L));
  }
}

std::optional<Lowering> Lowerer::run() {
  if (!known(*P.Written, {}))
    return std::nullopt;
  auto Own = retarget(P, F.Name, E);
  if (!Own)
    return std::nullopt;
  Record *Written = writeOptions(*Own, F.Name, E);
  const Record *Model = Own->Job->rec(fields::job::model);
  bool Named = F.Name != "torchtitan" || nameTorchtitanModel(*Written, *Model, E);
  if (!Named)
    E.Diags.report(diag::NotExpressible, placeOf(*P.Job, "model"), F.Title, "model", std::string(Model->Name));
  if (!expressible(*Own, *Written) || !Named)
    return std::nullopt;
  Options = E.complete(*Written);
  Result.Options = optionList(F, *Options);
  if (F.Name == "megatron")
    writeMegatron();
  else if (F.Name == "deepspeed")
    writeDeepSpeed();
  else if (F.Name == "torchtitan")
    writeTorchtitan(*Own);
  else if (F.Name == "nanotron")
    writeNanotron();
  else
    writeAccelerate();
  if (NoCluster)
    return std::nullopt;
  return std::move(Result);
}

std::optional<Lowering> lower(const Plan &P, const LowerRequest &Request, Evaluator &E) {
  return Lowerer(P, Request, E).run();
}

} // namespace parlance
