// Words of a script's commands as the readers of command lines take them.
#pragma once
#include "Frameworks/Options/CommandWord.h"
#include "Frameworks/Shell/Launch.h"
#include <vector>

namespace parlance {

/// A word after its expansions.
CommandWord commandWord(const shell::ShellWord &W, bool Attached = false);

/// The arguments of a program; a flag and its value behind `=` are two words.
std::vector<CommandWord> commandWords(std::span<const shell::ShellWord> Arguments);

/// Whether a program is given a flag: `--zero-stage 1`, `--zero_stage=1`.
bool hasFlag(const shell::TrainingCommand &C, std::string_view Name);

} // namespace parlance
