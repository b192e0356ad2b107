// The syntax tree as an S-expression, for tests and for looking at.
#pragma once
#include "Syntax/Ast.h"
#include <string>

namespace parlance {

/// `(+ a (* 2 b))`; a value with a unit is `(4 tok/seq)`, an erroneous place `error`.
std::string dump(const ast::Expr &E);
/// One item, its parts in the order of the grammar: `(let x : tok (4 tok))`.
std::string dump(const ast::Item &I);
/// All items, one a line.
std::string dump(const SyntaxTree &Tree);

} // namespace parlance
