#include "Sema/RuleChecker.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include <algorithm>
#include <span>

namespace parlance {

using namespace ast;

RuleTexts::Names textsOf(const Module &File) {
  return [&File](std::string_view Name) -> Item * {
    if (auto It = File.Names.find(Name); It != File.Names.end())
      return It->second;
    for (const Module *Used : File.Uses)
      if (auto It = Used->Names.find(Name); It != Used->Names.end())
        return It->second;
    return nullptr;
  };
}

/// A rule of the library has a code of PL2000 to PL8999, a user's, which need not have one, of PL9000 to PL9999.
void RuleChecker::checkCode(const Item &Rule, bool OfLibrary) {
  std::string_view Code = Rule.Id2.Text;
  if (!Rule.Id2) {
    if (OfLibrary)
      Diags.report(diag::MissingField, Rule.Id.Range, "rule", Rule.Id.Text, "a code");
    return;
  }
  bool WellFormed =
      Code.size() == 6 && Code.starts_with("PL") && Code.find_first_not_of("0123456789", 2) == std::string_view::npos;
  bool Fits = WellFormed && (OfLibrary ? Code[2] >= '2' && Code[2] <= '8' : Code[2] == '9');
  if (!Fits)
    Diags.report(diag::LibraryCode, Rule.Id2.Range, Code, OfLibrary ? "the library" : "your own",
                 OfLibrary ? "PL2000 to PL8999" : "PL9000 to PL9999");
}

/// What a rule, a note or a fix is on: a field that a job has. Returns whether it is one.
bool RuleChecker::checkField(Expr &Field, Scope &S) {
  Type On = Exprs.check(Field, S);
  Ref::Kind Kind = Field.Target.K;
  bool IsField = Kind == Ref::Kind::Field || Kind == Ref::Kind::JobField;
  if (!On.isError() && !IsField)
    Diags.report(diag::UnknownField, Field.Range, "job", Sources.text(Field.Range));
  return IsField && !On.isError();
}

/// `{memory.peak:GB}`: a format that there is not. Returns whether it was one.
bool RuleChecker::reportFormat(const MessagePart &Part) {
  size_t Colon = Part.Text.rfind(':');
  std::string_view Format = Colon == Part.Text.npos ? std::string_view() : Part.Text.substr(Colon + 1);
  bool Word = !Format.empty() && Format.find_first_of(" ()") == Format.npos;
  if (!Part.Format.empty() || !Word)
    return false;
  SourceRange At = Part.Range;
  At.Begin += static_cast<uint32_t>(Colon);
  Diags.report(diag::UnknownEnumerator, At, Part.Text.substr(Colon),
               "`:GiB` for bytes, `:%` for a ratio, or no format");
  return true;
}

/// The texts of a rule: what stands between braces is a value, and has a unit that its format shows.
void RuleChecker::checkMessage(std::string_view Text, SourceRange At, Scope &S) {
  for (const MessagePart &Part : messageParts(Text, At)) {
    if (!Part.IsExpression) {
      if (Part.Range)
        Diags.report(diag::UnclosedBracket, Part.Range, "{");
      continue;
    }
    if (reportFormat(Part))
      continue;
    Expr *E = parseExpression(Tree, Sources, Part.Range, Lib.Units, Diags);
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

/// The types of the values that a field takes.
std::vector<Type> RuleChecker::typesOf(const Expr &Field) const {
  const SchemaDecl *Owner = Field.Target.K == Ref::Kind::Field ? Field.Args[0]->Ty.Schema : Lib.schema("job");
  const FieldDecl &F = Owner->Fields[Field.Target.Index];
  std::vector<Type> Types{F.Ty};
  Types.insert(Types.end(), F.Alternatives.begin(), F.Alternatives.end());
  return Types;
}

/// Whether a rule may offer a value for a field. A plain count stands for whatever the field counts.
static bool mayBeOffered(const Type &Field, const Type &Value) {
  bool Plain = Value.isQuantity() && Value.Dimension.isNone() && Field.isQuantity();
  bool Count = Plain && (Field.Dimension.isPopulation() || (Value.BareLiteral && Field.isCount()));
  return Count || fitsField(Field, Value);
}

/// What a rule offers is checked with it, not when it first fires.
void RuleChecker::checkFix(Item &Fix, Scope &S) {
  Ref::Kind Kind = checkField(*Fix.Value, S) ? Fix.Value->Target.K : Ref::Kind::None;
  if (Kind == Ref::Kind::None) {
    Exprs.check(*Fix.Extra, S);
    return;
  }
  std::vector<Type> Types = typesOf(*Fix.Value);
  Exprs.check(*Fix.Extra, S, &Types.front());
  if (Fix.Extra->Ty.isError())
    return;
  for (Expr *Candidate : Fix.Extra->Kind == ExprKind::List ? Fix.Extra->Args : std::vector{Fix.Extra}) {
    const Type &Offered = Candidate->Ty;
    bool Listed = Offered.K == Type::Kind::List; // `divisors(n)`: plain numbers, whichever they are
    bool Fits = std::ranges::any_of(Types, [&](const Type &T) { return mayBeOffered(T, Offered); });
    if (!Offered.isError() && !Listed && !Fits)
      Exprs.reportMismatch(*Candidate, Types, Offered, {}, fmt::format("`{}`", Sources.text(Fix.Value->Range)));
  }
}

/// Lets an editor find where a text is used.
static void bindTexts(Expr &E, const RuleTexts::Names &Named) {
  if (E.Kind == ExprKind::Name)
    if (Item *Let = Named(E.Text)) {
      E.Target = {Ref::Kind::Let, 0, Let};
      E.Ty = Type::of(Type::Kind::String);
    }
  for (Expr *Part : std::span(E.Args).subspan(E.Kind == ExprKind::Call ? 1 : 0))
    bindTexts(*Part, Named);
}

std::optional<RuleForm> RuleChecker::check(Item &Rule, Scope &S) {
  checkCode(Rule, !S.File);
  checkField(*Rule.Value, S);
  auto Form = ruleForm(Rule, Diags);
  if (!Form)
    return std::nullopt;
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
  for (Item *F : Form->Fixes)
    checkFix(*F, S);
  for (Expr *Text : {Form->Example, Form->Fixed})
    if (Text)
      bindTexts(*Text, Named);
  RuleTexts Texts(*Form, Named, Diags);
  if (Form->Fixed)
    Texts.fixed();
  else
    Texts.example();
  Rule.FrameSize = S.FrameSize;
  return Form;
}

} // namespace parlance
