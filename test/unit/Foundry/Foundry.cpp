#include "Foundry.h"
#include "Frameworks/Options/JobSink.h"
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

static constexpr FileMarks Marks[] = {
    {.Syntax = FileSyntax::Yaml, .Keys = {"device_train_microbatch_size", "max_seq_len", "shard_stage"}, .Certain = 2}};
static constexpr FileKind Kinds[] = {{.Marks = Marks, .Read = [](JobSink &Job, const FileInput &In) {
                                        Job.addOptions(framework::Foundry, *In.Tree, In.At);
                                      }}};

static void write(TargetWriter &To) {
  To.addOptions("foundry.yaml", FileSyntax::Yaml);
  To.launch(LaunchScript::Asked, {"train.py"}, {"foundry.yaml"});
}

const Framework framework::Foundry = {
    .Name = "foundry",
    .Title = "Foundry",
    .Files = Kinds,
    .Written = "foundry.yaml",
    .Write = write,
};

} // namespace parlance
