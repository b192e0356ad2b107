#include "Analysis/Analyzer.h"
#include "Basic/Diagnostics.h"
#include "Sema/ItemChecker.h"
#include <algorithm>

namespace parlance {

using namespace ast;

void Analyzer::run() {
  for (auto &M : P.modules())
    runFile(*M);
}

void Analyzer::runFile(Module &M) {
  Evaluator::Frame F;
  F.File = &M;
  for (Item *I : M.Tree->Items)
    switch (I->Kind) {
    case ItemKind::Let:
      E.letValue(*I, F);
      break;
    case ItemKind::Require:
    case ItemKind::Warn:
      runStatement(*I, F);
      break;
    case ItemKind::Record:
      if (I->Declared.Schema && I->Declared.Schema->Name == "job")
        runJob(M, *I);
      else
        E.instance(M, *I);
      break;
    default:
      break;
    }
}

/// One line of source for a message, shortened when it is very long.
static std::string quoted(std::string_view Source) {
  std::string Result;
  for (char C : Source) {
    bool Blank = C == ' ' || C == '\n' || C == '\t' || C == '\r';
    if (Blank && (Result.empty() || Result.back() == ' '))
      continue;
    Result += Blank ? ' ' : C;
    if (Result.size() > 120)
      return Result + "…";
  }
  return Result;
}

/// Whether an expression reads a record that could not be made (a failed import): that was reported there.
bool Analyzer::refersToNothing(const Expr &X, const Evaluator::Frame &F) {
  if (X.Target.K == Ref::Kind::UserRecord && F.File && !E.instance(*F.File, *X.Target.Decl))
    return true;
  return std::ranges::any_of(X.Args, [&](const Expr *A) { return refersToNothing(*A, F); });
}

/// What is true when a comparison is not.
static std::string_view opposite(Op O) {
  switch (O) {
  case Op::Eq:
    return "!=";
  case Op::Ne:
    return "==";
  case Op::Lt:
    return ">=";
  case Op::Le:
    return ">";
  case Op::Gt:
    return "<=";
  default:
    return "<";
  }
}

void Analyzer::runStatement(const Item &I, Evaluator::Frame F) {
  if (!I.Value || I.Value->Ty.K != Type::Kind::Bool)
    return;
  F.Locals.resize(I.FrameSize);
  unsigned Before = E.Diags.errors();
  Truth Holds = E.condition(*I.Value, F);
  if (Holds == Truth::True || E.Diags.errors() != Before)
    return;
  std::string_view Source = P.Sources.text(I.Value->Range);
  if (Holds == Truth::Unknown) {
    if (!refersToNothing(*I.Value, F))
      E.Diags.report(diag::UnknownValue, I.Value->Range, quoted(Source));
    return;
  }
  bool Require = I.Kind == ItemKind::Require;
  std::string Message = fmt::format("{} does not hold: `{}`", Require ? "requirement" : "expectation", quoted(Source));
  if (!I.Doc.empty())
    Message = fmt::format("{}: `{}` does not hold", unescape(I.Doc), quoted(Source));
  Diagnostic &D = Require ? E.Diags.report(diag::RequirementFailed, I.Value->Range, Message)
                          : E.Diags.report(diag::WarningRaised, I.Value->Range, Message);
  DerivationBuilder Builder(E, Trees);
  std::vector<const Expr *> Sides{I.Value};
  if (I.Value->Kind == ExprKind::Binary && I.Value->O >= Op::Eq && I.Value->O <= Op::Ge) {
    Sides = {I.Value->Args[0], I.Value->Args[1]};
    D.CaretText = fmt::format("{} {} {}", Builder.shown(E.eval(*Sides[0], F), Sides[0]->Ty), opposite(I.Value->O),
                              Builder.shown(E.eval(*Sides[1], F), Sides[1]->Ty));
  }
  for (const Expr *Side : Sides)
    if (Side->Kind != ExprKind::Number && Side->Kind != ExprKind::Unit)
      D.Derivations.push_back(Builder.of(*Side, F));
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

/// Whether a record, its bases or the records that it refers to have errors in their fields. Judging such a job would
/// report one mistake several times.
bool Analyzer::isBroken(Module &M, const Item &R) const {
  const DiagnosticEngine &Diags = E.Diags;
  if (Diags.errorWithin(R.Id.Range) || (R.Base && Diags.errorWithin(R.Base.Range)) ||
      (R.Value && Diags.errorWithin(R.Value->Range)))
    return true;
  if (R.Base)
    if (FileSymbol Base = lookup(M, P.Lib, R.Base.Text); Base.Item && isBroken(*Base.Owner, *Base.Item))
      return true;
  return std::ranges::any_of(R.Items, [&](const ast::Item *I) {
    if (I->Kind != ItemKind::Field && I->Kind != ItemKind::Block)
      return false;
    if (Diags.errorWithin(I->Range))
      return true;
    if (!I->Value || I->Value->Target.K != Ref::Kind::UserRecord)
      return false;
    FileSymbol Named = lookup(M, P.Lib, I->Value->Text);
    return Named.Item && isBroken(*Named.Owner, *Named.Item);
  });
}

void Analyzer::runJob(Module &M, Item &Item) {
  AnalyzedJob &Job = Jobs.emplace_back(AnalyzedJob{&M, &Item, std::nullopt});
  const Record *R = E.instance(M, Item);
  if (!R || isBroken(M, Item))
    return;
  Job.Resolved = resolve(*R, E);
  if (!Job.Resolved)
    return;
  runLibraryRules(*Job.Resolved);
  for (auto &File : P.modules())
    for (ast::Item *I : File->Tree->Items)
      if (I->Kind == ItemKind::Rule)
        runUserRule(*File, *I, *Job.Resolved);
  for (ast::Item *I : Item.Items)
    switch (I->Kind) {
    case ItemKind::Let: {
      Evaluator::Frame F = Job.Resolved->frame(&M);
      E.letValue(*I, F);
      break;
    }
    case ItemKind::Require:
    case ItemKind::Warn:
      runStatement(*I, Job.Resolved->frame(&M));
      break;
    case ItemKind::Rule:
      runUserRule(M, *I, *Job.Resolved);
      break;
    default:
      break;
    }
}

void Analyzer::runLibraryRules(const Plan &Resolved) {
  RuleRunner Runner(P.Lib, E, Trees);
  for (uint32_t Rule : Runner.violations(Resolved))
    E.Diags.add(Runner.describe(Rule, Resolved));
}

void Analyzer::runUserRule(const Module &M, Item &Rule, const Plan &Resolved) {
  DiagnosticEngine Ignored; // the form was checked with the file
  auto Form = ruleForm(Rule, Ignored);
  if (!Form)
    return;
  Evaluator::Frame F = Resolved.frame(&M);
  F.Locals.resize(Rule.FrameSize);
  Truth When = Form->When ? E.condition(*Form->When, F) : Truth::True;
  Truth Unless = Form->Unless ? E.condition(*Form->Unless, F) : Truth::False;
  if ((When & !Unless) != Truth::True)
    return;
  auto Parse = [&](std::string_view Text) { return Trees.jobExpression(Text); };
  Diagnostic D;
  D.Code = Rule.Id2 ? Rule.Id2.Text : std::string_view("PL9000");
  D.Name = Rule.Id.Text;
  D.Level = Form->Level;
  D.Message = interpolate(Form->Message->Value->Text, E, F, Parse);
  D.Range = placeOf(*Resolved.Job, Rule.Base.Text);
  D.CaretText = interpolate(Form->Caret, E, F, Parse);
  D.Notes.push_back({Rule.Id.Range, fmt::format("rule `{}` is declared here", Rule.Id.Text)});
  DerivationBuilder Builder(E, Trees);
  D.Derivations.push_back(Builder.of(Form->Unless ? *Form->Unless : *Form->When, F));
  E.Diags.add(std::move(D));
}

} // namespace parlance
