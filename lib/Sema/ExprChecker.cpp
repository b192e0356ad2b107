#include "Sema/ExprChecker.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/Builtin.h"
#include "Sema/Chains.h"
#include "Sema/Suggestions.h"
#include "Units/Format.h"
#include <algorithm>

namespace parlance {

using namespace ast;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool usesModule(const Module &File, std::string_view Name) {
  for (std::string_view M : File.LibraryModules)
    if (M == Name)
      return true;
  return false;
}

FileSymbol lookup(Module &File, const Library &Lib, std::string_view Name) {
  if (auto It = File.Names.find(Name); It != File.Names.end())
    return {It->second, &File};
  FileSymbol Found;
  unsigned Hits = 0;
  for (Module *Used : File.Uses)
    if (auto It = Used->Names.find(Name); It != Used->Names.end()) {
      Found = {It->second, Used};
      ++Hits;
    }
  if (int R = Lib.record(Name); R >= 0 && usesModule(File, Lib.Records[R].Module)) {
    Found.LibraryRecord = R;
    ++Hits;
  }
  Found.Ambiguous = Hits > 1;
  return Found;
}

static Module *findOwner(Module &File, uint32_t Id, std::set<const Module *> &Seen) {
  if (File.Tree->File == Id)
    return &File;
  if (Seen.insert(&File).second)
    for (Module *Used : File.Uses)
      if (Module *Found = findOwner(*Used, Id, Seen))
        return Found;
  return nullptr;
}

Module &ownerOf(Module &File, const Item &I) {
  std::set<const Module *> Seen;
  Module *Found = findOwner(File, I.Id.Range.File, Seen);
  return Found ? *Found : File;
}

std::optional<DottedName> dottedName(Expr &E) {
  switch (E.Kind) {
  case ExprKind::Name:
    return DottedName{std::string(E.Text), {}};
  case ExprKind::Field: {
    auto Inner = dottedName(*E.Args[0]);
    if (Inner)
      Inner->Text.append(".").append(E.Text);
    return Inner;
  }
  case ExprKind::Call: {
    auto Inner = dottedName(*E.Args[0]);
    if (Inner)
      Inner->Arguments.insert(Inner->Arguments.end(), E.Args.begin() + 1, E.Args.end());
    return Inner;
  }
  default:
    return std::nullopt;
  }
}

static const Expr &root(const Expr &E) {
  const Expr *R = &E;
  while (R->Kind == ExprKind::Field || R->Kind == ExprKind::Call)
    R = R->Args[0];
  return *R;
}

static int localNamed(const Scope &S, std::string_view Name) {
  for (size_t I = S.Locals.size(); I-- > 0;)
    if (S.Locals[I].Name == Name)
      return static_cast<int>(I);
  return -1;
}

/// A derived quantity of the job: `memory.peak`, `memory.stage(i).weights`, `mfu`.
std::optional<Type> ExprChecker::derived(Expr &E, Scope &S) {
  const Expr &Root = root(E);
  if (!S.Derives || Root.Kind != ExprKind::Name || localNamed(S, Root.Text) >= 0)
    return std::nullopt;
  if (S.JobNames && S.JobNames->contains(Root.Text))
    return std::nullopt;
  if (S.File && lookup(*S.File, Lib, Root.Text).Item)
    return std::nullopt;
  auto Dotted = dottedName(E);
  int Index = Dotted ? Lib.derive(Dotted->Text) : -1;
  if (Index < 0)
    return std::nullopt;
  const DeriveDecl &D = Lib.Derives[Index];
  E.Target = {Ref::Kind::Derive, static_cast<uint32_t>(Index)};
  if (Dotted->Arguments.size() != D.Params.size()) {
    Diags.report(diag::ArgumentCount, E.Range, D.Name, plural(D.Params.size(), "argument"), Dotted->Arguments.size());
    return Type();
  }
  // The arguments stand anywhere in the path; from here on the call node holds them in order.
  E.Kind = D.Params.empty() ? ExprKind::Name : ExprKind::Call;
  Expr *Callee = E.Args.empty() ? nullptr : E.Args[0];
  E.Args.clear();
  if (!D.Params.empty()) {
    E.Args.push_back(Callee);
    E.Args.insert(E.Args.end(), Dotted->Arguments.begin(), Dotted->Arguments.end());
    return checkArguments(E, S, D.Name, D.Params, D.Result);
  }
  E.Text = D.Name;
  return D.Result;
}

std::optional<Type> ExprChecker::itemNamed(Expr &E, Scope &S) {
  if (S.JobNames)
    if (auto It = S.JobNames->find(E.Text); It != S.JobNames->end()) {
      E.Target = {Ref::Kind::Let, 0, It->second};
      return typeOfLet(*It->second, S);
    }
  if (!S.File)
    return std::nullopt;
  FileSymbol Found = lookup(*S.File, Lib, E.Text);
  if (Found.Ambiguous) {
    Diags.report(diag::AmbiguousName, E.Range, E.Text);
    return Type();
  }
  // A job's options are named like the stack of their framework: in a job its own fields go first.
  if (Found.LibraryRecord >= 0 && S.Self && S.Self->find(E.Text) >= 0)
    return std::nullopt;
  if (Found.LibraryRecord >= 0) {
    E.Target = {Ref::Kind::LibraryRecord, static_cast<uint32_t>(Found.LibraryRecord)};
    Type T = Type::of(Type::Kind::Record);
    T.Schema = Lib.Records[Found.LibraryRecord].Schema;
    return T;
  }
  if (!Found.Item)
    return std::nullopt;
  if (Found.Item->Kind == ItemKind::Let) {
    Scope Own;
    Own.File = Found.Owner;
    E.Target = {Ref::Kind::Let, 0, Found.Item};
    return typeOfLet(*Found.Item, Own);
  }
  if (Found.Item->Kind == ItemKind::Record) {
    E.Target = {Ref::Kind::UserRecord, 0, Found.Item};
    return Found.Item->Declared;
  }
  return std::nullopt;
}

Type ExprChecker::enumerator(Expr &E, const Type &Enum) {
  int Index = Enum.Enum->find(E.Text);
  if (Index < 0) {
    std::vector<std::string_view> Values(Enum.Enum->Values.begin(), Enum.Enum->Values.end());
    Diagnostic &D = Diags.report(diag::UnknownEnumerator, E.Range, E.Text, joinList(Values));
    if (auto Near = nearest(E.Text, Values))
      D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{E.Range, std::string(*Near)}}, {}});
    return {};
  }
  E.Target = {Ref::Kind::Enumerator, static_cast<uint32_t>(Index)};
  return Enum;
}

