// Types of operators, reductions and conditions, and the wording of unit mismatches.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/ExprChecker.h"
#include "Sema/Mismatch.h"

namespace parlance {

using namespace ast;

Type ExprChecker::check(Expr &E, Scope &S, const Type *Expected) {
  E.Ty = checkNode(E, S, Expected);
  return E.Ty;
}

Type ExprChecker::checkNode(Expr &E, Scope &S, const Type *Expected) {
  switch (E.Kind) {
  case ExprKind::Error:
    return {};
  case ExprKind::Number:
    return checkNumber(E, S, Expected);
  case ExprKind::Unit:
    return checkUnit(E, S);
  case ExprKind::String:
    return Type::of(Type::Kind::String);
  case ExprKind::Bool:
    return Type::of(Type::Kind::Bool);
  case ExprKind::Name:
    return checkName(E, S, Expected);
  case ExprKind::Field:
    return checkField(E, S);
  case ExprKind::Call:
    return checkCall(E, S);
  case ExprKind::Unary:
    return checkUnary(E, S);
  case ExprKind::Binary:
    return checkBinary(E, S, Expected);
  case ExprKind::If:
    return checkIf(E, S, Expected);
  case ExprKind::Reduce:
    return checkReduce(E, S);
  case ExprKind::List:
  case ExprKind::Any:
    return checkList(E, S, Expected);
  case ExprKind::Auto:
    Diags.report(diag::AutoMisplaced, E.Range);
    return {};
  case ExprKind::Import:
    Diags.report(diag::ImportMisplaced, E.Range);
    return {};
  }
  return {};
}

Type ExprChecker::checkUnary(Expr &E, Scope &S) {
  Type T = check(*E.Args[0], S);
  if (E.O == Op::Neg)
    return quantityOperand(*E.Args[0], T);
  if (!T.isError() && T.K != Type::Kind::Bool) {
    Diags.report(diag::NotACondition, E.Args[0]->Range, "`not`", typeName(T));
    return {};
  }
  return Type::of(Type::Kind::Bool);
}

Type ExprChecker::checkBinary(Expr &E, Scope &S, const Type *Expected) {
  switch (E.O) {
  case Op::And:
  case Op::Or:
    for (Expr *Side : E.Args)
      checkCondition(*Side, S, fmt::format("`{}`", opText(E.O)));
    return Type::of(Type::Kind::Bool);
  case Op::Eq:
  case Op::Ne:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
    return checkComparison(E, S);
  default:
    break;
  }
  if (auto Name = dashedName(E, S, Expected))
    return *Name;
  bool Product = E.O == Op::Mul;
  Type A = check(*E.Args[0], S, Product ? nullptr : Expected), B = check(*E.Args[1], S, Product ? nullptr : Expected);
  // `8 * h100_sxm`: a counted record.
  if (Product && (A.K == Type::Kind::Record) != (B.K == Type::Kind::Record)) {
    const Type &Count = A.K == Type::Kind::Record ? B : A, &Of = A.K == Type::Kind::Record ? A : B;
    if (Count.isError())
      return {};
    if (Count.isQuantity() && (Count.Dimension.isNone() || Count.Dimension.isPopulation())) {
      Type T = Type::of(Type::Kind::Scaled);
      T.Schema = Of.Schema;
      return T;
    }
  }
  A = quantityOperand(*E.Args[0], A);
  B = quantityOperand(*E.Args[1], B);
  if (A.isError() || B.isError())
    return {};
  switch (E.O) {
  case Op::Add:
  case Op::Sub:
    return checkSum(E, A, B);
  case Op::Mul:
  case Op::Div:
    return checkProduct(E, A, B);
  case Op::Mod:
    return checkRemainder(E, A, B);
  default:
    return checkPower(E, A, B);
  }
}

/// Whether two quantities agree; a bare integer adopts the other side's population, and a bare 0 any unit.
static std::optional<Type> commonType(const Type &A, const Type &B) {
  if (A.Dimension == B.Dimension) {
    Type T = A;
    T.BareLiteral = A.BareLiteral && B.BareLiteral;
    T.Integer = A.Integer && B.Integer;
    T.Zero = A.Zero && B.Zero;
    if (A.Qual != B.Qual)
      T.Qual = Qualifier::None;
    return T;
  }
  if (A.Zero || (A.BareLiteral && B.Dimension.isPopulation()))
    return B;
  if (B.Zero || (B.BareLiteral && A.Dimension.isPopulation()))
    return A;
  return std::nullopt;
}

std::optional<Type> ExprChecker::agree(Expr &E, const Side &Left, const Side &Right, std::string_view Verb) {
  const Type &A = Left.Ty, &B = Right.Ty;
  if (auto T = commonType(A, B))
    return T;
  Diagnostic &D = Diags.report(diag::OperandMismatch, E.AtRange ? E.AtRange : E.Range, Verb, quoted(A), quoted(B));
  if (E.Kind == ExprKind::Binary) {
    D.Labels.push_back({Left.E.Range, typeName(A)});
    D.Labels.push_back({Right.E.Range, typeName(B)});
  }
  Mismatches Fixes(Sources, D);
  if (Fixes.offerUnit(Left.E, A, B) || Fixes.offerUnit(Right.E, B, A))
    return std::nullopt;
  if (Fixes.offerPopulations(Left.E, A, B, Applicability::Machine) ||
      Fixes.offerPopulations(Right.E, B, A, Applicability::Machine))
    return std::nullopt;
  bool Compares = E.Kind == ExprKind::Binary && E.O >= Op::Eq && E.O <= Op::Ge;
  bool OfLet = Fixes.offerAtLet(Left.E, A, B) || Fixes.offerAtLet(Right.E, B, A);
  if ((Compares && Fixes.offerCounts(E, A, B)) || OfLet)
    return std::nullopt;
  explainMismatch(D, A.Dimension, B.Dimension);
  return std::nullopt;
}

Type ExprChecker::checkSum(Expr &E, const Type &A, const Type &B) {
  auto T = agree(E, {*E.Args[0], A}, {*E.Args[1], B}, E.O == Op::Add ? "add" : "subtract");
  return T.value_or(Type());
}

Type ExprChecker::checkProduct(Expr &E, const Type &A, const Type &B) {
  Dim D = E.O == Op::Mul ? A.Dimension * B.Dimension : A.Dimension / B.Dimension;
  if (!D.inRange()) {
    Diags.report(diag::UnitTooLarge, E.Range);
    return {};
  }
  Type T = Type::quantity(D);
  T.BareLiteral = A.BareLiteral && B.BareLiteral;
  // A share of a one-way bandwidth is still one-way.
  if (B.Dimension.isNone())
    T.Qual = A.Qual;
  else if (A.Dimension.isNone() && E.O == Op::Mul)
    T.Qual = B.Qual;
  return T;
}

Type ExprChecker::checkRemainder(Expr &E, const Type &A, const Type &B) {
  if (A.Dimension.withoutPopulations() == B.Dimension.withoutPopulations()) {
    Type T = A;
    T.BareLiteral = false;
    return T;
  }
  Diagnostic &D = Diags.report(diag::OperandMismatch, E.AtRange ? E.AtRange : E.Range, "take the remainder of",
                               quoted(A), quoted(B));
  explainMismatch(D, A.Dimension.withoutPopulations(), B.Dimension.withoutPopulations());
  return {};
}

Type ExprChecker::checkPower(Expr &E, const Type &A, const Type &B) {
  if (!B.Dimension.isNone()) {
    Diags.report(diag::NeedsPlainNumber, E.Args[1]->Range, "an exponent", typeName(B));
    return {};
  }
  if (A.Dimension.isNone()) {
    Type T = A;
    T.BareLiteral = A.BareLiteral && B.BareLiteral;
    return T;
  }
  const Expr *Exponent = E.Args[1];
  bool Negative = Exponent->Kind == ExprKind::Unary && Exponent->O == Op::Neg;
  if (Negative)
    Exponent = Exponent->Args[0];
  if (Exponent->Kind != ExprKind::Number || !Exponent->Value.isInt() || Exponent->Value.integer() > 8) {
    Diags.report(diag::ExponentNotConstant, E.Args[1]->Range, typeName(A));
    return {};
  }
  int N = static_cast<int>(Exponent->Value.integer());
  Dim D = A.Dimension.power(Negative ? -N : N);
  if (!D.inRange()) {
    Diags.report(diag::UnitTooLarge, E.Range);
    return {};
  }
  return Type::quantity(D);
}

Type ExprChecker::checkComparison(Expr &E, Scope &S) {
  const Type Bool = Type::of(Type::Kind::Bool);
  Type A = check(*E.Args[0], S);
  Type B = check(*E.Args[1], S, A.K == Type::Kind::Enum ? &A : nullptr);
  if (A.isError() || B.isError())
    return {};
  bool Equality = E.O == Op::Eq || E.O == Op::Ne;
  if (A.isQuantity() && B.isQuantity())
    return agree(E, {*E.Args[0], A}, {*E.Args[1], B}, "compare") ? Bool : Type();
  bool Same = A.K == B.K && Equality &&
              (A.K == Type::Kind::Bool || A.K == Type::Kind::String || (A.K == Type::Kind::Enum && A.Enum == B.Enum));
  if (Same)
    return Bool;
  Diagnostic &D = Diags.report(diag::OperandMismatch, E.AtRange, "compare", quoted(A), quoted(B));
  Mismatches Fixes(Sources, D);
  if (!Fixes.offerUnquoted(*E.Args[1], A))
    Fixes.offerUnquoted(*E.Args[0], B);
  return {};
}

Type ExprChecker::checkIf(Expr &E, Scope &S, const Type *Expected) {
  checkCondition(*E.Args[0], S, "a condition");
  Type A = check(*E.Args[1], S, Expected);
  Type B = check(*E.Args[2], S, Expected ? Expected : A.K == Type::Kind::Enum ? &A : nullptr);
  if (A.isError() || B.isError())
    return A.isError() ? B : A;
  if (A.isQuantity() && B.isQuantity()) {
    auto T = commonType(A, B);
    if (T)
      return *T;
  } else if (fits(A, B)) {
    return A;
  }
  Diagnostic &D = Diags.report(diag::BranchMismatch, E.Args[2]->Range, quoted(B), quoted(A));
  D.Labels.push_back({E.Args[1]->Range, typeName(A)});
  Mismatches Fixes(Sources, D);
  bool Offered = Fixes.offerPopulations(*E.Args[1], A, B, Applicability::Machine) ||
                 Fixes.offerPopulations(*E.Args[2], B, A, Applicability::Machine);
  if (!Offered && A.isQuantity() && B.isQuantity())
    explainMismatch(D, A.Dimension, B.Dimension);
  return {};
}

Type ExprChecker::checkReduce(Expr &E, Scope &S) {
  bool Plain = true;
  for (size_t I = 0; I < 2; ++I) {
    Type T = quantityOperand(*E.Args[I], check(*E.Args[I], S));
    bool Fits = !T.isError() && (T.Dimension.isNone() || T.Dimension.isPopulation());
    if (!T.isError() && !Fits)
      Diags.report(diag::NeedsPlainNumber, E.Args[I]->Range, "the end of a range", typeName(T));
    Plain &= Fits;
  }
  Type Counter = Type::quantity({});
  Counter.Integer = true;
  E.Target = {Ref::Kind::Local, static_cast<uint32_t>(S.Locals.size())};
  S.push(E.Text, Counter);
  Type T = quantityOperand(*E.Args[2], check(*E.Args[2], S));
  S.Locals.pop_back();
  T.BareLiteral = T.Zero = false;
  return Plain ? T : Type();
}

void ExprChecker::checkCondition(Expr &E, Scope &S, std::string_view What) {
  Type T = check(E, S);
  if (T.isError() || T.K == Type::Kind::Bool)
    return;
  Diags.report(diag::NotACondition, E.Range, What, typeName(T));
  E.Ty = Type(); // what it is part of is not judged
}

void ExprChecker::checkAgainst(Expr &E, Scope &S, const Type &Expected, SourceRange DeclaredAt, std::string_view What) {
  Type Actual = check(E, S, &Expected);
  if (fits(Expected, Actual))
    return;
  reportMismatch(E, {&Expected, 1}, Actual, DeclaredAt, What);
  E.Ty = Type(); // what it is part of has the declared type, and no value
}

//===----------------------------------------------------------------------===//
// Mismatches
//===----------------------------------------------------------------------===//

/// Whether a qualifier can be written behind an expression: `25 GB/s`, `2 * 25 GB/s`.
static bool endsInUnit(const Expr &E) {
  const Expr *Last = &E;
  while (Last->Kind == ExprKind::Binary && Last->Args[1]->Range.End == E.Range.End)
    Last = Last->Args[1];
  return Last->Kind == ExprKind::Number && Last->Unit && Last->Unit->Range.End == E.Range.End;
}

/// A bandwidth that does not say its direction: a written one gets it, the `let` behind a name likewise.
void ExprChecker::reportDirection(const Expr &E) {
  Diagnostic &D = Diags.report(diag::NeedsDirection, E.Range, source(E.Range));
  const Item *Let = E.Target.K == Ref::Kind::Let ? E.Target.Decl : nullptr;
  const Expr *Written = Let && Let->Value && !Let->Ty ? Let->Value : &E;
  if (!endsInUnit(*Written) || Written->Range.File != E.Range.File)
    return;
  for (std::string_view Q : {"bidirectional", "per direction"})
    D.Fixes.push_back({fmt::format("`{} {}`{}", source(Written->Range), Q,
                                   Q == "bidirectional" ? " (the sum of both ways: halved)" : " (one way)"),
                       Applicability::Maybe,
                       {{Written->Range, fmt::format("{} {}", source(Written->Range), Q)}},
                       {}});
}

/// `params = 7B`: seven bytes, where 7G elements are meant.
static bool explainBillions(Diagnostic &D, const Expr &E, std::string_view Source, const Type &Wanted) {
  bool SevenB = Wanted.Dimension == Dim::of(Base::Elements) && E.Kind == ExprKind::Number && E.Unit &&
                E.Unit->Terms.size() == 1 && E.Unit->Terms[0].Name == "B";
  if (!SevenB)
    return false;
  D.Notes.push_back({{}, fmt::format("`{}` is {} bytes; a magnitude of 10^9 is `G`", Source, E.Text)});
  for (std::string_view Form : {"{}G elem", "{}e9 elem"}) {
    std::string Text = fmt::format(fmt::runtime(Form), E.Text);
    D.Fixes.push_back({fmt::format("`{}`", Text), Applicability::Maybe, {{E.Range, Text}}, {}});
  }
  return true;
}

void ExprChecker::reportMismatch(const Expr &E, std::span<const Type> Expected, const Type &Actual,
                                 SourceRange DeclaredAt, std::string_view What) {
  const Type &First = Expected.front();
  std::string Wanted;
  for (const Type &T : Expected)
    Wanted += (Wanted.empty() ? "`" : " or `") + typeName(T) + "`";
  bool Quantities = First.isQuantity() && Actual.isQuantity();
  bool OnlyDirection = Quantities && First.Qual == Qualifier::PerDirection && Actual.Qual != Qualifier::PerDirection &&
                       First.Dimension.withoutPopulations() == Actual.Dimension.withoutPopulations();
  if (OnlyDirection)
    return reportDirection(E);
  std::string Subject(What.empty() ? "this" : What);
  if (Quantities && Actual.BareLiteral && E.Kind == ExprKind::Number) {
    Diagnostic &D = Diags.report(diag::NeedsUnit, E.Range, Subject, Wanted, source(E.Range));
    for (const Type &T : Expected)
      for (const std::string &U : unitsFor(T, !DeclaredAt && !What.empty()))
        D.Fixes.push_back({fmt::format("`{} {}`", source(E.Range), U),
                           Applicability::Maybe,
                           {{E.Range, fmt::format("{} {}", source(E.Range), U)}},
                           {}});
    return;
  }
  Diagnostic &D = What.empty() ? Diags.report(diag::UnitMismatch, E.Range, quoted(Actual), Wanted)
                               : Diags.report(diag::ValueMismatch, E.Range, Subject, Wanted, quoted(Actual));
  if (DeclaredAt)
    D.Labels.push_back({DeclaredAt, "declared here"});
  Mismatches Fixes(Sources, D);
  if (!Quantities) {
    Fixes.offerUnquoted(E, First);
    return;
  }
  if (explainBillions(D, E, source(E.Range), First) || Fixes.offerAtLet(E, Actual, First))
    return;
  Fixes.offerPopulations(E, Actual, First, Applicability::Maybe);
  if (Expected.size() == 1)
    explainMismatch(D, First.Dimension, Actual.Dimension);
}

} // namespace parlance
