// The rules of a file together: their codes, and the tests that say what fires.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/ItemChecker.h"

namespace parlance {

using namespace ast;

void ItemChecker::checkRule(Item &Rule, Scope &S) {
  RuleChecker(P.Sources, Lib, P.Arena, Diags, *M.Tree, textsOf(M)).check(Rule, S);
}

/// A code stands for one rule of a file, of those that it uses and of a job.
void ItemChecker::checkRuleCodes() {
  using Codes = std::map<std::string_view, const Item *>;
  auto Add = [&](const Item &Rule, Codes &Taken) {
    if (Rule.Kind != ItemKind::Rule || !Rule.Id2)
      return;
    auto [It, New] = Taken.emplace(Rule.Id2.Text, &Rule);
    if (New)
      return;
    Diagnostic &D = Diags.report(diag::DuplicateName, Rule.Id2.Range, Rule.Id2.Text);
    D.Notes.push_back({It->second->Id2.Range, "declared here first"});
  };
  Codes OfFile;
  for (const Module *Used : M.Uses)
    OfFile.merge(rulesByCode(*Used));
  for (const Item *I : M.Tree->Items)
    Add(*I, OfFile);
  for (const Item *I : M.Tree->Items) {
    if (I->Kind != ItemKind::Record)
      continue;
    Codes OfJob = OfFile;
    for (const Item *Inner : I->Items)
      Add(*Inner, OfJob);
  }
}

//===----------------------------------------------------------------------===//
// Tests of rules
//===----------------------------------------------------------------------===//

void ItemChecker::checkTest(Item &Test) {
  FileSymbol Found = lookup(M, Lib, Test.Id.Text);
  if (Found.Ambiguous) {
    Diags.report(diag::AmbiguousName, Test.Id.Range, Test.Id.Text);
  } else if ((!Found.Item && !M.LacksNames) || (Found.Item && Found.Item->Kind != ItemKind::Rule)) {
    std::vector<std::string_view> Names;
    auto Collect = [&](const Module &File) {
      for (const auto &[Name, Item] : File.Names)
        if (Item->Kind == ItemKind::Rule)
          Names.push_back(Name);
    };
    Collect(M);
    for (const Module *Used : M.Uses)
      if (!P.Sources.isOutside(Used->Tree->File))
        Collect(*Used);
    Diagnostic &D = Diags.report(diag::UnknownName, Test.Id.Range, "rule", Test.Id.Text);
    if (auto Near = nearest(Test.Id.Text, Names))
      D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{Test.Id.Range, std::string(*Near)}}, {}});
  }
  bool HasValue = Test.Value && Test.Value->Kind != ExprKind::Error;
  if (Test.Base || HasValue)
    Diags.report(diag::Misplaced, Test.Base ? Test.Base.Range : Test.Value->Range, "this",
                 "a case of the test: `fires from JOB { … }`");
  for (Item *I : Test.Items) {
    if (I->Kind == ItemKind::Case)
      checkCase(*I);
    else
      Diags.report(diag::Misplaced, I->KeyRange, "this",
                   "a file or a job; a test has `fires { … }` and `passes { … }`");
  }
  if (Test.Items.empty() && !Test.Incomplete && !Test.Value)
    Diags.report(diag::MissingField, Test.Id.Range, "test", Test.Id.Text, "`fires` or `passes`");
}

/// A job that is not a job of the file: fields only, since nothing that it claims would be judged.
void ItemChecker::checkCase(Item &Case) {
  Case.Declared = Type::of(Type::Kind::Record);
  Case.Declared.Schema = Lib.schema("job");
  checkRecord(Case);
}

} // namespace parlance
