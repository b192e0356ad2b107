// Texts of rules with numbers in place: `{layout.tp}`, `{bubble:%}`, `{memory.peak:GiB}`.
#pragma once
#include "Eval/DerivationBuilder.h"

namespace parlance {

/// Replaces every `{expression}` of a text by its value in a job. Populations and plain numbers print without a unit,
/// other quantities with theirs; `:%` prints a ratio in per cent, `:GiB` bytes in GiB. What stands behind a colon and
/// has a number that is not known is left out, to the end of the text. Escapes are resolved. `Parse` turns the text
/// between braces into a checked expression of the job's scope (null: printed as it is).
using ExpressionParser = std::function<const ast::Expr *(std::string_view)>;
std::string interpolate(std::string_view Text, Evaluator &E, Evaluator::Frame &F, const ExpressionParser &Parse);

} // namespace parlance
