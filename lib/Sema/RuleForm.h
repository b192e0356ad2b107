// What a `rule` is made of: its fields, the pieces of its messages, and the texts of its page.
#pragma once
#include "Basic/Diagnostic.h"
#include "Sema/Library.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parlance {

/// The fields of a `rule` item, collected and checked for presence, duplicates and spelling.
struct RuleForm {
  Severity Level = Severity::Error;
  ast::Expr *When = nullptr, *Unless = nullptr;
  ast::Item *Message = nullptr, *Caret = nullptr; ///< fields whose texts hold expressions
  std::string_view Why, Raises;
  ast::Expr *Example = nullptr, *Fixed = nullptr; ///< see RuleTexts
  ast::Expr *Explain = nullptr;
  bool AboutOptions = false;           ///< see RuleDecl
  std::vector<ast::Expr *> Frameworks; ///< the words
  std::vector<ast::Item *> Notes, Fixes;
};
std::optional<RuleForm> ruleForm(const ast::Item &Rule, DiagnosticEngine &Diags);
/// The code of a user's rule, which need not give one.
std::string_view userCode(const ast::Item &Rule);

/// The declaration of a rule as data, with the lists that it points at. Its texts are views of the source.
struct DeclaredRule {
  DeclaredRule(const ast::Item &Rule, const RuleForm &Form, const SourceManager &Sources);
  DeclaredRule(const DeclaredRule &) = delete;
  RuleDecl Decl;

private:
  std::vector<RuleNoteDecl> Notes;
  std::vector<RuleFixDecl> Fixes;
  std::vector<std::string_view> Frameworks;
};

/// The programs of a rule's page. Each is a string, the name of a text (`let NAME = "…"`), several of them joined by
/// `+`, which follow each other line by line, or a change of one: `replace(example, "tp = 4", "tp = 2")`.
class RuleTexts {
public:
  /// Finds a `let` by its name; null where there is none.
  using Names = std::function<ast::Item *(std::string_view)>;
  RuleTexts(const RuleForm &Form, Names Named, DiagnosticEngine &Diags)
      : Form(Form), Named(std::move(Named)), Diags(Diags) {}
  std::string example() { return Form.Example ? read(*Form.Example) : ""; }
  /// May name the other one, `example`.
  std::string fixed();

private:
  std::string read(const ast::Expr &E);
  std::string named(const ast::Expr &Name);
  std::string changed(const ast::Expr &Call);
  std::string noText(const ast::Expr &E);

  const RuleForm &Form;
  Names Named;
  DiagnosticEngine &Diags;
  std::optional<std::string> Example; ///< while `fixed` is read
};

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
