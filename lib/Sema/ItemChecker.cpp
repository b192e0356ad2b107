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
        D.Fixes.push_back({fmt::format("`{}`", *Near),
                           Applicability::Maybe,
                           {{I.Id2.Range, std::string(*Near)}},
                           {}});
      return;
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
    checkStatement(I, S);
    break;
  }
  case ItemKind::Assume:
    Diags.report(diag::Misplaced, I.KeyRange, "`assume`", "a job");
    break;
  case ItemKind::Maximize:
  case ItemKind::Minimize:
  case ItemKind::Field:
  case ItemKind::Block:
    Diags.report(diag::Misplaced, I.KeyRange ? I.KeyRange : I.Id.Range,
                 I.Kind == ItemKind::Field || I.Kind == ItemKind::Block ? "a field"
                                                                        : "an objective",
                 I.Kind == ItemKind::Field || I.Kind == ItemKind::Block
                     ? "a block such as `layout NAME { … }`"
                     : "a job");
    break;
  default:
    break;
  }
}

void ItemChecker::checkStatement(Item &I, Scope &S) {
  if (I.Kind != ItemKind::Rule) {
    if (I.Value)
      Exprs.checkCondition(*I.Value, S, I.Kind == ItemKind::Require ? "`require`" : "`warn`");
    I.FrameSize = S.FrameSize;
    return;
  }
  auto Form = ruleForm(I, Diags);
  if (!Form)
    return;
  for (Expr *Condition : {Form->When, Form->Unless})
    if (Condition)
      Exprs.checkCondition(*Condition, S, Condition == Form->When ? "`when`" : "`unless`");
  auto CheckText = [&](std::string_view Text, SourceRange At) {
    for (const MessagePart &Part : messageParts(Text, At))
      if (Part.IsExpression)
        if (Expr *E = parseExpression(*M.Tree, P.Sources, Part.Range, Lib.Units, Diags))
          Exprs.check(*E, S);
  };
  CheckText(Form->Message->Value->Text, Form->Message->Value->Range);
  for (Item *N : Form->Notes) {
    Exprs.check(*N->Value, S);
    CheckText(N->Doc, N->DocRange);
  }
  for (Item *F : Form->Fixes) {
    Type T = Exprs.check(*F->Value, S);
    Exprs.check(*F->Extra, S, &T);
  }
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

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

std::vector<MessagePart> messageParts(std::string_view Contents, SourceRange At) {
  std::vector<MessagePart> Parts;
  // Both quotes are of one length: the contents begin behind the first.
  uint32_t First =
      At ? At.Begin + (At.End - At.Begin - static_cast<uint32_t>(Contents.size())) / 2 : 0;
  for (size_t Start = 0; Start < Contents.size();) {
    size_t Open = Contents.find('{', Start);
    size_t Close = Open == std::string_view::npos ? Open : Contents.find('}', Open);
    if (Close == std::string_view::npos) {
      Parts.push_back({Contents.substr(Start), false, {}, {}});
      break;
    }
    if (Open > Start)
      Parts.push_back({Contents.substr(Start, Open - Start), false, {}, {}});
    MessagePart Part{Contents.substr(Open + 1, Close - Open - 1), true, {}, {}};
    for (std::string_view Format : {":%", ":GiB"})
      if (Part.Text.ends_with(Format)) {
        Part.Text.remove_suffix(Format.size());
        Part.Format = Format.substr(1);
      }
    if (At) {
      uint32_t Begin = First + static_cast<uint32_t>(Open) + 1;
      Part.Range = {At.File, Begin, Begin + static_cast<uint32_t>(Part.Text.size())};
    }
    Parts.push_back(Part);
    Start = Close + 1;
  }
  return Parts;
}

static std::optional<Severity> severityWord(const Expr &E) {
  if (E.Kind == ExprKind::Name)
    for (Severity S : {Severity::Error, Severity::Warning, Severity::Hint})
      if (E.Text == severityName(S))
        return S;
  return std::nullopt;
}

std::optional<RuleForm> ruleForm(const Item &Rule, DiagnosticEngine &Diags) {
  RuleForm Form;
  static constexpr std::string_view Known[] = {"severity",   "when",   "unless",  "message",
                                               "caret",      "why",    "example", "fixed",
                                               "frameworks", "explain"};
  std::set<std::string_view> Seen;
  bool Ok = !Rule.Incomplete;
  for (Item *I : Rule.Items) {
    if (I->Kind == ItemKind::RuleNote || I->Kind == ItemKind::RuleFix) {
      (I->Kind == ItemKind::RuleNote ? Form.Notes : Form.Fixes).push_back(I);
      continue;
    }
    std::string_view Key = I->Id.Text;
    if (I->Kind != ItemKind::Field || std::ranges::find(Known, Key) == std::end(Known)) {
      Diagnostic &D = Diags.report(diag::UnknownField, I->Id ? I->Id.Range : I->Range, "rule", Key);
      if (auto Near = nearest(Key, Known))
        D.Fixes.push_back({fmt::format("`{}`", *Near),
                           Applicability::Maybe,
                           {{I->Id.Range, std::string(*Near)}},
                           {}});
      Ok = false;
      continue;
    }
    if (!Seen.insert(Key).second) {
      Diags.report(diag::DuplicateField, I->Id.Range, Key);
      Ok = false;
      continue;
    }
    Expr &V = *I->Value;
    if (V.Kind == ExprKind::Error) {
      Ok = false;
      continue;
    }
    if (Key == "when" || Key == "unless") {
      (Key == "when" ? Form.When : Form.Unless) = &V;
    } else if (Key == "explain") {
      Form.Explain = &V;
    } else if (Key == "severity") {
      auto S = severityWord(V);
      if (!S) {
        Diags.report(diag::UnknownEnumerator, V.Range, V.Text, "error, warning or hint");
        Ok = false;
      }
      Form.Level = S.value_or(Severity::Error);
    } else if (Key == "frameworks") {
      for (Expr *A : V.Args)
        Form.Frameworks.push_back(A->Text);
    } else if (V.Kind != ExprKind::String) {
      Diags.report(diag::ValueMismatch, V.Range, fmt::format("`{}`", Key), "`string`",
                   "something else");
      Ok = false;
    } else if (Key == "message") {
      Form.Message = I;
    } else {
      (Key == "caret"     ? Form.Caret
       : Key == "why"     ? Form.Why
       : Key == "example" ? Form.Example
                          : Form.Fixed) = V.Text;
    }
  }
  if (Ok && (!Form.Message || (!Form.When && !Form.Unless))) {
    Diags.report(diag::MissingField, Rule.Id.Range, "rule", Rule.Id.Text,
                 Form.Message ? "`when` or `unless`" : "`message`");
    Ok = false;
  }
  return Ok ? std::optional(Form) : std::nullopt;
}

} // namespace parlance
