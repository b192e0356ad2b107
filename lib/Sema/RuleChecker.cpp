// Rules of a file, and the tests that say what fires.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/ItemChecker.h"
#include <algorithm>
#include <set>

namespace parlance {

using namespace ast;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// PL9000 to PL9999.
static bool isOwnCode(std::string_view Code) {
  return Code.size() == 6 && Code.starts_with("PL9") &&
         Code.find_first_not_of("0123456789", 3) == std::string_view::npos;
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

/// The texts of a rule: what stands between braces is a value, and has a unit that its format shows.
void ItemChecker::checkMessage(std::string_view Text, SourceRange At, Scope &S) {
  for (const MessagePart &Part : messageParts(Text, At)) {
    if (!Part.IsExpression) {
      if (Part.Range)
        Diags.report(diag::UnclosedBracket, Part.Range, "{");
      continue;
    }
    Expr *E = parseExpression(*M.Tree, P.Sources, Part.Range, Lib.Units, Diags);
    if (!E)
      continue;
    Type Shown = Exprs.check(*E, S);
    if (Shown.isError() || Part.Format.empty())
      continue;
    Type Wanted = Type::quantity(Part.Format == "GiB" ? Dim::of(Base::Information) : Dim());
    bool Fits = Shown.isQuantity() && Shown.Dimension.withoutPopulations() == Wanted.Dimension;
    if (!Fits)
      Exprs.reportMismatch(*E, {&Wanted, 1}, Shown, {}, fmt::format("`:{}`", Part.Format));
  }
}

void ItemChecker::checkRule(Item &Rule, Scope &S) {
  if (Rule.Id2 && !isOwnCode(Rule.Id2.Text))
    Diags.report(diag::LibraryCode, Rule.Id2.Range, Rule.Id2.Text);
  Type On = Exprs.check(*Rule.Value, S);
  Ref::Kind Kind = Rule.Value->Target.K;
  if (!On.isError() && Kind != Ref::Kind::Field && Kind != Ref::Kind::JobField)
    Diags.report(diag::UnknownField, Rule.Value->Range, "job", Rule.Base.Text);
  auto Form = ruleForm(Rule, Diags);
  if (!Form)
    return;
  for (Expr *Condition : {Form->When, Form->Unless})
    if (Condition)
      Exprs.checkCondition(*Condition, S, Condition == Form->When ? "`when`" : "`unless`");
  if (Form->Explain)
    Exprs.check(*Form->Explain, S);
  const EnumDecl &Targets = *Lib.schema("job")->Fields[Lib.schema("job")->find("target")].Ty.Enum;
  for (const Expr *Word : Form->Frameworks)
    if (Targets.find(Word->Text) < 0)
      Diags.report(diag::UnknownEnumerator, Word->Range, Word->Text, joinList(Targets.Values, "or"));
  for (const Item *Text : {Form->Message, Form->Caret})
    if (Text)
      checkMessage(Text->Value->Text, Text->Value->Range, S);
  for (Item *N : Form->Notes) {
    Exprs.check(*N->Value, S);
    checkMessage(N->Doc, N->DocRange, S);
  }
  for (Item *F : Form->Fixes) {
    Type T = Exprs.check(*F->Value, S);
    Exprs.check(*F->Extra, S, &T);
  }
  Rule.FrameSize = S.FrameSize;
}

std::vector<MessagePart> messageParts(std::string_view Contents, SourceRange At) {
  std::vector<MessagePart> Parts;
  // Both quotes are of one length: the contents begin behind the first.
  uint32_t First = At ? At.Begin + (At.End - At.Begin - static_cast<uint32_t>(Contents.size())) / 2 : 0;
  for (size_t Start = 0; Start < Contents.size();) {
    size_t Open = Contents.find('{', Start);
    size_t Close = Open == std::string_view::npos ? Open : Contents.find('}', Open);
    if (Close == std::string_view::npos) {
      auto Brace = First + static_cast<uint32_t>(Open);
      bool Unclosed = At && Open != std::string_view::npos;
      Parts.push_back(
          {Contents.substr(Start), false, {}, Unclosed ? SourceRange{At.File, Brace, Brace + 1} : SourceRange()});
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

std::string_view userCode(const Item &Rule) { return Rule.Id2 ? Rule.Id2.Text : "PL9000"; }

static std::optional<Severity> severityWord(const Expr &E) {
  if (E.Kind == ExprKind::Name)
    for (Severity S : {Severity::Error, Severity::Warning, Severity::Hint})
      if (E.Text == severityName(S))
        return S;
  return std::nullopt;
}

std::optional<RuleForm> ruleForm(const Item &Rule, DiagnosticEngine &Diags) {
  RuleForm Form;
  static constexpr std::string_view Known[] = {"severity", "when",    "unless", "message", "caret",     "why",
                                               "raises",   "example", "fixed",  "explain", "frameworks"};
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
        D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{I->Id.Range, std::string(*Near)}}, {}});
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
      if (V.Kind != ExprKind::List) {
        Diags.report(diag::ValueMismatch, V.Range, "`frameworks`", "a list such as `[megatron]`", "something else");
        Ok = false;
      }
      Form.Frameworks = V.Args;
    } else if (V.Kind != ExprKind::String) {
      Diags.report(diag::ValueMismatch, V.Range, fmt::format("`{}`", Key), "`string`", "something else");
      Ok = false;
    } else if (Key == "message" || Key == "caret") {
      (Key == "message" ? Form.Message : Form.Caret) = I;
    } else {
      (Key == "why" ? Form.Why : Key == "raises" ? Form.Raises : Key == "example" ? Form.Example : Form.Fixed) = V.Text;
    }
  }
  if (Ok && (!Form.Message || (!Form.When && !Form.Unless))) {
    Diags.report(diag::MissingField, Rule.Id.Range, "rule", Rule.Id.Text,
                 Form.Message ? "`when` or `unless`" : "`message`");
    Ok = false;
  }
  return Ok ? std::optional(Form) : std::nullopt;
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
      for (auto &[Name, Item] : File.Names)
        if (Item->Kind == ItemKind::Rule)
          Names.push_back(Name);
    };
    Collect(M);
    for (const Module *Used : M.Uses)
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

/// A job that is no job of the file: fields only, since nothing that it claims would be judged.
void ItemChecker::checkCase(Item &Case) {
  Case.Declared = Type::of(Type::Kind::Record);
  Case.Declared.Schema = Lib.schema("job");
  checkRecord(Case);
}

} // namespace parlance
