// From Megatron-LM's options back to its command line.
#pragma once
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

namespace megatron {
/// Writes as patterns how many layers have no experts, or a window. A pattern that is among the options stays as it is.
void spellPatterns(Record &Options, Evaluator &E);
} // namespace megatron

/// The words, the variables of the environment and the script that starts them.
void writeMegatron(TargetWriter &To);

} // namespace parlance
