// Precedence of operators and the inside of unit expressions: what the grammar leaves flat.
#pragma once
#include "Syntax/AstBuilder.h"
#include "Syntax/Tokens.h"

namespace parlance::syntax {

/// Operands and operators in order of the text.
struct FlatElement {
  ast::Expr *Operand; ///< null for an operator
  const LexToken *Op;
  bool Prefix; ///< a sign or `not`
};
using FlatExpr = std::vector<FlatElement>;

ast::Expr *makeExpr(const BuildContext &C, ast::ExprKind Kind, SourceRange Range);
/// The tree of a flat expression. A chained comparison is reported here.
ast::Expr *applyPrecedence(const BuildContext &C, const FlatExpr &F);
/// `GB/s per direction` as factors with exponents and a qualifier.
std::unique_ptr<UnitExpr> readUnit(std::string_view Text, SourceRange Range);

} // namespace parlance::syntax
