// Launch scripts: which command trains, on how many GPUs, with which options and variables.
#include "Basic/Diagnostics.h"
#include "Basic/Json.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Shell/Launch.h"
#include "Plan/Options.h"
#include <algorithm>
#include <charconv>

namespace parlance {

using namespace shell;
using megatron::Dialect;
using megatron::Word;

static std::string_view baseName(std::string_view Path) { return Path.substr(Path.rfind('/') + 1); }

static Word valueWord(const ShellWord &W, bool Attached) {
  return {W.Text.shown(), W.value(), W.Text.symbolic(), Attached};
}

/// A flag and its value behind `=` are two words.
static void addWord(std::vector<Word> &Words, const ShellWord &W) {
  std::string Flat = W.Text.flat(); // a symbol is one NUL byte
  size_t Equals = Flat.find('=');
  bool Joined = Flat.starts_with("--") && Equals != std::string::npos && Flat.find('\0') >= Equals;
  if (Joined) {
    Words.push_back(valueWord({W.Text.slice(0, Equals), W.Written}, false));
    Words.push_back(valueWord(W.from(Equals + 1), true));
  } else {
    Words.push_back(valueWord(W, false));
  }
}

namespace {

class ScriptReader {
public:
  ScriptReader(JobSink &Job, const ShellScript &Script, uint32_t File) : Job(Job), Script(Script), File(File) {}
  void read(const TrainingCommand &C);

private:
  void readWorld(const TrainingCommand &C);
  bool isMegatron(const TrainingCommand &C) const;
  Dialect dialectOf(const TrainingCommand &C) const;
  void readOptions(const TrainingCommand &C);
  void addSwiftDefaults(ConfigValue &Options, SourceRange At);
  void readDeepSpeedOf(const TrainingCommand &C);
  void addStage(const Word &Stage, const std::vector<ConfigValue> &Batch);
  std::optional<int64_t> count(const ShellWord &W, std::string_view Option);
  const SbatchOption *sbatch(std::string_view Name) const;

  JobSink &Job;
  const ShellScript &Script;
  uint32_t File;
};

} // namespace

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

const SbatchOption *ScriptReader::sbatch(std::string_view Name) const {
  const SbatchOption *Last = nullptr;
  for (const SbatchOption &O : Script.Sbatch)
    if (O.Name == Name)
      Last = &O;
  return Last;
}

/// The number that ends a word: `8`, `gpu:8`, `gpu:a100:8`. Empty when it is not known.
std::optional<int64_t> ScriptReader::count(const ShellWord &W, std::string_view Option) {
  auto Text = W.text();
  if (!Text) {
    Job.addSymbol({W.Text.shown(), W.value(), std::string(Option)});
    return std::nullopt;
  }
  std::string_view Digits = std::string_view(*Text).substr(Text->rfind(':') + 1);
  int64_t N = 0;
  auto [End, Error] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), N);
  return Error == std::errc() && End == Digits.data() + Digits.size() && N > 0 ? std::optional(N) : std::nullopt;
}

