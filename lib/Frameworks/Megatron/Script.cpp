// What a script's training command says to Megatron-LM and the programs built on it.
#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Options/Members.h"
#include "Frameworks/Options/ScriptWords.h"
#include "Plan/Options.h"
#include <algorithm>

namespace parlance {

using namespace shell;
using megatron::Dialect;

static std::string_view baseName(std::string_view Path) { return Path.substr(Path.rfind('/') + 1); }

static Dialect dialectOf(const TrainingCommand &C) {
  static constexpr std::string_view Own[] = {"pretrain_gpt.py",
                                             "pretrain_bert.py",
                                             "pretrain_t5.py",
                                             "pretrain_mamba.py",
                                             "pretrain_hybrid.py",
                                             "pretrain_ict.py",
                                             "pretrain_vlm.py",
                                             "pretrain_retro.py",
                                             "pretrain_vision_classify.py",
                                             "pretrain_vision_inpaint.py",
                                             "pretrain_vision_dino.py",
                                             "train_rl.py"};
  std::string Program = C.Program.Text.shown();
  if (baseName(Program) == "megatron" || Program.find("swift") != std::string::npos)
    return Dialect::Swift;
  // Megatron-DeepSpeed's programs have the names of Megatron-LM's.
  bool DeepSpeed = hasFlag(C, "--deepspeed") || hasFlag(C, "--deepspeed-config") || hasFlag(C, "--zero-stage");
  bool IsOwn = std::ranges::find(Own, baseName(Program)) != std::end(Own);
  return IsOwn && !DeepSpeed ? Dialect::Megatron : Dialect::Fork;
}

/// Megatron-LM's own programs, and whatever takes its flags for a model's shape or layout.
static bool isMegatron(const TrainingCommand &C) {
  static constexpr std::string_view Flags[] = {"--num-layers", "--tensor-model-parallel-size",
                                               "--pipeline-model-parallel-size", "--seq-length", "--hidden-size"};
  auto Known = std::ranges::count_if(Flags, [&](std::string_view F) { return hasFlag(C, F); });
  return Known >= 2 || dialectOf(C) != Dialect::Fork;
}

/// ms-swift shards optimizer states and trains in bfloat16 unless told otherwise.
static void addSwiftDefaults(ConfigValue &Options, SourceRange At) {
  for (std::string_view Name : {"use_distributed_optimizer", "bf16"})
    if (!Options.find(Name) && !(Name == "bf16" && Options.find("fp16")))
      Options.Items.push_back(makeMember(std::string(Name), At, ConfigValue::Kind::Bool, "true", At));
}

void readMegatronTraining(JobSink &Job, const ShellScript &, const TrainingCommand &C, uint32_t) {
  if (!isMegatron(C))
    return;
  Dialect D = dialectOf(C);
  std::vector<CommandWord> Words = commandWords(C.Arguments);
  if (D == Dialect::Swift && !Words.empty() && !Words[0].Text.starts_with('-'))
    Words.erase(Words.begin()); // `sft`, `pt`
  if (D == Dialect::Megatron && megatron::isOfFork(Words, *optionsBlock(Job.E.Lib, "megatron").Schema))
    D = Dialect::Fork;
  ConfigValue Options = megatron::FlagReader(Job, D).read(Words);
  for (const ShellVariable &V : C.Environment)
    if (!V.Unset)
      megatron::addVariable(Options, V.Name, V.NameRange, commandWord(V.Value), Job);
  SourceRange At = C.Program.Written;
  // Other programs set it themselves, or do without.
  constexpr std::string_view Connections = "CUDA_DEVICE_MAX_CONNECTIONS";
  if (D != Dialect::Megatron && !Options.find(Connections))
    Options.Items.push_back(
        makeMember(std::string(Connections), At, ConfigValue::Kind::Symbolic, C.Program.Text.shown(), At));
  if (D == Dialect::Swift)
    addSwiftDefaults(Options, At);
  megatron::Completion How;
  if (D == Dialect::Swift || (D == Dialect::Fork && !Options.find("num_layers")))
    How.ModelFrom = "the model that is loaded";
  megatron::addOptions(Job, std::move(Options), How, At);
}

} // namespace parlance
