#include "Case.h"
#include "Analysis/Analyzer.h"
#include "Analysis/RuleRunner.h"
#include "Config/Json.h"
#include "Config/Toml.h"
#include "Frameworks/Accelerate/Read.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Nanotron/Read.h"
#include "Frameworks/Options/Members.h"
#include "Frameworks/Torchtitan/Models.h"
#include "Frameworks/Torchtitan/Read.h"
#include "std/Std.h"

namespace parlance::conform {

namespace {

/// A job in the making from the parts of a case.
class Judge {
public:
  explicit Judge(const Case &C) : C(C), Files(Sources, Lib, Diags), Models(Sources, Diags) {
    At = {Sources.add(C.Id, " "), 0, 1};
    Reader.begin(C.Id, At);
  }
  Verdict run(std::string_view Framework);

private:
  const ConfigValue *part(std::string_view Name) const { return C.Input->find(Name); }
  int64_t number(std::string_view Name, int64_t Default) const {
    const ConfigValue *V = part(Name);
    return V ? V->integer().value_or(Default) : Default;
  }
  std::optional<ConfigValue> text(std::string_view Name, bool Toml);
  std::vector<CommandWord> words() const;
  void world();
  bool readParts(std::string_view Framework);
  bool readTorchtitanMain();
  bool readPlugin();
  bool readDeepSpeedCase(ConfigValue Config);
  Verdict finish();

