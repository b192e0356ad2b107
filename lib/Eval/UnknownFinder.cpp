#include "Eval/UnknownFinder.h"
#include "Eval/Support.h"
#include "Sema/Builtin.h"
#include <algorithm>

namespace parlance {

using namespace ast;

/// Whether a value is one that nobody knows.
static bool isUnknown(const Value &V) {
  switch (V.K) {
  case Value::Kind::Absent:
  case Value::Kind::Auto:
    return true;
  case Value::Kind::Quantity:
  case Value::Kind::Scaled:
    return !V.Number.isKnown();
  case Value::Kind::Bool:
    return V.Flag == Truth::Unknown;
  default:
    return false;
  }
}

std::vector<UnknownField> UnknownFinder::ofDerived(uint32_t Index, Frame F) {
  Found.clear();
  Seen.clear();
  bool Outer = std::exchange(E.Silent, true);
  visitDerived(Index, {}, F);
  E.Silent = Outer;
  return std::move(Found);
}

std::vector<UnknownField> UnknownFinder::ofCondition(const Expr &X, Frame F) {
  Found.clear();
  Seen.clear();
  bool Outer = std::exchange(E.Silent, true);
  visit(X, F);
  E.Silent = Outer;
  return std::move(Found);
}

void UnknownFinder::visit(const Expr &X, Frame &F) {
  if (!isUnknown(E.eval(X, F)))
    return;
  if (X.Kind == ExprKind::If || X.Kind == ExprKind::Reduce) // whose target is a variable of its own
    return visitParts(X, F);
  switch (X.Target.K) {
  case Ref::Kind::Local:
    if (Locals)
      Locals->insert(X.Target.Index);
    return;
  case Ref::Kind::JobField:
  case Ref::Kind::Field:
    return visitField(X, F);
  case Ref::Kind::Let: {
    const Item &Let = *X.Target.Decl;
    Frame Own;
    Own.Job = Let.Flag ? F.Job : nullptr;
    Own.Self = F.Self;
    Own.File = F.File;
    if (Let.Value && !Let.Declared.isError())
      visit(*Let.Value, Own);
    return;
  }
  case Ref::Kind::Derive: {
    std::vector<Value> Args;
    for (size_t I = 1; I < X.Args.size(); ++I) {
      visit(*X.Args[I], F);
      Args.push_back(E.eval(*X.Args[I], F));
    }
    return visitDerived(X.Target.Index, std::move(Args), F);
  }
  case Ref::Kind::Function:
  case Ref::Kind::UserFunction:
    return visitCall(X, F);
  default:
    return visitParts(X, F);
  }
}

void UnknownFinder::visitParts(const Expr &X, Frame &F) {
  if (X.Kind == ExprKind::If) {
    const Truth T = E.condition(*X.Args[0], F);
    return visit(*X.Args[T == Truth::Unknown ? 0 : T == Truth::True ? 1 : 2], F);
  }
  if (X.Kind == ExprKind::Reduce)
    return visitReduction(X, F);
  const bool IsCall = X.Kind == ExprKind::Call;
  for (size_t I = IsCall; I < X.Args.size(); ++I)
    visit(*X.Args[I], F);
}

/// Of a function that is not known its own formula tells which arguments it misses.
void UnknownFinder::visitCall(const Expr &X, Frame &F) {
  const bool IsUsers = X.Target.K == Ref::Kind::UserFunction;
  const Item *Body = IsUsers ? X.Target.Decl : Trees.function(X.Target.Index);
  if (!Body || !Body->Value || Body->Declared.isError())
    return;
  Frame Own;
  Own.Job = F.Job;
  Own.File = IsUsers ? F.File : nullptr;
  for (size_t I = 1; I < X.Args.size(); ++I)
    Own.Locals.push_back(E.eval(*X.Args[I], F));
  Own.Locals.resize(std::max<size_t>(Own.Locals.size(), Body->FrameSize));
  std::set<unsigned> Missed;
  std::set<unsigned> *Outer = std::exchange(Locals, &Missed);
  visit(*Body->Value, Own);
  Locals = Outer;
  for (unsigned I : Missed)
    if (I + 1 < X.Args.size())
      visit(*X.Args[I + 1], F);
}

/// The first element of a range that is not known stands for all.
void UnknownFinder::visitReduction(const Expr &X, Frame &F) {
  const size_t Before = Found.size();
  visit(*X.Args[0], F);
  visit(*X.Args[1], F);
  const Num From = rt::num(E.eval(*X.Args[0], F)), To = rt::num(E.eval(*X.Args[1], F));
  if (Found.size() != Before || !From.isIntegral() || !To.isIntegral() || To.toInteger() - From.toInteger() > 4096)
    return;
  if (F.Locals.size() <= X.Target.Index)
    F.Locals.resize(X.Target.Index + 1);
  for (int64_t I = From.toInteger(); I < To.toInteger() && Found.size() == Before; ++I) {
    F.Locals[X.Target.Index] = Value::of(Num(I));
    visit(*X.Args[2], F);
  }
}

void UnknownFinder::visitDerived(uint32_t Index, std::vector<Value> Args, Frame &F) {
  std::string Key = fmt::format("{}", Index);
  for (const Value &A : Args)
    Key += fmt::format(" {}", rt::num(A).real());
  const Item *Body = Trees.derive(Index);
  if (!Body || !Body->Value || !F.Job || !Seen.insert(std::move(Key)).second)
    return;
  Frame Own;
  Own.Locals = std::move(Args);
  Own.Locals.resize(std::max<size_t>(Own.Locals.size(), Body->FrameSize));
  Own.Job = F.Job;
  Own.Self = F.Self;
  std::set<unsigned> *Outer = std::exchange(Locals, nullptr);
  const Truth Applies = Body->Extra ? E.condition(*Body->Extra, Own) : Truth::True;
  if (Applies == Truth::Unknown)
    visit(*Body->Extra, Own);
  if (Applies != Truth::False)
    visit(*Body->Value, Own);
  Locals = Outer;
}

void UnknownFinder::visitField(const Expr &X, Frame &F) {
  const Record *Of = F.Self;
  if (X.Target.K == Ref::Kind::Field) {
    Of = rt::record(E.eval(*X.Args[0], F));
    if (!Of)
      return visit(*X.Args[0], F);
  }
  if (!Of || X.Target.Index >= Of->Values.size())
    return;
  const FieldDecl &Field = Of->Schema->Fields[X.Target.Index];
  UnknownField New{fmt::format("{}{}", nameOf(*Of), Field.Name), &Field, Of, Of->Origins[X.Target.Index].Range};
  if (std::ranges::find(Found, New) == Found.end())
    Found.push_back(std::move(New));
}

/// "model." of a record that is part of the job, "" of the job itself, "h100_sxm." of what is not written in it.
static std::optional<std::string> pathTo(const Record &Of, const Record &In, const std::string &Prefix) {
  if (&In == &Of)
    return Prefix;
  for (size_t I = 0; I < In.Values.size(); ++I)
    if (const Record *Part = In.Values[I].Rec)
      if (auto Path = pathTo(Of, *Part, fmt::format("{}{}.", Prefix, In.Schema->Fields[I].Name)))
        return Path;
  return std::nullopt;
}

std::string UnknownFinder::nameOf(const Record &Of) const {
  std::string Own = fmt::format("{}.", Of.Name);
  if (Of.Schema->Name == "device" || Of.Schema->Name == "link")
    return Own;
  return pathTo(Of, Job, "").value_or(Own);
}

} // namespace parlance
