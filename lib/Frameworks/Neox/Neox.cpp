#include "Frameworks/Neox/Neox.h"
#include "Frameworks/Neox/Read.h"

namespace parlance {

static constexpr FileMarks Marks[] = {
    {.Syntax = FileSyntax::Json,
     .Keys = {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size"},
     .Certain = 2,
     .Alone = 2},
    {.Syntax = FileSyntax::Yaml,
     .Keys = {"pipe_parallel_size", "pipe-parallel-size", "model_parallel_size", "model-parallel-size", "num_layers",
              "num-layers", "train_micro_batch_size_per_gpu", "deepspeed_extra_args"},
     .Certain = 2,
     .Alone = 2,
     .InBraces = true},
    // Further files: where data and logs are.
    {.Syntax = FileSyntax::Yaml,
     .Keys = {"vocab-file", "vocab_file", "data-path", "data_path", "tensorboard-dir", "tensorboard_dir", "hostfile",
              "launcher"},
     .Turn = 3},
    {.Syntax = FileSyntax::Json, .Keys = {"vocab-file", "vocab_file", "data-path", "data_path"}, .Turn = 3},
};
static constexpr FileKind Kinds[] = {{.Marks = Marks,
                                      .Read = [](JobSink &Job, const FileInput &In) { readNeox(Job, *In.Tree); },
                                      .OneConfiguration = true}};

/// What lists come to, and what the tokenizer's files hold.
static constexpr Fact Facts[] = {{"flash_layers", "attention_config"}, {"vocab", "tokenizer_type"}};

const Framework framework::Neox = {
    .Name = "neox",
    .Title = "GPT-NeoX",
    .DashesAreUnderscores = true,
    .Facts = Facts,
    .Files = Kinds,
};

} // namespace parlance
