// What an option that nobody here understands may be about: then no default stands in for it.
#pragma once
#include "Eval/Evaluator.h"

namespace parlance {

/// Parts of a job, as bits.
enum Subject : unsigned {
  Shape = 1,  ///< the model's
  Layout = 2, ///< how it is cut
  Batch = 4,  ///< its size and its sequences
  Memory = 8, ///< what is recomputed or offloaded
  Precision = 16,
  Adapter = 32,
  Everything = ~0u,
};

/// An option that is not understood, or a word of a command line that may stand for several.
struct UnreadOption {
  std::string Name; ///< as it is written: "--x-num-layers", "$MODEL_ARGS"
  SourceRange Range;
  unsigned About = 0; ///< subjects
};

/// What the words of an option's name are about; nothing for a word that is about neither.
unsigned subjectsOf(std::string_view Name);
/// The same with a value that may be a model's name, which says its shape.
unsigned subjectsOf(std::string_view Name, std::string_view Value, const Library &Lib);

/// Makes unknown the options of some subjects that nobody gave. `Facts`: names of fields that are no options.
void openDefaults(Record &Options, const UnreadOption &For, std::span<const std::string_view> Facts, Evaluator &E);

} // namespace parlance
