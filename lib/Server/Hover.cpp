#include "Server/Hover.h"
#include "Analysis/MemoryBars.h"
#include "Basic/Text.h"
#include "Basic/Utf8.h"
#include "Eval/Support.h"
#include "Sema/Builtin.h"
#include "Server/Values.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

namespace {

class HoverWriter {
public:
  HoverWriter(Snapshot &S, uint32_t Offset) : S(S), Lib(S.Run.Lib), Offset(Offset) {}
  json::Value write();

private:
  void names(Module &M);
  void symbol(const Occurrence &O);
  /// What the library declares: its declaration and documentation.
  void declared(const Symbol &W);
  void item(const Occurrence &O);
  void record(const Item &R);
  void field(const Symbol &W);
  void derive(const Occurrence &O);
  void derived(const DeriveDecl &D, const AnalyzedJob &J);
  void unit(std::string_view Spelling);
  void valuesInJobs(std::span<Item *const> Path);
  void valueOf(const Expr &E, const Item *Statement, const Item *Top);
  void literal(const Item &I);
  void findings();
  void add(std::string_view Markdown) {
    if (!Out.empty() && !Markdown.empty())
      Out += "\n";
    Out += Markdown;
  }
  void doc(std::string_view Text) {
    if (!Text.empty())
      add(docMarkdown(Text) + "\n");
  }
  std::optional<Evaluator::Frame> frame(const Item *Top, const Item *Statement);

