#include "Frameworks/Accelerate/Read.h"
#include "Basic/Diagnostics.h"
#include "Config/Json.h"
#include "Frameworks/Accelerate/Accelerate.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Options/Members.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <utility>

namespace parlance {

namespace {

using Kind = ConfigValue::Kind;

/// Rewrites a copy of the tree into the form that the declarations of the options have.
class Translator {
public:
  Translator(JobSink &Job, ConfigValue Tree, SourceRange At)
      : Job(Job), Diags(Job.Diags), Root(std::move(Tree)), At(At) {}
  void run();

private:
  void translateOldForms();
  void addPrefixes();
  void spellWords();
  void checkReshard();
  void checkGpuIds();
  void checkPlatform();
  void readWorld();
  void readDeepSpeedFile();

  ConfigValue *section(std::string_view Key);
  std::string wordOf(const ConfigValue *V) const;

  JobSink &Job;
  DiagnosticEngine &Diags;
  ConfigValue Root;
  SourceRange At;
};

} // namespace

static std::string folded(std::string Word, int (*Fold)(int)) {
  std::ranges::transform(Word, Word.begin(), [&](unsigned char C) { return Fold(C); });
  return Word;
}

ConfigValue *Translator::section(std::string_view Key) {
  ConfigValue *V = Key.empty() ? &Root : member(Root, Key);
  return V && V->isObject() ? V : nullptr;
}

/// A value as a word: `NO` in YAML is a truth value, and a word here.
std::string Translator::wordOf(const ConfigValue *V) const {
  if (!V)
    return {};
  return V->K == Kind::Bool ? std::string(Job.Sources.text(V->Range)) : V->Text;
}

//===----------------------------------------------------------------------===//
// Forms and spellings
//===----------------------------------------------------------------------===//

void Translator::translateOldForms() {
  if (ConfigValue *Half = member(Root, "fp16")) {
    Diags.report(diag::DeprecatedOption, Half->KeyRange, "fp16", "write `mixed_precision: fp16`");
    ConfigValue Made = madeFrom(*Half, "mixed_precision", Kind::String, "fp16");
    bool Counts = Half->isTrue() && !Root.find("mixed_precision");
    eraseMember(Root, "fp16");
    if (Counts)
      Root.Items.push_back(std::move(Made));
  }
  if (ConfigValue *Backend = member(Root, "dynamo_backend")) {
    Diags.report(diag::DeprecatedOption, Backend->KeyRange, "dynamo_backend",
                 "write it in the section `dynamo_config`");
    ConfigValue Section = madeFrom(*Backend, "dynamo_config", Kind::Object);
    Section.Items.push_back(*Backend);
    eraseMember(Root, "dynamo_backend");
    eraseMember(Root, "dynamo_config");
    Root.Items.push_back(std::move(Section));
  }
}

/// `sharding_strategy` in fsdp_config is `fsdp_sharding_strategy`.
void Translator::addPrefixes() {
  static constexpr std::pair<std::string_view, std::string_view> Prefixes[] = {
      {"fsdp_config", "fsdp"}, {"fp8_config", "fp8"}, {"dynamo_config", "dynamo_"}};
  for (auto [Key, Prefix] : Prefixes)
    if (ConfigValue *In = section(Key))
      for (ConfigValue &M : In->Items)
        if (!M.Key.starts_with(Prefix))
          M.Key.insert(0, Prefix.ends_with('_') ? std::string(Prefix) : fmt::format("{}_", Prefix));
}

/// Choices go by any case, and some by their numbers from 1 on.
void Translator::spellWords() {
  struct Spelling {
    std::string_view Section, Key;
    int (*Fold)(int);
    std::initializer_list<std::string_view> Numbered = {};
  };
  static const Spelling Spellings[] = {
      {"", "mixed_precision", std::tolower},
      {"deepspeed_config", "offload_optimizer_device", std::tolower},
      {"deepspeed_config", "offload_param_device", std::tolower},
      {"dynamo_config", "dynamo_backend", std::toupper},
      {"fsdp_config",
       "fsdp_sharding_strategy",
       std::toupper,
       {"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2"}},
      {"fsdp_config", "fsdp_backward_prefetch", std::toupper, {"BACKWARD_PRE", "BACKWARD_POST"}},
      {"fsdp_config",
       "fsdp_state_dict_type",
       std::toupper,
       {"FULL_STATE_DICT", "LOCAL_STATE_DICT", "SHARDED_STATE_DICT"}},
      {"fsdp_config", "fsdp_auto_wrap_policy", std::toupper}};
  for (const Spelling &S : Spellings) {
    ConfigValue *In = section(S.Section);
    ConfigValue *V = In ? member(*In, S.Key) : nullptr;
    if (!V)
      continue;
    auto Number = V->K == Kind::Number ? V->integer() : std::nullopt;
    if (Number && *Number >= 1 && std::cmp_less_equal(*Number, S.Numbered.size()))
      V->Text = *(S.Numbered.begin() + (*Number - 1));
    else if (V->K == Kind::String)
      V->Text = folded(V->Text, S.Fold);
    else
      continue;
    V->K = Kind::String;
  }
}

/// Version 2 of FSDP takes a truth value; version 1 passes over the option.
void Translator::checkReshard() {
  ConfigValue *Fsdp = section("fsdp_config");
  ConfigValue *V = Fsdp ? member(*Fsdp, "fsdp_reshard_after_forward") : nullptr;
  const ConfigValue *Version = Fsdp ? Fsdp->find("fsdp_version") : nullptr;
  if (!V || V->isSymbolic() || !Version || Version->Text != "2")
    return;
  std::string Word = folded(V->Text, std::tolower);
  static constexpr std::string_view True[] = {"true", "t", "yes", "y", "on", "1"},
                                    False[] = {"false", "f", "no", "n", "off", "0"};
  bool Yes = std::ranges::find(True, Word) != std::end(True), No = std::ranges::find(False, Word) != std::end(False);
  if (!Yes && !No) {
    Diags.report(diag::OptionType, V->Range, "fsdp_config.fsdp_reshard_after_forward",
                 "true or false with FSDP version 2", V->brief());
    eraseMember(*Fsdp, "fsdp_reshard_after_forward");
    return;
  }
  V->K = Kind::String;
  V->Text = Yes ? "true" : "false";
}

/// `accelerate launch` refuses one GPU where there are to be several (commands/launch.py).
void Translator::checkGpuIds() {
  const ConfigValue *Ids = Root.find("gpu_ids");
  if (!Ids || wordOf(Root.find("distributed_type")) != "MULTI_GPU")
    return;
  bool Plain = Ids->K == Kind::Number || Ids->K == Kind::String;
  if (Plain && Ids->Text != "all" && Ids->Text.find(',') == std::string::npos)
    Diags.report(diag::OptionChoice, Ids->Range, "gpu_ids", Ids->Text, "accelerate with several GPUs",
                 "`all` or their numbers with commas");
}

//===----------------------------------------------------------------------===//
// Where it runs
//===----------------------------------------------------------------------===//

static constexpr std::string_view SageMaker[] = {"ec2_instance_type",
                                                 "iam_role_name",
                                                 "image_uri",
                                                 "profile",
                                                 "region",
                                                 "base_job_name",
                                                 "pytorch_version",
                                                 "transformers_version",
                                                 "py_version",
                                                 "sagemaker_inputs_file",
                                                 "sagemaker_metrics_file",
                                                 "additional_args"};
/// What both kinds of configuration have.
static constexpr std::string_view Everywhere[] = {
    "compute_environment", "distributed_type",   "mixed_precision", "use_cpu", "debug", "num_machines", "gpu_ids",
    "dynamo_config",       "enable_cpu_affinity"};

/// Options of the other environment are unknown ones; devices that are no GPUs are not modelled.
void Translator::checkPlatform() {
  const ConfigValue *Environment = Root.find("compute_environment"), *Type = Root.find("distributed_type");
  bool Cloud = Environment && Environment->Text == "AMAZON_SAGEMAKER";
  std::erase_if(Root.Items, [&](const ConfigValue &M) {
    bool IsCloud = std::ranges::find(SageMaker, M.Key) != std::end(SageMaker),
         IsBoth = std::ranges::find(Everywhere, M.Key) != std::end(Everywhere),
         Declared = Job.E.Lib.schema("accelerate")->find(M.Key) >= 0;
    bool Wrong = Declared && (Cloud ? !IsCloud && !IsBoth : IsCloud);
    if (Wrong)
      Diags.report(diag::UnknownOption, M.KeyRange, M.Key,
                   Cloud ? "accelerate on SageMaker" : "accelerate outside SageMaker");
    return Wrong;
  });
  static constexpr std::string_view Gpus[] = {"NO", "MULTI_GPU", "FSDP", "DEEPSPEED", "MEGATRON_LM"};
  std::string Word = wordOf(Type);
  const SchemaDecl *S = Job.E.Lib.schema("accelerate");
  bool Known = S->Fields[S->find("distributed_type")].Ty.Enum->find(Word) >= 0;
  if (Cloud)
    Diags.report(diag::UnsupportedPlatform, Environment->Range, "compute_environment", Environment->Text);
  else if (Known && std::ranges::find(Gpus, Word) == std::end(Gpus))
    Diags.report(diag::UnsupportedPlatform, Type->Range, "distributed_type", Word);
}

/// The number of processes is that of all machines.
void Translator::readWorld() {
  const ConfigValue *Machines = Root.find("num_machines");
  auto Nodes = Machines ? Machines->integer() : std::optional<int64_t>(1);
  ConfigValue *Processes = member(Root, "num_processes");
  auto Total = Processes ? Processes->integer() : std::nullopt;
  if (!Processes && wordOf(Root.find("distributed_type")) == "NO")
    Total = 1;
  SourceRange ProcessesAt = Processes ? Processes->Range : SourceRange();
  if (Total == -1) {
    Diags.report(diag::NeedsProcesses, ProcessesAt);
    Total.reset();
    eraseMember(Root, "num_processes");
  }
  if (!Total)
    Job.addSymbol({"num_processes", ProcessesAt ? ProcessesAt : At, "num_processes"});
  World W;
  if (Machines && Nodes && *Nodes > 0) {
    W.Nodes = Nodes;
    W.NodesAt = Machines->Range;
  } else if (!Machines) {
    W.Nodes = 1;
  }
  if (Total && *Total > 0 && W.Nodes) {
    W.PerNode = std::max<int64_t>(1, *Total / *W.Nodes);
    W.PerNodeAt = ProcessesAt;
    if (ProcessesAt && *Total % *W.Nodes != 0)
      Diags.report(diag::UnevenMachines, ProcessesAt, *Total, *W.Nodes, *Total / *W.Nodes);
  }
  Job.addWorld(W);
}

//===----------------------------------------------------------------------===//
// DeepSpeed's own configuration
//===----------------------------------------------------------------------===//

void Translator::readDeepSpeedFile() {
  ConfigValue *In = section("deepspeed_config");
  ConfigValue *Named = In ? member(*In, "deepspeed_config_file") : nullptr;
  if (!Named || Named->K != Kind::String || wordOf(Root.find("distributed_type")) != "DEEPSPEED")
    return;
  if (Named->Text == "none") {
    eraseMember(*In, "deepspeed_config_file");
    return;
  }
  std::filesystem::path Folder = std::filesystem::path(Job.Sources.file(At.File).name()).parent_path();
  SourceManager::ReadError Error;
  auto File = Job.Sources.openNamed((Folder / Named->Text).string(), Named->Range, Error);
  if (!File) {
    Diags.report(diag::NotFollowed, Named->Range, Named->Text, fmt::format("seen from here it {}", Error.Reason));
    return;
  }
  auto Tree = parseJson(*File, Job.Sources.file(*File).text(), Diags, JsonDialect::Hjson);
  if (Tree && Tree->isObject())
    readDeepSpeed(Job, *Tree, {*File, Tree->Range.Begin, Tree->Range.Begin + 1});
}

void Translator::run() {
  translateOldForms();
  addPrefixes();
  spellWords();
  checkReshard();
  checkGpuIds();
  checkPlatform();
  readWorld();
  Job.addOptions(framework::Accelerate, Root, At);
  readDeepSpeedFile();
}

void readAccelerate(JobSink &Job, const ConfigValue &Tree, SourceRange At) { Translator(Job, Tree, At).run(); }

} // namespace parlance
