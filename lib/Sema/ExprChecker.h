// Types of expressions: resolves names, infers units, and says where two sides do not fit.
#pragma once
#include "Sema/Program.h"
#include <functional>

namespace parlance {

struct BuiltinInfo;

/// What an expression can see.
struct Scope {
  struct Local {
    std::string_view Name;
    Type Ty;
  };
  Module *File = nullptr;           ///< the user's file; null inside the library
  const SchemaDecl *Self = nullptr; ///< record whose fields are in scope by their bare names
  bool Derives = false;             ///< derived quantities are in scope (jobs, derives, rules)
  const std::map<std::string_view, ast::Item *> *JobNames = nullptr; ///< lets of the job in scope
  std::vector<Local> Locals; ///< parameters and reduction variables; the index is the frame slot
  uint32_t FrameSize = 0;    ///< most locals that were alive at once

  void push(std::string_view Name, Type Ty) {
    Locals.push_back({Name, Ty});
    FrameSize = std::max(FrameSize, static_cast<uint32_t>(Locals.size()));
  }
};

class ExprChecker {
public:
  ExprChecker(SourceManager &Sources, const Library &Lib, TypeArena &Arena, DiagnosticEngine &Diags)
      : Sources(Sources), Lib(Lib), Diags(Diags), Resolver(Lib, Arena, Diags) {}

  /// Infers the type of an expression and stores it in its nodes. `Expected`, where known, lets enumerators and bare
  /// integers be understood; the caller still compares.
  Type check(ast::Expr &E, Scope &S, const Type *Expected = nullptr);
  /// As check, and reports when the type does not fit what is declared at `DeclaredAt` as `What`.
  void checkAgainst(ast::Expr &E, Scope &S, const Type &Expected, SourceRange DeclaredAt, std::string_view What);
  /// As check, and reports when it is not a truth value.
  void checkCondition(ast::Expr &E, Scope &S, std::string_view What);
  /// The type of a user's `let`, inferring it first if need be. Reports a cycle once.
  Type typeOfLet(ast::Item &Let, Scope &S);
  TypeResolver &resolver() { return Resolver; }

  /// Reports that `E` of type `Actual` does not fit `Expected` (units, kinds, missing units, directions).
  void reportMismatch(const ast::Expr &E, std::span<const Type> Expected, const Type &Actual, SourceRange DeclaredAt,
                      std::string_view What);

private:
  Type checkNode(ast::Expr &E, Scope &S, const Type *Expected);
  Type checkNumber(ast::Expr &E, Scope &S, const Type *Expected);
  /// What a magnitude or `%` behind the digits multiplies by; nothing, with a report, if it is neither.
  std::optional<Scale> factorOf(std::string_view Digits, std::string_view Suffix, SourceRange Range);
  /// The factor of a number with its unit, whose type becomes `T`.
  std::optional<Scale> withUnit(const ast::Expr &E, Scale Factor, Type &T);
  bool swallowsValue(const ast::Expr &Number, Scope &S);
  Type checkUnit(ast::Expr &E, Scope &S);
  Type checkName(ast::Expr &E, Scope &S, const Type *Expected);
  Type checkField(ast::Expr &E, Scope &S);
  Type checkCall(ast::Expr &E, Scope &S);
  Type checkBuiltin(ast::Expr &E, Scope &S, uint8_t Id);
  /// The type of a call whose arguments have these types.
  Type resultOf(ast::Expr &E, const BuiltinInfo &Info, std::vector<Type> &Types);
  Type squareRoot(const ast::Expr &E, const Type &Of);
  Type checkUnary(ast::Expr &E, Scope &S);
  Type checkBinary(ast::Expr &E, Scope &S, const Type *Expected);
  Type checkSum(ast::Expr &E, const Type &A, const Type &B);
  Type checkProduct(ast::Expr &E, const Type &A, const Type &B);
  Type checkRemainder(ast::Expr &E, const Type &A, const Type &B);
  Type checkPower(ast::Expr &E, const Type &A, const Type &B);
  Type checkComparison(ast::Expr &E, Scope &S);
  Type checkIf(ast::Expr &E, Scope &S, const Type *Expected);
  Type checkReduce(ast::Expr &E, Scope &S);
  Type checkList(ast::Expr &E, Scope &S, const Type *Expected);
  Type checkArguments(ast::Expr &E, Scope &S, std::string_view Name, std::span<const ParamDecl> Params, Type Result);
  Type callUserFunction(ast::Expr &E, Scope &S, ast::Item &Fn);
  std::optional<Type> derived(ast::Expr &E, Scope &S);
  std::optional<Type> itemNamed(ast::Expr &E, Scope &S);
  Type enumerator(ast::Expr &E, const Type &Enum);
  Type unknownName(ast::Expr &E, Scope &S, std::string_view What);
  /// An operand with its type.
  struct Side {
    const ast::Expr &E;
    const Type &Ty;
  };
  /// Common type of two operands that must agree; reports under the operator when they do not.
  std::optional<Type> agree(ast::Expr &E, const Side &Left, const Side &Right, std::string_view Verb);
  void reportDirection(const ast::Expr &E);
  std::optional<Type> dashedName(ast::Expr &E, Scope &S, const Type *Expected);
  bool misspeltQuantity(const ast::Expr &E, Scope &S);
  void unknownFieldOf(const ast::Expr &E, const SchemaDecl &Schema);
  void reportUnitAsValue(SourceRange At, std::string_view Path);
  bool offerMeant(Diagnostic &D, const ast::Expr &E, Scope &S);
  std::vector<std::string_view> visibleNames(Scope &S, std::string_view What) const;
  bool isKnown(std::string_view Name, Scope &S) const;
  Type quantityOperand(const ast::Expr &E, const Type &T);
  Type textOperand(const ast::Expr &E, const Type &T);
  std::string_view source(SourceRange R) const { return Sources.text(R); }

  SourceManager &Sources;
  const Library &Lib;
  DiagnosticEngine &Diags;
  TypeResolver Resolver;
  unsigned LetDepth = 0; ///< lets whose types are being inferred, each for the one before
  bool ChainReported = false;
};

/// Looks a name up in a file: its own declarations, then those of the files that it uses. Reports nothing.
struct FileSymbol {
  ast::Item *Item = nullptr;
  Module *Owner = nullptr;
  int LibraryRecord = -1;
  bool Ambiguous = false;
};
FileSymbol lookup(Module &File, const Library &Lib, std::string_view Name);

/// The file that declares an item, among a file and all that it uses, directly or not.
Module &ownerOf(Module &File, const ast::Item &I);

/// "memory.stage.weights" and its call arguments from a chain of names, fields and calls; empty if it is none.
struct DottedName {
  std::string Text;
  std::vector<ast::Expr *> Arguments;
};
std::optional<DottedName> dottedName(ast::Expr &E);

} // namespace parlance