  Snapshot &S;
  const Library &Lib;
  uint32_t Offset;
  SourceRange Shown;
  std::string Out;
};

/// The frame of the job around a place, or that of the file; none inside of functions and rules.
std::optional<Evaluator::Frame> HoverWriter::frame(const Item *Top, const Item *Statement) {
  if (!Top || Top->Kind == ItemKind::Fn || Top->Kind == ItemKind::Rule ||
      (Statement && Statement->Kind == ItemKind::Rule))
    return std::nullopt;
  Evaluator::Frame F;
  F.File = S.main();
  if (const AnalyzedJob *J = S.jobAround(*Top))
    F = J->Resolved->frame(S.main());
  F.Locals.resize(Statement ? Statement->FrameSize : 0);
  return F;
}

void HoverWriter::valueOf(const Expr &E, const Item *Statement, const Item *Top) {
  auto F = frame(Top, Statement);
  if (!F || E.Ty.isError() || readsOutside(E, S.Run.Values, *F))
    return;
  Value V = S.Run.Values.eval(E, *F);
  std::string Text = shownValue(S, V, E.Ty);
  if (!Text.empty())
    add(fmt::format("= **{}**\n", Text));
}

void HoverWriter::valuesInJobs(std::span<Item *const> Path) {
  constexpr size_t MaxJobs = 4;
  std::vector<FieldInJob> Jobs = fieldInJobs(S, Path);
  for (size_t I = 0; I < Jobs.size() && I < MaxJobs; ++I) {
    const FieldPath &At = Jobs[I].At;
    // A block has no name of its own; its fields have the values.
    if (At.decl().Ty.K == Type::Kind::Record && !At.decl().Ty.Schema->TopLevel)
      continue;
    if (S.Sources.isOutside(At.Owner->Origins[At.Index].Range.File))
      continue;
    std::string Text = shownValue(S, At.Owner->at(At.Index), At.decl().Ty);
    std::string From = shownOrigin(S, At.Owner->Origins[At.Index]);
    if (!Text.empty())
      add(fmt::format("= **{}** in job `{}`{}\n", Text, Jobs[I].Job->Name,
                      From.empty() ? "" : fmt::format(" ({})", From)));
  }
}

void HoverWriter::field(const Symbol &W) {
  const FieldDecl &F = W.Schema->Fields[W.Index];
  std::string Head = fieldHead(*W.Schema, F);
  add(codeBlock(Head));
  doc(F.Doc);
  std::string More;
  if (F.Required)
    More += "required";
  if (F.AllowAuto)
    More += More.empty() ? "may be `auto`" : ", may be `auto`";
  if (F.Minimum || F.Maximum)
    More += fmt::format("{}{}{}", More.empty() ? "" : ", ", F.Minimum ? fmt::format("at least {}", *F.Minimum) : "",
                        F.Maximum ? fmt::format("{}at most {}", F.Minimum ? ", " : "", *F.Maximum) : "");
  if (!More.empty())
    add(More + "\n");
}

void HoverWriter::record(const Item &R) {
  const SchemaDecl *Schema = R.Declared.Schema;
  add(codeBlock(fmt::format("{} {}{}", R.Id2.Text, R.Id.Text, R.Base ? fmt::format(" from {}", R.Base.Text) : "")));
  if (!Schema)
    return;
  doc(Schema->Doc);
  if (const AnalyzedJob *J = S.jobAround(R)) {
    const JobContext &C = *J->Resolved->Context;
    auto Line = [&](std::string_view Title, Quantity Q, auto Format) {
      if (Num N = rt::num(C.derived(Q)); N.isKnown())
        add(fmt::format("- {} {}", Title, Format(N)));
    };
    Line("memory", quantities::memory_peak, [&](Num N) {
      Num Usable = rt::num(C.derived(quantities::memory_usable));
      return formatGiB(N.real()) + (Usable.isKnown() ? " of " + formatGiB(Usable.real()) : "");
    });
    Line("step", quantities::time_step, [](Num N) { return formatQuantity(N, Dim::of(Base::Time)); });
    Line(mfuTitle(C), quantities::mfu, [](Num N) { return formatPercent(N.real()); });
    Line("bubble", quantities::bubble, [](Num N) { return formatPercent(N.real()); });
    Out += "\n";
  }
}

void HoverWriter::item(const Occurrence &O) {
  Item &I = *O.What.Decl;
  switch (I.Kind) {
  case ItemKind::Record:
    record(I);
    break;
  case ItemKind::Fn:
    add(codeBlock(signature(I, S.Sources)));
    doc(I.Doc);
    break;
  case ItemKind::Let: {
    add(codeBlock(fmt::format("let {}: {}", I.Id.Text, typeName(I.Declared))));
    doc(I.Doc);
    auto F = frame(O.Top, O.Statement);
    if (!F || !I.Value || I.Declared.isError())
      break;
    F->Locals.resize(I.FrameSize);
    add(derivationMarkdown(DerivationBuilder(S.Run.Values, S.Run.Trees).of(*I.Value, *F, std::string(I.Id.Text)),
                           S.Sources));
    break;
  }
  case ItemKind::Rule:
    add(codeBlock(fmt::format("rule {} {}", I.Id.Text, I.Id2.Text)));
    break;
  default:
    break;
  }
}

void HoverWriter::derived(const DeriveDecl &D, const AnalyzedJob &J) {
  Evaluator::Frame F = J.Resolved->frame(S.main());
  auto Index = static_cast<uint32_t>(&D - Lib.Derives.data());
  Derivation Tree = DerivationBuilder(S.Run.Values, S.Run.Trees).ofDerived(Index, {}, F);
  if (!Tree.Value.empty())
    add(derivationMarkdown(Tree, S.Sources));
  if (D.Group != QuantityGroup::Memory)
    return;
  std::string Bars;
  for (const std::string &Line : memoryBars(*J.Resolved->Context))
    Bars += Line + "\n";
  if (!Bars.empty())
    add("```text\n" + Bars + "```\n");
}

void HoverWriter::derive(const Occurrence &O) {
  const DeriveDecl &D = Lib.Derives[O.What.Index];
  add(codeBlock(signature("derive", D.Name, D.Params, D.Result)));
  doc(D.Doc);
  if (!D.Params.empty()) {
    if (O.Value)
      valueOf(*O.Value, O.Statement, O.Top);
    return;
  }
  if (const AnalyzedJob *J = O.Top ? S.jobAround(*O.Top) : nullptr)
    derived(D, *J);
}

void HoverWriter::unit(std::string_view Spelling) {
  const UnitName *U = Lib.Units.find(Spelling);
  if (!U)
    return;
  add(codeBlock(U->Name));
  Num Factor = literalValue("1", U->Factor, false);
  std::string Base = U->Dimension.str();
  add(fmt::format("{}{}\n", U->Doc, Base == U->Name ? "" : fmt::format(": {} {}", formatNumber(Factor, 6), Base)));
}

void HoverWriter::declared(const Symbol &W) {
  auto Add = [&](const std::string &Text, std::string_view Doc) {
    add(codeBlock(Text));
    doc(Doc);
  };
  switch (W.K) {
  case Symbol::Kind::Function: {
    const FunctionDecl &F = Lib.Functions[W.Index];
    return Add(signature("fn", F.Name, F.Params, F.Result), F.Doc);
  }
  case Symbol::Kind::Builtin:
    return Add(std::string(Builtins[W.Index].Signature), Builtins[W.Index].Doc);
  case Symbol::Kind::Enumerator:
    return Add(std::string(W.Enum->Values[W.Index]), W.Enum->Doc);
  case Symbol::Kind::LibraryRecord:
    return Add(std::string(Lib.Records[W.Index].Source.Text), Lib.Records[W.Index].Doc);
  case Symbol::Kind::Schema:
    return Add(std::string(W.Schema->Name), W.Schema->Doc);
  case Symbol::Kind::Enum:
    return Add(fmt::format("{}: {}", W.Enum->Name, fmt::join(W.Enum->Values, " | ")), W.Enum->Doc);
  default:
    return;
  }
}

void HoverWriter::symbol(const Occurrence &O) {
  Shown = O.Range;
  const Symbol &W = O.What;
  if (SourceRange Declared = declaration(W); S.Sources.isOutside(Declared.File)) {
    add(fmt::format("declared in `{}`, whose text is not shown\n", S.Sources.file(Declared.File).name()));
    return;
  }
  switch (W.K) {
  case Symbol::Kind::Item:
    item(O);
    break;
  case Symbol::Kind::Parameter: {
    const Param &P = W.Decl->Params[W.Index];
    add(codeBlock(fmt::format("{}: {}", P.Id.Text, P.Ty ? S.Sources.text(P.Ty->Range) : "?")));
    break;
  }
  case Symbol::Kind::Variable:
    add(codeBlock(fmt::format("{}: int", W.Name)));
    break;
  case Symbol::Kind::Derive:
    derive(O);
    break;
  case Symbol::Kind::Field:
    field(W);
    if (O.Value)
      valueOf(*O.Value, O.Statement, O.Top);
    else
      valuesInJobs(itemsAt(*S.main(), Offset));
    break;
  case Symbol::Kind::Unit:
    unit(W.Name);
    break;
  case Symbol::Kind::File:
  case Symbol::Kind::LibraryModule:
    add(codeBlock(W.Name));
    break;
  case Symbol::Kind::Function:
    declared(W);
    if (O.Value && O.Value->Kind == ExprKind::Call)
      valueOf(*O.Value, O.Statement, O.Top);
    break;
  case Symbol::Kind::Builtin:
  case Symbol::Kind::Enumerator:
  case Symbol::Kind::LibraryRecord:
  case Symbol::Kind::Schema:
  case Symbol::Kind::Enum:
    declared(W);
    break;
  case Symbol::Kind::Rule:
  case Symbol::Kind::None:
    break;
  }
}

/// A number, a word or `auto` behind a field's `=`: the field, and what became of it.
void HoverWriter::literal(const Item &I) {
  if (I.Kind != ItemKind::Field || !I.Value || Offset < I.Value->Range.Begin)
    return;
  std::vector<Item *> Path = itemsAt(*S.main(), Offset);
  Shown = I.Value->Range;
  valuesInJobs(Path);
}

void HoverWriter::names(Module &M) {
  std::vector<Occurrence> All = occurrences(S, M);
  const Occurrence *O = occurrenceAt(All, Offset);
  if (O)
    symbol(*O);
  std::vector<Item *> Path = itemsAt(M, Offset);
  if (Path.empty())
    return;
  bool OfName = O && O->What.K != Symbol::Kind::Unit && O->What.K != Symbol::Kind::Enumerator;
  if (!OfName)
    literal(*Path.back());
  if (O)
    return;
  // An operator, a bracket or a number: the whole expression that it makes.
  std::vector<Expr *> Exprs = expressionsAt(*Path.back(), Offset);
  if (Exprs.empty() || Exprs.back()->Ty.isError() || Exprs.back()->Ty.K == Type::Kind::String ||
      Exprs.back()->Kind == ExprKind::Auto)
    return;
  const Expr &E = *Exprs.back();
  Shown = E.Range;
  add(codeBlock(fmt::format("{}: {}", S.Sources.text(E.Range), typeName(E.Ty))));
  if (E.Kind != ExprKind::Number && E.Kind != ExprKind::Bool)
    valueOf(E, Path.back(), Path.front());
}

void HoverWriter::findings() {
  bool First = Out.empty();
  for (const Diagnostic &D : S.found()) {
    if (D.Range.File != S.file() || Offset < D.Range.Begin ||
        Offset > std::max(D.Range.Begin, D.Range.End ? D.Range.End - 1 : 0))
      continue;
    if (!First)
      Out += "\n---\n";
    First = false;
    Out += findingMarkdown(D, S.Sources);
    if (!Shown)
      Shown = D.Range;
  }
}

json::Value HoverWriter::write() {
  if (Module *M = S.main())
    names(*M);
  findings();
  if (Out.empty())
    return nullptr;
  lsp::Hover Result{lsp::Range()};
  Result.contents.value = validUtf8(Out);
  Result.range = Shown ? std::optional(S.range(Shown)) : std::nullopt;
  return Result;
}

} // namespace

json::Value hover(Snapshot &S, lsp::Position At) {
  if (!S.file())
    return nullptr;
  return HoverWriter(S, S.lines(S.file()).offset(At)).write();
}

} // namespace parlance::server
