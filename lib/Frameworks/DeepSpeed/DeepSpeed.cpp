#include "Frameworks/DeepSpeed/DeepSpeed.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

static constexpr FileMarks Marks[] = {
    {.Syntax = FileSyntax::Json,
     .Keys = {"zero_optimization", "train_micro_batch_size_per_gpu", "train_batch_size", "gradient_accumulation_steps",
              "bf16", "fp16", "activation_checkpointing", "optimizer", "elasticity"},
     .Certain = 3,
     .Alone = 2,
     .Turn = 4}};
static constexpr FileKind Kinds[] = {
    {.Marks = Marks,
     .Read = [](JobSink &Job, const FileInput &In) { readDeepSpeed(Job, *In.Tree, In.At); },
     .TellsDuplicates = true}};

/// Its file does not describe the model that is trained, nor its kernels.
static constexpr std::string_view Elsewhere[] = {"model",         "seq_len",         "kernels", "attention_kernel",
                                                 "cross_entropy", "layout.recompute"};

static void write(TargetWriter &To) {
  To.addOptions("ds_config.json", FileSyntax::Json);
  To.launch(LaunchScript::Always, {"${TRAIN_SCRIPT:?the training script}"},
            {"--deepspeed", "--deepspeed_config", "ds_config.json"});
}

const Framework framework::DeepSpeed = {
    .Name = "deepspeed",
    .Title = "DeepSpeed",
    .Stands = Standing::Library,
    .AutoIsUnknown = true,
    .Converts = Conversion::Models,
    .Elsewhere = Elsewhere,
    .Files = Kinds,
    .ReadTraining = readDeepSpeedTraining,
    .Written = "ds_config.json, launch.sh",
    .Write = write,
};

} // namespace parlance