Type ExprChecker::checkName(Expr &E, Scope &S, const Type *Expected) {
  if (int Slot = localNamed(S, E.Text); Slot >= 0) {
    E.Target = {Ref::Kind::Local, static_cast<uint32_t>(Slot)};
    return S.Locals[Slot].Ty;
  }
  bool WantsEnum = Expected && Expected->K == Type::Kind::Enum;
  if (WantsEnum && Expected->Enum->find(E.Text) >= 0)
    return enumerator(E, *Expected);
  if (auto T = itemNamed(E, S))
    return *T;
  if (auto T = derived(E, S))
    return *T;
  if (S.Self)
    if (int Field = S.Self->find(E.Text); Field >= 0) {
      E.Target = {Ref::Kind::JobField, static_cast<uint32_t>(Field)};
      return S.Self->Fields[Field].Ty;
    }
  if (WantsEnum)
    return enumerator(E, *Expected);
  return unknownName(E, S, "name");
}

Type ExprChecker::typeOfLet(Item &Let, Scope &S) {
  enum : uint8_t { Fresh, Active, Done };
  if (Let.State == Active) {
    // Reported once, at the first member of the cycle that was asked for; the others follow from it.
    Diags.report(diag::DependsOnItself, Let.Id.Range, Let.Id.Text);
    Let.Declared = Type();
    Let.State = Done;
    return {};
  }
  if (Let.State == Done || !Let.Value)
    return Let.Declared;
  if (LetDepth == MaxChain) {
    if (!std::exchange(ChainReported, true))
      Diags.report(diag::ChainTooLong, Let.Id.Range, Let.Id.Text, MaxChain);
    return {};
  }
  ++LetDepth;
  Let.State = Active;
  Scope Own;
  Own.File = S.File;
  Own.Self = S.Self;
  Own.Derives = S.Derives;
  Own.JobNames = S.JobNames;
  if (Let.Ty) {
    Type Declared = Resolver.type(*Let.Ty);
    checkAgainst(*Let.Value, Own, Declared, Let.Ty->Range, "");
    Let.Declared = Declared;
  } else {
    Let.Declared = check(*Let.Value, Own);
    // A name is no longer a bare number: `let n = 4` is a plain count that adopts nothing.
    Let.Declared.BareLiteral = Let.Declared.Zero = false;
  }
  Let.FrameSize = Own.FrameSize;
  Let.State = Done;
  --LetDepth;
  return Let.Declared;
}

