#include "Frameworks/Torchtitan/Torchtitan.h"
#include "Frameworks/Options/TargetWriter.h"
#include "Frameworks/Torchtitan/Read.h"
#include "Frameworks/Torchtitan/Write.h"

namespace parlance {

static constexpr FileMarks Marks[] = {
    {.Syntax = FileSyntax::Toml,
     .Keys = {"training", "parallelism", "model", "job", "activation_checkpoint", "optimizer"},
     .Certain = 4}};
static constexpr FileKind Kinds[] = {
    {.Marks = Marks, .Read = [](JobSink &Job, const FileInput &In) { readTorchtitan(Job, *In.Tree, In.At); }}};

const Framework framework::Torchtitan = {
    .Name = "torchtitan",
    .Title = "torchtitan",
    .Files = Kinds,
    .TakesCommand = isTorchtitanCommand,
    .ReadCommand =
        [](JobSink &Job, const FileInput &In) {
          std::vector<CommandWord> Words;
          for (const ConfigValue &Item : In.Tree->Items)
            Words.push_back({Item.Text, Item.Range, Item.isSymbolic()});
          readTorchtitanCommand(Job, Words, In.At);
        },
    .Written = "train.toml (v0.2.2), args.json (newer versions)",
    .NameModel = nameTorchtitanModel,
    .Write = writeTorchtitan,
};

const Framework framework::TorchtitanMain = {
    .Name = "torchtitan_main",
    .Title = "torchtitan",
    .Form = OptionForm::Flags,
    .NameModel = nameTorchtitanModel,
};

} // namespace parlance
