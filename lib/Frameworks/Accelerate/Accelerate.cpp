#include "Frameworks/Accelerate/Accelerate.h"
#include "Frameworks/Accelerate/Read.h"
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

static constexpr FileMarks Marks[] = {
    {.Syntax = FileSyntax::Yaml,
     .Keys = {"compute_environment", "distributed_type", "fsdp_config", "deepspeed_config", "megatron_lm_config",
              "parallelism_config", "num_processes"},
     .Certain = 2,
     .Alone = 2,
     .Turn = 1}};
static constexpr FileKind Kinds[] = {
    {.Marks = Marks, .Read = [](JobSink &Job, const FileInput &In) { readAccelerate(Job, *In.Tree, In.At); }}};

/// Its file does not describe the model that is trained, nor its kernels.
static constexpr std::string_view Elsewhere[] = {"model",         "seq_len", "kernels",  "attention_kernel",
                                                 "cross_entropy", "batch",   "optimizer"};

/// It starts the processes of a node itself.
static std::vector<std::string> starter(const Launch &L) {
  std::vector<std::string> Words = {"accelerate", "launch", "--config_file", "accelerate.yaml"};
  if (L.Nodes > 1)
    Words.insert(Words.end(), {"--machine_rank", "\"$NODE_RANK\"", "--main_process_ip", "\"$MASTER_ADDR\"",
                               "--main_process_port", "\"${MASTER_PORT:-29500}\""});
  return Words;
}

static void write(TargetWriter &To) {
  To.addOptions("accelerate.yaml", FileSyntax::Yaml);
  To.launch(LaunchScript::Asked, {"${TRAIN_SCRIPT:?the training script}"}, {}, starter);
}

const Framework framework::Accelerate = {
    .Name = "accelerate",
    .Title = "accelerate",
    .Stands = Standing::Launcher,
    .AutoIsUnknown = true,
    .Converts = Conversion::Everywhere,
    .Elsewhere = Elsewhere,
    .Files = Kinds,
    .Written = "accelerate.yaml",
    .Write = write,
};

} // namespace parlance
