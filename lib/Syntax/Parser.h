// The only door to the grammar: text in, tree and diagnostics out. ANTLR ends behind it.
#pragma once
#include "Basic/Diagnostic.h"
#include "Syntax/Ast.h"

namespace parlance {

/// Nesting of brackets and prefix operators that is accepted; deeper input is an error at the bracket.
inline constexpr unsigned MaxNesting = 200;
/// Operators in one expression that are accepted.
inline constexpr unsigned MaxOperators = 1000;

struct ParseOptions {
  /// Accept the declarations that only the standard library may use (unit, refuse, enum, schema, derive).
  bool Library = false;
};

/// Parses file `File`. Always returns a tree: what could not be parsed is missing from it and reported once, at the
/// place where a person would mend it. Never throws, for any bytes.
std::unique_ptr<SyntaxTree> parse(const SourceManager &Sources, uint32_t File, const UnitTable &Units,
                                  DiagnosticEngine &Diags, const ParseOptions &Options = {});

/// Parses one expression (a message's `{…}` part, a fragment of an editor). Null after an error.
ast::Expr *parseExpression(SyntaxTree &Into, const SourceManager &Sources, SourceRange Range, const UnitTable &Units,
                           DiagnosticEngine &Diags);

} // namespace parlance
