// What follows from a tree of Megatron-LM's options before it is read.
#pragma once
#include "Frameworks/Options/JobSink.h"

namespace parlance::megatron {

struct Completion {
  /// The program takes the model from elsewhere (a checkpoint, a Hugging Face model): what it calls that. Options that
  /// the command line would need are then unknown, not missing.
  std::string ModelFrom;
};

/// Gives a tree of options to a job: without what says nothing, with what its patterns come to as facts, and with what
/// a tokenizer, a checkpoint or another file decides marked as unknown. `At` stands for the whole command line.
void addOptions(JobSink &Job, ConfigValue Tree, const Completion &How, SourceRange At);

} // namespace parlance::megatron
