#include "Frameworks/Job/FileKind.h"
#include "Basic/Diagnostics.h"
#include "Basic/Json.h"
#include "Basic/Text.h"
#include "Basic/Toml.h"
#include "Basic/Yaml.h"
#include "Frameworks/HuggingFace/Families.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace parlance {

std::string_view describe(FileKind K) {
  switch (K) {
  case FileKind::Script:
    return "a launch script";
  case FileKind::Arguments:
    return "the arguments of a command";
  case FileKind::HuggingFace:
    return "a Hugging Face model config";
  case FileKind::MegatronYaml:
    return "a Megatron-LM recipe";
  case FileKind::DeepSpeed:
    return "a DeepSpeed configuration";
  case FileKind::Torchtitan:
    return "a torchtitan job";
  case FileKind::Nanotron:
    return "a nanotron configuration";
  case FileKind::Accelerate:
    return "an accelerate configuration";
  case FileKind::Neox:
    return "a GPT-NeoX configuration";
  case FileKind::Unknown:
    break;
  }
  return "no configuration that is known";
}

/// Told by the ending of a file's name.
static std::optional<FileSyntax> syntaxOf(std::string_view Path) {
  static constexpr std::pair<std::string_view, FileSyntax> Endings[] = {
      {".parl", FileSyntax::Parlance}, {".json", FileSyntax::Json},    {".hjson", FileSyntax::Json},
      {".toml", FileSyntax::Toml},     {".yaml", FileSyntax::Yaml},    {".yml", FileSyntax::Yaml},
      {".sh", FileSyntax::Shell},      {".sbatch", FileSyntax::Shell}, {".slurm", FileSyntax::Shell},
      {".bash", FileSyntax::Shell}};
  std::string_view Name = Path.substr(Path.rfind('/') + 1);
  for (auto &[Ending, Syntax] : Endings)
    if (Name.size() > Ending.size() && Name.ends_with(Ending))
      return Syntax;
  return std::nullopt;
}

/// Whether a line begins with a key of YAML.
static bool beginsWithKey(std::string_view Line) {
  size_t Colon = Line.find(':');
  bool Ends = Colon + 1 == Line.size() || (Colon < Line.size() && Line[Colon + 1] == ' ');
  return Ends && Colon > 0 && std::ranges::all_of(Line.substr(0, Colon), [](unsigned char C) {
           return std::isalnum(C) || C == '_' || C == '-';
         });
}

/// GPT-NeoX's YAML is written like JSON, but for comments, quotes and commas.
static bool isNeoxText(std::string_view Text);

/// Told by the first line that says something, for standard input and files without an ending.
static FileSyntax syntaxOfText(const SourceFile &File) {
  std::string_view First = File.line(1);
  if (First.starts_with("#!") && First.find("sh") != std::string_view::npos)
    return FileSyntax::Shell;
  for (uint32_t Number = 1; Number <= File.lineCount(); ++Number) {
    std::string_view Line = File.line(Number);
    if (Line.starts_with("#SBATCH"))
      return FileSyntax::Shell;
    while (!Line.empty() && std::isspace(static_cast<unsigned char>(Line.front())))
      Line.remove_prefix(1);
    while (!Line.empty() && std::isspace(static_cast<unsigned char>(Line.back())))
      Line.remove_suffix(1);
    if (Line.empty() || Line[0] == '#' || Line.starts_with("//") || Line.starts_with("/*"))
      continue;
    // `[training]` is a section, `["--bf16"` a list.
    if (Line[0] == '[' && Line.size() > 1 && std::isalpha(static_cast<unsigned char>(Line[1])))
      return FileSyntax::Toml;
    if (Line[0] == '{' || Line[0] == '[')
      return isNeoxText(File.text()) ? FileSyntax::Yaml : FileSyntax::Json;
    return Line == "---" || beginsWithKey(Line) ? FileSyntax::Yaml : FileSyntax::Unknown;
  }
  return FileSyntax::Unknown;
}

FileSyntax syntaxOf(const SourceFile &File) {
  auto Syntax = syntaxOf(File.name());
  return Syntax ? *Syntax : syntaxOfText(File);
}

bool hasKnownEnding(std::string_view Path) { return syntaxOf(Path).has_value(); }

namespace {
struct Marks {
  FileKind Kind;
  FileSyntax Syntax;
  std::array<std::string_view, 9> Keys; ///< one of them is enough in a file that was named
  /// How many make it certain: programs of all kinds have settings that are called `optimizer`. Null where the keys
  /// alone never do.
  unsigned Certain = 0;
  unsigned Alone = 0; ///< so many of the first ones make it certain each by itself
};
} // namespace

