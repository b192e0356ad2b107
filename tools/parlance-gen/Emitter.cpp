#include "Emitter.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance {

std::string cppString(std::string_view Text) {
  std::string Result = "\"";
  for (char C : Text) {
    switch (C) {
    case '"':
      Result += "\\\"";
      break;
    case '\\':
      Result += "\\\\";
      break;
    case '\n':
      Result += "\\n\"\n    \"";
      break;
    case '\t':
      Result += "\\t";
      break;
    case '\r':
      break;
    default:
      Result += C;
    }
  }
  return Result + "\"";
}

namespace {

constexpr std::string_view Banner = "// Made by parlance-gen from lib/std; do not edit.\n";

std::string dim(Dim D) {
  std::string Result = "dim({";
  for (unsigned I = 0; I < NumBases; ++I)
    Result += fmt::format("{}{}", I ? ", " : "", D.Exponents[I]);
  return Result + "})";
}

std::string_view qualifier(Qualifier Q) {
  return Q == Qualifier::PerDirection ? "Qualifier::PerDirection" : "Qualifier::None";
}

std::string source(const LibrarySource &S) {
  return fmt::format("{{{}, {}, {}}}", cppString(S.File), S.Line, cppString(S.Text));
}

std::string optionalInt(std::optional<int64_t> V) { return V ? fmt::format("int64_t{{{}}}", *V) : "std::nullopt"; }

std::string stringTable(std::string_view Name, std::span<const std::string_view> Items) {
  if (Items.empty())
    return {};
  std::string Result = fmt::format("constexpr std::string_view {}[] = {{", Name);
  for (std::string_view I : Items)
    Result += cppString(I) + ", ";
  return Result + "};\n";
}

std::string spanOf(std::string_view Name, bool Empty) { return Empty ? "{}" : std::string(Name); }

} // namespace

Emitter::Emitter(const Library &Lib) : Lib(Lib) {
  auto Add = [&](const Type &T) {
    if (T.K == Type::Kind::Enum && std::ranges::find(Enums, T.Enum) == Enums.end())
      Enums.push_back(T.Enum);
  };
  Enums.assign(Lib.Enums.begin(), Lib.Enums.end());
  for (const SchemaDecl *S : Lib.Schemas)
    for (const FieldDecl &F : S->Fields) {
      Add(F.Ty);
      for (const Type &T : F.Alternatives)
        Add(T);
    }
  for (const FunctionDecl &F : Lib.Functions) {
    Add(F.Result);
    for (const ParamDecl &P : F.Params)
      Add(P.Ty);
  }
}

std::map<std::string, std::string> Emitter::files() {
  return {{"Std.h", header()},           {"StdTables.cpp", tables()},
          {"StdRecords.cpp", records()}, {"StdFunctions.cpp", functions()},
          {"StdDerives.cpp", derives()}, {"StdRules.cpp", rules()}};
}

unsigned Emitter::enumIndex(const EnumDecl *E) {
  return static_cast<unsigned>(std::ranges::find(Enums, E) - Enums.begin());
}
unsigned Emitter::schemaIndex(const SchemaDecl *S) {
  return static_cast<unsigned>(std::ranges::find(Lib.Schemas, S) - Lib.Schemas.begin());
}

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

std::string Emitter::type(const Type &T) {
  switch (T.K) {
  case Type::Kind::Quantity:
    return fmt::format("quantity({}, {}, {})", dim(T.Dimension), qualifier(T.Qual), T.Integer);
  case Type::Kind::Bool:
    return "plainType(Type::Kind::Bool)";
  case Type::Kind::String:
    return "plainType(Type::Kind::String)";
  case Type::Kind::Enum:
    return fmt::format("enumType(tables::Enums[{}])", enumIndex(T.Enum));
  case Type::Kind::Record:
    return fmt::format("recordType(tables::Schemas[{}])", schemaIndex(T.Schema));
  case Type::Kind::Scaled:
    return fmt::format("recordType(tables::Schemas[{}], Type::Kind::Scaled)", schemaIndex(T.Schema));
  default:
    return "Type()";
  }
}

std::string Emitter::typeList(std::span<const Type> Types) {
  std::string Result;
  for (const Type &T : Types)
    Result += type(T) + ", ";
  return Result;
}

