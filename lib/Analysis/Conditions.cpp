#include "Analysis/Conditions.h"

namespace parlance {

using namespace ast;

std::string quoted(std::string_view Source) {
  std::string Result;
  for (char C : Source) {
    bool Blank = C == ' ' || C == '\n' || C == '\t' || C == '\r';
    if (Blank && (Result.empty() || Result.back() == ' '))
      continue;
    Result += Blank ? ' ' : C;
    if (Result.size() > 120)
      return Result + "…";
  }
  return Result;
}

const Expr &decisive(const Expr &X, Truth Is, Evaluator &E, Evaluator::Frame &F) {
  bool Both = X.Kind == ExprKind::Binary && (X.O == Op::And || X.O == Op::Or);
  // Both sides have to be true for `and`, false for `or`.
  if (!Both || Is == (X.O == Op::And ? Truth::True : Truth::False))
    return X;
  return decisive(*X.Args[E.condition(*X.Args[0], F) == Is ? 0 : 1], Is, E, F);
}

/// What is true when a comparison is not.
static std::string_view opposite(Op O) {
  switch (O) {
  case Op::Eq:
    return "!=";
  case Op::Ne:
    return "==";
  case Op::Lt:
    return ">=";
  case Op::Le:
    return ">";
  case Op::Gt:
    return "<=";
  default:
    return "<";
  }
}

static bool isComparison(const Expr &X) { return X.Kind == ExprKind::Binary && X.O >= Op::Eq && X.O <= Op::Ge; }

std::string comparison(const Expr &X, Truth Is, const DerivationBuilder &Builder, Evaluator &E, Evaluator::Frame &F) {
  if (!isComparison(X))
    return {};
  auto Shown = [&](const Expr &Side) {
    return readsOutside(Side, E, F) ? std::string(NotShown) : Builder.shown(E.eval(Side, F), Side.Ty);
  };
  return fmt::format("{} {} {}", Shown(*X.Args[0]), Is == Truth::True ? opText(X.O) : opposite(X.O), Shown(*X.Args[1]));
}

std::vector<Derivation> sides(const Expr &X, DerivationBuilder &Builder, Evaluator::Frame &F) {
  if (!isComparison(X))
    return {Builder.of(X, F)};
  std::vector<Derivation> Result;
  for (const Expr *Side : X.Args)
    if (Side->Kind != ExprKind::Number && Side->Kind != ExprKind::Unit)
      Result.push_back(Builder.of(*Side, F));
  return Result;
}

} // namespace parlance
