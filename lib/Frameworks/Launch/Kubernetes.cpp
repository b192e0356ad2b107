// Manifests: TrainJob (kubeflow/trainer, trainer.kubeflow.org/v1alpha1) and PyTorchJob (kubeflow/training-operator,
// kubeflow.org/v1). Both set the rendezvous of torchrun through PET_* variables.
#include "Config/ConfigWriter.h"
#include "Frameworks/Launch/Launch.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace parlance {

namespace {

ConfigValue text(std::string S) {
  ConfigValue V;
  V.K = ConfigValue::Kind::String;
  V.Text = std::move(S);
  return V;
}
ConfigValue number(int64_t N) {
  ConfigValue V;
  V.K = ConfigValue::Kind::Number;
  V.Text = std::to_string(N);
  return V;
}
ConfigValue list(std::vector<ConfigValue> Items) {
  ConfigValue V;
  V.K = ConfigValue::Kind::Array;
  V.Items = std::move(Items);
  return V;
}
ConfigValue object(std::vector<std::pair<std::string, ConfigValue>> Members) {
  ConfigValue V;
  V.K = ConfigValue::Kind::Object;
  for (auto &[Key, Member] : Members) {
    Member.Key = Key;
    V.Items.push_back(std::move(Member));
  }
  return V;
}

/// Kubernetes allows lower-case letters, digits and dashes.
std::string resourceName(std::string_view Name) {
  std::string Result;
  for (char C : Name)
    Result += std::isalnum(static_cast<unsigned char>(C))
                  ? static_cast<char>(std::tolower(static_cast<unsigned char>(C)))
                  : '-';
  while (!Result.empty() && Result.front() == '-')
    Result.erase(0, 1);
  while (!Result.empty() && Result.back() == '-')
    Result.pop_back();
  return Result.empty() ? "job" : Result.substr(0, 50);
}

ConfigValue environment(const Launch &L) {
  std::vector<ConfigValue> Items;
  for (const auto &[Name, Value] : L.Environment)
    Items.push_back(object({{"name", text(Name)}, {"value", text(Value)}}));
  return list(std::move(Items));
}

/// The shell expands the program's path; the arguments are passed as they are.
ConfigValue command(const Launch &L) {
  std::string Line = "exec torchrun";
  if (!L.Starter.empty()) {
    Line = "exec";
    for (const std::string &Word : L.Starter)
      Line += " " + Word;
  }
  for (const std::string &Word : L.Program)
    Line += Word.starts_with('-') ? " " + Word : " \"" + Word + "\"";
  return list({text("bash"), text("-c"), text(Line + " \"$@\""), text("_")});
}

ConfigValue words(const std::vector<std::string> &Words) {
  std::vector<ConfigValue> Items;
  for (const std::string &Word : Words)
    Items.push_back(text(Word));
  return list(std::move(Items));
}

ConfigValue resources(const Launch &L) {
  ConfigValue Gpus = object({{"nvidia.com/gpu", number(L.PerNode)}});
  return object({{"limits", Gpus}, {"requests", Gpus}});
}

constexpr std::string_view Image = "IMAGE"; // what the user's cluster runs

} // namespace

std::string trainJob(const Launch &L) {
  std::vector<std::pair<std::string, ConfigValue>> Trainer{
      {"image", text(std::string(Image))}, {"numNodes", number(L.Nodes)}, {"numProcPerNode", number(L.PerNode)},
      {"resourcesPerNode", resources(L)},  {"command", command(L)},       {"args", words(L.Arguments)}};
  if (!L.Environment.empty())
    Trainer.insert(Trainer.begin() + 4, {"env", environment(L)});
  ConfigValue Job = object({{"apiVersion", text("trainer.kubeflow.org/v1alpha1")},
                            {"kind", text("TrainJob")},
                            {"metadata", object({{"name", text(resourceName(L.Name))}})},
                            {"spec", object({{"runtimeRef", object({{"name", text("torch-distributed")}})},
                                             {"trainer", object(std::move(Trainer))}})}});
  return writeYaml(Job, L.Header + "\nPut your container image in place of IMAGE.");
}

std::string pytorchJob(const Launch &L) {
  auto Pods = [&](int64_t Replicas) {
    std::vector<std::pair<std::string, ConfigValue>> Container{{"name", text("pytorch")},
                                                               {"image", text(std::string(Image))},
                                                               {"command", command(L)},
                                                               {"args", words(L.Arguments)},
                                                               {"resources", resources(L)}};
    if (!L.Environment.empty())
      Container.insert(Container.begin() + 2, {"env", environment(L)});
    ConfigValue Spec = object({{"containers", list({object(std::move(Container))})}});
    return object(
        {{"replicas", number(Replicas)}, {"restartPolicy", text("OnFailure")}, {"template", object({{"spec", Spec}})}});
  };
  std::vector<std::pair<std::string, ConfigValue>> Replicas{{"Master", Pods(1)}};
  if (L.Nodes > 1)
    Replicas.emplace_back("Worker", Pods(L.Nodes - 1));
  ConfigValue Job = object({{"apiVersion", text("kubeflow.org/v1")},
                            {"kind", text("PyTorchJob")},
                            {"metadata", object({{"name", text(resourceName(L.Name))}})},
                            {"spec", object({{"nprocPerNode", text(std::to_string(L.PerNode))},
                                             {"pytorchReplicaSpecs", object(std::move(Replicas))}})}});
  return writeYaml(Job, L.Header + "\nPut your container image in place of IMAGE.");
}

} // namespace parlance
