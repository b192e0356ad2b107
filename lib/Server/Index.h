// What every name in a file stands for: hover, definition, references, rename and colours ask here.
#pragma once
#include "Server/Snapshot.h"

namespace parlance::server {

struct Symbol {
  enum class Kind : uint8_t {
    None,
    Item,          ///< user's declaration: Decl
    Parameter,     ///< of a user's function: Decl and Index
    Variable,      ///< of a reduction: Binder
    Function,      ///< of the library: Index
    Builtin,       ///< Index
    Derive,        ///< quantity of a job: Index
    Field,         ///< Schema and Index
    Enumerator,    ///< Enum and Index
    LibraryRecord, ///< Index
    File,          ///< a used file: Name is its path
    LibraryModule, ///< Name
    Schema,        ///< kind of block: Schema
    Enum,          ///< named type: Enum
    Unit,          ///< Name is the spelling
    Rule,          ///< of the library: Index
  };
  Kind K = Kind::None;
  uint32_t Index = 0;
  ast::Item *Decl = nullptr;
  const ast::Expr *Binder = nullptr;
  const SchemaDecl *Schema = nullptr;
  const EnumDecl *Enum = nullptr;
  std::string_view Name = {};
  explicit operator bool() const { return K != Kind::None; }
};

struct Occurrence {
  SourceRange Range; ///< the name alone
  Symbol What;
  bool Declares = false;
  const ast::Expr *Value = nullptr; ///< the expression that the name heads; null for others
  ast::Item *Statement = nullptr;   ///< innermost item around it
  ast::Item *Top = nullptr;         ///< outermost item around it
};

/// All names of a file with a meaning, in the order of the text.
std::vector<Occurrence> occurrences(Snapshot &S, Module &M);
/// The occurrence at an offset: that begins before and ends at or behind it; null if there is none.
const Occurrence *occurrenceAt(const std::vector<Occurrence> &All, uint32_t Offset);

/// The declaration of a symbol in a user's file; nowhere for one of the library.
SourceRange declaration(const Symbol &S);
/// Whether two symbols, perhaps of different snapshots, are one: by the places of their declarations.
bool sameSymbol(const Symbol &A, Snapshot &InA, const Symbol &B, Snapshot &InB);

/// The items around an offset, outermost first.
std::vector<ast::Item *> itemsAt(const Module &M, uint32_t Offset);
/// The expressions around an offset in an item's values, outermost first.
std::vector<ast::Expr *> expressionsAt(const ast::Item &I, uint32_t Offset);

} // namespace parlance::server
