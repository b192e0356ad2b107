// What is said about a condition that does not hold, or that should not.
#pragma once
#include "Eval/DerivationBuilder.h"

namespace parlance {

/// Source as one line of a message, shortened when it is very long.
std::string quoted(std::string_view Source);

/// The part that makes a condition what it is: of a false `a and b` the side that is false, of a true `a or b` the side
/// that is true, of an unknown one the side that is unknown.
const ast::Expr &decisive(const ast::Expr &X, Truth Is, Evaluator &E, Evaluator::Frame &F);

/// Both sides of a comparison with what is the case between them ("4 < 8"); empty for other conditions.
std::string comparison(const ast::Expr &X, Truth Is, const DerivationBuilder &Builder, Evaluator &E,
                       Evaluator::Frame &F);

/// How the two sides of a comparison came about, or another condition itself.
std::vector<Derivation> sides(const ast::Expr &X, DerivationBuilder &Builder, Evaluator::Frame &F);

} // namespace parlance