// In this order: GPT-NeoX's files hold DeepSpeed's keys too, nanotron's a `model` section.
static constexpr Marks Table[] = {
    {FileKind::MegatronYaml, FileSyntax::Yaml, {"MODEL_ARGS"}, 1},
    {FileKind::Arguments, FileSyntax::Json, {"args"}},
    {FileKind::Neox,
     FileSyntax::Json,
     {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size"},
     2,
     2},
    {FileKind::Neox,
     FileSyntax::Yaml,
     {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size", "num_layers",
      "num-layers", "train_micro_batch_size_per_gpu", "deepspeed_extra_args"},
     2,
     2},
    {FileKind::Accelerate,
     FileSyntax::Yaml,
     {"compute_environment", "distributed_type", "fsdp_config", "deepspeed_config", "megatron_lm_config",
      "parallelism_config", "num_processes"},
     2,
     2},
    {FileKind::Nanotron, FileSyntax::Yaml, {"tokens", "parallelism", "data_stages", "checkpoints", "general"}, 3},
    // GPT-NeoX's further files: where data and logs are.
    {FileKind::Neox,
     FileSyntax::Yaml,
     {"vocab-file", "vocab_file", "data-path", "data_path", "tensorboard-dir", "tensorboard_dir", "hostfile",
      "launcher"}},
    {FileKind::Neox, FileSyntax::Json, {"vocab-file", "vocab_file", "data-path", "data_path"}},
    {FileKind::Torchtitan,
     FileSyntax::Toml,
     {"training", "parallelism", "model", "job", "activation_checkpoint", "optimizer"},
     4},
    {FileKind::HuggingFace, FileSyntax::Json, {"model_type", "architectures", "text_config", "hidden_size", "n_embd"}},
    {FileKind::DeepSpeed,
     FileSyntax::Json,
     {"zero_optimization", "train_micro_batch_size_per_gpu", "train_batch_size", "gradient_accumulation_steps", "bf16",
      "fp16", "activation_checkpointing", "optimizer", "elasticity"},
     3,
     2},
};

static bool isNeoxText(std::string_view Text) {
  return std::ranges::any_of(Table, [&](const Marks &M) {
    return M.Kind == FileKind::Neox && std::any_of(M.Keys.begin(), M.Keys.begin() + M.Alone, [&](std::string_view Key) {
             return Text.find(fmt::format("\"{}\"", Key)) != Text.npos;
           });
  });
}

/// What a tree holds. Where several frameworks could be meant, the first of the table.
static FileKind kindOf(FileSyntax Syntax, const ConfigValue &Tree) {
  if (Tree.K == ConfigValue::Kind::Array)
    return Syntax == FileSyntax::Json ? FileKind::Arguments : FileKind::Unknown;
  for (const Marks &M : Table)
    if (M.Syntax == Syntax &&
        std::ranges::any_of(M.Keys, [&](std::string_view Key) { return !Key.empty() && Tree.find(Key); }))
      return M.Kind;
  return FileKind::Unknown;
}

static std::optional<ConfigValue> parseTree(FileSyntax Syntax, uint32_t File, std::string_view Text,
                                            DiagnosticEngine &Diags) {
  switch (Syntax) {
  case FileSyntax::Json:
    return parseJson(File, Text, Diags, JsonDialect::Hjson);
  case FileSyntax::Toml:
    return parseToml(File, Text, Diags);
  case FileSyntax::Yaml:
    return parseYaml(File, Text, Diags);
  default:
    return std::nullopt;
  }
}

static void warnOfDuplicates(const ConfigValue &V, unsigned &Warned, DiagnosticEngine &Diags) {
  if (V.isObject())
    warnOfDuplicateKeys(V, Warned, Diags);
  for (const ConfigValue &Item : V.Items)
    warnOfDuplicates(Item, Warned, Diags);
}

/// What the parser of JSON, which does not know whose file it reads, leaves to say.
static void warnOfDuplicates(FileSyntax Syntax, FileKind Kind, const ConfigValue &Tree, DiagnosticEngine &Diags) {
  unsigned Warned = 0;
  if (Syntax == FileSyntax::Json && Kind != FileKind::DeepSpeed)
    warnOfDuplicates(Tree, Warned, Diags);
}

bool isForeign(uint32_t File, const SourceManager &Sources) {
  FileSyntax Syntax = syntaxOf(Sources.file(File));
  return Syntax != FileSyntax::Parlance && Syntax != FileSyntax::Unknown;
}

ForeignFile openForeign(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags) {
  ForeignFile Result{File, FileKind::Unknown, std::nullopt};
  const SourceFile &Source = Sources.file(File);
  FileSyntax Syntax = syntaxOf(Source);
  if (Syntax == FileSyntax::Shell) {
    Result.Kind = FileKind::Script;
    return Result;
  }
  unsigned Before = Diags.errors();
  Result.Tree = parseTree(Syntax, File, Source.text(), Diags);
  if (Result.Tree) {
    Result.Kind = kindOf(Syntax, *Result.Tree);
    warnOfDuplicates(Syntax, Result.Kind, *Result.Tree, Diags);
  }
  if (Result.Kind != FileKind::Unknown || Diags.errors() > Before)
    return Result;
  std::vector<std::string_view> Keys;
  for (const Marks &M : Table)
    if (M.Syntax == Syntax)
      Keys.push_back(M.Keys.front());
  Diagnostic &D = Diags.report(diag::UnknownForeign, {File, 0, 0}, Source.name());
  if (!Keys.empty())
    D.Notes.push_back(
        {{}, fmt::format("it would have a key such as {}", joinList(std::span<const std::string_view>(Keys)))});
  return Result;
}

//===----------------------------------------------------------------------===//
// Files that nobody named
//===----------------------------------------------------------------------===//

/// Words of a command line that trains with Megatron-LM or a fork of it. Their other tools, which convert or serve a
/// model, take those on its layout too.
static constexpr std::string_view Flags[] = {"--num-layers", "--hidden-size",      "--num-attention-heads",
                                             "--seq-length", "--micro-batch-size", "--global-batch-size"};

template <typename Test> static bool twoFlags(Test Has) { return std::ranges::count_if(Flags, Has) >= 2; }

static bool isCertain(const Marks &M, auto Has) {
  auto Present = [&](std::string_view Key) { return !Key.empty() && Has(Key); };
  if (std::any_of(M.Keys.begin(), M.Keys.begin() + M.Alone, Present))
    return true;
  return M.Certain && std::ranges::count_if(M.Keys, Present) >= M.Certain;
}

/// Whether a text may turn out certain once it is parsed: data of megabytes is not parsed in vain.
static bool mayBeCertain(FileSyntax Syntax, std::string_view Text) {
  auto Has = [&](std::string_view Word) { return Text.find(Word) != std::string_view::npos; };
  if (Syntax == FileSyntax::Shell)
    return twoFlags(Has);
  return (Syntax == FileSyntax::Json && (Has("model_type") || twoFlags(Has))) ||
         std::ranges::any_of(Table, [&](const Marks &M) { return M.Syntax == Syntax && isCertain(M, Has); });
}

static bool isCertain(FileKind Kind, FileSyntax Syntax, const ConfigValue &Tree) {
  if (Kind == FileKind::Arguments)
    return Tree.K == ConfigValue::Kind::Array && twoFlags([&](std::string_view Flag) {
             return std::ranges::any_of(Tree.Items, [&](const ConfigValue &Item) { return Item.Text == Flag; });
           });
  if (Kind == FileKind::HuggingFace) {
    const ConfigValue *Type = Tree.find("model_type");
    return Type && Type->K == ConfigValue::Kind::String && huggingface::familyNamed(Type->Text);
  }
  return std::ranges::any_of(Table, [&](const Marks &M) {
    return M.Kind == Kind && M.Syntax == Syntax &&
           isCertain(M, [&](std::string_view Key) { return Tree.find(Key) != nullptr; });
  });
}

/// Whether a text with a syntax error is a framework's all the same, and no template that something else fills in.
static bool isBrokenConfig(FileSyntax Syntax, std::string_view Text) {
  auto Has = [&](std::string_view Word) { return Text.find(Word) != std::string_view::npos; };
  return !Has("{{") && !Has("{%") && std::ranges::any_of(Table, [&](const Marks &M) {
    return M.Syntax == Syntax && std::any_of(M.Keys.begin(), M.Keys.begin() + M.Alone, Has);
  });
}

std::optional<ForeignFile> openIfCertain(uint32_t File, SourceManager &Sources, DiagnosticEngine &Diags) {
  const SourceFile &Source = Sources.file(File);
  FileSyntax Syntax = syntaxOf(Source);
  if (!mayBeCertain(Syntax, Source.text()))
    return std::nullopt;
  if (Syntax == FileSyntax::Shell)
    return ForeignFile{File, FileKind::Script, std::nullopt};
  DiagnosticEngine Own;
  auto Tree = parseTree(Syntax, File, Source.text(), Own);
  FileKind Kind = Tree ? kindOf(Syntax, *Tree) : FileKind::Unknown;
  if (Tree ? !isCertain(Kind, Syntax, *Tree) : !isBrokenConfig(Syntax, Source.text()))
    return std::nullopt;
  for (Diagnostic &D : Own.take())
    Diags.add(std::move(D));
  if (Tree)
    warnOfDuplicates(Syntax, Kind, *Tree, Diags);
  return ForeignFile{File, Kind, std::move(Tree)};
}

std::vector<std::vector<const ForeignFile *>> groupFiles(std::span<const ForeignFile> Files) {
  std::map<FileKind, unsigned> Count;
  for (const ForeignFile &F : Files)
    ++Count[F.Kind];
  auto Single = [&](const ForeignFile &F) { return F.Kind == FileKind::Neox || Count[F.Kind] == 1; };
  std::vector<const ForeignFile *> Companions;
  std::vector<std::vector<const ForeignFile *>> Groups;
  for (const ForeignFile &F : Files)
    if (F.Kind != FileKind::Unknown && Single(F))
      Companions.push_back(&F);
  for (const ForeignFile &F : Files)
    if (F.Kind != FileKind::Unknown && !Single(F)) {
      auto &Group = Groups.emplace_back(Companions);
      Group.insert(Group.begin(), &F);
    }
  if (Groups.empty() && !Companions.empty())
    Groups.push_back(std::move(Companions));
  return Groups;
}

} // namespace parlance
