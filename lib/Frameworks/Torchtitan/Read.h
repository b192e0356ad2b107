// torchtitan's TOML job files and command lines: what has moved between its versions, models by name and flavor, and
// the words of a command.
#pragma once
#include "Frameworks/Options/JobSink.h"
#include <span>

namespace parlance {

/// Whether the words are torchtitan's: `--parallelism.tensor_parallel_degree`, `--module`.
bool isTorchtitanCommand(std::span<const CommandWord> Words, const Library &Lib);

/// The word of --job.config_file (its value, or `--job.config_file=…` as a whole); null when there is none.
const CommandWord *torchtitanConfigFile(std::span<const CommandWord> Words);

/// A job file, and what a command line sets over it. `At` stands for the whole file.
void readTorchtitan(JobSink &Job, const ConfigValue &Tree, SourceRange At, std::span<const CommandWord> Words = {});

/// A command line alone: of v0.2.2, whose other options have their defaults, or, with --module and
/// --config, of the main branch.
void readTorchtitanCommand(JobSink &Job, std::span<const CommandWord> Words, SourceRange At);

} // namespace parlance
