// The syntax tree of one file. Nodes live in the tree's arena; names are views into the source text. The fields below
// "filled in by Sema" are empty after parsing.
#pragma once
#include "Basic/Source.h"
#include "Units/Unit.h"
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

struct EnumDecl;
struct SchemaDecl;

/// What kind of value an expression has. Quantities carry a dimension, records a schema, enumerators their set.
struct Type {
  enum class Kind : uint8_t { Error, Quantity, Bool, String, Enum, Record, List, Scaled };
  Kind K = Kind::Error;
  Qualifier Qual = Qualifier::None;
  bool Integer = false;     ///< declared `int`: a plain count; a population is accepted and counted
  bool BareLiteral = false; ///< only bare integers were written: may adopt a population
  bool Zero = false;        ///< a bare 0, which is the same in every unit
  Dim Dimension;
  const EnumDecl *Enum = nullptr;
  const SchemaDecl *Schema = nullptr; ///< of a Record; of the counted record for Scaled (`8 * h100_sxm`)

  bool isError() const { return K == Kind::Error; }
  bool isQuantity() const { return K == Kind::Quantity; }
  /// Whether it counts whole things: a plain count, elements, tokens, GPUs.
  bool isCount() const {
    return Integer || (!Dimension.isNone() && !Dimension.isMeasured() && !Dimension[Base::Information]);
  }
  static Type quantity(Dim D, Qualifier Q = Qualifier::None) {
    Type T;
    T.K = Kind::Quantity;
    T.Dimension = D;
    T.Qual = Q;
    return T;
  }
  static Type of(Kind K) {
    Type T;
    T.K = K;
    return T;
  }
};

