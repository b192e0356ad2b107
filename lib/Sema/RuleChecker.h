// Checks a rule, the library's or a user's.
#pragma once
#include "Sema/ExprChecker.h"
#include "Sema/RuleForm.h"

namespace parlance {

/// The texts that the rules of a file can name: the file's `let`s, and those of the files that it uses.
RuleTexts::Names textsOf(const Module &File);

class RuleChecker {
public:
  /// Expressions in messages are parsed into `Tree`, that of the rule's file. `Named` finds the file's texts.
  RuleChecker(SourceManager &Sources, const Library &Lib, TypeArena &Arena, DiagnosticEngine &Diags, SyntaxTree &Tree,
              RuleTexts::Names Named)
      : Sources(Sources), Lib(Lib), Diags(Diags), Tree(Tree), Named(std::move(Named)),
        Exprs(Sources, Lib, Arena, Diags) {}

  /// Reports all that is wrong with a rule and types its expressions. Its parts, where these can be read. A scope
  /// without a file is the library's.
  std::optional<RuleForm> check(ast::Item &Rule, Scope &S);

private:
  void checkCode(const ast::Item &Rule, bool OfLibrary);
  bool checkField(ast::Expr &Field, Scope &S);
  void checkMessage(std::string_view Text, SourceRange At, Scope &S);
  bool reportFormat(const MessagePart &Part);
  void checkFix(ast::Item &Fix, Scope &S);
  std::vector<Type> typesOf(const ast::Expr &Field) const;

  SourceManager &Sources;
  const Library &Lib;
  DiagnosticEngine &Diags;
  SyntaxTree &Tree;
  RuleTexts::Names Named;
  ExprChecker Exprs;
};

} // namespace parlance
