// Formulas as C++ expressions.
#include "Emitter.h"
#include "Sema/Builtin.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance {

using namespace ast;

std::string cppName(std::string_view Dotted) {
  std::string Name(Dotted);
  std::ranges::replace(Name, '.', '_');
  return Name;
}

std::string cppType(const Type &T) {
  switch (T.K) {
  case Type::Kind::Bool:
    return "Truth";
  case Type::Kind::Enum:
    return "uint32_t";
  case Type::Kind::String:
    return "std::string_view";
  case Type::Kind::Record:
    return "const Record *";
  default:
    return "Num";
  }
}

static std::string_view accessor(const Type &T) {
  switch (T.K) {
  case Type::Kind::Bool:
    return "Flag";
  case Type::Kind::Enum:
    return "Enum";
  case Type::Kind::String:
    return "Text";
  case Type::Kind::Record:
    return "Record";
  default:
    return "Num";
  }
}

std::string cppNumber(Num N) {
  if (N.isInt())
    return fmt::format("Num(int64_t{{{}}})", N.integer());
  return fmt::format("Num({:a})", N.real());
}

std::string Emitter::reference(const Expr &E) {
  switch (E.Target.K) {
  case Ref::Kind::Local:
    return fmt::format("a{}", E.Target.Index);
  case Ref::Kind::JobField:
    return fmt::format("rt::field{}({}, {})", accessor(E.Ty), Self, E.Target.Index);
  case Ref::Kind::Field:
    return fmt::format("rt::field{}({}, {})", accessor(E.Ty), expr(*E.Args[0]), E.Target.Index);
  case Ref::Kind::Enumerator:
    return fmt::format("uint32_t{{{}}}", E.Target.Index);
  case Ref::Kind::Derive:
    return fmt::format("derived::{}(C{})", cppName(Lib.Derives[E.Target.Index].Name), callArguments(E));
  default:
    return "Num::unknown()";
  }
}

std::string Emitter::callArguments(const Expr &E) {
  std::string Result;
  for (size_t I = 1; I < E.Args.size(); ++I)
    Result += ", " + expr(*E.Args[I]);
  return Result;
}

/// A derived quantity as a Value, Absent when it does not apply.
std::string Emitter::rawDerive(const Expr &E) {
  if (E.Args.size() < 2)
    return fmt::format("C.derived({}u)", E.Target.Index);
  std::string Values;
  for (size_t I = 1; I < E.Args.size(); ++I)
    Values += fmt::format("rt::toValue({}), ", expr(*E.Args[I]));
  return fmt::format("[&] {{ const Value A[] = {{{}}}; return C.derived({}u, A); }}()", Values, E.Target.Index);
}

std::string Emitter::builtin(const Expr &E) {
  std::string First = expr(*E.Args[1]);
  switch (static_cast<Builtin>(E.Target.Index)) {
  case Builtin::Min:
  case Builtin::Max: {
    std::string_view Name = static_cast<Builtin>(E.Target.Index) == Builtin::Min ? "minimum" : "maximum";
    for (size_t I = 2; I < E.Args.size(); ++I)
      First = fmt::format("{}({}, {})", Name, First, expr(*E.Args[I]));
    return First;
  }
  case Builtin::Ceil:
    return fmt::format("ceilOf({})", First);
  case Builtin::Floor:
    return fmt::format("floorOf({})", First);
  case Builtin::Round:
    return fmt::format("roundOf({})", First);
  case Builtin::Abs:
    return fmt::format("absolute({})", First);
  case Builtin::Sqrt:
    return fmt::format("sqrtOf({})", First);
  case Builtin::Log2:
    return fmt::format("log2Of({})", First);
  case Builtin::Divides:
    return fmt::format("divides({}, {})", First, expr(*E.Args[2]));
  case Builtin::Known:
    if (E.Args[1]->Target.K == Ref::Kind::Derive)
      return fmt::format("truth(rt::knownValue({}))", rawDerive(*E.Args[1]));
    return fmt::format("truth(rt::known({}))", First);
  case Builtin::Given: {
    const Expr &Field = *E.Args[1];
    return fmt::format("rt::given({}, {})",
                       Field.Target.K == Ref::Kind::JobField ? std::string(Self) : expr(*Field.Args[0]),
                       Field.Target.Index);
  }
  case Builtin::Has:
    return fmt::format("rt::hasWord({}, {})", First, expr(*E.Args[2]));
  case Builtin::Words:
    return fmt::format("rt::wordCount({})", First);
  case Builtin::Divisors:
    return "Num::unknown()"; // only in fixes, which are interpreted
  }
  return First;
}

