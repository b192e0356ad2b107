#include "Frameworks/Job/Inputs.h"
#include "Frameworks/HuggingFace/Families.h"
#include <algorithm>

namespace parlance {

/// Whether two of the words are there by which a framework's command lines are known.
template <typename Test> static bool twoWords(Test Has) {
  return std::ranges::any_of(frameworks(),
                             [&](const Framework *F) { return std::ranges::count_if(F->Words, Has) >= 2; });
}

static bool hasTwoWords(std::string_view Text) {
  return twoWords([&](std::string_view Word) { return Text.find(Word) != std::string_view::npos; });
}

static bool isCommand(const ConfigValue &Tree) {
  return Tree.K == ConfigValue::Kind::Array && twoWords([&](std::string_view Word) {
           return std::ranges::any_of(Tree.Items, [&](const ConfigValue &Item) { return Item.Text == Word; });
         });
}

/// By the framework that takes the words, else by the one that takes any.
static void readCommand(JobSink &Job, const FileInput &In) {
  std::vector<CommandWord> Words;
  for (const ConfigValue &Item : In.Tree->Items)
    Words.push_back({Item.Text, Item.Range, Item.isSymbolic()});
  const Framework *Reader = nullptr;
  for (const Framework *F : frameworks()) {
    if (F->TakesCommand && F->TakesCommand(Words, Job.E.Lib))
      return F->ReadCommand(Job, In);
    if (F->ReadCommand && !F->TakesCommand)
      Reader = F;
  }
  if (Reader)
    Reader->ReadCommand(Job, In);
}

static bool namesFamily(const ConfigValue &Tree) {
  const ConfigValue *Type = Tree.find("model_type");
  return Type && Type->K == ConfigValue::Kind::String && huggingface::familyNamed(Type->Text);
}

/// A script that starts many processes is read: what it starts may be known, or is worth a hint.
static bool mayLaunch(std::string_view Text) {
  static constexpr std::string_view Launchers[] = {"torchrun", "torch.distributed", "deepspeed", "accelerate launch",
                                                   "srun"};
  return hasTwoWords(Text) || std::ranges::any_of(Launchers, [&](std::string_view L) {
           return Text.find(L) != std::string_view::npos && Text.find(".py") != std::string_view::npos;
         });
}

const FileKind LaunchScriptFile = {.Read = readLaunchScript, .MayBeCertain = mayLaunch};

static constexpr FileMarks CommandMarks[] = {{.Syntax = FileSyntax::Json, .Keys = {"args"}}};
const FileKind CommandFile = {
    .Marks = CommandMarks, .Read = readCommand, .MayBeCertain = hasTwoWords, .IsCertain = isCommand};

static constexpr FileMarks ModelMarks[] = {
    {.Syntax = FileSyntax::Json,
     .Keys = {"model_type", "architectures", "text_config", "hidden_size", "n_embd"},
     .Turn = 4}};
const FileKind ModelFile = {
    .Marks = ModelMarks,
    .Read = [](JobSink &Job, const FileInput &In) { Job.addModelFile(In.File, In.At); },
    .MayBeCertain = [](std::string_view Text) { return Text.find("model_type") != std::string_view::npos; },
    .IsCertain = namesFamily};

} // namespace parlance
