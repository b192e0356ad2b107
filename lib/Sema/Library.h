// The declarations of the standard library. parlance-gen makes one from lib/std/*.parl and prints it as C++ tables, so
// that the checker starts with nothing to parse. Plain data: it can be built at run time or live in static storage.
#pragma once
#include "Basic/Diagnostic.h"
#include "Syntax/Ast.h"
#include "Units/Num.h"
#include "Units/Unit.h"
#include <span>

namespace parlance {

struct Record;

/// Where a text of the library stands: lib/std file and line, and the text itself for derivations.
struct LibrarySource {
  std::string_view File; ///< "std/overlap.parl"
  uint32_t Line = 0;
  std::string_view Text; ///< the whole declaration
};

/// A value at run time. Quantities are in base units; what unit they have is known statically.
struct Value {
  enum class Kind : uint8_t { Absent, Quantity, Bool, Enum, String, Record, Scaled, List, Auto, Any };
  Kind K = Kind::Absent;
  uint8_t Alternative = 0; ///< which alternative of the field's type was written (`tok` or `seq`)
  Truth Flag = Truth::Unknown;
  uint32_t Index = 0; ///< of an Enum
  Num Number;         ///< of a Quantity; the count of a Scaled
  std::string_view Text;
  const Record *Rec = nullptr;               ///< of a Record or Scaled
  const std::vector<Value> *Items = nullptr; ///< of a List or Any

  static Value of(Num N) {
    Value V;
    V.K = Kind::Quantity;
    V.Number = N;
    return V;
  }
  static Value of(Truth T) {
    Value V;
    V.K = Kind::Bool;
    V.Flag = T;
    return V;
  }
  static Value enumerator(uint32_t Index) {
    Value V;
    V.K = Kind::Enum;
    V.Index = Index;
    return V;
  }
  static Value record(const Record *R) {
    Value V;
    V.K = R ? Kind::Record : Kind::Absent;
    V.Rec = R;
    return V;
  }
  static Value string(std::string_view S) {
    Value V;
    V.K = Kind::String;
    V.Text = S;
    return V;
  }
  bool isAbsent() const { return K == Kind::Absent; }
};

struct EnumDecl {
  std::string_view Name; ///< "" for one written in place
  std::span<const std::string_view> Values;
  std::string_view Doc;
  int find(std::string_view V) const {
    for (size_t I = 0; I < Values.size(); ++I)
      if (Values[I] == V)
        return static_cast<int>(I);
    return -1;
  }
};

struct FieldDecl {
  std::string_view Name;
  Type Ty;
  std::span<const Type> Alternatives; ///< further types that may be written (`tok | seq`): Ty is the first
  std::string_view Doc;
  bool Required = false;
  bool Computed = false; ///< resolved, never written by a user
  bool AllowAuto = false;
  bool Optional = false; ///< a block that is not there unless it is given
  bool List = false;     ///< text of several words; a list in the framework's file
  std::optional<int64_t> Minimum, Maximum;
  /// The default given the record so far (Absent when there is none). Set in generated tables.
  Value (*Default)(const Record &) = nullptr;
  std::string_view DefaultText;           ///< as written in the schema
  std::string_view Counterpart;           ///< of a framework's option: "layout.tp" has its meaning
  std::string_view Spelling;              ///< in the framework's files, where Name is not it
  std::span<const std::string_view> Old;  ///< what older versions of the framework called it
  const ast::Expr *DefaultExpr = nullptr; ///< only in parlance-gen
};

/// Whether a field is a record of the library that a word names: its default does.
inline bool namesRecord(const FieldDecl &F) { return F.Ty.K == Type::Kind::Record && F.Default; }

/// What a framework does with an option that it does not know.
enum class UnknownOption : uint8_t { Rejected, Ignored, Passed };

struct SchemaDecl {
  std::string_view Name;
  std::string_view Doc;
  std::span<const FieldDecl> Fields;
  bool TopLevel = false; ///< users declare records of it (`model NAME { … }`)
  UnknownOption Unknown = UnknownOption::Rejected;
  int find(std::string_view V) const {
    for (size_t I = 0; I < Fields.size(); ++I)
      if (Fields[I].Name == V)
        return static_cast<int>(I);
    return -1;
  }
};

/// What set a value: the line that a person can change, or a word for where else it came from.
struct Origin {
  enum class Kind : uint8_t {
    None,
    Given,
    Default,
    Deduced,
    Library,
    Open, ///< not known whether it is given: something that is not understood may say so
  };
  Kind K = Kind::None;
  SourceRange Range;      ///< of the value written; of the record's name for Default and Deduced
  std::string_view Where; ///< "std/models.parl:31" for Library; the reason for Deduced
};

/// What a job assumes for one calibration constant (`assume`); unknown where it assumes nothing.
struct Assumption {
  Num Value = Num::unknown();
  SourceRange Range; ///< of the value written
};
/// One per constant, in the order of FunctionDecl::Constant.
using Assumptions = std::vector<Assumption>;

/// An instance of a schema: one value and one origin per field, in schema order.
struct Record {
  const SchemaDecl *Schema = nullptr;
  std::string_view Name;
  SourceRange NameRange; ///< where it was declared; nowhere for the library's
  std::vector<Value> Values;
  std::vector<Origin> Origins;
  const Assumptions *Assumed = nullptr; ///< of a job; null when it assumes nothing

