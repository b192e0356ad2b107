#include "Frameworks/Nanotron/Nanotron.h"
#include "Frameworks/Nanotron/Read.h"
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

static constexpr FileMarks Marks[] = {{.Syntax = FileSyntax::Yaml,
                                       .Keys = {"tokens", "parallelism", "data_stages", "checkpoints", "general"},
                                       .Certain = 3,
                                       .Turn = 2}};
static constexpr FileKind Kinds[] = {
    {.Marks = Marks, .Read = [](JobSink &Job, const FileInput &In) { readNanotron(Job, *In.Tree, In.At); }}};

static void write(TargetWriter &To) {
  To.addOptions("config.yaml", FileSyntax::Yaml);
  To.launch(LaunchScript::Asked, {"${NANOTRON:-.}/run_train.py"}, {"--config-file", "config.yaml"});
}

const Framework framework::Nanotron = {
    .Name = "nanotron",
    .Title = "nanotron",
    .Files = Kinds,
    .Written = "config.yaml",
    .Write = write,
};

} // namespace parlance
