#include "Case.h"
#include "Analysis/Analyzer.h"
#include "Basic/Json.h"
#include "Basic/Toml.h"
#include "Frameworks/Accelerate/Read.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Nanotron/Read.h"
#include "Frameworks/Options/Members.h"
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
  void readTorchtitanMain();
  void readPlugin();
  Verdict finish(std::string_view Framework);

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
  return Toml ? parseToml(File, V->Text, Diags)
              : parseJson(File, V->Text, Diags, JsonDialect::Hjson);
}

std::vector<CommandWord> Judge::words() const {
  std::vector<CommandWord> Result;
  if (const ConfigValue *Args = part("args"))
    for (const ConfigValue &Word : Args->Items)
      Result.push_back({Word.Text, At, true});
  return Result;
}

/// Nodes of eight GPUs, as far as they come out even.
void Judge::world() {
  int64_t Gpus = number("world_size", 1), PerNode = Gpus % 8 ? Gpus : 8;
  Reader.addWorld({PerNode, Gpus / PerNode, At, At});
}

/// The dictionaries of the main branch's configuration, as its command line gives them.
void Judge::readTorchtitanMain() {
  std::vector<CommandWord> Words;
  auto Add = [&](std::string Text) { Words.push_back({std::move(Text), At, true}); };
  Add("--module");
  Add(part("model") ? part("model")->Text : "llama3");
  Add("--config");
  Add((part("model") ? part("model")->Text : "llama3") + "_" +
      (part("flavor") ? part("flavor")->Text : ""));
  if (const ConfigValue *Config = part("cfg"))
    for (const ConfigValue &Section : Config->Items) {
      if (!Section.isObject()) {
        if (Section.Key == "ac" && !Section.isNull())
          Add("activation-checkpoint:" + Section.Text);
        continue;
      }
      for (const ConfigValue &Member : Section.Items)
        Add(fmt::format("--{}.{}={}", Section.Key, Member.Key, Member.Text));
    }
  readTorchtitanCommand(Reader, Words, At);
}

/// Arguments of accelerate's plugins under the names that they have in its file.
void Judge::readPlugin() {
  ConfigValue Config;
  Config.K = ConfigValue::Kind::Object;
  Config.Range = At;
  Config.Items.push_back(
      scalar("num_processes", ConfigValue::Kind::Number, std::to_string(number("world_size", 1))));
  if (const ConfigValue *Type = part("distributed_type"))
    Config.Items.push_back(*Type);
  for (auto [From, Section, Prefix] :
       {std::tuple{"fsdp", "fsdp_config", "fsdp_"},
        {"parallelism", "parallelism_config", "parallelism_config_"}}) {
    const ConfigValue *Given = part(From);
    if (!Given || !Given->isObject())
      continue;
    ConfigValue Made = *Given;
    Made.Key = Section;
    for (ConfigValue &Member : Made.Items) {
      if (Member.Key == "cpu_offload")
        Member.Key = "offload_params";
      if (!Member.Key.starts_with(Prefix))
        Member.Key = Prefix + Member.Key;
    }
    Config.Items.push_back(std::move(Made));
  }
  readAccelerate(Reader, Config, At);
}

bool Judge::readParts(std::string_view Framework) {
  if (Framework == "megatron") {
    readMegatronArguments(Reader, *C.Input);
    return true;
  }
  if (Framework == "torchtitan-main") {
    world();
    readTorchtitanMain();
    return true;
  }
  if (Framework == "accelerate" && !part("config")) {
    readPlugin();
    return true;
  }
  bool Toml = Framework == "torchtitan";
  auto Parsed = text(Toml ? "toml_text" : "config_text", Toml);
  const ConfigValue *Config = Parsed ? &*Parsed : part(Toml ? "toml" : "config");
  if (!Config)
    return Diags.errors() > 0; // the text was refused
  if (Framework == "accelerate") {
    readAccelerate(Reader, *Config, At);
    return words().empty(); // flags of `accelerate launch` are no part of its file
  }
  world();
  if (Framework == "deepspeed")
    readDeepSpeed(Reader, *Config, At);
  else if (Framework == "torchtitan")
    readTorchtitan(Reader, *Config, At, words());
  else if (Framework == "nanotron")
    readNanotron(Reader, *Config, At);
  else
    return false;
  return true;
}

Verdict Judge::finish(std::string_view Framework) {
  Verdict Result;
  auto Job = Reader.finish();
  std::optional<Plan> P;
  if (Job)
    P = resolve(*Job->Job, Values);
  if (P) {
    P->HasOptions = P->Foreign = true;
    // What DeepSpeed's caller arranges around it.
    if (Framework == "deepspeed")
      for (auto [Part, Field] :
           {std::pair{"tp", "layout.tp"}, {"pp", "layout.pp"}, {"sp", "layout.cp"}})
        if (int64_t N = number(Part, 1); N != 1 && P)
          P = withField(*P, Field, Value::of(Num(N)), Values);
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

Verdict Judge::run(std::string_view Framework) {
  bool Covered = readParts(Framework);
  Verdict Result = finish(Framework);
  Result.Covered = Covered || !Result.Errors.empty();
  return Result;
}

Verdict judge(const Case &C, std::string_view Framework) { return Judge(C).run(Framework); }

} // namespace parlance::conform
