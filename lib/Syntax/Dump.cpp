#include "Syntax/Dump.h"
#include <fmt/format.h>

namespace parlance {

namespace {

std::string unitText(const UnitExpr &U) {
  std::string S;
  for (const UnitTerm &T : U.Terms) {
    bool Below = T.Exponent < 0;
    S += S.empty() ? (Below ? "1/" : "") : Below ? "/" : "*";
    S += T.Name;
    if (int Power = Below ? -T.Exponent : T.Exponent; Power != 1)
      S += fmt::format("^{}", Power);
  }
  static constexpr std::string_view Names[] = {"", " per direction", " bidirectional", " dense", " sparse"};
  S += Names[static_cast<unsigned>(U.Qual)];
  return S;
}

std::string typeText(const ast::TypeExpr &Ty) {
  std::string S;
  for (const ast::TypeExpr::Alternative &A : Ty.Alternatives) {
    S += S.empty() ? "" : "|";
    S += A.Unit ? unitText(*A.Unit) : std::string(A.Word.Text);
  }
  if (Ty.Scaled)
    S = "int*" + S;
  return Ty.List ? "[" + S + "]" : S;
}

std::string list(std::string_view Head, const ast::Expr &E, size_t From = 0) {
  std::string S = fmt::format("({}", Head);
  for (size_t I = From; I < E.Args.size(); ++I)
    S += " " + dump(*E.Args[I]);
  return S + ")";
}

std::string_view itemWord(ast::ItemKind K) {
  static constexpr std::string_view Words[] = {
      "use",    "record", "field", "block", "let", "fn",   "require", "warn", "rule",   "maximize",     "minimize",
      "assume", "test",   "case",  "note",  "fix", "unit", "refuse",  "enum", "schema", "schema-field", "derive"};
  return Words[static_cast<unsigned>(K)];
}

} // namespace

std::string dump(const ast::Expr &E) {
  using K = ast::ExprKind;
  switch (E.Kind) {
  case K::Error:
    return "error";
  case K::Number:
    return E.Unit ? fmt::format("({} {})", E.Text, unitText(*E.Unit)) : std::string(E.Text);
  case K::Unit:
    return fmt::format("(unit {})", unitText(*E.Unit));
  case K::String:
    return fmt::format("\"{}\"", E.Text);
  case K::Bool:
    return E.Flag ? "true" : "false";
  case K::Name:
    return std::string(E.Text);
  case K::Field:
    return fmt::format("(. {} {})", dump(*E.Args[0]), E.Text);
  case K::Call:
    return list("call", E);
  case K::Unary:
  case K::Binary:
    return list(ast::opText(E.O), E);
  case K::If:
    return list("if", E);
  case K::Reduce:
    return list(fmt::format("{} {}", E.O == ast::Op::Add ? "sum" : E.O == ast::Op::Lt ? "min" : "max", E.Text), E);
  case K::Auto:
    return "auto";
  case K::List:
    return list("list", E);
  case K::Any:
    return list(E.Flag ? "any.." : "any", E);
  case K::Import:
    return fmt::format("(import \"{}\")", E.Text);
  }
  return "";
}

std::string dump(const ast::Item &I) {
  std::string S = fmt::format("({}", itemWord(I.Kind));
  for (const ast::Name *N : {&I.Id2, &I.Id})
    if (*N)
      S += fmt::format(" {}", N->Text);
  if (I.Base)
    S += fmt::format(" < {}", I.Base.Text);
  for (const ast::Param &P : I.Params)
    S += fmt::format(" ({} : {})", P.Id.Text, typeText(*P.Ty));
  if (I.Ty)
    S += fmt::format(" : {}", typeText(*I.Ty));
  for (const ast::Name &W : I.Words)
    S += fmt::format(" '{}", W.Text);
  if (I.DocRange)
    S += fmt::format(" \"{}\"", I.Doc);
  for (const ast::Expr *E : {I.Value, I.Extra})
    if (E)
      S += " " + dump(*E);
  for (const ast::Item *Inner : I.Items)
    S += " " + dump(*Inner);
  return S + ")";
}

std::string dump(const SyntaxTree &Tree) {
  std::string S;
  for (const ast::Item *I : Tree.Items)
    S += dump(*I) + "\n";
  return S;
}

} // namespace parlance