//===----------------------------------------------------------------------===//
// Fields and calls
//===----------------------------------------------------------------------===//

Type ExprChecker::checkField(Expr &E, Scope &S) {
  if (auto T = derived(E, S))
    return *T;
  if (misspeltQuantity(E, S))
    return {};
  Expr &Object = *E.Args[0];
  Type T = check(Object, S);
  if (T.isError())
    return {};
  if (T.K != Type::Kind::Record) {
    Diags.report(diag::NoFields, E.AtRange, source(Object.Range), typeName(T), E.Text);
    return {};
  }
  int Field = T.Schema->find(E.Text);
  if (Field >= 0) {
    E.Target = {Ref::Kind::Field, static_cast<uint32_t>(Field)};
    return T.Schema->Fields[Field].Ty;
  }
  unknownFieldOf(E, *T.Schema);
  return {};
}

Type ExprChecker::checkArguments(Expr &E, Scope &S, std::string_view Name, std::span<const ParamDecl> Params,
                                 Type Result) {
  for (size_t I = 0; I < Params.size(); ++I)
    checkAgainst(*E.Args[I + 1], S, Params[I].Ty, {}, fmt::format("argument `{}` of `{}`", Params[I].Name, Name));
  return Result;
}

Type ExprChecker::callUserFunction(Expr &E, Scope &S, Item &Fn) {
  E.Target = {Ref::Kind::UserFunction, 0, &Fn};
  if (E.Args.size() - 1 != Fn.Params.size()) {
    Diagnostic &D =
        Diags.report(diag::ArgumentCount, E.Range, Fn.Id.Text, plural(Fn.Params.size(), "argument"), E.Args.size() - 1);
    D.Notes.push_back({Fn.Id.Range, fmt::format("`{}` is declared here", Fn.Id.Text)});
    return {};
  }
  for (size_t I = 0; I < Fn.Params.size(); ++I) {
    checkAgainst(*E.Args[I + 1], S, Fn.Params[I].Declared, Fn.Params[I].Id.Range,
                 fmt::format("argument `{}` of `{}`", Fn.Params[I].Id.Text, Fn.Id.Text));
  }
  return Fn.Declared;
}

