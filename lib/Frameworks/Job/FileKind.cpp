#include "Frameworks/Job/FileKind.h"
#include "Basic/Diagnostics.h"
#include "Basic/Json.h"
#include "Basic/Text.h"
#include "Basic/Toml.h"
#include "Basic/Yaml.h"
#include <algorithm>
#include <array>
#include <filesystem>
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

FileSyntax syntaxOf(const SourceFile &File) {
  static constexpr std::pair<std::string_view, FileSyntax> Endings[] = {
      {".parl", FileSyntax::Parlance}, {".json", FileSyntax::Json},
      {".hjson", FileSyntax::Json},    {".toml", FileSyntax::Toml},
      {".yaml", FileSyntax::Yaml},     {".yml", FileSyntax::Yaml},
      {".sh", FileSyntax::Shell},      {".sbatch", FileSyntax::Shell},
      {".slurm", FileSyntax::Shell},   {".bash", FileSyntax::Shell}};
  std::string Extension = std::filesystem::path(File.name()).extension().string();
  for (auto &[Ending, Syntax] : Endings)
    if (Extension == Ending)
      return Syntax;
  std::string_view First = File.line(1);
  if (First.starts_with("#!") && First.find("sh") != std::string_view::npos)
    return FileSyntax::Shell;
  return FileSyntax::Unknown;
}

namespace {
struct Marks {
  FileKind Kind;
  FileSyntax Syntax;
  std::array<std::string_view, 9> Keys; ///< one of them is enough
};
} // namespace

// In this order: GPT-NeoX's files hold DeepSpeed's keys too, nanotron's a `model` section.
static constexpr Marks Table[] = {
    {FileKind::MegatronYaml, FileSyntax::Yaml, {"MODEL_ARGS"}},
    {FileKind::Arguments, FileSyntax::Json, {"args"}},
    {FileKind::Neox,
     FileSyntax::Json,
     {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size"}},
    {FileKind::Neox,
     FileSyntax::Yaml,
     {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size",
      "num_layers", "num-layers", "train_micro_batch_size_per_gpu", "deepspeed_extra_args"}},
    {FileKind::Accelerate,
     FileSyntax::Yaml,
     {"compute_environment", "distributed_type", "fsdp_config", "deepspeed_config",
      "megatron_lm_config", "parallelism_config", "num_processes"}},
    {FileKind::Nanotron,
     FileSyntax::Yaml,
     {"tokens", "parallelism", "data_stages", "checkpoints", "general"}},
    // GPT-NeoX's further files: where data and logs are.
    {FileKind::Neox,
     FileSyntax::Yaml,
     {"vocab-file", "vocab_file", "data-path", "data_path", "tensorboard-dir", "tensorboard_dir",
      "hostfile", "launcher"}},
    {FileKind::Neox, FileSyntax::Json, {"vocab-file", "vocab_file", "data-path", "data_path"}},
    {FileKind::Torchtitan,
     FileSyntax::Toml,
     {"training", "parallelism", "model", "job", "activation_checkpoint", "optimizer"}},
    {FileKind::HuggingFace,
     FileSyntax::Json,
     {"model_type", "architectures", "text_config", "hidden_size", "n_embd"}},
    {FileKind::DeepSpeed,
     FileSyntax::Json,
     {"zero_optimization", "train_batch_size", "train_micro_batch_size_per_gpu",
      "gradient_accumulation_steps", "bf16", "fp16", "activation_checkpointing", "optimizer",
      "elasticity"}},
};

/// What a tree holds. Where several frameworks could be meant, the first of the table.
static FileKind kindOf(FileSyntax Syntax, const ConfigValue &Tree) {
  if (Tree.K == ConfigValue::Kind::Array)
    return Syntax == FileSyntax::Json ? FileKind::Arguments : FileKind::Unknown;
  for (const Marks &M : Table)
    if (M.Syntax == Syntax && std::ranges::any_of(M.Keys, [&](std::string_view Key) {
          return !Key.empty() && Tree.find(Key);
        }))
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
  if (Result.Tree)
    Result.Kind = kindOf(Syntax, *Result.Tree);
  if (Result.Kind != FileKind::Unknown || Diags.errors() > Before)
    return Result;
  std::vector<std::string_view> Keys;
  for (const Marks &M : Table)
    if (M.Syntax == Syntax)
      Keys.push_back(M.Keys.front());
  Diagnostic &D = Diags.report(diag::UnknownForeign, {File, 0, 0}, Source.name());
  if (!Keys.empty())
    D.Notes.push_back({{},
                       fmt::format("it would have a key such as {}",
                                   joinList(std::span<const std::string_view>(Keys)))});
  return Result;
}

std::vector<std::vector<const ForeignFile *>> groupFiles(std::span<const ForeignFile> Files) {
  std::map<FileKind, unsigned> Count;
  for (const ForeignFile &F : Files)
    ++Count[F.Kind];
  auto Single = [&](const ForeignFile &F) {
    return F.Kind == FileKind::Neox || Count[F.Kind] == 1;
  };
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
