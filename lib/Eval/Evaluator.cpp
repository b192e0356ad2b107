#include "Eval/Evaluator.h"
#include "Basic/Diagnostics.h"
#include "Eval/Support.h"
#include "Sema/Builtin.h"
#include "Sema/Soundness.h"
#include "Units/Format.h"
#include <algorithm>

namespace parlance {

using namespace ast;

Truth Evaluator::condition(const Expr &E, Frame &F) { return rt::flag(eval(E, F)); }

/// Reports a poison where it arises: at the innermost expression whose operands were still fine.
Value Evaluator::checked(const Expr &E, Num Result, std::initializer_list<Num> Operands) {
  if (Result.isKnown())
    return Value::of(Result);
  for (Num O : Operands)
    if (!O.isKnown())
      return Value::of(Result);
  bool Undefined = Result.isUnknown() && E.Target.K == Ref::Kind::Builtin;
  bool Binary = Result.isUnknown() && E.Kind == ExprKind::Binary;
  bool Divides = Binary && (E.O == Op::Div || E.O == Op::Mod), Power = Binary && E.O == Op::Pow;
  if (!Silent && E.Range && (Result.isOverflow() || Divides || Power || Undefined) && Reported.insert(&E).second) {
    if (Undefined || Power)
      Diags.report(diag::NoValue, E.Range, Sources.text(E.Range),
                   formatQuantity(*Operands.begin(), E.Args[Power ? 0 : 1]->Ty.Dimension));
    else if (Divides && E.O == Op::Mod && reportFraction(E, Operands))
      ; // the divisor may be no zero
    else if (Divides)
      Diags.report(diag::DivisionByZero, E.Range, Sources.text(E.Range));
    else
      Diags.report(diag::Overflow, E.Range, Sources.text(E.Range));
  }
  return Value::of(Result);
}

/// A remainder is one of whole numbers. Returns whether an operand is none.
bool Evaluator::reportFraction(const Expr &Remainder, std::initializer_list<Num> Operands) {
  const Expr *const *Side = Remainder.Args.data();
  for (Num O : Operands) {
    if (!O.isIntegral()) {
      Diags.report(diag::NotWhole, (*Side)->Range, Sources.text((*Side)->Range),
                   formatQuantity(O, (*Side)->Ty.Dimension));
      return true;
    }
    ++Side;
  }
  return false;
}

/// The value for what is declared `int`. One that is not whole is reported at `At`, and unknown.
Value Evaluator::whole(Value V, const Type &Declared, std::string_view Name, const Expr &At) {
  bool Fraction = Declared.Integer && V.K == Value::Kind::Quantity && V.Number.isKnown() && !V.Number.isIntegral();
  if (!Fraction)
    return V;
  if (!Silent && Reported.insert(&At).second)
    Diags.report(diag::NotWhole, At.Range, Name, formatQuantity(V.Number, At.Ty.Dimension));
  return Value::of(Num::unknown());
}

bool Evaluator::wasReported(const Expr &E) const {
  std::set<const Item *> Seen;
  std::function<bool(const Expr &)> Visit = [&](const Expr &X) {
    const Item *Decl = X.Target.K == Ref::Kind::Let || X.Target.K == Ref::Kind::UserFunction ? X.Target.Decl : nullptr;
    if (Reported.contains(&X) || (Decl && Decl->Declared.isError()))
      return true;
    if (Decl && Decl->Value && Seen.insert(Decl).second && Visit(*Decl->Value))
      return true;
    return std::ranges::any_of(X.Args, [&](const Expr *A) { return Visit(*A); });
  };
  return Visit(E);
}

Value Evaluator::eval(const Expr &E, Frame &F) {
  switch (E.Kind) {
  case ExprKind::Error:
  case ExprKind::Import:
    return {};
  case ExprKind::Number:
    return E.Target.K == Ref::Kind::Enumerator ? Value::enumerator(E.Target.Index) : Value::of(E.Value);
  case ExprKind::Unit:
    return Value::of(E.Value);
  case ExprKind::String:
    return Value::string(E.Text);
  case ExprKind::Bool:
    return Value::of(truth(E.Flag));
  case ExprKind::Name:
    return evalName(E, F);
  case ExprKind::Field: {
    if (E.Target.K != Ref::Kind::Field)
      return evalName(E, F);
    Value Object = eval(*E.Args[0], F);
    return rt::field(rt::record(Object), E.Target.Index);
  }
  case ExprKind::Call:
    return evalCall(E, F);
  case ExprKind::Unary:
    return evalUnary(E, F);
  case ExprKind::Binary:
    return evalBinary(E, F);
  case ExprKind::If: {
    Truth T = condition(*E.Args[0], F);
    return T == Truth::Unknown ? Value() : eval(*E.Args[T == Truth::True ? 1 : 2], F);
  }
  case ExprKind::Reduce:
    return evalReduce(E, F);
  case ExprKind::Auto: {
    Value V;
    V.K = Value::Kind::Auto;
    return V;
  }
  case ExprKind::List:
  case ExprKind::Any:
    return evalList(E, F);
  }
  return {};
}

Value Evaluator::evalName(const Expr &E, Frame &F) {
  switch (E.Target.K) {
  case Ref::Kind::Local:
    return E.Target.Index < F.Locals.size() ? F.Locals[E.Target.Index] : Value();
  case Ref::Kind::Let:
    return letValue(*E.Target.Decl, F);
  case Ref::Kind::Derive:
    return F.Job ? evalDerive(E.Target.Index, {}, F) : Value();
  case Ref::Kind::JobField:
    return rt::field(F.Self, E.Target.Index);
  case Ref::Kind::Enumerator:
    return Value::enumerator(E.Target.Index);
  case Ref::Kind::LibraryRecord:
    return Value::record(libraryInstance(E.Target.Index));
  case Ref::Kind::UserRecord:
    return F.File ? Value::record(instance(*F.File, *E.Target.Decl)) : Value();
  default:
    return {};
  }
}

Value Evaluator::letValue(Item &Let, Frame &F) {
  if (auto It = Lets.find(&Let); It != Lets.end())
    return It->second;
  if (!Let.Value || !isSound(Let))
    return {};
  Lets[&Let] = {}; // a cycle has been reported; it must still end
  Frame Own;
  // A let of the file is none of the job's: what the job assumes does not act on it.
  Own.Job = Let.Flag ? F.Job : nullptr;
  Own.Self = F.Self;
  Own.File = F.File;
  Value V = whole(eval(*Let.Value, Own), Let.Ty ? Let.Declared : Type(), Let.Id.Text, *Let.Value);
  Lets[&Let] = V;
  return V;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value Evaluator::evalFunction(const FunctionDecl &Fn, const std::vector<Value> &Args, Frame &F) {
  const Calibration &Constants = F.Job ? F.Job->calibration() : Uncalibrated;
  if (!(PreferTrees && Fn.Tree) && Fn.Native)
    return Fn.Native(Constants, Args.data());
  if (!Fn.Tree)
    return {};
  Frame Own;
  Own.Locals = Args;
  Own.Job = F.Job;
  if (Fn.Constant < 0)
    return eval(*Fn.Tree->Value, Own);
  return Value::of(
      Constants.read(static_cast<unsigned>(Fn.Constant), [&] { return rt::num(eval(*Fn.Tree->Value, Own)); }));
}

/// A derived quantity, Absent when it does not apply to the job.
Value Evaluator::rawDerive(uint32_t Index, const std::vector<Value> &Args, Frame &F) {
  const DeriveDecl &D = Lib.Derives[Index];
  if (!F.Job)
    return {};
  if (!(PreferTrees && D.Tree))
    return F.Job->derived(Index, Args.data());
  Frame Own;
  Own.Locals = Args;
  Own.Job = F.Job;
  Own.Self = F.Self;
  Truth Applies = D.Tree->Extra ? condition(*D.Tree->Extra, Own) : Truth::True;
  if (Applies == Truth::Unknown && D.Result.isQuantity())
    return Value::of(Num::unknown());
  Value V = Applies == Truth::True ? eval(*D.Tree->Value, Own) : Value();
  // It does apply: an `if` that cannot be decided is unknown, not none.
  return Applies == Truth::True && V.isAbsent() && D.Result.isQuantity() ? Value::of(Num::unknown()) : V;
}

/// The value of an argument: what it is for may have to be whole.
Value Evaluator::argument(const Expr &Call, size_t I, Frame &F) {
  const Expr &E = *Call.Args[I];
  Value V = eval(E, F);
  if (!F.File) // formulas of the library call each other with what they have
    return V;
  if (Call.Target.K == Ref::Kind::UserFunction) {
    const Param &P = Call.Target.Decl->Params[I - 1];
    return whole(V, P.Declared, P.Id.Text, E);
  }
  auto Params = Call.Target.K == Ref::Kind::Derive     ? Lib.Derives[Call.Target.Index].Params
                : Call.Target.K == Ref::Kind::Function ? Lib.Functions[Call.Target.Index].Params
                                                       : std::span<const ParamDecl>();
  return I <= Params.size() ? whole(V, Params[I - 1].Ty, Params[I - 1].Name, E) : V;
}

Value Evaluator::rawDerive(const Expr &E, Frame &F) {
  std::vector<Value> Args;
  for (size_t I = 1; I < E.Args.size(); ++I)
    Args.push_back(argument(E, I, F));
  return rawDerive(E.Target.Index, Args, F);
}

/// One that does not apply counts as none of it.
Value Evaluator::evalDerive(uint32_t Index, const std::vector<Value> &Args, Frame &F) {
  Value V = rawDerive(Index, Args, F);
  return F.Job && V.isAbsent() && Lib.Derives[Index].Result.isQuantity() ? Value::of(Num(0)) : V;
}

Value Evaluator::evalCall(const Expr &E, Frame &F) {
  if (E.Target.K == Ref::Kind::Builtin)
    return evalBuiltin(E, F);
  std::vector<Value> Args;
  for (size_t I = 1; I < E.Args.size(); ++I)
    Args.push_back(argument(E, I, F));
  Value Result;
  switch (E.Target.K) {
  case Ref::Kind::Function:
    Result = evalFunction(Lib.Functions[E.Target.Index], Args, F);
    break;
  case Ref::Kind::Derive:
    Result = evalDerive(E.Target.Index, Args, F);
    break;
  case Ref::Kind::UserFunction: {
    if (!isSound(*E.Target.Decl))
      return {}; // one that reaches itself too, which is reported and must still end
    Frame Own;
    Own.Locals = std::move(Args);
    Own.Job = F.Job;
    Own.File = F.File;
    return eval(*E.Target.Decl->Value, Own);
  }
  default:
    return {};
  }
  if (Result.K == Value::Kind::Quantity && Result.Number.isOverflow())
    return checked(E, Result.Number, {});
  return Result;
}

static std::vector<Value> divisorsOf(Num N) {
  std::vector<Value> Result;
  if (!N.isIntegral() || N.toInteger() <= 0 || N.toInteger() > rt::MaxRange * 1000)
    return Result;
  int64_t V = N.toInteger();
  std::vector<Value> Large;
  for (int64_t I = 1; I * I <= V; ++I)
    if (V % I == 0) {
      Result.push_back(Value::of(Num(I)));
      if (I * I != V)
        Large.push_back(Value::of(Num(V / I)));
    }
  Result.insert(Result.end(), Large.rbegin(), Large.rend());
  return Result;
}

/// Whether a field was written, not left to its default.
Truth Evaluator::given(const Expr &Field, Frame &F) {
  const Record *Owner = Field.Target.K == Ref::Kind::Field      ? eval(*Field.Args[0], F).Rec
                        : Field.Target.K == Ref::Kind::JobField ? F.Self
                                                                : nullptr;
  return rt::given(Owner, Field.Target.Index);
}

Value Evaluator::evalBuiltin(const Expr &E, Frame &F) {
  std::vector<Num> N;
  Value First, Second;
  if (static_cast<Builtin>(E.Target.Index) == Builtin::Known && E.Args[1]->Target.K == Ref::Kind::Derive)
    return Value::of(truth(rt::knownValue(rawDerive(*E.Args[1], F))));
  if (static_cast<Builtin>(E.Target.Index) == Builtin::Given)
    return Value::of(given(*E.Args[1], F));
  for (size_t I = 1; I < E.Args.size(); ++I) {
    Value V = eval(*E.Args[I], F);
    (I == 1 ? First : Second) = V;
    N.push_back(rt::num(V));
  }
  switch (static_cast<Builtin>(E.Target.Index)) {
  case Builtin::Min:
  case Builtin::Max: {
    Num R = N[0];
    for (size_t I = 1; I < N.size(); ++I)
      R = static_cast<Builtin>(E.Target.Index) == Builtin::Min ? minimum(R, N[I]) : maximum(R, N[I]);
    return Value::of(R);
  }
  case Builtin::Ceil:
    return checked(E, ceilOf(N[0]), {N[0]});
  case Builtin::Floor:
    return checked(E, floorOf(N[0]), {N[0]});
  case Builtin::Round:
    return checked(E, roundOf(N[0]), {N[0]});
  case Builtin::Abs:
    return checked(E, absolute(N[0]), {N[0]});
  case Builtin::Sqrt:
    return checked(E, sqrtOf(N[0]), {N[0]});
  case Builtin::Log2:
    return checked(E, log2Of(N[0]), {N[0]});
  case Builtin::Divides:
    return Value::of(divides(N[0], N[1]));
  case Builtin::Known:
    return Value::of(truth(rt::knownValue(First)));
  case Builtin::Given:
    break; // above
  case Builtin::Has:
    return Value::of(rt::hasWord(rt::text(First), rt::text(Second)));
  case Builtin::Words:
    return Value::of(rt::wordCount(rt::text(First)));
  case Builtin::Divisors: {
    Value V;
    V.K = Value::Kind::List;
    V.Items = &Lists.emplace_back(divisorsOf(N[0]));
    return V;
  }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Evaluator::evalUnary(const Expr &E, Frame &F) {
  Value V = eval(*E.Args[0], F);
  if (E.O == Op::Not)
    return Value::of(!rt::flag(V));
  Num N = rt::num(V);
  return checked(E, -N, {N});
}

Value Evaluator::evalBinary(const Expr &E, Frame &F) {
  if (E.O == Op::And || E.O == Op::Or) {
    auto Right = [&] { return condition(*E.Args[1], F); };
    Truth Left = condition(*E.Args[0], F);
    return Value::of(E.O == Op::And ? rt::both(Left, Right) : rt::either(Left, Right));
  }
  Value VA = eval(*E.Args[0], F), VB = eval(*E.Args[1], F);
  if (E.Ty.K == Type::Kind::Scaled) {
    bool RecordFirst = VA.K == Value::Kind::Record;
    Value V = RecordFirst ? VA : VB;
    V.Number = rt::num(RecordFirst ? VB : VA);
    V.K = Value::Kind::Scaled;
    return V;
  }
  if (E.O >= Op::Eq && E.O <= Op::Ge)
    return evalComparison(E, VA, VB);
  Num A = rt::num(VA), B = rt::num(VB);
  switch (E.O) {
  case Op::Add:
    return checked(E, A + B, {A, B});
  case Op::Sub:
    return checked(E, A - B, {A, B});
  case Op::Mul:
    return checked(E, A * B, {A, B});
  case Op::Div:
    return checked(E, A / B, {A, B});
  case Op::Mod:
    return checked(E, mod(A, B), {A, B});
  default:
    return checked(E, powReal(A, B), {A, B});
  }
}

Value Evaluator::evalComparison(const Expr &E, const Value &A, const Value &B) {
  if (E.O == Op::Eq || E.O == Op::Ne) {
    Truth Same;
    switch (E.Args[0]->Ty.K) {
    case Type::Kind::Enum:
      Same = rt::sameEnumerator(rt::enumerator(A), rt::enumerator(B));
      break;
    case Type::Kind::Bool:
      Same = rt::sameFlag(rt::flag(A), rt::flag(B));
      break;
    case Type::Kind::String:
      Same = rt::sameText(A.Text, B.Text);
      break;
    default:
      Same = equal(rt::num(A), rt::num(B));
    }
    return Value::of(E.O == Op::Eq ? Same : !Same);
  }
  Num X = rt::num(A), Y = rt::num(B);
  switch (E.O) {
  case Op::Lt:
    return Value::of(less(X, Y));
  case Op::Le:
    return Value::of(lessEqual(X, Y));
  case Op::Gt:
    return Value::of(less(Y, X));
  default:
    return Value::of(lessEqual(Y, X));
  }
}

/// All reductions of a file together: enough for any formula over layers, ranks or experts, and over in a second.
static constexpr uint64_t MaxSteps = rt::MaxRange;

Value Evaluator::tooManySteps(const Expr &E) {
  if (!Silent && Reported.insert(&E).second)
    Diags.report(diag::TooManySteps, E.Range, Sources.text(E.Range), MaxSteps);
  return Value::of(Num::unknown());
}

Value Evaluator::evalReduce(const Expr &E, Frame &F) {
  if (Reducing && Steps > MaxSteps)
    return Value::of(Num::unknown());
  Num From = rt::num(eval(*E.Args[0], F)), To = rt::num(eval(*E.Args[1], F));
  if (From.isIntegral() && To.isIntegral() && To.real() - From.real() > static_cast<double>(MaxSteps))
    return tooManySteps(E);
  uint32_t Slot = E.Target.Index;
  if (F.Locals.size() <= Slot)
    F.Locals.resize(Slot + 1);
  bool Outer = Reducing++ == 0;
  if (Outer)
    Steps = 0;
  auto Body = [&](Num I) {
    if (++Steps > MaxSteps)
      return Num::unknown();
    F.Locals[Slot] = Value::of(I);
    return rt::num(eval(*E.Args[2], F));
  };
  Value Result = Value::of(E.O == Op::Add  ? rt::sumOver(From, To, Body)
                           : E.O == Op::Lt ? rt::minOver(From, To, Body)
                                           : rt::maxOver(From, To, Body));
  --Reducing;
  return Outer && Steps > MaxSteps ? tooManySteps(E) : Result;
}

Value Evaluator::evalList(const Expr &E, Frame &F) {
  std::vector<Value> Items;
  if (E.Kind == ExprKind::Any && E.Flag) {
    Num From = rt::num(eval(*E.Args[0], F)), To = rt::num(eval(*E.Args[1], F));
    if (From.isIntegral() && To.isIntegral() && To.toInteger() - From.toInteger() <= 4096)
      for (int64_t I = From.toInteger(); I <= To.toInteger(); ++I)
        Items.push_back(Value::of(Num(I)));
  } else {
    for (const Expr *A : E.Args)
      Items.push_back(eval(*A, F));
  }
  Value V;
  V.K = E.Kind == ExprKind::Any ? Value::Kind::Any : Value::Kind::List;
  V.Items = &Lists.emplace_back(std::move(Items));
  return V;
}

} // namespace parlance
