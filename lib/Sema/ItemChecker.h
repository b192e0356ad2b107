// Declarations of one file: names, signatures, records against their schemas, jobs and rules.
#pragma once
#include "Sema/RuleChecker.h"

namespace parlance {

class ItemChecker {
public:
  ItemChecker(Program &P, Module &M)
      : P(P), M(M), Diags(P.Diags), Lib(P.Lib), Exprs(P.Sources, P.Lib, P.Arena, P.Diags) {}
  void check();

private:
  void declare(ast::Item &I);
  bool nameIsFree(const ast::Item &I);
  void signature(ast::Item &Fn);
  void body(ast::Item &I);
  void checkFn(ast::Item &Fn);
  void checkRecord(ast::Item &R);
  bool checkBase(ast::Item &R, const SchemaDecl &Schema);
  const std::vector<bool> &given(Module &Owner, const ast::Item &R);
  void checkMissing(const ast::Item &R, const SchemaDecl &Schema, const std::vector<bool> &Given);
  void checkFields(ast::Item &Owner, const SchemaDecl &Schema, Scope &S, bool IsJob);
  std::string_view meaningOf(const SchemaDecl &Schema, const FieldDecl &F) const;
  void checkFieldValue(ast::Item &I, const FieldDecl &F, Scope &S);
  void misplacedIn(ast::Item &Owner, const ast::Item &I);
  void unknownField(const ast::Item &I, const SchemaDecl &Schema, const ast::Item &Owner);
  void namedField(Diagnostic &D, const ast::Item &I, const SchemaDecl &Schema, const ast::Item &Owner,
                  std::string_view Path) const;
  void checkJobItem(ast::Item &I, const ast::Item &Job, Scope &File);
  void checkAssume(ast::Item &I, const ast::Item &Job, Scope &File);
  bool isConstant(const ast::Name &Id);
  void checkStatement(ast::Item &I, Scope &S);
  void checkRule(ast::Item &Rule, Scope &S);
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

} // namespace parlance
