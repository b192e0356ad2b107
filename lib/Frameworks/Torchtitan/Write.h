// How jobs are written for torchtitan, as far as its options do not say it.
#pragma once
#include "Frameworks/Options/TargetWriter.h"

namespace parlance {

/// Gives the options of torchtitan or torchtitan_main the name and flavor of a model's shape, or the module and
/// function that train it. False when torchtitan has no such model; options that name one already stay.
bool nameTorchtitanModel(Record &Options, const Record &Model, Evaluator &E);

/// The words of the main branch's command line for options that somebody set: everything else is as the function of
/// --config says. How activations are recomputed comes last, as a word of its own.
std::vector<std::string> torchtitanArguments(const Record &Options);

/// The job file, and the words of the main branch's command line where that can say the job.
void writeTorchtitan(TargetWriter &To);

} // namespace parlance
