// Megatron-LM's command lines: as a list of words, in a recipe of its functional tests, in a script.
#pragma once
#include "Frameworks/Megatron/Complete.h"
#include "Frameworks/Megatron/Flags.h"
#include <map>

namespace parlance {

/// A JSON array of words, or an object with `args`, `env` (variables) and `world_size`.
void readMegatronArguments(JobSink &Job, const ConfigValue &Tree);

/// `MODEL_ARGS: {--flag: value}` and `ENV_VARS` of a functional test.
void readMegatronRecipe(JobSink &Job, const ConfigValue &Tree);

/// A launch script. `Set` has values for variables that it leaves open. A script that starts no training program is
/// reported.
void readLaunchScript(JobSink &Job, uint32_t File, const std::map<std::string, std::string> &Set);

namespace megatron {

/// Adds a variable of the environment to a tree of options if Megatron-LM reads it.
void addVariable(ConfigValue &Tree, std::string_view Name, SourceRange NameRange, const Word &Value, JobSink &Job);

} // namespace megatron

} // namespace parlance
