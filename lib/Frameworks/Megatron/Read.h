// Megatron-LM's command lines: as a list of words, in a recipe of its functional tests, of a script.
#pragma once
#include "Frameworks/Megatron/Complete.h"
#include "Frameworks/Megatron/Flags.h"

namespace parlance {

/// A JSON array of words, or an object with `args`, `env` (variables) and `world_size`.
void readMegatronArguments(JobSink &Job, const ConfigValue &Tree);

/// `MODEL_ARGS: {--flag: value}` and `ENV_VARS` of a functional test.
void readMegatronRecipe(JobSink &Job, const ConfigValue &Tree);

/// What a script's training command says, where it starts Megatron-LM or a program that takes its flags.
void readMegatronTraining(JobSink &Job, const shell::ShellScript &Script, const shell::TrainingCommand &C,
                          uint32_t File);

namespace megatron {

/// Adds a variable of the environment to a tree of options if Megatron-LM reads it.
void addVariable(ConfigValue &Tree, std::string_view Name, SourceRange NameRange, const CommandWord &Value,
                 JobSink &Job);

} // namespace megatron

} // namespace parlance
