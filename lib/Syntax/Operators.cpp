#include "Syntax/Operators.h"
#include "Basic/Diagnostics.h"

namespace parlance::syntax {

namespace {

struct Binding {
  ast::Op O;
  int Level; ///< higher binds tighter
};
constexpr int NotLevel = 3, ComparisonLevel = 4, SignLevel = 7, PowerLevel = 8;

Binding binding(Tok K) {
  switch (K) {
  case Tok::Or:
    return {ast::Op::Or, 1};
  case Tok::And:
    return {ast::Op::And, 2};
  case Tok::EqEq:
    return {ast::Op::Eq, ComparisonLevel};
  case Tok::NotEq:
    return {ast::Op::Ne, ComparisonLevel};
  case Tok::Less:
    return {ast::Op::Lt, ComparisonLevel};
  case Tok::LessEq:
    return {ast::Op::Le, ComparisonLevel};
  case Tok::Greater:
    return {ast::Op::Gt, ComparisonLevel};
  case Tok::GreaterEq:
    return {ast::Op::Ge, ComparisonLevel};
  case Tok::Plus:
    return {ast::Op::Add, 5};
  case Tok::Minus:
    return {ast::Op::Sub, 5};
  case Tok::Star:
    return {ast::Op::Mul, 6};
  case Tok::Slash:
    return {ast::Op::Div, 6};
  case Tok::Percent:
    return {ast::Op::Mod, 6};
  default:
    return {ast::Op::Pow, PowerLevel};
  }
}

class Climber {
public:
  Climber(const BuildContext &C, const FlatExpr &F) : C(C), F(F) {}

  ast::Expr *unary(ast::Op O, const LexToken &Sign, ast::Expr *Operand) {
    ast::Expr *E = makeExpr(C, ast::ExprKind::Unary, range(Sign).to(Operand->Range));
    E->AtRange = range(Sign);
    E->O = O;
    E->Args = {Operand};
    return E;
  }
  ast::Expr *binary(ast::Op O, const LexToken &Sign, ast::Expr *Left, ast::Expr *Right) {
    ast::Expr *E = makeExpr(C, ast::ExprKind::Binary, Left->Range.to(Right->Range));
    E->AtRange = range(Sign);
    E->O = O;
    E->Args = {Left, Right};
    E->Flag = Sign.Flags & LexToken::Reported;
    return E;
  }

  /// Precedence climbing over the flat list.
  ast::Expr *climb(int Level) {
    const FlatElement &First = F[At++];
    ast::Expr *Left = First.Operand;
    if (First.Prefix) {
      bool Minus = First.Op->Kind == Tok::Minus;
      Left = unary(Minus ? ast::Op::Neg : ast::Op::Not, *First.Op, climb(Minus ? SignLevel : NotLevel));
    }
    while (At < F.size()) {
      const LexToken *Op = F[At].Op;
      Binding B = binding(Op->Kind);
      if (B.Level < Level)
        break;
      ++At;
      // The exponent may have a sign, and powers group to the right.
      ast::Expr *Right = climb(B.Level == PowerLevel ? SignLevel : B.Level + 1);
      Left = Op->Flags & LexToken::Guessed ? makeExpr(C, ast::ExprKind::Error, Left->Range.to(Right->Range))
                                           : binary(B.O, *Op, Left, Right);
      if (B.Level != ComparisonLevel || At == F.size())
        continue;
      if (binding(F[At].Op->Kind).Level == ComparisonLevel)
        Left = chained(Left, *Op);
    }
    return Left;
  }