std::string Emitter::value(const Value &V) {
  switch (V.K) {
  case Value::Kind::Quantity:
    return fmt::format("Value::of({})", cppNumber(V.Number));
  case Value::Kind::Bool:
    return fmt::format("Value::of({})", V.Flag == Truth::True ? "Truth::True" : "Truth::False");
  case Value::Kind::Enum:
    return fmt::format("Value::enumerator({})", V.Index);
  case Value::Kind::String:
    return fmt::format("Value::string({})", cppString(V.Text));
  case Value::Kind::Auto:
    return "rt::automatic()";
  case Value::Kind::Scaled:
    return fmt::format("rt::scaled({}, records::{}())", cppNumber(V.Number), V.Rec->Name);
  case Value::Kind::Record:
    if (V.Rec->Schema->TopLevel)
      return fmt::format("Value::record(records::{}())", V.Rec->Name);
    return fmt::format("Value::record([] {{ static const Record R = "
                       "rt::makeRecord(tables::Schemas[{}], {}, {{{}}}); "
                       "return &R; }}())",
                       schemaIndex(V.Rec->Schema), cppString(V.Rec->Name), fieldInits(*V.Rec));
  default:
    return "Value()";
  }
}

std::string Emitter::fieldInits(const Record &R) {
  std::string Result;
  for (size_t I = 0; I < R.Values.size(); ++I) {
    if (R.Values[I].isAbsent())
      continue;
    std::string V = value(R.Values[I]);
    if (R.Values[I].Alternative)
      V = fmt::format("[] {{ Value V = {}; V.Alternative = {}; return V; }}()", V, R.Values[I].Alternative);
    Result += fmt::format("\n      {{{}, {}, {}}},", I, V, cppString(R.Origins[I].Where));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static constexpr std::string_view Context = "const JobContext &C";

std::string Emitter::signature(std::span<const ParamDecl> Params, std::string_view First) {
  std::string Result(First);
  for (size_t I = 0; I < Params.size(); ++I)
    Result += fmt::format("{}[[maybe_unused]] {} a{}", Result.empty() ? "" : ", ", cppType(Params[I].Ty), I);
  return Result;
}

/// Of a function: those that read constants take them as their first parameter.
std::string Emitter::signature(const FunctionDecl &F) {
  bool Reads = readsConstants(static_cast<uint32_t>(&F - Lib.Functions.data()));
  return signature(F.Params, Reads ? "const Calibration &K" : "");
}

bool Emitter::readsConstants(uint32_t Function) {
  auto [It, New] = Readers.try_emplace(Function, Lib.Functions[Function].Constant >= 0);
  if (!New || It->second)
    return It->second;
  bool Reads = readsConstants(*Lib.Functions[Function].Tree->Value);
  return Readers[Function] = Reads;
}

bool Emitter::readsConstants(const ast::Expr &E) {
  if (E.Target.K == ast::Ref::Kind::Function && readsConstants(E.Target.Index))
    return true;
  return std::ranges::any_of(E.Args, [&](const ast::Expr *A) { return readsConstants(*A); });
}

std::string Emitter::functionBody(const FunctionDecl &F) {
  std::string Value = expr(*F.Tree->Value);
  return F.Constant < 0 ? Value : fmt::format("K.read({}u, [&] {{ return {}; }})", F.Constant, Value);
}

static std::string declaredAs(std::string_view Name, std::span<const ParamDecl> Params, std::string_view Doc) {
  std::string Result = fmt::format("/// {}(", Name);
  for (size_t I = 0; I < Params.size(); ++I)
    Result += fmt::format("{}{}: {}", I ? ", " : "", Params[I].Name,
                          Params[I].Ty.isQuantity() ? Params[I].Ty.Dimension.str() : "");
  std::string OneLine(Doc);
  std::ranges::replace(OneLine, '\n', ' ');
  return Result + fmt::format("): {}\n", OneLine);
}

std::string Emitter::header() {
  std::string Out(Banner);
  Out += "#pragma once\n#include \"Eval/Support.h\"\n\nnamespace parlance {\n\n"
         "/// The library that was compiled in.\nconst Library &standardLibrary();\n\n"
         "/// Positions of fields in their records.\nnamespace fields {\n";
  for (const SchemaDecl *S : Lib.Schemas) {
    if (S->Fields.empty()) // keys are free
      continue;
    Out += fmt::format("namespace {} {{\nenum : unsigned {{", S->Name);
    for (const FieldDecl &F : S->Fields)
      Out += fmt::format(" {},", F.Name);
    Out += fmt::format(" }};\n}} // namespace {}\n", S->Name);
  }
  // With their bounds, so that tables that point into others are constants.
  Out += fmt::format("}} // namespace fields\n\nnamespace tables {{\nextern const EnumDecl "
                     "Enums[{}];\nextern const SchemaDecl Schemas[{}];\nextern const FunctionDecl "
                     "Functions[];\nextern const DeriveDecl Derives[];\nextern const RuleDecl "
                     "Rules[];\nextern const LibraryRecord Records[];\n}} // namespace "
                     "tables\n\nnamespace records {{\n",
                     Enums.size(), Lib.Schemas.size());
  for (const LibraryRecord &R : Lib.Records)
    Out += fmt::format("const Record *{}();\n", R.Name);
  Out += "} // namespace records\n\n/// The formulas, in base units.\nnamespace functions {\n";
  for (const FunctionDecl &F : Lib.Functions)
    Out += declaredAs(F.Name, F.Params, F.Doc) +
           fmt::format("{} {}({});\n", cppType(F.Result), cppName(F.Name), signature(F));
  Out += "} // namespace functions\n\n/// What a job offers to its expressions; 0 where it does "
         "not apply.\nnamespace "
         "derived {\n";
  for (const DeriveDecl &D : Lib.Derives)
    Out += declaredAs(D.Name, D.Params, D.Doc) +
           fmt::format("{} {}({});\n", cppType(D.Result), cppName(D.Name), signature(D.Params, Context));
  Out += "} // namespace derived\n\n/// The same by their places in Library::Derives.\nnamespace quantities {\n";
  for (size_t I = 0; I < Lib.Derives.size(); ++I)
    Out += fmt::format("inline constexpr Quantity {}{{{}}};\n", cppName(Lib.Derives[I].Name), I);
  Out += "} // namespace quantities\n\n"
         "// Helpers of the tables.\n"
         "constexpr Dim dim(std::array<int8_t, NumBases> E) {\n  Dim D;\n  D.Exponents = E;\n  "
         "return D;\n}\n"
         "constexpr Type quantity(Dim D, Qualifier Q, bool Integer) {\n  Type T;\n  T.K = "
         "Type::Kind::Quantity;\n  "
         "T.Dimension = D;\n  T.Qual = Q;\n  T.Integer = Integer;\n  return T;\n}\n"
         "constexpr Type plainType(Type::Kind K) {\n  Type T;\n  T.K = K;\n  return T;\n}\n"
         "constexpr Type enumType(const EnumDecl &E) {\n  Type T;\n  T.K = Type::Kind::Enum;\n  "
         "T.Enum = &E;\n  return "
         "T;\n}\n"
         "constexpr Type recordType(const SchemaDecl &S, Type::Kind K = Type::Kind::Record) {\n  "
         "Type T;\n  T.K = K;\n  "
         "T.Schema = &S;\n  return T;\n}\n\n} // namespace parlance\n";
  return Out;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void Emitter::emitUnits(std::string &Out) {
  Out += "constexpr UnitName Units[] = {\n";
  for (const UnitName &U : Lib.Units.names())
    Out += fmt::format("  {{{}, {}, {{{}, {}, {}}}, {}}},\n", cppString(U.Name), dim(U.Dimension), U.Factor.Numerator,
                       U.Factor.Denominator, U.Factor.Exp10, cppString(U.Doc));
  Out += "};\n";
  unsigned Index = 0;
  for (const RefusedUnit &R : Lib.Units.refusedNames())
    Out += stringTable(fmt::format("Replacements{}", Index++), R.Replacements);
  Out += "constexpr RefusedUnit Refused[] = {\n";
  Index = 0;
  for (const RefusedUnit &R : Lib.Units.refusedNames()) {
    Out += fmt::format("  {{{}, {}, {}}},\n", cppString(R.Name), cppString(R.Message),
                       spanOf(fmt::format("Replacements{}", Index), R.Replacements.empty()));
    ++Index;
  }
  Out += "};\n";
}

void Emitter::emitEnums(std::string &Out) {
  for (size_t I = 0; I < Enums.size(); ++I)
    Out += stringTable(fmt::format("Values{}", I), Enums[I]->Values);
  Out += "} // namespace\n\nnamespace tables {\nconst EnumDecl Enums[] = {\n";
  for (size_t I = 0; I < Enums.size(); ++I)
    Out += fmt::format("  {{{}, Values{}, {}}},\n", cppString(Enums[I]->Name), I, cppString(Enums[I]->Doc));
  Out += "};\n} // namespace tables\n\nnamespace {\n";
}

std::string Emitter::defaultValue(const FieldDecl &F) {
  if (F.AllowAuto)
    return "rt::automatic()";
  std::string Value = expr(*F.DefaultExpr);
  if (F.Ty.K != Type::Kind::Record)
    return fmt::format("rt::toValue({})", Value);
  std::string Makers; // of the records that the words of an enumeration name
  for (std::string_view Word : F.DefaultExpr->Ty.Enum->Values)
    Makers += fmt::format("records::{}, ", Word);
  return fmt::format("rt::recordNamed({{{}}}, {})", Makers, Value);
}

void Emitter::emitSchemas(std::string &Out) {
  Self = "&Self";
  Constants = "Calibration()"; // a default is the same in every job
  for (size_t I = 0; I < Lib.Schemas.size(); ++I) {
    const SchemaDecl &S = *Lib.Schemas[I];
    for (size_t F = 0; F < S.Fields.size(); ++F) {
      if (!S.Fields[F].Alternatives.empty())
        Out += fmt::format("const Type Alternatives{}_{}[] = {{{}}};\n", I, F, typeList(S.Fields[F].Alternatives));
      if (!S.Fields[F].Old.empty())
        Out += stringTable(fmt::format("Old{}_{}", I, F), S.Fields[F].Old);
      if (S.Fields[F].DefaultExpr)
        Out += fmt::format("Value default{}_{}([[maybe_unused]] const Record &Self) {{ return {}; }}\n", I, F,
                           defaultValue(S.Fields[F]));
    }
    if (S.Fields.empty())
      continue;
    Out += fmt::format("constinit const FieldDecl Fields{}[] = {{\n", I); // no code at start-up
    for (size_t F = 0; F < S.Fields.size(); ++F) {
      const FieldDecl &D = S.Fields[F];
      Out += fmt::format(
          "  {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, nullptr}},\n", cppString(D.Name),
          type(D.Ty), spanOf(fmt::format("Alternatives{}_{}", I, F), D.Alternatives.empty()), cppString(D.Doc),
          D.Required, D.Computed, D.AllowAuto, D.Optional, D.List, optionalInt(D.Minimum), optionalInt(D.Maximum),
          D.DefaultExpr ? fmt::format("default{}_{}", I, F) : "nullptr", cppString(D.DefaultText),
          cppString(D.Counterpart), cppString(D.Spelling), spanOf(fmt::format("Old{}_{}", I, F), D.Old.empty()));
    }
    Out += "};\n";
  }
  Out += "} // namespace\n\nnamespace tables {\nconst SchemaDecl Schemas[] = {\n";
  for (size_t I = 0; I < Lib.Schemas.size(); ++I)
    Out +=
        fmt::format("  {{{}, {}, {}, {}, UnknownOption{{{}}}}},\n", cppString(Lib.Schemas[I]->Name),
                    cppString(Lib.Schemas[I]->Doc), spanOf(fmt::format("Fields{}", I), Lib.Schemas[I]->Fields.empty()),
                    Lib.Schemas[I]->TopLevel, static_cast<int>(Lib.Schemas[I]->Unknown));
  Out += "};\n} // namespace tables\n\nnamespace {\n";
}

std::string Emitter::tables() {
  std::string Out(Banner);
  Out += "#include \"std/Std.h\"\n\nnamespace parlance {\nnamespace {\n";
  emitUnits(Out);
  emitEnums(Out);
  emitSchemas(Out);
  Out += "const EnumDecl *const NamedEnums[] = {";
  for (const EnumDecl *E : Lib.Enums)
    Out += fmt::format("&tables::Enums[{}], ", enumIndex(E));
  Out += "};\nconst SchemaDecl *const AllSchemas[] = {";
  for (size_t I = 0; I < Lib.Schemas.size(); ++I)
    Out += fmt::format("&tables::Schemas[{}], ", I);
  Out += "};\n" + stringTable("Modules", Lib.Modules);
  Out += fmt::format("}} // namespace\n\nconst Library &standardLibrary() {{\n"
                     "  static const Library Lib{{UnitTable(Units, Refused), NamedEnums, AllSchemas, "
                     "{{tables::Functions, {}}}, {{tables::Derives, {}}}, {{tables::Rules, {}}}, "
                     "{{tables::Records, {}}}, Modules}};\n  return Lib;\n}}\n\n}} // namespace parlance\n",
                     Lib.Functions.size(), Lib.Derives.size(), Lib.Rules.size(), Lib.Records.size());
  return Out;
}

std::string Emitter::records() {
  std::string Out(Banner);
  Out += "#include \"std/Std.h\"\n\nnamespace parlance {\nnamespace records {\n";
  for (const LibraryRecord &R : Lib.Records)
    Out += fmt::format("const Record *{}() {{\n  static const Record R = rt::makeRecord(tables::Schemas[{}], {}, "
                       "{{{}}});\n  return &R;\n}}\n",
                       R.Name, schemaIndex(R.Schema), cppString(R.Name), fieldInits(*R.Built));
  Out += "} // namespace records\n\nnamespace tables {\nconst LibraryRecord Records[] = {\n";
  for (const LibraryRecord &R : Lib.Records)
    Out += fmt::format("  {{{}, &Schemas[{}], {}, {}, {}, records::{}, nullptr}},\n", cppString(R.Name),
                       schemaIndex(R.Schema), cppString(R.Module), cppString(R.Doc), source(R.Source), R.Name);
  Out += "};\n} // namespace tables\n} // namespace parlance\n";
  return Out;
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

std::string Emitter::paramTable(std::string_view Name, std::span<const ParamDecl> Params) {
  if (Params.empty())
    return {};
  std::string Out = fmt::format("const ParamDecl {}[] = {{", Name);
  for (const ParamDecl &P : Params)
    Out += fmt::format("{{{}, {}}}, ", cppString(P.Name), type(P.Ty));
  return Out + "};\n";
}

std::string Emitter::unpack(std::span<const ParamDecl> Params) {
  std::string Out;
  for (size_t I = 0; I < Params.size(); ++I) {
    std::string_view Get = Params[I].Ty.K == Type::Kind::Bool     ? "flag"
                           : Params[I].Ty.K == Type::Kind::Enum   ? "enumerator"
                           : Params[I].Ty.K == Type::Kind::String ? "text"
                           : Params[I].Ty.K == Type::Kind::Record ? "record"
                                                                  : "num";
    Out += fmt::format("{}rt::{}(A[{}])", I ? ", " : "", Get, I);
  }
  return Out;
}

std::string Emitter::functions() {
  std::string Out(Banner);
  Constants = "K";
  Out += "#include \"std/Std.h\"\n\nnamespace parlance {\nnamespace functions {\n";
  for (const FunctionDecl &F : Lib.Functions)
    Out +=
        fmt::format("{} {}({}) {{ return {}; }}\n", cppType(F.Result), cppName(F.Name), signature(F), functionBody(F));
  Out += "} // namespace functions\n\nnamespace {\n";
  for (size_t I = 0; I < Lib.Functions.size(); ++I) {
    const FunctionDecl &F = Lib.Functions[I];
    Out += paramTable(fmt::format("Params{}", I), F.Params);
    std::string Arguments = readsConstants(static_cast<uint32_t>(I)) ? "K" : "";
    if (std::string Own = unpack(F.Params); !Own.empty())
      Arguments += (Arguments.empty() ? "" : ", ") + Own;
    Out += fmt::format("Value native{}([[maybe_unused]] const Calibration &K, [[maybe_unused]] "
                       "const Value *A) {{ return rt::toValue(functions::{}({})); }}\n",
                       I, cppName(F.Name), Arguments);
  }
  Out += "} // namespace\n\nnamespace tables {\nconstinit const FunctionDecl Functions[] = {\n";
  for (size_t I = 0; I < Lib.Functions.size(); ++I) {
    const FunctionDecl &F = Lib.Functions[I];
    Out += fmt::format("  {{{}, {}, {}, {}, {}, native{}, nullptr, {}}},\n", cppString(F.Name),
                       spanOf(fmt::format("Params{}", I), F.Params.empty()), type(F.Result), cppString(F.Doc),
                       source(F.Source), I, F.Constant);
  }
  Out += "};\n} // namespace tables\n} // namespace parlance\n";
  return Out;
}

static std::string_view derivedAccess(const Type &T) {
  return T.K == Type::Kind::Bool     ? "derivedFlag"
         : T.K == Type::Kind::Enum   ? "derivedEnum"
         : T.K == Type::Kind::String ? "text"
         : T.K == Type::Kind::Record ? "record"
                                     : "derivedNum";
}

/// The value of a derived quantity with arguments; that of one stage is remembered.
static std::string deriveCall(size_t Index, const DeriveDecl &D, std::string_view Arguments) {
  if (D.Params.size() != 1 || !D.Params[0].Ty.isQuantity())
    return fmt::format("body{}(C{})", Index, Arguments);
  return fmt::format("C.ofStage({0}u{1}, [&] {{ return body{0}(C{1}); }})", Index, Arguments);
}

std::string Emitter::derives() {
  Self = "&C.job()";
  Constants = "C.calibration()";
  std::string Out(Banner);
  Out += "#include \"std/Std.h\"\n\nnamespace parlance {\nnamespace {\n";
  for (size_t I = 0; I < Lib.Derives.size(); ++I)
    Out += fmt::format("Value body{}({});\n", I, signature(Lib.Derives[I].Params, Context));
  Out += "} // namespace\n\nnamespace derived {\n";
  for (size_t I = 0; I < Lib.Derives.size(); ++I) {
    const DeriveDecl &D = Lib.Derives[I];
    std::string Arguments;
    for (size_t A = 0; A < D.Params.size(); ++A)
      Arguments += fmt::format(", a{}", A);
    std::string Call = D.Params.empty() ? fmt::format("C.derived({}u)", I) : deriveCall(I, D, Arguments);
    Out += fmt::format("{} {}({}) {{ return rt::{}({}); }}\n", cppType(D.Result), cppName(D.Name),
                       signature(D.Params, Context), derivedAccess(D.Result), Call);
  }
  Out += "} // namespace derived\n\nnamespace {\n";
  for (size_t I = 0; I < Lib.Derives.size(); ++I) {
    const DeriveDecl &D = Lib.Derives[I];
    Out += fmt::format("Value body{}([[maybe_unused]] {}) {{\n", I, signature(D.Params, Context));
    if (D.Tree->Extra)
      Out +=
          fmt::format("  if (Truth W = {}; W != Truth::True)\n    return {};\n", expr(*D.Tree->Extra),
                      D.Result.isQuantity() ? "W == Truth::Unknown ? Value::of(Num::unknown()) : Value()" : "Value()");
    Out += fmt::format("  return rt::toValue({});\n}}\n", expr(*D.Tree->Value));
    Out += paramTable(fmt::format("Params{}", I), D.Params);
    if (!D.Reads.empty())
      Out += stringTable(fmt::format("Reads{}", I), D.Reads);
    std::string Arguments = unpack(D.Params);
    std::string Call = deriveCall(I, D, Arguments.empty() ? "" : ", " + Arguments);
    Out +=
        fmt::format("Value native{}(const JobContext &C, [[maybe_unused]] const Value *A) {{ return {}; }}\n", I, Call);
  }
  Out += "} // namespace\n\nnamespace tables {\nconstinit const DeriveDecl Derives[] = {\n";
  for (size_t I = 0; I < Lib.Derives.size(); ++I) {
    const DeriveDecl &D = Lib.Derives[I];
    Out +=
        fmt::format("  {{{}, {}, {}, {}, {}, {}, native{}, nullptr, QuantityGroup{{{}}}}},\n", cppString(D.Name),
                    spanOf(fmt::format("Params{}", I), D.Params.empty()), type(D.Result), cppString(D.Doc),
                    source(D.Source), spanOf(fmt::format("Reads{}", I), D.Reads.empty()), I, static_cast<int>(D.Group));
  }
  Out += "};\n} // namespace tables\n} // namespace parlance\n";
  return Out;
}

} // namespace parlance