namespace ast {

/// A name with the range of its last part; dotted names ("memory.peak") are one Name.
struct Name {
  std::string_view Text;
  SourceRange Range;
  explicit operator bool() const { return !Text.empty(); }
};

enum class Op : uint8_t { Add, Sub, Mul, Div, Mod, Pow, Eq, Ne, Lt, Le, Gt, Ge, And, Or, Neg, Not };
std::string_view opText(Op O);

/// What an identifier, field access or call was resolved to.
struct Ref {
  enum class Kind : uint8_t {
    None,
    Local,         ///< function parameter or comprehension variable: Index is its frame slot
    Let,           ///< user `let`: Decl is its Item
    UserFunction,  ///< user `fn`: Decl is its Item
    Function,      ///< library function: Index into Library::Functions
    Builtin,       ///< Index is a Builtin
    Derive,        ///< derived quantity of the job: Index into Library::Derives; call arguments are its parameters
    JobField,      ///< field of the job in scope: Index into the job schema
    Field,         ///< field of the record in Args[0]: Index into its schema
    Enumerator,    ///< Index into Type.Enum
    LibraryRecord, ///< Index into Library::Records
    UserRecord,    ///< Decl is its Item
  };
  Kind K = Kind::None;
  uint32_t Index = 0;
  struct Item *Decl = nullptr;
};

enum class ExprKind : uint8_t {
  Error,  ///< a place where parsing failed; already reported
  Number, ///< Text = digits with magnitude ("4Mi", "95%"), Unit may be set; Value filled in by Sema
  Unit,   ///< a unit standing alone: one of it; Unit is set
  String, ///< Text = contents between the quotes, escapes untouched
  Bool,   ///< Flag
  Name,   ///< Text
  Field,  ///< Args[0] . Text
  Call,   ///< Args[0] = callee (Name or Field), Args[1..] = arguments
  Unary,  ///< O, Args[0]
  Binary, ///< O, Args[0], Args[1]; Flag: O is what was meant by another sign, which was reported
  If,     ///< Args = condition, then, else
  Reduce, ///< sum|min|max(Text in Args[0]..Args[1]: Args[2]); the half-open range; O is Add, Lt (min) or Gt (max)
  Auto,   ///< `auto`
  List,   ///< [a, b]
  Any,    ///< any { a, b } or any a..b (both ends included): Args = values, or two ends with Flag set
  Import, ///< import "path": Text
};

struct Expr {
  ExprKind Kind = ExprKind::Error;
  Op O = Op::Add;
  bool Flag = false;
  SourceRange Range;   ///< the whole expression
  SourceRange AtRange; ///< operator, field name, callee name or variable: what a caret points at
  std::string_view Text;
  std::unique_ptr<UnitExpr> Unit;
  std::vector<Expr *> Args;
  // Filled in by Sema:
  Type Ty;
  Ref Target;
  Num Value; ///< of a Number or Unit, in base units
};

/// A written type: `tok/replica`, `int`, `B/s per direction`, `none | selective | full`, `tok | seq`, `model`.
struct TypeExpr {
  struct Alternative {
    Name Word; ///< `int`, `ratio`, `bool`, `string`, an enum or schema name, an enumerator or digits
    std::unique_ptr<UnitExpr> Unit; ///< set for a unit expression
  };
  std::vector<Alternative> Alternatives;
  bool List = false;   ///< `[dtype]`
  bool Scaled = false; ///< `int * device`: a count of records
  SourceRange Range;
};

struct Param {
  Name Id;
  TypeExpr *Ty = nullptr;
  Type Declared; ///< filled in by Sema
};

enum class ItemKind : uint8_t {
  Use,      ///< use Id ("std/hardware") or use "./team.parl" (Flag: a path in quotes)
  Record,   ///< Id2 = kind word ("model"), Id = name, Base = after `from`, Items = body; or Value = import expression
  Field,    ///< Id = Value
  Block,    ///< Id { Items }
  Let,      ///< let Id [: Ty] [Doc] = Value
  Fn,       ///< fn Id(Params) -> Ty [Doc] = Value
  Require,  ///< require Value [Doc]
  Warn,     ///< warn Value [Doc]
  Rule,     ///< rule Id [Id2 = code] on Target { Items: Field, Note, FixRule }
  Maximize, ///< maximize Value
  Minimize, ///< minimize Value
  Assume,   ///< assume Id = Value
  Test,     ///< test Id { Items: Case } (Id = the name of a rule)
  Case,     ///< fires|passes [Id] [from Base] { Items }: Id2 = the word, Id too without a name
  // Inside a rule:
  RuleNote, ///< note Value = Doc (Value names a field)
  RuleFix,  ///< fix Value = Extra | fix Value in Extra [, nearest]
  // Standard library only:
  Unit,        ///< see UnitDecl
  Refuse,      ///< refuse unit Id "message" [replacements in Extra strings]
  Enum,        ///< enum Id = Ty (alternatives) [Doc]
  Schema,      ///< schema Id [Doc] { Items: SchemaField }
  SchemaField, ///< Id: Ty [= Value] [Doc] [attributes]
  Derive,      ///< derive Id [(Params)]: Ty [when Extra] [Doc] = Value
};

/// Whether a word begins a case of a test.
inline bool isCaseWord(std::string_view Word) { return Word == "fires" || Word == "passes"; }

struct Item {
  ItemKind Kind;
  bool Flag = false;       ///< see ItemKind; of a Let: it stands in a job
  bool Incomplete = false; ///< a part could not be read: what seems to be missing may stand there
  SourceRange Range;       ///< first to last token
  SourceRange KeyRange;    ///< the leading keyword
  Name Id, Id2, Base;
  std::string_view Doc; ///< contents of the string, escapes untouched
  SourceRange DocRange;
  TypeExpr *Ty = nullptr;
  std::vector<Param> Params;
  Expr *Value = nullptr;
  Expr *Extra = nullptr;
  std::vector<Item *> Items;
  std::vector<Name> Words; ///< attributes of a schema field or unit, in order ("required", "computed", "decimal")
  // Filled in by Sema:
  Type Declared;
  Item *BaseDecl = nullptr; ///< what Base names, where it is a block of a file
  bool Flawed = false;      ///< an error was reported in it that is not one of an expression
  uint32_t FrameSize = 0;   ///< local slots that evaluating Value needs
  uint8_t State = 0;        ///< resolution state (cycle detection)
  /// What isSound found, once it was asked.
  enum class Judgement : uint8_t { None, Sound, Unsound };
  mutable Judgement Judged = Judgement::None;
};

} // namespace ast

/// A token as the lexer saw it, comments and line breaks included: concatenated, the tokens with the blanks between
/// them are the file. Kind is a coarse class for editors and the formatter.
struct Token {
  enum class Kind : uint8_t { Identifier, Keyword, Unit, Number, String, Punctuation, Newline, Comment, Invalid };
  Kind K;
  uint32_t Begin, End;
};

/// A parsed file: its items in order, all tokens with trivia, and the arenas.
class SyntaxTree {
public:
  uint32_t File = 0;
  std::vector<ast::Item *> Items;
  std::vector<Token> Tokens;

  ast::Expr *expr() { return &Exprs.emplace_back(); }
  ast::Item *item() { return &ItemStore.emplace_back(); }
  ast::TypeExpr *type() { return &Types.emplace_back(); }

private:
  std::deque<ast::Expr> Exprs;
  std::deque<ast::Item> ItemStore;
  std::deque<ast::TypeExpr> Types;
};

} // namespace parlance