  const Case &C;
  SourceManager Sources;
  DiagnosticEngine Diags;
  const Library &Lib = standardLibrary();
  Program Files;
  HuggingFaceImporter Models;
  Evaluator Values{Sources, Lib, Diags};
  LibraryTrees Trees{Sources, Lib};
  ForeignRequest Request;
  ForeignReader Reader{Values, Models, Request};
  SourceRange At;
};

ConfigValue scalar(std::string_view Key, ConfigValue::Kind K, std::string Text) {
  ConfigValue V;
  V.Key = Key;
  V.K = K;
  V.Text = std::move(Text);
  return V;
}

} // namespace

/// A part that is given as the text of a file, parsed.
std::optional<ConfigValue> Judge::text(std::string_view Name, bool Toml) {
  const ConfigValue *V = part(Name);
  if (!V)
    return std::nullopt;
  uint32_t File = Sources.add(std::string(Name), V->Text);
  return Toml ? parseToml(File, V->Text, Diags) : parseJson(File, V->Text, Diags, JsonDialect::Hjson);
}

std::vector<CommandWord> Judge::words() const {
  std::vector<CommandWord> Result;
  if (const ConfigValue *Args = part("args"))
    for (const ConfigValue &Word : Args->Items)
      Result.push_back({Word.Text, At});
  return Result;
}

/// Nodes of eight GPUs, as far as they come out even.
void Judge::world() {
  int64_t Gpus = number("world_size", 1), PerNode = Gpus % 8 ? Gpus : 8;
  Reader.addWorld({PerNode, Gpus / PerNode, At, At});
}

/// A value of a dictionary as Python prints it, which is what a command line takes.
static std::string pythonWord(const ConfigValue &V) {
  if (V.K == ConfigValue::Kind::Bool)
    return V.isTrue() ? "True" : "False";
  return V.isNull() ? "None" : V.Text;
}

/// Whether a pipeline's schedule is in a file of its own, of which a case does not say whether it is there.
static bool namesSchedule(const ConfigValue *Parallelism) {
  const ConfigValue *File = Parallelism ? Parallelism->find("pipeline_parallel_schedule_csv") : nullptr;
  return File && !File->Text.empty();
}

/// The dictionaries of the main branch's configuration, as its command line gives them. Which attention a model has and
/// which models there are, is said in Python.
bool Judge::readTorchtitanMain() {
  const ConfigValue *Name = part("model"), *Flavor = part("flavor"), *Attention = part("attn_backend");
  const TorchtitanModel *Model = nullptr;
  for (const TorchtitanModel &M : torchtitanModels())
    if (Name && Flavor && M.OnMain && M.Name == Name->Text && M.Flavor == Flavor->Text)
      Model = &M;
  std::vector<CommandWord> Words;
  auto Add = [&](std::string Text) { Words.push_back({std::move(Text), At}); };
  Add("--module");
  Add(Name ? Name->Text : "");
  Add("--config");
  Add(Flavor ? Flavor->Text : "");
  // What the dictionaries do not give has the classes' defaults, which no function of a module changes here.
  for (std::string_view Default :
       {"training.num_tokens_per_train_step=-1", "parallelism.data_parallel_replicate_degree=1",
        "parallelism.data_parallel_shard_degree=-1", "parallelism.fsdp_reshard_after_forward=default",
        "parallelism.tensor_parallel_degree=1", "parallelism.enable_sequence_parallel=True",
        "parallelism.pipeline_parallel_degree=1", "parallelism.pipeline_parallel_schedule=1F1B",
        "parallelism.num_pp_microbatches=1", "parallelism.context_parallel_degree=1",
        "parallelism.expert_parallel_degree=1", "compile.enable=False", "compile.components=model,loss",
        "compile.enable_async_tensor_parallel=False"})
    Add(fmt::format("--{}", Default));
  if (const ConfigValue *Config = part("cfg"))
    for (const ConfigValue &Section : Config->Items) {
      if (!Section.isObject()) {
        if (Section.Key == "ac" && !Section.isNull())
          Add("activation-checkpoint:" + Section.Text);
        continue;
      }
      for (const ConfigValue &Member : Section.Items)
        Add(fmt::format("--{}.{}={}", Section.Key, Member.Key, pythonWord(Member)));
    }
  readTorchtitanCommand(Reader, Words, At);
  if (const Record *Shape = Model ? torchtitanModel(*Model, Values, At) : nullptr)
    Reader.addModel(Shape, At);
  const ConfigValue *Config = part("cfg");
  return Model && Attention && Attention->Text == "flex" &&
         !namesSchedule(Config ? Config->find("parallelism") : nullptr);
}

/// Arguments of accelerate's plugins under the names that they have in its file. False for those that a file does not
/// have or hands on as something else.
bool Judge::readPlugin() {
  ConfigValue Config;
  Config.K = ConfigValue::Kind::Object;
  Config.Range = At;
  Config.Items.push_back(scalar("num_processes", ConfigValue::Kind::Number, std::to_string(number("world_size", 1))));
  if (const ConfigValue *Type = part("distributed_type"))
    Config.Items.push_back(*Type);
  bool Covered = true;
  for (auto [From, Section, Prefix] :
       {std::tuple{"fsdp", "fsdp_config", "fsdp_"}, {"parallelism", "parallelism_config", "parallelism_config_"}}) {
    const ConfigValue *Given = part(From);
    if (!Given || !Given->isObject())
      continue;
    ConfigValue Made = *Given;
    Made.Key = Section;
    const ConfigValue *Version = Given->find("fsdp_version");
    bool IsNew = Version && Version->Text == "2";
    const SchemaDecl &Options = *Lib.schema(fmt::format("accelerate_{}", std::string_view(From)));
    std::erase_if(Made.Items, [&](ConfigValue &Member) {
      if (Member.Key == "mixed_precision_policy") { // of the file as a whole
        Config.Items.push_back(Member);
        Config.Items.back().Key = "mixed_precision";
        return true;
      }
      if (Member.Key == "cpu_offload")
        Member.Key = "offload_params";
      // What is text in a file has a type here, and what is not given is not the default.
      bool IsNumber = Member.K == ConfigValue::Kind::Number;
      bool Differs =
          (Member.Key == "sharding_strategy" && IsNumber) ||
          (Member.Key == "reshard_after_forward" && (IsNumber || (!IsNew && Member.K == ConfigValue::Kind::Bool))) ||
          (Member.Key == "forward_prefetch" && IsNew) || Member.Key == "version";
      if (!Member.Key.starts_with(Prefix))
        Member.Key = Prefix + Member.Key;
      Differs |= Options.find(Member.Key) < 0;
      Covered &= !Differs;
      return Differs;
    });
    Config.Items.push_back(std::move(Made));
  }
  readAccelerate(Reader, Config, At);
  return Covered;
}

/// With what DeepSpeed's caller arranges around it. That "auto" is filled in by somebody is taken for granted here.
bool Judge::readDeepSpeedCase(ConfigValue Config) {
  for (auto [Part, Field] : {std::pair{"tp", "layout.tp"}, {"pp", "layout.pp"}})
    if (int64_t N = number(Part, 1); N != 1)
      Request.Set[Field] = std::to_string(N);
  int64_t Sequence = number("sp", 1);
  if (Sequence != 1 && Config.isObject() && !Config.find("sequence_parallel_size"))
    Config.Items.push_back(scalar("sequence_parallel_size", ConfigValue::Kind::Number, std::to_string(Sequence)));
  if (int64_t Experts = number("num_experts", 0)) {
    Record *Model = Values.own(emptyRecord(*Lib.schema("model"), "model", At));
    Model->Values[fields::model::experts] = Value::of(Num(Experts));
    Model->Values[fields::model::top_k] = Value::of(Num(1));
    Reader.addModel(Values.complete(*Model), At);
  }
  readDeepSpeed(Reader, Config, At);
  return std::ranges::none_of(std::initializer_list<std::string_view>{"train_batch_size",
                                                                      "train_micro_batch_size_per_gpu",
                                                                      "gradient_accumulation_steps"},
                              [&](std::string_view Key) {
                                const ConfigValue *V = Config.isObject() ? Config.find(Key) : nullptr;
                                return V && V->Text == "auto";
                              });
}

bool Judge::readParts(std::string_view Framework) {
  if (Framework == "megatron") {
    readMegatronArguments(Reader, *C.Input);
    return true;
  }
  if (Framework == "torchtitan-main") {
    world();
    return readTorchtitanMain();
  }
  if (Framework == "accelerate" && !part("config"))
    return readPlugin();
  bool Toml = Framework == "torchtitan";
  auto Parsed = text(Toml ? "toml_text" : "config_text", Toml);
  const ConfigValue *Config = Parsed ? &*Parsed : part(Toml ? "toml" : "config");
  if (!Config)
    return Diags.errors() > 0; // the text was refused
  if (Framework == "accelerate") {
    readAccelerate(Reader, *Config, At);
    return words().empty(); // flags of `accelerate launch` are not a part of its file
  }
  world();
  if (Framework == "deepspeed")
    return readDeepSpeedCase(*Config);
  if (Framework == "torchtitan") {
    readTorchtitan(Reader, *Config, At, words());
    return !namesSchedule(Config->find("parallelism"));
  }
  if (Framework == "nanotron")
    readNanotron(Reader, *Config, At);
  else
    return false;
  return true;
}

Verdict Judge::finish() {
  Verdict Result;
  auto Job = Reader.finish();
  std::optional<Plan> P;
  if (Job)
    P = resolve(*Job->Job, Values);
  if (P) {
    P->HasOptions = P->Foreign = true;
    RuleRunner Rules(Lib, Values, Trees);
    if (P)
      for (uint32_t Rule : Rules.violations(*P))
        if (Lib.Rules[Rule].Level == Severity::Error)
          Result.Errors.emplace_back(Lib.Rules[Rule].Code);
  }
  for (const Diagnostic &D : Diags.take())
    if (D.Level == Severity::Error)
      Result.Errors.push_back(fmt::format("{} ({})", D.Code, D.Message));
  return Result;
}

/// Whether a case is compared does not depend on what is found in it.
Verdict Judge::run(std::string_view Framework) {
  bool Covered = readParts(Framework);
  Verdict Result = finish();
  Result.Covered = Covered;
  return Result;
}

Verdict judge(const Case &C, std::string_view Framework) { return Judge(C).run(Framework); }

} // namespace parlance::conform