  void reportChain(const ast::Expr &Middle, const LexToken &First, const LexToken &Second) {
    Diagnostic &D = C.Diags.report(diag::ChainedComparison, range(Second), text(range(First)), text(range(Second)));
    D.Labels.push_back({range(First), ""});
    SourceRange At{C.File, Middle.Range.End, Middle.Range.End};
    D.Fixes.push_back({"join two comparisons with `and`",
                       Applicability::Maybe,
                       {{At, fmt::format(" and {}", text(Middle.Range))}},
                       {}});
  }
  /// `a < b < c`: the rest of the chain is passed over.
  ast::Expr *chained(ast::Expr *Left, const LexToken &First) {
    // `a = b = c` was reported at its signs.
    if (!((First.Flags | F[At].Op->Flags) & LexToken::Reported))
      reportChain(*Left->Args[1], First, *F[At].Op);
    ast::Expr *Last = Left;
    while (At < F.size() && binding(F[At].Op->Kind).Level == ComparisonLevel) {
      ++At;
      Last = climb(ComparisonLevel + 1);
    }
    return makeExpr(C, ast::ExprKind::Error, Left->Range.to(Last->Range));
  }

private:
  SourceRange range(const LexToken &T) const { return {C.File, T.Begin, T.End}; }
  std::string_view text(SourceRange R) const { return C.Text.substr(R.Begin, R.End - R.Begin); }

  const BuildContext &C;
  const FlatExpr &F;
  size_t At = 0;
};

/// A decimal integer, large ones cut short: the checker refuses them as exponents anyway.
int smallInteger(std::string_view Digits) {
  int Value = 0;
  for (char D : Digits)
    if (D >= '0' && D <= '9' && Value < 1000)
      Value = Value * 10 + (D - '0');
  return Value;
}

} // namespace

ast::Expr *makeExpr(const BuildContext &C, ast::ExprKind Kind, SourceRange Range) {
  ast::Expr *E = C.Tree.expr();
  E->Kind = Kind;
  E->Range = E->AtRange = Range;
  return E;
}

ast::Expr *applyPrecedence(const BuildContext &C, const FlatExpr &F) { return Climber(C, F).climb(0); }

std::unique_ptr<UnitExpr> readUnit(std::string_view Text, SourceRange Range) {
  auto U = std::make_unique<UnitExpr>();
  U->Range = Range;
  uint32_t I = Range.Begin;
  auto Letter = [&](uint32_t J) {
    char X = Text[J];
    return (X >= 'a' && X <= 'z') || (X >= 'A' && X <= 'Z') || X == '_' || static_cast<unsigned char>(X) >= 0x80;
  };
  auto Digit = [&](uint32_t J) { return Text[J] >= '0' && Text[J] <= '9'; };
  int Sign = 1;
  bool Operator = true;
  while (I < Range.End) {
    uint32_t Begin = I;
    if (Letter(I)) {
      while (I < Range.End && (Letter(I) || Digit(I)))
        ++I;
      SourceRange Word{Range.File, Begin, I};
      if (Operator) {
        U->Terms.push_back({Text.substr(Word.Begin, Word.End - Word.Begin), Word, Sign});
      } else {
        std::string_view Q = Text.substr(Word.Begin, Word.End - Word.Begin);
        U->Qual = Q == "bidirectional" ? Qualifier::Bidirectional
                  : Q == "dense"       ? Qualifier::Dense
                  : Q == "sparse"      ? Qualifier::Sparse
                                       : Qualifier::PerDirection;
        U->QualRange = {Range.File, Begin, Range.End};
        break;
      }
      Operator = false;
    } else if (Text[I] == '^') {
      bool Negative = false;
      for (++I; I < Range.End && !Digit(I); ++I)
        Negative |= Text[I] == '-';
      Begin = I;
      while (I < Range.End && (Letter(I) || Digit(I)))
        ++I;
      int Exponent = smallInteger(Text.substr(Begin, I - Begin));
      if (!U->Terms.empty())
        U->Terms.back().Exponent *= Negative ? -Exponent : Exponent;
    } else {
      if (Text[I] == '/' || Text[I] == '*') {
        Sign = Text[I] == '/' ? -1 : 1;
        Operator = true;
      }
      ++I;
    }
  }
  return U;
}

} // namespace parlance::syntax
