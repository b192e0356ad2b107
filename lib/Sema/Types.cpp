#include "Sema/Types.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include <algorithm>

namespace parlance {

std::string typeName(const Type &T) {
  switch (T.K) {
  case Type::Kind::Error:
    return "unknown";
  case Type::Kind::Quantity: {
    std::string Name = T.Dimension.isNone() ? (T.Integer ? "int" : "ratio") : T.Dimension.str();
    return T.Qual == Qualifier::PerDirection ? Name + " per direction" : Name;
  }
  case Type::Kind::Bool:
    return "bool";
  case Type::Kind::String:
    return "string";
  case Type::Kind::Enum: {
    // A handful of words says more than their name.
    if (!T.Enum->Name.empty() && T.Enum->Values.size() > 5)
      return std::string(T.Enum->Name);
    std::string Name;
    for (std::string_view V : T.Enum->Values)
      Name += (Name.empty() ? "" : " | ") + std::string(V);
    return Name;
  }
  case Type::Kind::Record:
    return std::string(T.Schema->Name);
  case Type::Kind::Scaled:
    return "int * " + std::string(T.Schema->Name);
  case Type::Kind::List:
    return "list";
  }
  return "";
}

const EnumDecl *TypeArena::enumeration(std::vector<std::string_view> Values, std::string_view Name,
                                       std::string_view Doc) {
  for (const EnumDecl &E : Enums)
    if (E.Name == Name && std::ranges::equal(E.Values, Values))
      return &E;
  const auto &Stored = Stores.emplace_back(std::move(Values));
  return &Enums.emplace_back(EnumDecl{Name, Stored, Doc});
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

static std::string unitTypeName(Dim D) { return D.isNone() ? "ratio" : D.str(); }

std::optional<TypeResolver::ResolvedUnit> TypeResolver::unit(const UnitExpr &Unit, const NumberBefore &Number) {
  ResolvedUnit R{{}, {}, Unit.Qual};
  for (const UnitTerm &Term : Unit.Terms) {
    const UnitName *Name = Lib.Units.find(Term.Name);
    if (!Name) {
      if (const RefusedUnit *Refused = Lib.Units.refused(Term.Name)) {
        Diagnostic &D = Diags.report(diag::RefusedUnit, Term.Range, Term.Name, Refused->Message);
        for (std::string_view Word : Refused->Replacements)
          D.Fixes.push_back({fmt::format("`{}`", Word), Applicability::Maybe, {{Term.Range, std::string(Word)}}, {}});
        return std::nullopt;
      }
      bool First = &Term == &Unit.Terms.front() && Term.Exponent == 1;
      reportUnknownUnit(Diags, Lib.Units, {Term.Name, Term.Range}, First ? Number : NumberBefore());
      return std::nullopt;
    }
    R.Dimension = R.Dimension * Name->Dimension.power(Term.Exponent);
    auto Factor = multiply(R.Factor, Name->Factor, Term.Exponent);
    if (!Factor || std::abs(Term.Exponent) > 8 || !R.Dimension.inRange()) {
      Diags.report(diag::UnitTooLarge, Unit.Range);
      return std::nullopt;
    }
    R.Factor = *Factor;
  }
  bool IsRate = R.Dimension[Base::Information] == 1 && R.Dimension[Base::Time] == -1;
  bool IsArithmetic = R.Dimension[Base::Arithmetic] == 1 && R.Dimension[Base::Time] == -1;
  bool Directed = R.Qual == Qualifier::PerDirection || R.Qual == Qualifier::Bidirectional;
  if (R.Qual != Qualifier::None && !(Directed ? IsRate : IsArithmetic)) {
    Diags.report(diag::QualifierMisplaced, Unit.QualRange, Directed ? "a direction" : "`dense` or `sparse`",
                 Directed ? "a bandwidth (`B/s`)" : "an arithmetic rate (`FLOP/s`)", unitTypeName(R.Dimension));
    return std::nullopt;
  }
  return R;
}

//===----------------------------------------------------------------------===//
// Written types
//===----------------------------------------------------------------------===//

std::optional<Type> TypeResolver::word(const ast::Name &Word) {
  if (Word.Text == "int" || Word.Text == "ratio") {
    Type T = Type::quantity({});
    T.Integer = Word.Text == "int";
    return T;
  }
  if (Word.Text == "bool")
    return Type::of(Type::Kind::Bool);
  if (Word.Text == "string")
    return Type::of(Type::Kind::String);
  if (const EnumDecl *E = Lib.enumNamed(Word.Text)) {
    Type T = Type::of(Type::Kind::Enum);
    T.Enum = E;
    return T;
  }
  if (const SchemaDecl *S = Lib.schema(Word.Text)) {
    Type T = Type::of(Type::Kind::Record);
    T.Schema = S;
    return T;
  }
  return std::nullopt;
}

std::vector<Type> TypeResolver::alternatives(const ast::TypeExpr &Written) {
  std::vector<Type> Result;
  std::vector<std::string_view> Words;
  for (const ast::TypeExpr::Alternative &A : Written.Alternatives) {
    if (A.Unit) {
      auto U = unit(*A.Unit);
      if (!U)
        return {Type()};
      Result.push_back(Type::quantity(U->Dimension, U->Qual));
    } else if (std::optional<Type> T = Written.Alternatives.size() == 1 ? word(A.Word) : std::nullopt) {
      if (Written.Scaled && T->K == Type::Kind::Record)
        T->K = Type::Kind::Scaled;
      Result.push_back(*T);
    } else {
      Words.push_back(A.Word.Text);
    }
  }
  if (Words.size() == 1) {
    Diags.report(diag::UnknownType, Written.Range, Words.front());
    return {Type()};
  }
  if (!Words.empty()) {
    Type T = Type::of(Type::Kind::Enum);
    T.Enum = Arena.enumeration(std::move(Words));
    Result.push_back(T);
  }
  if (Result.empty()) // what is missing was reported when the file was parsed
    Result.emplace_back();
  return Result;
}

Type TypeResolver::type(const ast::TypeExpr &Written) {
  if (Written.List) {
    Diags.report(diag::UnknownType, Written.Range, "a list");
    return {};
  }
  std::vector<Type> All = alternatives(Written);
  if (All.size() == 1)
    return All.front();
  Diags.report(diag::UnknownType, Written.Range, "a choice of types");
  return {};
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

bool fits(const Type &Expected, const Type &Actual) {
  if (Expected.isError() || Actual.isError())
    return true;
  if (Expected.K != Actual.K)
    return false;
  switch (Expected.K) {
  case Type::Kind::Quantity:
    if (Expected.Qual == Qualifier::PerDirection && Actual.Qual != Qualifier::PerDirection)
      return false;
    if (Expected.Dimension == Actual.Dimension)
      return true;
    if (Expected.Integer)
      return Actual.Dimension.isPopulation();
    return Actual.BareLiteral && Expected.Dimension.isPopulation();
  case Type::Kind::Enum:
    return Expected.Enum == Actual.Enum;
  case Type::Kind::Record:
  case Type::Kind::Scaled:
    return Expected.Schema == Actual.Schema;
  default:
    return true;
  }
}

bool fitsField(const Type &Expected, const Type &Actual) {
  if (fits(Expected, Actual))
    return true;
  if (!Expected.isQuantity() || !Actual.isQuantity())
    return false;
  if (Expected.Qual == Qualifier::PerDirection && Actual.Qual != Qualifier::PerDirection)
    return false;
  return !Actual.Dimension.isNone() && !Actual.Dimension.hasPopulations() &&
         Actual.Dimension == Expected.Dimension.withoutPopulations();
}

//===----------------------------------------------------------------------===//
// Mismatches
//===----------------------------------------------------------------------===//

namespace {
struct Crossing {
  Dim Factor;
  std::string_view Advice;
};
} // namespace

/// The one likely way across for a missing factor; empty when there is no obvious one.
static std::string_view crossing(Dim Missing) {
  static const Dim Byte = Dim::of(Base::Information), Elem = Dim::of(Base::Elements), Replica = Dim::of(Base::Replica),
                   Gpu = Dim::of(Base::Gpu), Tok = Dim::of(Base::Tokens), Seq = Dim::of(Base::Sequences),
                   Flop = Dim::of(Base::Arithmetic), None;
  static const Crossing Table[] = {
      {Byte / Elem, "multiply by an element width in `B/elem`, such as `2 B/elem`"},
      {Elem / Byte, "divide by an element width in `B/elem`, such as `2 B/elem`"},
      {None / Replica, "divide by the replicas (`layout.dp`); where every replica holds all of it, "
                       "multiply by `1 / replica`"},
      {Replica, "multiply by the replicas (`layout.dp`)"},
      {None / Gpu, "divide by the GPUs that share it; where every GPU holds all of it, multiply by `1 / gpu`"},
      {Gpu, "multiply by the GPUs"},
      {Replica / Gpu, "divide by the GPUs of a replica, in `gpu/replica`"},
      {Gpu / Replica, "multiply by the GPUs of a replica, in `gpu/replica`"},
      {Tok / Seq, "multiply by the sequence length in `tok/seq`"},
      {Seq / Tok, "divide by the sequence length in `tok/seq`"},
      {Flop / Elem / Tok, "multiply by the work per parameter and token, such as `6 FLOP/elem/tok`"},
  };
  for (const Crossing &C : Table)
    if (C.Factor == Missing)
      return C.Advice;
  return {};
}

void explainMismatch(Diagnostic &D, Dim Expected, Dim Actual) {
  Dim Missing = Expected / Actual;
  if (Missing.isNone())
    return;
  // Between a plain number and a quantity the factor is the whole unit: nothing to learn from it.
  if (Expected.isNone() && !Actual.hasPopulations())
    return;
  if (std::string_view Advice = crossing(Missing); !Advice.empty()) {
    D.Notes.push_back({{}, std::string(Advice)});
    return;
  }
  if (Missing.size() <= 3)
    D.Notes.push_back({{}, fmt::format("the factor between the two is `{}`", Missing.str())});
}

} // namespace parlance
