#include "Sema/ItemChecker.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/Chains.h"
#include <algorithm>
#include <functional>
#include <set>

namespace parlance {

using namespace ast;

void ItemChecker::check() {
  for (Item *I : M.Tree->Items)
    declare(*I);
  cutBaseChains(M, Lib, Diags);
  for (Item *I : M.Tree->Items)
    body(*I);
  checkRuleCodes();
  checkCallChains(M, Diags);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool ItemChecker::nameIsFree(const Name &Id) {
  const UnitName *Unit = Lib.Units.find(Id.Text);
  if (Unit)
    Diags.report(diag::UnitNameTaken, Id.Range, Id.Text, Unit->Doc);
  return !Unit;
}

void ItemChecker::declare(Item &I) {
  switch (I.Kind) {
  case ItemKind::Fn:
    signature(I);
    break;
  case ItemKind::Record: {
    const SchemaDecl *Schema = Lib.schema(I.Id2.Text);
    if (!Schema || !Schema->TopLevel) {
      std::vector<std::string_view> Kinds;
      for (const SchemaDecl *S : Lib.Schemas)
        if (S->TopLevel)
          Kinds.push_back(S->Name);
      Diagnostic &D = Diags.report(diag::UnknownKind, I.Id2.Range, I.Id2.Text, joinList(Kinds));
      if (auto Near = nearest(I.Id2.Text, Kinds))
        D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{I.Id2.Range, std::string(*Near)}}, {}});
      break; // its name is declared all the same
    }
    I.Declared = Type::of(Type::Kind::Record);
    I.Declared.Schema = Schema;
    break;
  }
  case ItemKind::Let:
  case ItemKind::Rule:
    break;
  default:
    return;
  }
  if (!I.Id || !nameIsFree(I.Id))
    return;
  auto [It, New] = M.Names.emplace(I.Id.Text, &I);
  if (!New) {
    Diagnostic &D = Diags.report(diag::DuplicateName, I.Id.Range, I.Id.Text);
    D.Notes.push_back({It->second->Id.Range, "declared here first"});
  }
}

void ItemChecker::signature(Item &Fn) {
  std::set<std::string_view> Seen;
  for (const Param &P : Fn.Params)
    if (!Seen.insert(P.Id.Text).second)
      Diags.report(diag::DuplicateName, P.Id.Range, P.Id.Text);
  Fn.Declared = Fn.Ty ? Exprs.resolver().type(*Fn.Ty) : Type();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

void ItemChecker::body(Item &I) {
  Scope S = fileScope();
  switch (I.Kind) {
  case ItemKind::Let:
    Exprs.typeOfLet(I, S);
    break;
  case ItemKind::Fn:
    checkFn(I);
    break;
  case ItemKind::Require:
  case ItemKind::Warn:
    checkStatement(I, S);
    break;
  case ItemKind::Record:
    if (!I.Declared.isError())
      checkRecord(I);
    break;
  case ItemKind::Rule: {
    S.Self = Lib.schema("job");
    S.Derives = true;
    checkRule(I, S);
    break;
  }
  case ItemKind::Test:
    checkTest(I);
    break;
  case ItemKind::Case:
    Diags.report(diag::Misplaced, I.Id2.Range, fmt::format("`{}`", I.Id2.Text), "a `test`");
    break;
  case ItemKind::Assume:
    Diags.report(diag::Misplaced, I.KeyRange, "`assume`", "a job");
    break;
  case ItemKind::Maximize:
  case ItemKind::Minimize:
  case ItemKind::Field:
  case ItemKind::Block:
    Diags.report(diag::Misplaced, I.KeyRange ? I.KeyRange : I.Id.Range,
                 I.Kind == ItemKind::Field || I.Kind == ItemKind::Block ? "a field" : "an objective",
                 I.Kind == ItemKind::Field || I.Kind == ItemKind::Block ? "a block such as `layout NAME { … }`"
                                                                        : "a job");
    break;
  default:
    break;
  }
}

void ItemChecker::checkStatement(Item &I, Scope &S) {
  if (I.Value)
    Exprs.checkCondition(*I.Value, S, I.Kind == ItemKind::Require ? "`require`" : "`warn`");
  I.FrameSize = S.FrameSize;
}

void ItemChecker::checkFn(Item &Fn) {
  Scope S = fileScope();
  for (const Param &P : Fn.Params)
    S.push(P.Id.Text, P.Ty ? Exprs.resolver().type(*P.Ty) : Type());
  if (Fn.Value)
    Exprs.checkAgainst(*Fn.Value, S, Fn.Declared, Fn.Ty ? Fn.Ty->Range : SourceRange(), "");
  Fn.FrameSize = S.FrameSize;
}

} // namespace parlance
