#include "Eval/DerivationBuilder.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Sema/Builtin.h"
#include "Units/Format.h"
#include <algorithm>

namespace parlance {

using namespace ast;

namespace {
constexpr unsigned MostDepth = 8, LeastDepth = 2, MaxTerms = 150;
}

std::string DerivationBuilder::shown(const Value &V, const Type &T) const {
  switch (V.K) {
  case Value::Kind::Quantity:
    return formatQuantity(V.Number, T.isQuantity() ? T.Dimension : Dim(), Binary);
  case Value::Kind::Bool:
    return V.Flag == Truth::True ? "true" : V.Flag == Truth::False ? "false" : "unknown";
  case Value::Kind::Enum:
    return T.Enum && V.Index < T.Enum->Values.size() ? std::string(T.Enum->Values[V.Index]) : "unknown";
  case Value::Kind::String:
    return fmt::format("\"{}\"", V.Text);
  case Value::Kind::Record:
    return std::string(V.Rec->Name);
  case Value::Kind::Scaled:
    return fmt::format("{} * {}", formatNumber(V.Number), V.Rec->Name);
  case Value::Kind::List:
  case Value::Kind::Any: {
    std::string Result;
    for (const Value &I : *V.Items)
      Result += (Result.empty() ? "" : ", ") + shown(I, T);
    return Result;
  }
  default:
    return "unknown";
  }
}

void DerivationBuilder::setValue(Derivation &D, const Value &V, const Type &T) const {
  D.Value = shown(V, T);
  D.Number = rt::num(V).real();
  if (T.isQuantity())
    D.Unit = T.Dimension.isNone() ? "ratio" : T.Dimension.str();
}

//===----------------------------------------------------------------------===//
// Origins
//===----------------------------------------------------------------------===//

FieldOrigin originOf(const Expr &X, Evaluator &E, Evaluator::Frame &F) {
  const Record *Owner = nullptr;
  SourceRange Around;
  if (X.Target.K == Ref::Kind::JobField) {
    Owner = F.Self;
  } else if (X.Kind == ExprKind::Field && X.Target.K == Ref::Kind::Field) {
    Owner = rt::record(E.eval(*X.Args[0], F));
    Around = originOf(*X.Args[0], E, F).Range;
  }
  if (!Owner)
    return {};
  const Origin &O = Owner->Origins[X.Target.Index];
  switch (O.K) {
  case Origin::Kind::Given:
    return {O.Range, {}};
  case Origin::Kind::Library:
    return {Around, std::string(O.Where)};
  case Origin::Kind::Deduced:
    return {O.Range ? O.Range : Owner->NameRange ? Owner->NameRange : Around, std::string(O.Where)};
  default:
    return {Owner->NameRange ? Owner->NameRange : Around, "default"};
  }
}

bool readsOutside(const Expr &X, Evaluator &E, Evaluator::Frame &F) {
  if (!E.Sources.hasOutside())
    return false;
  if (E.Sources.isOutside(X.Range.File))
    return true;
  switch (X.Target.K) {
  case Ref::Kind::JobField:
  case Ref::Kind::Field:
    return X.Ty.K != Type::Kind::Record && E.Sources.isOutside(originOf(X, E, F).Range.File);
  case Ref::Kind::Let:
  case Ref::Kind::UserFunction:
    if (E.Sources.isOutside(X.Target.Decl->Id.Range.File))
      return true;
    break;
  default:
    break;
  }
  return std::ranges::any_of(X.Args, [&](const Expr *Arg) { return Arg && readsOutside(*Arg, E, F); });
}

//===----------------------------------------------------------------------===//
// Text with numbers in place
//===----------------------------------------------------------------------===//

static int precedence(const Expr &X) {
  if (X.Kind == ExprKind::If)
    return 0;
  if (X.Kind == ExprKind::Unary)
    return X.O == Op::Not ? 3 : 7;
  if (X.Kind != ExprKind::Binary)
    return 9;
  switch (X.O) {
  case Op::Or:
    return 1;
  case Op::And:
    return 2;
  case Op::Add:
  case Op::Sub:
    return 5;
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
    return 6;
  case Op::Pow:
    return 8;
  default:
    return 4;
  }
}

/// Of a sum with a part that is nothing in this job (the experts of a dense model), the other part.
const Expr *DerivationBuilder::withoutNothing(const Expr &X, Frame &F) {
  if (X.Kind != ExprKind::Binary || X.O != Op::Add)
    return nullptr;
  for (unsigned I : {1u, 0u})
    if (Num N = rt::num(E.eval(*X.Args[I], F)); N.isKnown() && N.real() == 0)
      return X.Args[1 - I];
  return nullptr;
}

/// With `Values`, names and calls are replaced by what they are; without, they stay. Of a condition only the branch
/// that was taken is printed either way.
std::string DerivationBuilder::print(const Expr &X, Frame &F, int Outer, bool Values) {
  int Own = precedence(X);
  std::string Text;
  switch (X.Kind) {
  case ExprKind::Number:
  case ExprKind::Unit: {
    Text = oneLine(E.Sources.text(X.Range));
    bool Grouped = X.Unit && Outer >= 6 && Text.find('/') != std::string::npos && !Text.starts_with('(');
    return Grouped ? "(" + Text + ")" : Text;
  }
  case ExprKind::Unary:
    Text = (X.O == Op::Not ? "not " : "-") + print(*X.Args[0], F, Own, Values);
    break;
  case ExprKind::Binary:
    if (const Expr *Rest = withoutNothing(X, F))
      return print(*Rest, F, Outer, Values);
    if (X.Ty.K == Type::Kind::Scaled && Values)
      return shown(E.eval(X, F), X.Ty);
    Text =
        fmt::format("{} {} {}", print(*X.Args[0], F, Own, Values), opText(X.O), print(*X.Args[1], F, Own + 1, Values));
    break;
  case ExprKind::If: {
    Truth T = E.condition(*X.Args[0], F);
    if (T == Truth::Unknown)
      return "unknown";
    return print(*X.Args[T == Truth::True ? 1 : 2], F, Outer, Values);
  }
  case ExprKind::Call:
    if (X.Target.K == Ref::Kind::Builtin) {
      for (size_t I = 1; I < X.Args.size(); ++I)
        Text += (I > 1 ? ", " : "") + print(*X.Args[I], F, 0, Values);
      return fmt::format("{}({})", E.Sources.text(X.Args[0]->Range), Text);
    }
    [[fallthrough]];
  default: {
    if (!Values)
      return oneLine(E.Sources.text(X.Range));
    if (readsOutside(X, E, F))
      return std::string(NotShown);
    Text = shown(E.eval(X, F), X.Ty);
    bool Compound = Outer >= 6 && Text.find('/') != std::string::npos;
    return Compound ? "(" + Text + ")" : Text;
  }
  }
  return Own < Outer ? "(" + Text + ")" : Text;
}

std::string DerivationBuilder::substituted(const Expr &X, Frame &F) { return print(X, F, 0, true); }

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Derivation DerivationBuilder::given(const Expr &X, Frame &F) {
  Derivation D;
  auto Dotted = dottedName(const_cast<Expr &>(X));
  D.Name = Dotted ? Dotted->Text : oneLine(E.Sources.text(X.Range));
  setValue(D, E.eval(X, F), X.Ty);
  FieldOrigin O = originOf(X, E, F);
  if (E.Sources.isOutside(O.Range.File))
    return hidden(std::move(D.Name), O.Range);
  D.Origin = O.Range;
  D.Source = O.Where;
  return D;
}

/// What is said of a value of a file that is not to be shown: its name, and which file.
Derivation DerivationBuilder::hidden(std::string Name, SourceRange At) const {
  Derivation D;
  D.Name = std::move(Name);
  D.Value = NotShown;
  D.Number = Num::unknown().real();
  D.Source = fmt::format("in `{}`, not shown", E.Sources.file(At.File).name());
  return D;
}

Derivation DerivationBuilder::call(const Expr &X, Frame &F, unsigned Depth) {
  Derivation D;
  const Item *Body = nullptr;
  Frame Own;
  Own.Job = F.Job;
  for (size_t I = 1; I < X.Args.size(); ++I)
    Own.Locals.push_back(E.eval(*X.Args[I], F));
  const Assumption *Assumed = nullptr;
  if (X.Target.K == Ref::Kind::UserFunction) {
    Body = X.Target.Decl;
    if (E.Sources.isOutside(Body->Id.Range.File))
      return hidden(std::string(Body->Id.Text), Body->Id.Range);
    Own.File = F.File;
    D.Name = std::string(Body->Id.Text);
    D.Source = std::string(Body->Doc);
  } else {
    const FunctionDecl &Fn = E.Lib.Functions[X.Target.Index];
    Body = Trees.function(X.Target.Index);
    D.Name = std::string(Fn.Name);
    D.Source = std::string(Fn.Doc);
    if (F.Job && Fn.Constant >= 0)
      Assumed = F.Job->calibration().assumed(static_cast<unsigned>(Fn.Constant));
  }
  setValue(D, E.eval(X, F), X.Ty);
  if (Assumed) { // the library's formula is not what it was computed by
    D.Origin = Assumed->Range;
    D.Source = "assumed";
    return D;
  }
  if (!Body || !Body->Value || Depth >= MaxDepth)
    return D;
  Derivation Inner = describe(*Body->Value, Own, Depth + 1);
  D.Formula = Inner.Formula;
  D.Substituted = Inner.Substituted;
  D.Terms = std::move(Inner.Terms);
  return D;
}

Derivation DerivationBuilder::ofDerived(uint32_t Index, const std::vector<Value> &Args, Frame &F) {
  return fitting([&] { return derived(Index, Args, F); });
}

Derivation DerivationBuilder::derived(uint32_t Index, const std::vector<Value> &Args, Frame &F) {
  const DeriveDecl &Decl = E.Lib.Derives[Index];
  bool Outer = Binary;
  Binary = !Decimal && Decl.Group == QuantityGroup::Memory;
  Derivation D;
  D.Name = std::string(Decl.Name);
  D.Source = std::string(Decl.Doc);
  if (const Item *Body = Trees.derive(Index); Body && Body->Value) {
    Frame Own;
    Own.Locals = Args;
    Own.Job = F.Job;
    Own.Self = F.Self;
    Derivation Inner = describe(*Body->Value, Own, 1);
    D.Formula = Inner.Formula;
    D.Substituted = Inner.Substituted;
    D.Terms = std::move(Inner.Terms);
  }
  if (F.Job)
    setValue(D, F.Job->derived(Index, Args.data()), Decl.Result);
  Binary = Outer;
  return D;
}

std::optional<Derivation> DerivationBuilder::leaf(const Expr &X, Frame &F, unsigned Depth) {
  switch (X.Target.K) {
  case Ref::Kind::JobField:
  case Ref::Kind::Field:
    return given(X, F);
  case Ref::Kind::Derive: {
    std::vector<Value> Args;
    for (size_t I = 1; I < X.Args.size(); ++I)
      Args.push_back(E.eval(*X.Args[I], F));
    if (Depth < MaxDepth && !Seen.contains(E.Lib.Derives[X.Target.Index].Name)) {
      Seen.emplace(E.Lib.Derives[X.Target.Index].Name);
      return derived(X.Target.Index, Args, F);
    }
    Derivation D;
    D.Name = std::string(E.Lib.Derives[X.Target.Index].Name);
    setValue(D, E.eval(X, F), X.Ty);
    return D;
  }
  case Ref::Kind::Let: {
    const Item &Let = *X.Target.Decl;
    if (E.Sources.isOutside(Let.Id.Range.File))
      return hidden(std::string(Let.Id.Text), Let.Id.Range);
    Frame Own;
    Own.Job = Let.Flag ? F.Job : nullptr;
    Own.Self = F.Self;
    Own.File = F.File;
    Derivation D = describe(*Let.Value, Own, Depth + 1);
    D.Name = std::string(Let.Id.Text);
    D.Origin = Let.Value->Range;
    setValue(D, E.eval(X, F), X.Ty);
    return D;
  }
  case Ref::Kind::Function:
  case Ref::Kind::UserFunction:
    return call(X, F, Depth);
  default:
    return std::nullopt;
  }
}

void DerivationBuilder::addTerm(Derivation &Into, Derivation Term) {
  bool Known = std::ranges::any_of(Into.Terms,
                                   [&](const Derivation &T) { return T.Name == Term.Name && T.Value == Term.Value; });
  // What is nothing here (an expert's share in a dense model) explains nothing.
  bool Nothing = Term.Number == 0 && !Term.Formula.empty();
  if (Known || Nothing)
    return;
  Into.Terms.push_back(std::move(Term));
}

/// The term at which a minimum or maximum over a range is reached; for a sum the range stays closed.
void DerivationBuilder::reduction(const Expr &X, Frame &F, Derivation &Into, unsigned Depth) {
  if (X.O == Op::Add)
    return;
  Num Best = rt::num(E.eval(X, F)), From = rt::num(E.eval(*X.Args[0], F)), To = rt::num(E.eval(*X.Args[1], F));
  if (!From.isIntegral() || !To.isIntegral() || To.toInteger() - From.toInteger() > 4096)
    return;
  for (int64_t I = From.toInteger(); I < To.toInteger(); ++I) {
    if (F.Locals.size() <= X.Target.Index)
      F.Locals.resize(X.Target.Index + 1);
    F.Locals[X.Target.Index] = Value::of(Num(I));
    if (equal(rt::num(E.eval(*X.Args[2], F)), Best) == Truth::True) {
      terms(*X.Args[2], F, Into, Depth);
      return;
    }
  }
}

/// Of `min(a, b)` and `max(a, b)`, the argument that decides. False for other functions.
bool DerivationBuilder::extremum(const Expr &X, Frame &F, Derivation &Into, unsigned Depth) {
  auto Which = static_cast<Builtin>(X.Target.Index);
  if (Which != Builtin::Min && Which != Builtin::Max)
    return false;
  Num Best = rt::num(E.eval(X, F));
  for (size_t I = 1; I < X.Args.size(); ++I)
    if (equal(rt::num(E.eval(*X.Args[I], F)), Best) == Truth::True) {
      terms(*X.Args[I], F, Into, Depth);
      break;
    }
  return true;
}

/// `count(x)` and its like: a function that returns its argument has nothing to tell.
bool DerivationBuilder::isIdentity(const Expr &X) {
  if (X.Target.K != Ref::Kind::Function || X.Args.size() != 2)
    return false;
  const Item *Body = Trees.function(X.Target.Index);
  return Body && Body->Value && Body->Value->Target.K == Ref::Kind::Local;
}

void DerivationBuilder::terms(const Expr &X, Frame &F, Derivation &Into, unsigned Depth) {
  if (!Budget)
    return;
  if (X.Kind == ExprKind::If) {
    Truth T = E.condition(*X.Args[0], F);
    if (T != Truth::Unknown)
      terms(*X.Args[T == Truth::True ? 1 : 2], F, Into, Depth);
    return;
  }
  if (X.Kind == ExprKind::Reduce)
    return reduction(X, F, Into, Depth);
  if (const Expr *Rest = withoutNothing(X, F))
    return terms(*Rest, F, Into, Depth);
  if (X.Target.K == Ref::Kind::Builtin && extremum(X, F, Into, Depth))
    return;
  if (X.Ty.K == Type::Kind::Record)
    return;
  if (isIdentity(X))
    return terms(*X.Args[1], F, Into, Depth);
  --Budget;
  if (auto Term = leaf(X, F, Depth)) {
    addTerm(Into, std::move(*Term));
    // The arguments of a call have derivations of their own.
    if (X.Kind == ExprKind::Call && X.Target.K != Ref::Kind::Derive)
      for (size_t I = 1; I < X.Args.size(); ++I)
        terms(*X.Args[I], F, Into, Depth);
    return;
  }
  if (X.Kind == ExprKind::Call) {
    for (size_t I = 1; I < X.Args.size(); ++I)
      terms(*X.Args[I], F, Into, Depth);
    return;
  }
  for (const Expr *A : X.Args)
    terms(*A, F, Into, Depth);
}

Derivation DerivationBuilder::describe(const Expr &X, Frame &F, unsigned Depth) {
  if (X.Kind == ExprKind::If) {
    Truth T = E.condition(*X.Args[0], F);
    if (T != Truth::Unknown)
      return describe(*X.Args[T == Truth::True ? 1 : 2], F, Depth);
  }
  Derivation D;
  D.Formula = print(X, F, 0, false);
  if (readsOutside(X, E, F)) {
    D.Value = NotShown;
    D.Number = Num::unknown().real();
  } else {
    setValue(D, E.eval(X, F), X.Ty);
  }
  bool Literal = X.Kind == ExprKind::Number || X.Kind == ExprKind::Unit;
  if (!Literal)
    D.Substituted = print(X, F, 0, true);
  if (Depth < MaxDepth)
    terms(X, F, D, Depth);
  // The parts of a sum, largest first.
  if (X.Kind == ExprKind::Binary && (X.O == Op::Add || X.O == Op::Sub))
    std::ranges::stable_sort(
        D.Terms, [](const Derivation &A, const Derivation &B) { return std::fabs(A.Number) > std::fabs(B.Number); });
  return D;
}

/// The deepest tree that has not too many terms: cutting depth keeps all sides of a formula, cutting terms would not.
template <typename Build> Derivation DerivationBuilder::fitting(Build B) {
  Derivation D;
  // What is printed was evaluated before: its faults have been reported.
  bool Outer = std::exchange(E.Silent, true);
  for (MaxDepth = MostDepth; MaxDepth >= LeastDepth; --MaxDepth) {
    Budget = MaxTerms;
    Seen.clear();
    Binary = false;
    D = B();
    if (Budget > 0)
      break;
  }
  E.Silent = Outer;
  return D;
}

Derivation DerivationBuilder::of(const Expr &X, Frame &F, std::string Name) {
  return fitting([&] {
    if (auto Leaf = leaf(X, F, 0))
      return std::move(*Leaf);
    Derivation D = describe(X, F, 0);
    D.Name = Name;
    return D;
  });
}

} // namespace parlance
