#include "Frameworks/Torchtitan/Read.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/Torchtitan/CommandLine.h"
#include "Frameworks/Torchtitan/Models.h"
#include "Frameworks/Torchtitan/OlderVersions.h"
#include "Frameworks/Torchtitan/Torchtitan.h"
#include <algorithm>

namespace parlance {

using namespace torchtitan;

//===----------------------------------------------------------------------===//
// What torchtitan takes besides what the schema says
//===----------------------------------------------------------------------===//

static std::string_view wordAt(ConfigValue &Tree, std::string_view Path, std::string_view Default) {
  const ConfigValue *V = valueAt(Tree, Path);
  return V && V->K == ConfigValue::Kind::String ? std::string_view(V->Text) : Default;
}

/// A module of the user's may declare any further options: those that the schema does not have are taken out.
static void takeExtensions(ConfigValue &Tree, const SchemaDecl &S) {
  std::erase_if(Tree.Items, [&](ConfigValue &Member) {
    auto Option = std::ranges::find_if(S.Fields, [&](const FieldDecl &F) {
      return F.Name == Member.Key || std::ranges::find(F.Old, Member.Key) != F.Old.end();
    });
    if (Option == S.Fields.end())
      return true;
    if (Option->Ty.K == Type::Kind::Record && Member.isObject())
      takeExtensions(Member, *Option->Ty.Schema);
    return false;
  });
}

static std::string lower(std::string_view Text) {
  std::string Result(Text);
  std::ranges::transform(Result, Result.begin(), [](unsigned char C) { return static_cast<char>(std::tolower(C)); });
  return Result;
}

/// PyTorch knows schedules in any case, and nobody looks at them without a pipeline.
static void spellSchedule(ConfigValue &Tree, const Library &Lib) {
  static constexpr std::string_view Path = "parallelism.pipeline_parallel_schedule";
  ConfigValue *Schedule = valueAt(Tree, Path);
  if (!Schedule || Schedule->K != ConfigValue::Kind::String)
    return;
  const SchemaDecl &Parallelism = *Lib.schema("torchtitan_parallelism");
  const FieldDecl &Option = Parallelism.Fields[static_cast<size_t>(Parallelism.find("pipeline_parallel_schedule"))];
  auto Known = std::ranges::find_if(Option.Ty.Enum->Values,
                                    [&](std::string_view Word) { return lower(Word) == lower(Schedule->Text); });
  if (Known != Option.Ty.Enum->Values.end()) {
    Schedule->Text = *Known;
    return;
  }
  const ConfigValue *Stages = valueAt(Tree, "parallelism.pipeline_parallel_degree");
  if (!Stages || Stages->integer() == 1)
    Schedule->K = ConfigValue::Kind::Null;
}

/// Every n-th layer is recomputed: that is not a choice of a job's.
static void noteRecompute(JobSink &Job, ConfigValue &Tree) {
  std::string_view Mode = wordAt(Tree, "activation_checkpoint.mode", "selective"),
                   Option = wordAt(Tree, "activation_checkpoint.selective_ac_option", "2");
  bool Selective = Mode == "selective" && Option != "op" && Option != "0" && Option != "1";
  if (!Selective && Mode != "memory_budget")
    return;
  if (Selective && (Option.empty() || Option.find_first_not_of("0123456789") != std::string_view::npos)) {
    Job.Diags.report(diag::OptionChoice, valueAt(Tree, "activation_checkpoint.selective_ac_option")->Range,
                     "activation_checkpoint.selective_ac_option", std::string(Option), "torchtitan",
                     "`op` or a number");
    return;
  }
  std::string_view Path = Selective ? "activation_checkpoint.selective_ac_option" : "activation_checkpoint.mode";
  const ConfigValue *At = valueAt(Tree, Path);
  if (!At)
    At = valueAt(Tree, "activation_checkpoint");
  if (!At)
    return;
  Job.Diags.report(diag::NotDescribed, At->Range, Path, Selective ? Option : Mode,
                   Selective ? "a job cannot say that every n-th layer is computed again, so that "
                               "memory and time are not known"
                             : "the compiler decides what is computed again, so that memory and "
                               "time are not known");
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
struct Named {
  std::string_view Text;
  SourceRange At;
};
} // namespace

static void addRecord(JobSink &Job, const TorchtitanModel &M, std::string_view Option, Named By) {
  if (const Record *Model = torchtitanModel(M, Job.E, By.At))
    Job.addModel(Model, By.At);
  if (M.Record.empty())
    Job.Diags.report(diag::NotDescribed, By.At, Option, By.Text,
                     M.Partly.Layers ? "a `model` block cannot say what it is made of, so that memory and time "
                                       "are not known"
                                     : "a `model` block cannot say what it is made of, so that nothing that "
                                       "depends on its shape is checked");
}

static void reportWord(JobSink &Job, std::string_view Option, Named By, const std::vector<std::string_view> &Known) {
  Diagnostic &D = Job.Diags.report(diag::OptionChoice, By.At, std::string(Option), std::string(By.Text), "torchtitan",
                                   joinList(std::span<const std::string_view>(Known)));
  if (auto Near = nearest(By.Text, Known))
    D.Notes.push_back({{}, fmt::format("did you mean `{}`?", *Near)});
}

/// Experiments and modules of the user's bring models and options of their own.
static bool isExperiment(ConfigValue &Tree) {
  std::string_view Name = wordAt(Tree, "model.name", "");
  return !wordAt(Tree, "experimental.custom_import", "").empty() || Name == "vlm" ||
         Name == "transformers_modeling_backend" || Name.find('.') != std::string_view::npos;
}

/// The model that `model.name` and `model.flavor` name.
static void addModel(JobSink &Job, ConfigValue &Tree) {
  auto Get = [&](std::string_view Path, std::string_view Default) {
    const ConfigValue *V = valueAt(Tree, Path);
    if (V && V->K != ConfigValue::Kind::String)
      return std::optional<Named>(); // not known, or refused already
    return std::optional(Named{V ? std::string_view(V->Text) : Default, V ? V->Range : Tree.Range});
  };
  auto Name = Get("model.name", "llama3"), Flavor = Get("model.flavor", "debugmodel");
  if (!Name || !Flavor)
    return;
  std::string_view Family = torchtitanFamily(Name->Text);
  std::vector<std::string_view> Names, Flavors;
  for (const TorchtitanModel &M : torchtitanModels()) {
    if (!M.InToml)
      continue;
    if (Names.empty() || Names.back() != M.Name)
      Names.push_back(M.Name);
    if (M.Name != Family)
      continue;
    Flavors.push_back(M.Flavor);
    if (M.Flavor == Flavor->Text)
      return addRecord(Job, M, "model.flavor", *Flavor);
  }
  if (isExperiment(Tree))
    return addRecord(Job, {}, "model.name", *Name);
  if (Flavors.empty())
    reportWord(Job, "model.name", *Name, Names);
  else
    reportWord(Job, "model.flavor", *Flavor, Flavors);
}

/// A function of main's modules sets options as it likes: those that the command does not set, and that fields follow
/// from, are not known.
static void openOptions(ConfigValue &Tree) {
  static constexpr std::string_view Options[] = {"training.num_tokens_per_microbatch_per_dp_rank",
                                                 "training.num_tokens_per_train_step",
                                                 "training.max_context_length",
                                                 "training.dtype",
                                                 "training.mixed_precision_param",
                                                 "parallelism.data_parallel_replicate_degree",
                                                 "parallelism.data_parallel_shard_degree",
                                                 "parallelism.fsdp_reshard_after_forward",
                                                 "parallelism.tensor_parallel_degree",
                                                 "parallelism.enable_sequence_parallel",
                                                 "parallelism.pipeline_parallel_degree",
                                                 "parallelism.pipeline_parallel_schedule",
                                                 "parallelism.num_pp_microbatches",
                                                 "parallelism.context_parallel_degree",
                                                 "parallelism.expert_parallel_degree",
                                                 "compile.enable",
                                                 "compile.components",
                                                 "compile.enable_async_tensor_parallel",
                                                 "activation_checkpoint"};
  const ConfigValue *Config = valueAt(Tree, "config");
  ConfigValue Open;
  Open.K = ConfigValue::Kind::Symbolic;
  Open.Text = "--config " + Config->Text;
  Open.Range = Open.KeyRange = Config->Range;
  for (std::string_view Path : Options)
    if (!valueAt(Tree, Path))
      putAt(Tree, Path, Open);
}

/// The model of a function such as `llama3_8b` of main's modules.
static void addMainModel(JobSink &Job, ConfigValue &Tree) {
  const ConfigValue *Config = valueAt(Tree, "config");
  if (!Config || Config->K != ConfigValue::Kind::String)
    return;
  std::string_view Module = wordAt(Tree, "module", "");
  Named By{Config->Text, Config->Range};
  for (const TorchtitanModel &M : torchtitanModels())
    if (M.OnMain && M.Name == Module && M.Config == By.Text)
      return addRecord(Job, M, "--config", By);
  addRecord(Job, {}, "--config", By);
}

//===----------------------------------------------------------------------===//
// Files and command lines
//===----------------------------------------------------------------------===//

static const CommandWord *valueOf(std::span<const CommandWord> Words, std::string_view Option) {
  for (size_t I = 0; I < Words.size(); ++I) {
    std::string_view Text = Words[I].Text;
    if (Text == Option && I + 1 < Words.size())
      return &Words[I + 1];
    if (Text.starts_with(Option) && Text.substr(Option.size()).starts_with('='))
      return &Words[I];
  }
  return nullptr;
}

bool isTorchtitanCommand(std::span<const CommandWord> Words, const Library &Lib) {
  if (valueOf(Words, "--module") && valueOf(Words, "--config"))
    return true;
  return std::ranges::any_of(Words, [&](const CommandWord &W) {
    std::string_view Text = W.Text;
    size_t Dot = Text.substr(0, Text.find('=')).find('.');
    return Text.starts_with("--") && Dot != std::string_view::npos &&
           Lib.schema("torchtitan")->find(Text.substr(2, Dot - 2)) >= 0;
  });
}

static void overlay(ConfigValue &Onto, ConfigValue Over) {
  for (ConfigValue &Member : Over.Items) {
    ConfigValue *Known = valueAt(Onto, Member.Key);
    if (!Known)
      Onto.Items.push_back(std::move(Member));
    else if (Known->isObject() && Member.isObject())
      overlay(*Known, std::move(Member));
    else
      *Known = std::move(Member);
  }
}

static void readTree(JobSink &Job, ConfigValue Tree, SourceRange At) {
  const Framework &F = framework::Torchtitan;
  modernise(Tree, F, Job.Sources, Job.Diags);
  if (!wordAt(Tree, "job.custom_config_module", "").empty() ||
      !wordAt(Tree, "experimental.custom_args_module", "").empty() || isExperiment(Tree))
    takeExtensions(Tree, *Job.E.Lib.schema("torchtitan"));
  spellSchedule(Tree, Job.E.Lib);
  Job.addOptions(F, Tree, At);
  Tree.Range = At;
  addModel(Job, Tree);
  noteRecompute(Job, Tree);
}

void readTorchtitan(JobSink &Job, const ConfigValue &Tree, SourceRange At, std::span<const CommandWord> Words) {
  ConfigValue Both = Tree;
  if (!Words.empty())
    overlay(Both, commandTree(Words, *Job.E.Lib.schema("torchtitan")));
  readTree(Job, std::move(Both), At);
}

void readTorchtitanCommand(JobSink &Job, std::span<const CommandWord> Words, SourceRange At) {
  if (!valueOf(Words, "--module") || !valueOf(Words, "--config"))
    return readTree(Job, commandTree(Words, *Job.E.Lib.schema("torchtitan")), At);
  const Framework &F = framework::TorchtitanMain;
  ConfigValue Tree = commandTree(Words, *Job.E.Lib.schema("torchtitan_main"));
  spellSchedule(Tree, Job.E.Lib);
  openOptions(Tree);
  Job.addOptions(F, Tree, At);
  addMainModel(Job, Tree);
}

const CommandWord *torchtitanConfigFile(std::span<const CommandWord> Words) {
  const CommandWord *File = valueOf(Words, "--job.config_file");
  return File ? File : valueOf(Words, "--job.config-file");
}

} // namespace parlance
