// From ANTLR's parse tree to our syntax tree.
#pragma once
#include "Basic/Diagnostic.h"
#include "Syntax/Ast.h"

namespace antlr4 {
class ParserRuleContext;
}

namespace parlance::syntax {

struct BuildContext {
  SyntaxTree &Tree;
  std::string_view Text; ///< the whole file
  uint32_t File;
  DiagnosticEngine &Diags;
  /// What the parser passed over to go on after an error, in order: where it begins, or for the rest of an item, where
  /// what was read of it ends.
  std::vector<uint32_t> Skipped, CutOff;
};

/// The items of a `file` context. Contexts that hold an exception become Error expressions or are left out.
void buildFile(const BuildContext &C, antlr4::ParserRuleContext *File);
/// An `expr` context.
ast::Expr *buildExpr(const BuildContext &C, antlr4::ParserRuleContext *Expr);

} // namespace parlance::syntax
