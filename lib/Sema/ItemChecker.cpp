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

bool ItemChecker::nameIsFree(const Item &I) {
  const UnitName *Unit = Lib.Units.find(I.Id.Text);
  if (!Unit)
    return true;
  Diags.report(diag::UnitNameTaken, I.Id.Range, I.Id.Text, Unit->Doc);
  M.RefusedNames.insert(I.Id.Text);
  return false;
}

/// The kind of block that has all the fields of one whose kind is not known; empty where several have, or none.
static std::optional<std::string_view> kindOf(const Library &Lib, const Item &Block) {
  std::optional<std::string_view> Only;
  for (const SchemaDecl *S : Lib.Schemas) {
    bool HasAll = S->TopLevel && !Block.Items.empty() && std::ranges::all_of(Block.Items, [&](const Item *Part) {
                    bool Field = Part->Kind == ItemKind::Field || Part->Kind == ItemKind::Block;
                    return Field ? S->find(Part->Id.Text) >= 0 : S->Name == "job";
                  });
    if (HasAll && Only)
      return std::nullopt;
    if (HasAll)
      Only = S->Name;
  }
  return Only;
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
      auto Near = nearest(I.Id2.Text, Kinds);
      if (Near = Near ? Near : kindOf(Lib, I); Near)
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
  if (!I.Id || !nameIsFree(I))
    return;
  auto [It, New] = M.Names.emplace(I.Id.Text, &I);
  if (!New) {
    Diagnostic &D = Diags.report(diag::DuplicateName, I.Id.Range, I.Id.Text);
    D.Notes.push_back({It->second->Id.Range, "declared here first"});
  }
}

void ItemChecker::signature(Item &Fn) {
  std::set<std::string_view> Seen;
  for (Param &P : Fn.Params) {
    if (!Seen.insert(P.Id.Text).second)
      Diags.report(diag::DuplicateName, P.Id.Range, P.Id.Text);
    P.Declared = P.Ty ? Exprs.resolver().type(*P.Ty) : Type();
  }
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
    S.push(P.Id.Text, P.Declared);
  if (Fn.Value)
    Exprs.checkAgainst(*Fn.Value, S, Fn.Declared, Fn.Ty ? Fn.Ty->Range : SourceRange(), "");
  Fn.FrameSize = S.FrameSize;
}

} // namespace parlance
