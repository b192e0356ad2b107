// What is free of errors, in itself and in all that it reads. The rest has no value: it is not evaluated, so that
// nothing is reported that only follows from an error.
#pragma once
#include "Syntax/Ast.h"

namespace parlance {

bool isSound(const ast::Expr &E);
bool isSound(const ast::Item &I);

} // namespace parlance
