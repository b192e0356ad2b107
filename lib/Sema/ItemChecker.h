// Declarations of one file: names, signatures, records against their schemas, jobs and rules.
#pragma once
#include "Sema/ExprChecker.h"

namespace parlance {

class ItemChecker {
public:
  ItemChecker(Program &P, Module &M)
      : P(P), M(M), Diags(P.Diags), Lib(P.Lib), Exprs(P.Sources, P.Lib, P.Arena, P.Diags) {}
  void check();

private:
  void declare(ast::Item &I);
  bool nameIsFree(const ast::Name &Id);
  void signature(ast::Item &Fn);
  void body(ast::Item &I);
  void checkFn(ast::Item &Fn);
  void checkRecord(ast::Item &R);
  bool checkBase(ast::Item &R, const SchemaDecl &Schema);
  const std::vector<bool> &given(const ast::Item &R);
  void checkMissing(const ast::Item &R, const SchemaDecl &Schema, const std::vector<bool> &Given);
  void checkFields(ast::Item &Owner, const SchemaDecl &Schema, Scope &S, bool IsJob);
  std::string_view meaningOf(const SchemaDecl &Schema, const FieldDecl &F) const;
  void checkFieldValue(ast::Item &I, const FieldDecl &F, Scope &S);
  void unknownField(const ast::Name &Id, const SchemaDecl &Schema, const std::vector<ast::Item *> &Written);
  void checkJobItem(ast::Item &I, const ast::Item &Job, Scope &File);
  void checkAssume(ast::Item &I, const ast::Item &Job, Scope &File);
  bool isConstant(const ast::Name &Id);
  void checkStatement(ast::Item &I, Scope &S);
  void checkRule(ast::Item &Rule, Scope &S);
  void checkMessage(std::string_view Text, SourceRange At, Scope &S);
  void checkRuleCodes();
  void checkTest(ast::Item &Test);
  void checkCase(ast::Item &Case);
  Scope fileScope() {
    Scope S;
    S.File = &M;
    return S;
  }

  Program &P;
  Module &M;
  DiagnosticEngine &Diags;
  const Library &Lib;
  ExprChecker Exprs;
  std::map<const ast::Item *, std::vector<bool>> Given; ///< fields that a record and its bases write
};

/// The fields of a `rule` item, collected and checked for presence, duplicates and spelling.
struct RuleForm {
  Severity Level = Severity::Error;
  ast::Expr *When = nullptr, *Unless = nullptr;
  ast::Item *Message = nullptr, *Caret = nullptr; ///< fields whose texts hold expressions
  std::string_view Why, Raises, Example, Fixed;
  ast::Expr *Explain = nullptr;
  std::vector<ast::Expr *> Frameworks; ///< the words
  std::vector<ast::Item *> Notes, Fixes;
};
std::optional<RuleForm> ruleForm(const ast::Item &Rule, DiagnosticEngine &Diags);
/// The code of a user's rule, which need not give one.
std::string_view userCode(const ast::Item &Rule);

/// A piece of a message: text, or what stands in `{expression}` or `{expression:format}`.
struct MessagePart {
  std::string_view Text;
  bool IsExpression = false;
  std::string_view Format; ///< "%", "GiB" or ""
  /// Of the expression, when the message's range is known; of a text, of the `{` in it that is never closed.
  SourceRange Range;
};
/// Splits the contents of a message string whose token (with quotes) is at `At`.
std::vector<MessagePart> messageParts(std::string_view Contents, SourceRange At = {});

} // namespace parlance