  const Value &at(unsigned I) const { return Values[I]; }
  Num num(unsigned I) const { return Values[I].K == Value::Kind::Quantity ? Values[I].Number : Num::unknown(); }
  int enumerator(unsigned I) const { return Values[I].K == Value::Kind::Enum ? static_cast<int>(Values[I].Index) : -1; }
  Truth flag(unsigned I) const { return Values[I].K == Value::Kind::Bool ? Values[I].Flag : Truth::Unknown; }
  const Record *rec(unsigned I) const { return Values[I].Rec; }
};

/// A record without any value.
Record emptyRecord(const SchemaDecl &Schema, std::string_view Name = {}, SourceRange NameRange = {});

/// A record of the library with the fields that its declaration writes (bases merged); others are Absent.
struct LibraryRecord {
  std::string_view Name;
  const SchemaDecl *Schema = nullptr;
  std::string_view Module; ///< "std/hardware": the `use` that brings it in
  std::string_view Doc;    ///< the comment behind or above it
  LibrarySource Source;
  const Record *(*Make)() = nullptr; ///< in generated tables: made when first asked for
  const Record *Built = nullptr;     ///< in parlance-gen
  const Record *instance() const { return Built ? Built : Make(); }
};

struct ParamDecl {
  std::string_view Name;
  Type Ty;
};

class Calibration;

/// Constants that there can be: one bit each where reads are noted.
inline constexpr int MaxConstants = 64;

struct FunctionDecl {
  std::string_view Name;
  std::span<const ParamDecl> Params;
  Type Result;
  std::string_view Doc;
  LibrarySource Source;
  Value (*Native)(const Calibration &, const Value *Args) = nullptr;
  ast::Item *Tree = nullptr; ///< in parlance-gen, and once parsed for a derivation
  int Constant = -1;         ///< number among the calibration constants; -1 for no such
};

class JobContext;

/// What a derived quantity is about; the first word of its name declares it.
enum class QuantityGroup : uint8_t {
  Job,
  Memory,      ///< `memory.…`: bytes are shown in GiB, with a bar per part
  Translation, ///< `read.…`, `write.…`, `suggest.…`, `matters.…`, `relief.…`: of a framework's options
};
QuantityGroup quantityGroup(std::string_view Name);

/// A derived quantity by its place in Library::Derives. The build makes one for each: `quantities::memory_peak`.
struct Quantity {
  uint32_t Index;
};

struct DeriveDecl {
  std::string_view Name; ///< "memory.stage.weights"
  std::span<const ParamDecl> Params;
  Type Result;
  std::string_view Doc;
  LibrarySource Source;
  /// Fields of the job that its formula names, in order: "megatron.recompute_granularity". Only of those that translate
  /// a framework's options (`read.…`).
  std::span<const std::string_view> Reads;
  Value (*Native)(const JobContext &,
                  const Value *Args) = nullptr; ///< Absent when its `when` is false
  ast::Item *Tree = nullptr;
  QuantityGroup Group = QuantityGroup::Job;
};

/// Whether a derived quantity is about the translation of options of a framework, not about a job.
inline bool isTranslation(const DeriveDecl &D) { return D.Group == QuantityGroup::Translation; }

struct RuleFixDecl {
  std::string_view Field;      ///< "layout.tp"
  std::string_view Candidates; ///< expression text: a value or a list
};
struct RuleNoteDecl {
  std::string_view Field, Message;
};
struct RuleDecl {
  std::string_view Code, Name;
  Severity Level = Severity::Error;
  std::string_view Field; ///< what it is on: "layout.tp"
  std::string_view Message, Why, Example, Fixed, Caret;
  std::string_view Raises;   ///< what the framework says or does; empty where none notices
  std::string_view Explains; ///< expression whose derivation is shown in place of the condition's; may be empty
  std::span<const RuleNoteDecl> Notes;
  std::span<const RuleFixDecl> Fixes;
  std::span<const std::string_view> Frameworks; ///< targets that it applies to; empty: all
  LibrarySource Source;
  /// True when the rule is violated; unknown when it cannot be decided.
  Truth (*Violated)(const JobContext &) = nullptr;
  ast::Item *Tree = nullptr;
  /// It is about what the framework makes of its options. In the framework's own file another layout, which is judged
  /// with options of our own, is not an answer to it.
  bool AboutOptions = false;
};

struct Library {
  UnitTable Units;
  std::span<const EnumDecl *const> Enums;
  std::span<const SchemaDecl *const> Schemas;
  std::span<const FunctionDecl> Functions;   ///< sorted by name
  std::span<const DeriveDecl> Derives;       ///< sorted by name
  std::span<const RuleDecl> Rules;           ///< sorted by code
  std::span<const LibraryRecord> Records;    ///< sorted by name
  std::span<const std::string_view> Modules; ///< what `use` may name: "std/hardware", …

  const SchemaDecl *schema(std::string_view Name) const;
  const EnumDecl *enumNamed(std::string_view Name) const;
  int function(std::string_view Name) const;
  /// How many functions are calibration constants.
  unsigned constants() const;
  int derive(std::string_view Name) const;
  int record(std::string_view Name) const;
};

/// The fields of a job that an option of a framework means, alone or with other options.
std::vector<std::string_view> fieldsMeant(const Library &Lib, std::string_view Framework, std::string_view Path,
                                          const FieldDecl &Option);

} // namespace parlance
