// Syntax trees of library formulas, parsed only when a derivation is printed: the checker itself runs generated code.
#pragma once
#include "Sema/ExprChecker.h"
#include <map>

namespace parlance {

class LibraryTrees {
public:
  LibraryTrees(SourceManager &Sources, const Library &Lib) : Sources(Sources), Lib(Lib) {}
  /// The checked declaration of a function, derived quantity or rule; null if it cannot be parsed (a broken build).
  const ast::Item *function(uint32_t Index);
  const ast::Item *derive(uint32_t Index);
  const ast::Item *rule(uint32_t Index);
  /// An expression of the job's scope (a part of a rule's message, a fix's candidates), parsed from its text.
  /// `Expected` lets it name enumerators.
  const ast::Expr *jobExpression(std::string_view Text, const Type *Expected = nullptr);

private:
  ast::Item *parseSource(const LibrarySource &Source);
  Scope jobScope() const;

  SourceManager &Sources;
  const Library &Lib;
  TypeArena Arena;
  DiagnosticEngine Ignored; ///< the library was checked when it was built
  std::vector<std::unique_ptr<SyntaxTree>> Trees;
  std::map<uint32_t, ast::Item *> Functions, Derives, Rules;
  std::map<std::string, ast::Expr *, std::less<>> Expressions;
};

} // namespace parlance