void ScriptReader::readWorld(const TrainingCommand &C) {
  World W;
  auto Take = [&](const ShellWord &Value, std::string_view Option, std::optional<int64_t> &Number, SourceRange &At) {
    Number = count(Value, Option);
    At = Value.value();
  };
  auto FromLauncher = [&](std::initializer_list<std::string_view> Names, std::optional<int64_t> &Number,
                          SourceRange &At) {
    for (std::string_view Name : Names)
      if (const LauncherOption *O = C.option(Name); O && O->Value) {
        Take(*O->Value, "--" + std::string(Name), Number, At);
        return true;
      }
    return false;
  };
  auto FromSbatch = [&](std::initializer_list<std::string_view> Names, std::optional<int64_t> &Number,
                        SourceRange &At) {
    for (std::string_view Name : Names)
      if (const SbatchOption *O = sbatch(Name); O && !Number) {
        Take(O->Value, "#SBATCH --" + std::string(Name), Number, At);
        if (Number)
          return;
      }
  };
  if (!FromLauncher({"nnodes", "nodes"}, W.Nodes, W.NodesAt) || !W.Nodes)
    FromSbatch({"nodes"}, W.Nodes, W.NodesAt);
  if (!FromLauncher({"nproc-per-node", "gpus-per-node", "ntasks-per-node"}, W.PerNode, W.PerNodeAt) || !W.PerNode)
    FromSbatch({"gpus-per-node", "gres", "ntasks-per-node"}, W.PerNode, W.PerNodeAt);
  // torchrun starts one process on one node unless told otherwise.
  bool Torchrun = std::ranges::find(C.Launchers, "torchrun") != C.Launchers.end();
  if (Torchrun && !C.option("nnodes") && !W.Nodes) {
    W.Nodes = 1;
    W.NodesAt = C.Program.Written;
  }
  Job.addWorld(W);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool hasFlag(const TrainingCommand &C, std::string_view Name) {
  return std::ranges::any_of(C.Arguments, [&](const ShellWord &W) {
    std::string Flat = W.Text.flat();
    std::ranges::replace(Flat, '_', '-');
    return Flat == Name || Flat.starts_with(std::string(Name) + "=");
  });
}

/// Megatron-LM's own programs, and whatever takes its flags for a model's shape or layout.
bool ScriptReader::isMegatron(const TrainingCommand &C) const {
  static constexpr std::string_view Flags[] = {"--num-layers", "--tensor-model-parallel-size",
                                               "--pipeline-model-parallel-size", "--seq-length", "--hidden-size"};
  auto Known = std::ranges::count_if(Flags, [&](std::string_view F) { return hasFlag(C, F); });
  return Known >= 2 || dialectOf(C) != Dialect::Fork;
}

Dialect ScriptReader::dialectOf(const TrainingCommand &C) const {
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

/// ms-swift shards optimizer states and trains in bfloat16 unless told otherwise.
void ScriptReader::addSwiftDefaults(ConfigValue &Options, SourceRange At) {
  for (std::string_view Name : {"use_distributed_optimizer", "bf16"})
    if (!Options.find(Name) && !(Name == "bf16" && Options.find("fp16")))
      Options.Items.push_back(megatron::member(std::string(Name), At, ConfigValue::Kind::Bool, "true", At));
}

void ScriptReader::readOptions(const TrainingCommand &C) {
  Dialect D = dialectOf(C);
  std::vector<Word> Words;
  for (const ShellWord &W : C.Arguments)
    addWord(Words, W);
  if (D == Dialect::Swift && !Words.empty() && !Words[0].Text.starts_with('-'))
    Words.erase(Words.begin()); // `sft`, `pt`
  ConfigValue Options = megatron::FlagReader(Job, D).read(Words);
  for (const ShellVariable &V : C.Environment)
    if (!V.Unset)
      megatron::addVariable(Options, V.Name, V.NameRange, valueWord(V.Value, false), Job);
  SourceRange At = C.Program.Written;
  // Other programs set it themselves, or do without.
  constexpr std::string_view Connections = "CUDA_DEVICE_MAX_CONNECTIONS";
  if (D != Dialect::Megatron && !Options.find(Connections))
    Options.Items.push_back(
        megatron::member(std::string(Connections), At, ConfigValue::Kind::Symbolic, C.Program.Text.shown(), At));
  if (D == Dialect::Swift)
    addSwiftDefaults(Options, At);
  megatron::Completion How;
  if (D == Dialect::Swift || (D == Dialect::Fork && !Options.find("num_layers")))
    How.ModelFrom = "the model that is loaded";
  megatron::complete(Options, How, At, Job);
  Job.addOptions(*frameworkNamed("megatron"), Options, At);
}

//===----------------------------------------------------------------------===//
// DeepSpeed beside it
//===----------------------------------------------------------------------===//

/// The stage alone; how the batch is cut, Megatron-LM's flags say.
void ScriptReader::addStage(const Word &Stage, const std::vector<ConfigValue> &Batch) {
  ConfigValue Section = megatron::member("zero_optimization", Stage.Range, ConfigValue::Kind::Object, {}, Stage.Range);
  Section.Items.push_back(megatron::member("stage", Stage.Range,
                                           Stage.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Number,
                                           Stage.Text, Stage.Range));
  ConfigValue Tree;
  Tree.K = ConfigValue::Kind::Object;
  Tree.Range = Stage.Range;
  Tree.Items = Batch;
  Tree.Items.push_back(std::move(Section));
  readDeepSpeed(Job, Tree, Stage.Range);
}

/// The configuration that the script writes by a here-document; else the flag for its main option.
void ScriptReader::readDeepSpeedOf(const TrainingCommand &C) {
  std::optional<Word> Stage;
  std::optional<ShellWord> Path;
  std::vector<ConfigValue> Batch;
  for (size_t I = 0; I < C.Arguments.size(); ++I) {
    std::string Flat = C.Arguments[I].Text.flat();
    size_t Equals = Flat.find('=');
    std::string Name = Flat.substr(0, Equals);
    std::ranges::replace(Name, '-', '_');
    bool IsStage = Name == "__zero_stage", IsPath = Name == "__deepspeed_config" || Name == "__deepspeed";
    std::optional<ShellWord> Value;
    if (Equals != std::string::npos)
      Value = C.Arguments[I].from(Equals + 1);
    else if (I + 1 < C.Arguments.size() && !C.Arguments[I + 1].Text.flat().starts_with('-'))
      Value = C.Arguments[I + 1];
    if (Value && IsStage)
      Stage = valueWord(*Value, false);
    else if (Value && IsPath)
      Path = Value;
    else if (Value && (Name == "__micro_batch_size" || Name == "__global_batch_size"))
      Batch.push_back(megatron::member(
          Name == "__micro_batch_size" ? "train_micro_batch_size_per_gpu" : "train_batch_size", Value->value(),
          Value->Text.symbolic() ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Number, Value->Text.shown(),
          Value->value()));
  }
  for (const ShellFile &F : Script.Files) {
    if (!Path || !F.Path.Text.same(Path->Text))
      continue;
    // The text as the script would write it, with positions of its own.
    std::string Name = fmt::format("{}: {}", Job.Sources.file(File).name(), F.Path.Text.shown());
    uint32_t Written = Job.Sources.add(Name, F.Body.shown());
    auto Tree = parseJson(Written, Job.Sources.file(Written).text(), Job.Diags, JsonDialect::Hjson);
    if (Tree && Tree->isObject()) {
      readDeepSpeed(Job, *Tree, {Written, 0, 1});
      return;
    }
  }
  if (Stage)
    addStage(*Stage, Batch);
}

void ScriptReader::read(const TrainingCommand &C) {
  readWorld(C);
  if (isMegatron(C))
    readOptions(C);
  readDeepSpeedOf(C);
}

void readLaunchScript(JobSink &Job, uint32_t File, const std::map<std::string, std::string> &Set) {
  Overrides Given(Set.begin(), Set.end());
  ShellScript Script = readShell(File, Job.Sources.file(File).text(), Given, Job.Diags);
  if (Script.Broken)
    return Job.giveUp();
  std::vector<TrainingCommand> Commands = findTraining(Script);
  if (Commands.empty()) {
    Diagnostic &D = Job.Diags.report(diag::UnknownForeign, {File, 0, 0}, Job.Sources.file(File).name());
    D.Notes.push_back({{}, "no command in it starts a training program"});
    return;
  }
  ScriptReader(Job, Script, File).read(Commands.front());
}

} // namespace parlance
