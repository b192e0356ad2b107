#include "Eval/LibraryTrees.h"
#include "Sema/ItemChecker.h"

namespace parlance {

using namespace ast;

Scope LibraryTrees::jobScope() const {
  Scope S;
  S.Self = Lib.schema("job");
  S.Derives = true;
  return S;
}

Item *LibraryTrees::parseSource(const LibrarySource &Source) {
  // Leading line breaks keep the line numbers of the library's file.
  std::string Text(Source.Line ? Source.Line - 1 : 0, '\n');
  Text += Source.Text;
  Text += '\n';
  uint32_t File = Sources.add(std::string(Source.File), std::move(Text));
  ParseOptions Options;
  Options.Library = true;
  auto &Tree = Trees.emplace_back(parse(Sources, File, Lib.Units, Ignored, Options));
  return Tree->Items.empty() ? nullptr : Tree->Items.front();
}

const Item *LibraryTrees::function(uint32_t Index) {
  if (auto It = Functions.find(Index); It != Functions.end())
    return It->second;
  const FunctionDecl &Fn = Lib.Functions[Index];
  Item *I = parseSource(Fn.Source);
  if (I && I->Value) {
    Scope S;
    for (const ParamDecl &P : Fn.Params)
      S.push(P.Name, P.Ty);
    ExprChecker(Sources, Lib, Arena, Ignored).check(*I->Value, S, &Fn.Result);
  }
  return Functions[Index] = I;
}

const Item *LibraryTrees::derive(uint32_t Index) {
  if (auto It = Derives.find(Index); It != Derives.end())
    return It->second;
  const DeriveDecl &D = Lib.Derives[Index];
  Item *I = parseSource(D.Source);
  if (I && I->Value) {
    Scope S = jobScope();
    for (const ParamDecl &P : D.Params)
      S.push(P.Name, P.Ty);
    ExprChecker Checker(Sources, Lib, Arena, Ignored);
    Checker.check(*I->Value, S, &D.Result);
    if (I->Extra)
      Checker.check(*I->Extra, S);
  }
  return Derives[Index] = I;
}

const Item *LibraryTrees::rule(uint32_t Index) {
  if (auto It = Rules.find(Index); It != Rules.end())
    return It->second;
  Item *I = parseSource(Lib.Rules[Index].Source);
  if (auto Form = I ? ruleForm(*I, Ignored) : std::nullopt)
    for (Expr *E : {Form->When, Form->Unless})
      if (E) {
        Scope S = jobScope();
        ExprChecker(Sources, Lib, Arena, Ignored).check(*E, S);
      }
  return Rules[Index] = I;
}

const Expr *LibraryTrees::jobExpression(std::string_view Text, const Type *Expected) {
  if (auto It = Expressions.find(Text); It != Expressions.end())
    return It->second;
  uint32_t File = Sources.add("std", std::string(Text));
  auto &Tree = Trees.emplace_back(std::make_unique<SyntaxTree>());
  Tree->File = File;
  SourceRange All{File, 0, static_cast<uint32_t>(Text.size())};
  Expr *E = parseExpression(*Tree, Sources, All, Lib.Units, Ignored);
  if (E) {
    Scope S = jobScope();
    ExprChecker(Sources, Lib, Arena, Ignored).check(*E, S, Expected);
  }
  return Expressions[std::string(Text)] = E;
}

} // namespace parlance