std::string Emitter::binary(const Expr &E) {
  std::string A = expr(*E.Args[0]), B = expr(*E.Args[1]);
  switch (E.O) {
  case Op::And:
    return fmt::format("rt::both({}, [&] {{ return {}; }})", A, B);
  case Op::Or:
    return fmt::format("rt::either({}, [&] {{ return {}; }})", A, B);
  case Op::Add:
    return fmt::format("({} + {})", A, B);
  case Op::Sub:
    return fmt::format("({} - {})", A, B);
  case Op::Mul:
    return fmt::format("({} * {})", A, B);
  case Op::Div:
    return fmt::format("({} / {})", A, B);
  case Op::Mod:
    return fmt::format("mod({}, {})", A, B);
  case Op::Pow:
    return fmt::format("powReal({}, {})", A, B);
  case Op::Lt:
    return fmt::format("less({}, {})", A, B);
  case Op::Le:
    return fmt::format("lessEqual({}, {})", A, B);
  case Op::Gt:
    return fmt::format("less({}, {})", B, A);
  case Op::Ge:
    return fmt::format("lessEqual({}, {})", B, A);
  default:
    break;
  }
  std::string_view Same = E.Args[0]->Ty.K == Type::Kind::Enum     ? "rt::sameEnumerator"
                          : E.Args[0]->Ty.K == Type::Kind::Bool   ? "rt::sameFlag"
                          : E.Args[0]->Ty.K == Type::Kind::String ? "rt::sameText"
                                                                  : "equal";
  return fmt::format("{}{}({}, {})", E.O == Op::Ne ? "!" : "", Same, A, B);
}

std::string Emitter::expr(const Expr &E) {
  switch (E.Kind) {
  case ExprKind::Number:
    if (E.Target.K == Ref::Kind::Enumerator)
      return reference(E);
    return cppNumber(E.Value);
  case ExprKind::Unit:
    return cppNumber(E.Value);
  case ExprKind::Bool:
    return E.Flag ? "Truth::True" : "Truth::False";
  case ExprKind::String:
    return fmt::format("std::string_view(\"{}\")", E.Text);
  case ExprKind::Name:
  case ExprKind::Field:
    return reference(E);
  case ExprKind::Call:
    if (E.Target.K == Ref::Kind::Builtin)
      return builtin(E);
    if (E.Target.K == Ref::Kind::Function) {
      std::string Arguments = (readsConstants(E.Target.Index) ? ", " + Constants : "") + callArguments(E);
      return fmt::format("functions::{}({})", cppName(Lib.Functions[E.Target.Index].Name),
                         Arguments.empty() ? "" : Arguments.substr(2));
    }
    return reference(E);
  case ExprKind::Unary:
    return fmt::format("({}{})", E.O == Op::Not ? "!" : "-", expr(*E.Args[0]));
  case ExprKind::Binary:
    return binary(E);
  case ExprKind::If:
    return fmt::format("rt::choose({}, [&] {{ return {}; }}, [&] {{ return {}; }})", expr(*E.Args[0]), expr(*E.Args[1]),
                       expr(*E.Args[2]));
  case ExprKind::Reduce:
    return fmt::format("rt::{}({}, {}, [&](Num a{}) {{ return {}; }})",
                       E.O == Op::Add  ? "sumOver"
                       : E.O == Op::Lt ? "minOver"
                                       : "maxOver",
                       expr(*E.Args[0]), expr(*E.Args[1]), E.Target.Index, expr(*E.Args[2]));
  case ExprKind::Auto:
    return "rt::automatic()";
  default:
    return "Num::unknown()";
  }
}

} // namespace parlance
