// From Megatron-LM's options back to its command line.
#pragma once
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

namespace megatron {
/// In the words that the options make, writes as patterns what stands for patterns: how many layers have no experts, or
/// a window. Where the pattern itself is among them, it stays as it is.
void spellPatterns(std::vector<std::string> &Words);
} // namespace megatron

/// The words, the variables of the environment and the script that starts them.
void writeMegatron(TargetWriter &To);

} // namespace parlance
