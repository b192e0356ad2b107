// The edit of a framework's own file that gives an option another value.
#pragma once
#include "Plan/Options.h"

namespace parlance {

/// The option as it would be written: "stage = 2"; with quotes where the file has them.
std::string optionTitle(const OptionChange &C, Evaluator &E);

/// Replaces the written value, or adds the option beside another one of its section in JSON, TOML and YAML. Empty where
/// that cannot be done safely: a flag of a script, a variable, an empty section. `Options` are those that were read.
std::optional<Edit> optionEdit(const OptionChange &C, const Record *Options, Evaluator &E);

} // namespace parlance
