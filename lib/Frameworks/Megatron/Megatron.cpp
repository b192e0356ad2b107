#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Megatron/Read.h"
#include "Frameworks/Megatron/Write.h"

namespace parlance {

static constexpr FileMarks RecipeMarks[] = {{.Syntax = FileSyntax::Yaml, .Keys = {"MODEL_ARGS"}, .Certain = 1}};
static constexpr FileKind Kinds[] = {
    {.Marks = RecipeMarks, .Read = [](JobSink &Job, const FileInput &In) { readMegatronRecipe(Job, *In.Tree); }}};

/// Forks take them too, and so do tools that convert or serve a model, as far as its layout goes.
static constexpr std::string_view Words[] = {"--num-layers", "--hidden-size",      "--num-attention-heads",
                                             "--seq-length", "--micro-batch-size", "--global-batch-size"};

/// What patterns come to.
static constexpr Fact Facts[] = {
    {"dense_layers", "moe_layer_freq"},
    {"hierarchical_cp", "hierarchical_context_parallel_sizes"},
    {"layout_stages", "pipeline_model_parallel_layout"},
    {"window_keys", "window_size"},
    {"window_layers", "window_attn_skip_freq"},
};

const Framework framework::Megatron = {
    .Name = "megatron",
    .Title = "Megatron-LM",
    .Form = OptionForm::Flags,
    .Facts = Facts,
    .Files = Kinds,
    .Words = Words,
    .ReadCommand = [](JobSink &Job, const FileInput &In) { readMegatronArguments(Job, *In.Tree); },
    .ReadTraining = readMegatronTraining,
    .Written = "launch.sh, args.json, env.json",
    .FromFacts = megatron::spellPatterns,
    .Write = writeMegatron,
};

} // namespace parlance