Type ExprChecker::checkCall(Expr &E, Scope &S) {
  if (auto T = derived(E, S))
    return *T;
  Expr &Callee = *E.Args[0];
  if (Callee.Kind != ExprKind::Name) {
    check(Callee, S);
    if (!Callee.Ty.isError())
      Diags.report(diag::NotAFunction, Callee.Range, source(Callee.Range));
    return {};
  }
  if (S.File) {
    FileSymbol Found = lookup(*S.File, Lib, Callee.Text);
    if (Found.Item && Found.Item->Kind == ItemKind::Fn)
      return callUserFunction(E, S, *Found.Item);
    if (Found.Item || Found.LibraryRecord >= 0) {
      Diags.report(diag::NotAFunction, Callee.Range, Callee.Text);
      return {};
    }
  }
  if (auto B = builtinNamed(Callee.Text))
    return checkBuiltin(E, S, static_cast<uint8_t>(*B));
  if (int F = Lib.function(Callee.Text); F >= 0) {
    const FunctionDecl &Fn = Lib.Functions[F];
    E.Target = {Ref::Kind::Function, static_cast<uint32_t>(F)};
    if (E.Args.size() - 1 != Fn.Params.size()) {
      Diags.report(diag::ArgumentCount, E.Range, Fn.Name, plural(Fn.Params.size(), "argument"), E.Args.size() - 1);
      return {};
    }
    return checkArguments(E, S, Fn.Name, Fn.Params, Fn.Result);
  }
  for (size_t I = 1; I < E.Args.size(); ++I)
    check(*E.Args[I], S);
  return unknownName(Callee, S, "function");
}

Type ExprChecker::quantityOperand(const Expr &E, const Type &T) {
  if (T.isError() || T.isQuantity())
    return T;
  Diags.report(diag::NotANumber, E.Range, source(E.Range), typeName(T));
  return {};
}

Type ExprChecker::textOperand(const Expr &E, const Type &T) {
  if (T.K == Type::Kind::String || T.isError())
    return T;
  Diags.report(diag::NotAText, E.Range, source(E.Range), typeName(T));
  return {};
}

static Type plainBool() { return Type::of(Type::Kind::Bool); }

Type ExprChecker::squareRoot(const Expr &E, const Type &Of) {
  Dim Half;
  for (unsigned I = 0; I < NumBases; ++I) {
    if (Of.Dimension.Exponents[I] % 2) {
      Diags.report(diag::NoSquareRoot, E.Range, typeName(Of));
      return {};
    }
    Half.Exponents[I] = static_cast<int8_t>(Of.Dimension.Exponents[I] / 2);
  }
  return Type::quantity(Half);
}

Type ExprChecker::checkBuiltin(Expr &E, Scope &S, uint8_t Id) {
  E.Target = {Ref::Kind::Builtin, Id};
  const BuiltinInfo &Info = Builtins[Id];
  size_t Count = E.Args.size() - 1, Wanted = Info.Id == Builtin::Divides || Info.Id == Builtin::Has ? 2 : 1;
  bool Variadic = Info.Id == Builtin::Min || Info.Id == Builtin::Max;
  if (Variadic ? Count == 0 : Count != Wanted) {
    Diags.report(diag::ArgumentCount, E.Range, Info.Name, Variadic ? "at least 1 argument" : plural(Wanted, "argument"),
                 Count);
    return {};
  }
  bool AnyType = Info.Id == Builtin::Known || Info.Id == Builtin::Given;
  bool OfText = Info.Id == Builtin::Has || Info.Id == Builtin::Words;
  std::vector<Type> Types;
  for (size_t I = 1; I < E.Args.size(); ++I) {
    Type T = check(*E.Args[I], S);
    Types.push_back(AnyType ? T : OfText ? textOperand(*E.Args[I], T) : quantityOperand(*E.Args[I], T));
    if (Types.back().isError())
      return {};
  }
  return resultOf(E, Info, Types);
}

