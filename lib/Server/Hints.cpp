#include "Server/Hints.h"
#include "Eval/Support.h"
#include "Server/Hover.h"
#include "Server/Index.h"
#include "Server/Values.h"
#include "Units/Format.h"
#include "std/Std.h"

namespace parlance::server {

using namespace ast;

namespace {

class HintWriter {
public:
  HintWriter(Snapshot &S, lsp::Range In) : S(S), Lines(S.lines(S.file())) {
    Begin = Lines.offset(In.start);
    End = Lines.offset(In.end);
  }
  json::Array write() {
    for (Item *I : S.main()->Tree->Items) {
      std::vector<Item *> Path{I};
      visit(Path);
    }
    return std::move(Result);
  }

private:
  void visit(std::vector<Item *> &Path);
  void let(const Item &Let, const Item &Top);
  void field(std::span<Item *const> Path);
  void batch(std::string_view Field, const Item &I, const AnalyzedJob &J);
  void add(uint32_t At, const std::string &Label, lsp::InlayHintKind Kind);

  Snapshot &S;
  const LineTable &Lines;
  uint32_t Begin = 0, End = 0;
  json::Array Result;
};

void HintWriter::add(uint32_t At, const std::string &Label, lsp::InlayHintKind Kind) {
  lsp::InlayHint Hint(Kind, Lines.position(At));
  Hint.label = validUtf8(Label);
  Result.push_back(toJSON(Hint));
}

void HintWriter::visit(std::vector<Item *> &Path) {
  Item &I = *Path.back();
  if (I.Range.End < Begin || I.Range.Begin > End || I.Kind == ItemKind::Rule)
    return;
  if (I.Kind == ItemKind::Let)
    let(I, *Path.front());
  else if (I.Kind == ItemKind::Field)
    field(Path);
  for (Item *Part : I.Items) {
    Path.push_back(Part);
    visit(Path);
    Path.pop_back();
  }
}

/// The unit that was inferred, and the value of what is not a literal.
void HintWriter::let(const Item &Let, const Item &Top) {
  if (Let.Declared.isError() || !Let.Value || !Let.Id)
    return;
  if (!Let.Ty)
    add(Let.Id.Range.End, ": " + typeName(Let.Declared), lsp::InlayHintKind::Type);
  if (Let.Value->Kind == ExprKind::Number || Let.Value->Kind == ExprKind::String || Let.Value->Kind == ExprKind::Bool)
    return;
  Evaluator::Frame F;
  F.File = S.main();
  if (const AnalyzedJob *J = S.jobAround(Top))
    F = J->Resolved->frame(S.main());
  else if (Top.Kind == ItemKind::Record)
    return;
  F.Locals.resize(Let.FrameSize);
  if (readsOutside(*Let.Value, S.Run.Values, F))
    return;
  std::string Text = shownValue(S, S.Run.Values.eval(*Let.Value, F), Let.Declared);
  if (!Text.empty())
    add(Let.Value->Range.End, " = " + Text, lsp::InlayHintKind::Parameter);
}

void HintWriter::batch(std::string_view Field, const Item &I, const AnalyzedJob &J) {
  using namespace fields;
  auto Add = [&](Num N, std::string_view Unit) {
    if (N.isKnown())
      add(I.Value->Range.End, fmt::format(" = {} {}", formatNumber(N), Unit), lsp::InlayHintKind::Parameter);
  };
  if (Field == "global")
    Add(rt::num(J.Resolved->Context->derived(quantities::tokens_per_replica)), "tok per replica");
  else if (Field == "micro")
    Add(rt::fieldNum(J.Resolved->Job->rec(job::batch), batch::accum), "micro-batches per replica");
}

void HintWriter::field(std::span<Item *const> Path) {
  const Item &I = *Path.back();
  if (!I.Value)
    return;
  std::vector<FieldInJob> Jobs = fieldInJobs(S, Path);
  if (Jobs.empty())
    return;
  if (I.Value->Kind == ExprKind::Auto) {
    // Of several jobs with one layout, the hint names each.
    std::string Label;
    for (const FieldInJob &J : Jobs) {
      std::string Text = shownValue(S, J.At.Owner->at(J.At.Index), J.At.decl().Ty);
      if (Text.empty())
        continue;
      Label += Label.empty() ? " = " : ", ";
      Label += Jobs.size() > 1 ? fmt::format("{} in {}", Text, J.Job->Name) : Text;
    }
    if (!Label.empty())
      add(I.Value->Range.End, Label, lsp::InlayHintKind::Parameter);
  } else if (Path.size() == 3 && Path[1]->Id.Text == "batch") {
    batch(I.Id.Text, I, *Jobs[0].Job);
  }
}

/// "fits: 61.2 of 79.6 GiB"
std::string memoryText(const JobContext &C) {
  Num Peak = rt::num(C.derived(quantities::memory_peak)), Usable = rt::num(C.derived(quantities::memory_usable));
  if (!Peak.isKnown())
    return "";
  std::string Text = Usable.isKnown() ? fmt::format("{:.1f} of {}", Peak.real() / (1 << 30), formatGiB(Usable.real()))
                                      : formatGiB(Peak.real());
  Truth Fits = rt::flag(C.derived(quantities::memory_fits));
  return (Fits == Truth::True ? "fits: " : Fits == Truth::False ? "does not fit: " : "memory: ") + Text;
}

std::string outcome(const Plan &P) {
  const JobContext &C = *P.Context;
  std::vector<std::string> Parts;
  if (std::string Memory = memoryText(C); !Memory.empty())
    Parts.push_back(std::move(Memory));
  if (Num Step = rt::num(C.derived(quantities::time_step)); Step.isKnown())
    Parts.push_back("step " + formatQuantity(Step, Dim::of(Base::Time)));
  if (Num Mfu = rt::num(C.derived(quantities::mfu)); Mfu.isKnown())
    Parts.push_back(mfuTitle(C) + " " + formatPercent(Mfu.real()));
  struct Overlap {
    Quantity Ratio, Exposed;
    std::string_view Title;
  };
  static constexpr Overlap Overlaps[] = {{quantities::overlap_dp, quantities::overlap_dp_exposed, "DP"},
                                         {quantities::overlap_zero3, quantities::overlap_zero3_exposed, "ZeRO-3"},
                                         {quantities::overlap_tp, quantities::overlap_tp_exposed, "TP"},
                                         {quantities::overlap_pp, quantities::overlap_pp_exposed, "PP"},
                                         {quantities::overlap_cp, quantities::overlap_cp_exposed, "CP"},
                                         {quantities::overlap_ep, quantities::overlap_ep_exposed, "EP"}};
  for (auto [RatioOf, ExposedOf, Title] : Overlaps) {
    Num Ratio = rt::num(C.derived(RatioOf)), Exposed = rt::num(C.derived(ExposedOf));
    if (!Ratio.isKnown() || !Exposed.isKnown())
      continue;
    Parts.push_back(Exposed.real() > 0
                        ? fmt::format("{} exposed {}", Title, formatQuantity(Exposed, Dim::of(Base::Time)))
                        : fmt::format("{} hidden", Title));
  }
  return fmt::format("{}", fmt::join(Parts, " · "));
}

} // namespace

json::Value inlayHints(Snapshot &S, lsp::Range In) { return S.main() ? HintWriter(S, In).write() : json::Array(); }

json::Value codeLenses(const Document &D, Snapshot &S) {
  json::Array Result;
  if (!S.main())
    return Result;
  for (const AnalyzedJob &J : S.jobs()) {
    // A layout that does not use the GPUs of its cluster is not a job yet: its numbers would be of another one.
    if (J.File != S.main() || !J.Item || !J.Resolved ||
        J.Resolved->Context->derived(quantities::valid_world).Flag == Truth::False)
      continue;
    std::string Title = outcome(*J.Resolved);
    if (Title.empty())
      continue;
    Result.push_back(
        json::Object{{"range", S.range(J.Item->Id.Range)},
                     {"command", json::Object{{"title", text(Title)},
                                              {"command", "parlance.estimate"},
                                              {"arguments", json::Array{text(D.Uri.uri()), text(J.Name)}}}}});
  }
  return Result;
}

} // namespace parlance::server
