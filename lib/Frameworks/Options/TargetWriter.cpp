#include "Frameworks/Options/TargetWriter.h"
#include "Basic/Diagnostics.h"
#include "Config/ConfigWriter.h"
#include "Eval/Support.h"
#include "std/Std.h"

namespace parlance {

static ConfigValue word(std::string Key, std::string Text) {
  ConfigValue Result;
  Result.K = ConfigValue::Kind::String;
  Result.Key = std::move(Key);
  Result.Text = std::move(Text);
  return Result;
}

void TargetWriter::addOptions(std::string Name, FileSyntax Syntax) {
  ConfigValue Tree = optionTree(Options);
  add(std::move(Name), Syntax == FileSyntax::Json   ? writeJson(Tree)
                       : Syntax == FileSyntax::Toml ? writeToml(Tree, Header)
                                                    : writeYaml(Tree, Header));
}

void TargetWriter::addWords(std::string Name, const std::vector<std::string> &Words) {
  ConfigValue List;
  List.K = ConfigValue::Kind::Array;
  for (const std::string &Word : Words)
    List.Items.push_back(word({}, Word));
  add(std::move(Name), writeJson(List));
}

void TargetWriter::addVariables(std::string Name) {
  ConfigValue Variables;
  Variables.K = ConfigValue::Kind::Object;
  for (auto &[Variable, Value] : environment(Options))
    Variables.Items.push_back(word(Variable, Value));
  add(std::move(Name), writeJson(Variables));
}

void TargetWriter::launch(LaunchScript When, std::vector<std::string> Program, std::vector<std::string> Arguments,
                          std::vector<std::string> (*Starter)(const Launch &)) {
  if (When == LaunchScript::Asked && Asked == Launcher::None)
    return;
  Launch L;
  Num Nodes = rt::fieldNum(Given.Job->rec(fields::job::cluster), fields::cluster::nodes),
      PerNode = Given.Job->num(fields::job::gpus_per_node);
  if (!Nodes.isIntegral() || !PerNode.isIntegral()) {
    E.Diags.report(diag::NoClusterAtLowering, placeOf(*Given.Job, "cluster.nodes"));
    Failed = true;
    return;
  }
  L.Name = Given.Job->Name;
  L.Header = Header;
  L.Nodes = Nodes.toInteger();
  L.PerNode = PerNode.toInteger();
  L.Environment = environment(Options);
  L.Program = std::move(Program);
  L.Arguments = std::move(Arguments);
  if (Starter)
    L.Starter = Starter(L);
  addLauncher(L);
}

void TargetWriter::addLauncher(const Launch &L) {
  switch (Asked) {
  case Launcher::Torchrun:
  case Launcher::None:
    Files.push_back({"launch.sh", torchrunScript(L), true});
    break;
  case Launcher::Slurm:
    Files.push_back({"job.sbatch", slurmScript(L), true});
    break;
  case Launcher::Kubernetes:
    add("job.yaml", trainJob(L));
    break;
  case Launcher::KubernetesV1:
    add("job.yaml", pytorchJob(L));
    break;
  }
}

} // namespace parlance
