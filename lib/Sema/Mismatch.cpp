#include "Sema/Mismatch.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance {

using namespace ast;

std::string quoted(const Type &T) {
  return T.isQuantity() && T.Dimension.isNone() ? "a plain number" : fmt::format("`{}`", typeName(T));
}

/// "/gpu", "/replica/microbatch": what a quantity is counted per. Empty where it is anything else.
static std::string perPopulations(Dim D) {
  if (!D.isPopulation())
    return {};
  std::string Text;
  for (unsigned I = FirstPopulation; I < NumBases; ++I) {
    if (D.Exponents[I] != 0 && D.Exponents[I] != -1)
      return {};
    if (D.Exponents[I] == -1)
      Text.append("/").append(baseSymbol(static_cast<Base>(I)));
  }
  return Text;
}

std::vector<std::string> unitsFor(const Type &T, bool IsField) {
  Dim Measure = T.Dimension.withoutPopulations();
  std::string Per = IsField ? "" : perPopulations(T.Dimension / Measure);
  if (!IsField && Per.empty() && T.Dimension != Measure)
    return {T.Dimension.str()};
  std::string Direction = T.Qual == Qualifier::PerDirection ? " per direction" : "";
  if (Measure == Dim::of(Base::Information))
    return {"GB" + Per, "GiB" + Per};
  if (Measure == Dim::of(Base::Information) / Dim::of(Base::Time))
    return {"GB/s" + Per + Direction};
  if (Measure == Dim::of(Base::Arithmetic) / Dim::of(Base::Time))
    return {"TFLOP/s" + Per};
  return {IsField ? Measure.str() : T.Dimension.str()};
}

std::string Mismatches::inserted(const Expr &E, uint32_t At, std::string_view More) const {
  std::string Text(Sources.text(E.Range));
  return Text.insert(At - E.Range.Begin, More);
}

bool Mismatches::offerUnit(const Expr &E, const Type &Of, const Type &Other) {
  if (!Of.BareLiteral || E.Kind != ExprKind::Number || Other.Dimension.isNone())
    return false;
  for (const std::string &U : unitsFor(Other, false)) {
    std::string Text = fmt::format("{} {}", E.Text, U);
    offer(fmt::format("`{}`", Text), Applicability::Maybe, {{E.Range, Text}});
  }
  return true;
}

bool Mismatches::offerPopulations(const Expr &E, const Type &Of, const Type &Other, Applicability Trust) {
  if (E.Kind != ExprKind::Number || !E.Unit || !Of.isQuantity() || !Other.isQuantity())
    return false;
  std::string Per = perPopulations(Other.Dimension / Of.Dimension);
  if (Per.empty() || Of.Dimension.isNone())
    return false;
  // Before a qualifier: `GB/s/gpu per direction`.
  uint32_t At = E.Unit->Qual == Qualifier::None ? E.Unit->Range.End : E.Unit->Terms.back().Range.End;
  offer(fmt::format("`{}`", inserted(E, At, Per)), Trust, {{{E.Range.File, At, At}, Per}});
  return true;
}

/// Whether an expression is made of a job's fields and quantities and of bare numbers: what is counted in it is known.
static bool readsOnly(const Expr &E) {
  switch (E.Target.K) {
  case Ref::Kind::JobField:
  case Ref::Kind::Field:
  case Ref::Kind::Derive:
    return true;
  default:
    break;
  }
  if (E.Kind == ExprKind::Number)
    return !E.Unit;
  bool Operator = E.Kind == ExprKind::Unary || E.Kind == ExprKind::Binary;
  return Operator && std::ranges::all_of(E.Args, [](const Expr *Part) { return readsOnly(*Part); });
}

/// Whether somebody wrote a unit in an expression: then another one is wrong, not the kind of the comparison.
static bool writesUnit(const Expr &E) {
  return E.Unit || std::ranges::any_of(E.Args, [](const Expr *Part) { return writesUnit(*Part); });
}

bool Mismatches::offerCounts(const Expr &Comparison, const Type &A, const Type &B) {
  auto Counts = [](const Type &T) { return T.Dimension.isNone() || T.Dimension.isPopulation(); };
  if (!Counts(A) || !Counts(B) || writesUnit(Comparison))
    return false;
  const Expr &Left = *Comparison.Args[0], &Right = *Comparison.Args[1];
  std::vector<Edit> Edits;
  std::string Text;
  for (auto [Side, Ty] : {std::pair(&Left, &A), std::pair(&Right, &B)}) {
    bool Wrap = !Ty->Dimension.isNone();
    Text += fmt::format(fmt::runtime(Wrap ? "count({})" : "{}"), Sources.text(Side->Range));
    if (Side == &Left)
      Text += fmt::format(" {} ", opText(Comparison.O));
    if (!Wrap)
      continue;
    Edits.push_back({{Side->Range.File, Side->Range.Begin, Side->Range.Begin}, "count("});
    Edits.push_back({{Side->Range.File, Side->Range.End, Side->Range.End}, ")"});
  }
  D.Notes.push_back({{}, "they count different things; `count(x)` is the plain number"});
  bool Known = readsOnly(Left) && readsOnly(Right);
  offer(fmt::format("`{}`", Text), Known ? Applicability::Machine : Applicability::Maybe, std::move(Edits));
  return true;
}

bool Mismatches::offerAtLet(const Expr &E, const Type &Of, const Type &Other) {
  const Item *Let = E.Target.K == Ref::Kind::Let ? E.Target.Decl : nullptr;
  bool Bare = Let && Let->Value && Let->Value->Kind == ExprKind::Number && !Let->Value->Unit && !Let->Ty;
  if (!Bare || Let->Value->Range.File != E.Range.File || !Of.Dimension.isNone() || Other.Dimension.isNone())
    return false;
  std::string Text = fmt::format("{} {}", Let->Value->Text, unitsFor(Other, false).front());
  D.Notes.push_back({Let->Id.Range, fmt::format("`{}` is declared without a unit", Let->Id.Text)});
  offer(fmt::format("`{} = {}`", Let->Id.Text, Text), Applicability::Maybe, {{Let->Value->Range, Text}});
  return true;
}

bool Mismatches::offerUnquoted(const Expr &E, const Type &Wanted) {
  if (E.Kind != ExprKind::String || E.Text.empty())
    return false;
  auto Digit = [](char C) { return C >= '0' && C <= '9'; };
  bool Plain = Wanted.isQuantity() && (Wanted.Dimension.isNone() || Wanted.Dimension.isPopulation());
  bool Number = Plain && std::ranges::all_of(E.Text, Digit);
  bool Word = Wanted.K == Type::Kind::Enum && Wanted.Enum->find(E.Text) >= 0;
  bool Truth = Wanted.K == Type::Kind::Bool && (E.Text == "true" || E.Text == "false");
  if (!Number && !Word && !Truth)
    return false;
  offer(fmt::format("`{}`", E.Text), Applicability::Machine, {{E.Range, std::string(E.Text)}});
  return true;
}

} // namespace parlance