Type ExprChecker::resultOf(Expr &E, const BuiltinInfo &Info, std::vector<Type> &Types) {
  switch (Info.Id) {
  case Builtin::Min:
  case Builtin::Max: {
    Type Result = Types[0];
    for (size_t I = 1; I < Types.size(); ++I) {
      auto Common = agree(E, {*E.Args[1], Result}, {*E.Args[I + 1], Types[I]},
                          Info.Name == "min" ? "take the smaller of" : "take the larger of");
      if (!Common)
        return {};
      Result = *Common;
    }
    return Result;
  }
  case Builtin::Ceil:
  case Builtin::Floor:
  case Builtin::Round:
    Types[0].Qual = Qualifier::None;
    [[fallthrough]];
  case Builtin::Abs:
    Types[0].BareLiteral = Types[0].Zero = false;
    return Types[0];
  case Builtin::Sqrt:
    return squareRoot(E, Types[0]);
  case Builtin::Log2:
    if (!Types[0].Dimension.isNone()) {
      Diags.report(diag::NeedsPlainNumber, E.Args[1]->Range, "the argument of `log2`", typeName(Types[0]));
      return {};
    }
    return Type::quantity({});
  case Builtin::Divides:
    return checkRemainder(E, Types[1], Types[0]).isError() ? Type() : plainBool();
  case Builtin::Known:
  case Builtin::Has:
    return plainBool();
  case Builtin::Given:
    if (E.Args[1]->Target.K != Ref::Kind::Field && E.Args[1]->Target.K != Ref::Kind::JobField)
      Diags.report(diag::NotAField, E.Args[1]->Range, source(E.Args[1]->Range));
    return plainBool();
  case Builtin::Words: {
    Type T = Type::quantity({});
    T.Integer = true;
    return T;
  }
  case Builtin::Divisors:
    return Type::of(Type::Kind::List);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// Whether a unit is written in the plural: `tokens`, `params`.
static bool isPlural(const UnitTable &Units, std::string_view Word) {
  return Word.size() > 3 && Word.ends_with('s') && Units.find(Word.substr(0, Word.size() - 1));
}

/// `params * tokens` in a job is one element times one token, which nobody means.
void ExprChecker::reportUnitAsValue(SourceRange At, std::string_view Path) {
  Diagnostic &D = Diags.report(diag::UnitAsValue, At, source(At));
  D.Fixes.push_back({fmt::format("`{}`", Path), Applicability::Maybe, {{At, std::string(Path)}}, {}});
}

/// `6 FLOP/elem/tok * params` in a job: what seems to be a factor is read as part of the unit.
bool ExprChecker::swallowsValue(const Expr &Number, Scope &S) {
  if (!S.Derives)
    return false;
  for (const UnitTerm &Term : std::span(Number.Unit->Terms).subspan(1))
    if (Term.Exponent > 0 && isPlural(Lib.Units, Term.Name))
      if (std::string Path = quantityOf(Lib, Term.Name); !Path.empty()) {
        reportUnitAsValue(Term.Range, Path);
        return true;
      }
  return false;
}

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// A number's digits with their exponent, and what is attached to them.
static std::pair<std::string_view, std::string_view> digitsAndSuffix(std::string_view Text) {
  size_t End = 0;
  while (End < Text.size() && (isDigit(Text[End]) || Text[End] == '_' || Text[End] == '.'))
    ++End;
  if (End + 1 < Text.size() && (Text[End] == 'e' || Text[End] == 'E')) {
    size_t Exp = End + 1 + (Text[End + 1] == '+' || Text[End + 1] == '-');
    if (Exp < Text.size() && isDigit(Text[Exp])) {
      End = Exp;
      while (End < Text.size() && isDigit(Text[End]))
        ++End;
    }
  }
  return {Text.substr(0, End), Text.substr(End)};
}

std::optional<Scale> ExprChecker::factorOf(std::string_view Digits, std::string_view Suffix, SourceRange Range) {
  if (Suffix.empty())
    return Scale();
  if (Suffix == "%")
    return Scale{1, 100, 0};
  if (Suffix == "K") {
    Diagnostic &D = Diags.report(diag::RefusedMagnitude, Range, source(Range), Digits);
    for (std::string_view M : {"k", "Ki"})
      D.Fixes.push_back({fmt::format("`{}{}` ({})", Digits, M, formatExact(literalValue(Digits, *magnitude(M), true))),
                         Applicability::Maybe,
                         {{Range, fmt::format("{}{}", Digits, M)}},
                         {}});
    return std::nullopt;
  }
  if (auto M = magnitude(Suffix))
    return M;
  if (const RefusedUnit *Refused = Lib.Units.refused(Suffix))
    Diags.report(diag::RefusedUnit, Range, Suffix, Refused->Message);
  else
    reportUnknownUnit(Diags, Lib.Units,
                      {Suffix, {Range.File, Range.End - static_cast<uint32_t>(Suffix.size()), Range.End}},
                      {Range, Digits, ""});
  return std::nullopt;
}

std::optional<Scale> ExprChecker::withUnit(const Expr &E, Scale Factor, Type &T) {
  auto [Digits, Suffix] = digitsAndSuffix(E.Text);
  const SourceRange Number{E.Range.File, E.Range.Begin, E.Range.Begin + static_cast<uint32_t>(E.Text.size())};
  auto U = Resolver.unit(*E.Unit, {Number, Digits, Suffix});
  if (!U)
    return std::nullopt;
  T = Type::quantity(U->Dimension);
  auto Combined = multiply(Factor, U->Factor, 1);
  if (!Combined) {
    Diags.report(diag::UnitTooLarge, E.Range);
    return std::nullopt;
  }
  if (U->Qual == Qualifier::Bidirectional || U->Qual == Qualifier::PerDirection)
    T.Qual = Qualifier::PerDirection;
  if (U->Qual == Qualifier::Bidirectional || U->Qual == Qualifier::Sparse)
    Combined = multiply(*Combined, Scale{1, 2, 0}, 1).value_or(*Combined);
  if (U->Qual == Qualifier::Sparse)
    Diags.report(diag::SparseHalved, E.Range, source(E.Range));
  return Combined;
}

Type ExprChecker::checkNumber(Expr &E, Scope &S, const Type *Expected) {
  if (Expected && Expected->K == Type::Kind::Enum && !E.Unit)
    return enumerator(E, *Expected);
  auto [Digits, Suffix] = digitsAndSuffix(E.Text);
  SourceRange NumberRange{E.Range.File, E.Range.Begin, E.Range.Begin + static_cast<uint32_t>(E.Text.size())};
  std::optional<Scale> Factor = factorOf(Digits, Suffix, NumberRange);
  Type T = Type::quantity({});
  T.BareLiteral = !E.Unit && Suffix != "%";
  if (E.Unit && swallowsValue(E, S))
    return {};
  if (Factor && E.Unit)
    Factor = withUnit(E, *Factor, T);
  if (!Factor)
    return {};
  E.Value = literalValue(Digits, *Factor, !T.Dimension.isMeasured());
  if (E.Value.isOverflow()) {
    Diags.report(diag::Overflow, E.Range, source(E.Range));
    return {};
  }
  T.BareLiteral &= E.Value.isInt();
  T.Zero = T.BareLiteral && E.Value.integer() == 0;
  return T;
}

Type ExprChecker::checkUnit(Expr &E, Scope &S) {
  std::string_view Word = E.Unit->Terms.front().Name;
  // The declaration that was to give the word another meaning was refused, which is reported there.
  if (S.File && S.File->RefusedNames.contains(Word))
    return {};
  if (S.Derives && isPlural(Lib.Units, Word))
    if (std::string Path = quantityOf(Lib, Word); !Path.empty()) {
      reportUnitAsValue(E.Range, Path);
      return {};
    }
  auto U = Resolver.unit(*E.Unit);
  if (!U)
    return {};
  E.Value = literalValue("1", U->Factor, !U->Dimension.isMeasured());
  return Type::quantity(U->Dimension, U->Qual);
}

Type ExprChecker::checkList(Expr &E, Scope &S, const Type *Expected) {
  bool Domain = E.Kind == ExprKind::Any;
  Type Common;
  for (size_t I = 0; I < E.Args.size(); ++I) {
    Type T = check(*E.Args[I], S, Expected);
    if (I == 0) {
      Common = T;
    } else if (Common.isQuantity() && T.isQuantity()) {
      auto Agreed = agree(E, {*E.Args[0], Common}, {*E.Args[I], T}, Domain ? "choose between" : "list together");
      if (!Agreed)
        return {};
      Common = *Agreed;
    }
  }
  // A search domain stands where one of its values would.
  if (Domain)
    return Common;
  return Type::of(Type::Kind::List);
}

} // namespace parlance
