// What follows from a tree of Megatron-LM's options before it is read.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance::megatron {

struct Completion {
  /// The program takes the model from elsewhere (a checkpoint, a Hugging Face model): what it calls that. Options that
  /// the command line would need are then unknown, not missing.
  std::string ModelFrom;
};

/// Leaves out what says nothing, reads patterns, and marks as unknown what a tokenizer, a checkpoint or another file
/// decides. `At` stands for the whole command line.
void complete(ConfigValue &Tree, const Completion &How, SourceRange At, JobSink &Job);

} // namespace parlance::megatron
