#include "Plan/Plan.h"
#include "Basic/Diagnostics.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "Plan/RankGrid.h"
#include "std/Std.h"

namespace parlance {

namespace {

/// Ranks that are told apart.
constexpr int64_t MaxRanks = 1 << 24;

/// Fills in one copy of a job. The copies belong to the evaluator.
class Resolver {
public:
  Resolver(const Record &Written, Evaluator &E) : E(E), Job(*E.own(Written)) {}
  std::optional<Plan> run(const Record &Written);

private:
  Record *block(unsigned Field) {
    const Record *R = Job.rec(Field);
    Record *Copy = R ? E.own(*R) : nullptr;
    if (Copy)
      Job.Values[Field].Rec = Copy;
    return Copy;
  }
  Record *makeBlock(std::string_view Schema) {
    const SchemaDecl *S = E.Lib.schema(Schema);
    return E.own(emptyRecord(*S, S->Name));
  }
  static void deduce(Record &R, unsigned Field, Value V, std::string_view Why) {
    SourceRange At = R.Origins[Field].Range;
    R.Values[Field] = V;
    R.Origins[Field] = {Origin::Kind::Deduced, At, Why};
  }
  bool searchSpace(const Record &R) const;
  void resolveCluster();
  void resolveLayout();
  void resolveBatch();
  bool resolveGroups();
  Value group(Group G);

  Evaluator &E;
  Record &Job;
  Record *Layout = nullptr, *Batch = nullptr;
};

} // namespace

using namespace fields;

bool Resolver::searchSpace(const Record &R) const {
  for (size_t I = 0; I < R.Values.size(); ++I) {
    if (R.Values[I].K == Value::Kind::Any)
      return true;
    if (R.Values[I].K == Value::Kind::Record && searchSpace(*R.Values[I].Rec))
      return true;
  }
  return false;
}

void Resolver::resolveCluster() {
  const Record *Cluster = Job.rec(job::cluster);
  const Value Node = rt::field(Cluster, cluster::node);
  Job.Values[job::device] = Value::record(Node.Rec);
  Job.Values[job::inter] = Value::record(rt::fieldRecord(Cluster, cluster::inter));
  Job.Values[job::gpus_per_node] = Node.K == Value::Kind::Scaled ? Value::of(Node.Number) : Value();
  // What follows from the cluster is changed at the cluster.
  for (unsigned F : {job::device, job::inter, job::gpus_per_node})
    Job.Origins[F] = Cluster->Origins[F == job::inter ? cluster::inter : cluster::node];
}

void Resolver::resolveLayout() {
  if (Layout->at(layout::dp).K == Value::Kind::Auto) {
    Num World = Job.num(job::gpus_per_node) * rt::fieldNum(Job.rec(job::cluster), cluster::nodes);
    Num Replica = Layout->num(layout::tp) * Layout->num(layout::pp) * Layout->num(layout::cp);
    // Floored: when it does not come out even, the rule on the world size reports it.
    deduce(*Layout, layout::dp, Value::of(maximum(Num(1), floorOf(World / Replica))),
           "GPUs of the cluster / (tp * pp * cp)");
  }
  if (Layout->at(layout::shard).K == Value::Kind::Auto)
    deduce(*Layout, layout::shard, Layout->at(layout::dp), "dp");
}

void Resolver::resolveBatch() {
  Num SeqLen = Job.num(job::seq_len), Dp = Layout->num(layout::dp), Micro = Batch->num(batch::micro);
  const Value Global = Batch->at(batch::global), Accum = Batch->at(batch::accum);
  bool Given = Global.K == Value::Kind::Quantity;
  // Files that leave the micro-batch open give the two others. Floored: when it does not come out even, the rules on
  // the batch report it.
  if (Given && !Micro.isKnown() && Accum.K == Value::Kind::Quantity) {
    Num All = Global.Alternative ? Global.Number : Global.Number / SeqLen;
    Micro = maximum(Num(1), floorOf(All / (Accum.Number * Dp)));
    deduce(*Batch, batch::micro, Value::of(Micro), "global / (accum * dp)");
  }
  Num PerStep = Micro * Dp;
  Num Sequences = !Given               ? PerStep * (Accum.K == Value::Kind::Quantity ? Accum.Number : Num(1))
                  : Global.Alternative ? Global.Number
                                       : Global.Number / SeqLen;
  Num Tokens = Given && !Global.Alternative ? Global.Number : Sequences * SeqLen;
  if (Accum.K == Value::Kind::Auto)
    deduce(*Batch, batch::accum, Value::of(Given ? Sequences / PerStep : Num(1)), "global / (micro * dp)");
  Batch->Origins[batch::sequences] = Batch->Origins[batch::tokens] = Batch->Origins[batch::global];
  Batch->Values[batch::sequences] = Value::of(Sequences);
  Batch->Values[batch::tokens] = Value::of(Tokens);
  if (!Given)
    deduce(*Batch, batch::global, Value::of(Tokens), "micro * accum * dp * seq_len");
  // From here on `batch.global` is in tokens, as its first type says.
  Batch->Values[batch::global].Number = Tokens;
  Batch->Values[batch::global].Alternative = 0;
}

Value Resolver::group(Group G) {
  Record *R = makeBlock("group");
  R->Values[group::size] = Value::of(Num(G.Size));
  R->Values[group::stride] = Value::of(Num(G.Stride));
  R->Values[group::per_node] = Value::of(Num(G.PerNode));
  R->Values[group::nodes] = Value::of(Num(G.Nodes));
  return Value::record(R);
}

bool Resolver::resolveGroups() {
  std::string_view Written = rt::text(Layout->at(layout::order));
  // One that options which nobody understands may set: the groups are those of the usual one.
  if (Written.empty() && Layout->Origins[layout::order].K != Origin::Kind::Given)
    Written = rt::text(rt::defaultOf(*Layout, layout::order));
  auto Order = parseRankOrder(Written);
  if (!Order) {
    E.Diags.report(diag::BadOrder, Layout->Origins[layout::order].Range, Written);
    return false;
  }
  auto Whole = [](Num N) { return N.isIntegral() ? std::max<int64_t>(1, N.toInteger()) : 1; };
  int64_t Tp = Whole(Layout->num(layout::tp)), Cp = Whole(Layout->num(layout::cp)), Pp = Whole(Layout->num(layout::pp)),
          Dp = Whole(Layout->num(layout::dp)), Ep = Whole(Layout->num(layout::ep)),
          Etp = Whole(Layout->num(layout::etp)), PerNode = Whole(Job.num(job::gpus_per_node));
  // Larger than any cluster: the groups stay unknown, so that nothing overflows and no enumeration takes long.
  Num Ranks = Num(Tp) * Num(Cp) * Num(Dp) * Num(Pp), ExpertRanks = Num(Etp) * Num(Ep) * Num(Pp);
  if (lessEqual(maximum(Ranks, ExpertRanks), Num(MaxRanks)) != Truth::True)
    return true;
  for (unsigned F : {layout::tp, layout::cp, layout::pp, layout::dp, layout::shard, layout::ep, layout::etp})
    if (!Layout->num(F).isKnown())
      return true;
  AxisSizes Dense{Tp, Cp, 1, Dp, Pp};
  // Experts use the same ranks again: tp * cp * dp = etp * ep * edp.
  int64_t Edp = std::max<int64_t>(1, Tp * Cp * Dp / (Etp * Ep));
  AxisSizes Expert{Etp, 1, Ep, Edp, Pp};
  Record *R = makeBlock("groups");
  R->Values[groups::tp] = group(groupAlong(Axis::Tp, Dense, *Order, PerNode));
  R->Values[groups::cp] = group(groupAlong(Axis::Cp, Dense, *Order, PerNode));
  R->Values[groups::dp] = group(groupAlong(Axis::Dp, Dense, *Order, PerNode));
  // Groups that do not come out even are cut short, for the rules to report.
  CutGroup Dps = cutAlong(Axis::Dp, Dense, *Order, PerNode, std::min(Whole(Layout->num(layout::shard)), Dp));
  R->Values[groups::shard] = group(Dps.Inner);
  R->Values[groups::replicate] = group(Dps.Outer);
  R->Values[groups::pp] = group(groupAlong(Axis::Pp, Dense, *Order, PerNode));
  R->Values[groups::ep] = group(groupAlong(Axis::Ep, Expert, *Order, PerNode));
  R->Values[groups::edp] = group(groupAlong(Axis::Dp, Expert, *Order, PerNode));
  Job.Values[job::groups] = Value::record(R);
  return true;
}

std::optional<Plan> Resolver::run(const Record &Written) {
  for (unsigned F : {job::model, job::cluster, job::layout})
    if (!Job.rec(F))
      return std::nullopt;
  if (searchSpace(Job)) {
    E.Diags.report(diag::SearchSpace, Job.NameRange, Job.Name);
    return std::nullopt;
  }
  Layout = block(job::layout);
  Batch = block(job::batch);
  resolveCluster();
  if (!Job.rec(job::device))
    return std::nullopt;
  resolveLayout();
  resolveBatch();
  if (!resolveGroups())
    return std::nullopt;
  return Plan{&Written, &Job, std::make_shared<JobContext>(E.Lib, Job), false, false};
}

std::optional<Plan> resolve(const Record &Job, Evaluator &E) { return Resolver(Job, E).run(Job); }

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

FieldPath fieldAt(const Record &Job, std::string_view Path) {
  const Record *R = &Job;
  while (R) {
    size_t Dot = Path.find('.');
    int Index = R->Schema->find(Path.substr(0, Dot));
    if (Index < 0)
      return {};
    if (Dot == std::string_view::npos)
      return {R, static_cast<unsigned>(Index)};
    R = R->at(Index).Rec;
    Path = Path.substr(Dot + 1);
  }
  return {};
}

SourceRange placeOf(const Record &Job, std::string_view Path) {
  size_t Dot = Path.rfind('.');
  FieldPath At = fieldAt(Job, Path);
  if (At.Owner) {
    const Origin &O = At.Owner->Origins[At.Index];
    if (O.K == Origin::Kind::Given || (O.K == Origin::Kind::Deduced && O.Range))
      return O.Range;
    if (O.K != Origin::Kind::Library && At.Owner->NameRange)
      return At.Owner->NameRange;
  }
  return Dot == std::string_view::npos ? Job.NameRange : placeOf(Job, Path.substr(0, Dot));
}

bool hasCluster(const Plan &P) {
  const Record *Device = P.Job->rec(job::device);
  return Device && Device->num(device::memory).isKnown() && P.Job->num(job::gpus_per_node).isKnown() &&
         rt::fieldNum(P.Job->rec(job::cluster), cluster::nodes).isKnown();
}

/// Gives a field another value; fields of the record that were left to their defaults follow.
static void change(Record &R, unsigned Index, const Value &V, Evaluator &E) {
  std::vector<unsigned> Followers;
  for (unsigned I = 0; I < R.Values.size(); ++I)
    if (I != Index && rt::leftToDefault(R, I))
      Followers.push_back(I);
  R.Values[Index] = V;
  for (unsigned I : Followers) {
    Value Default = rt::defaultOf(R, I);
    if (Default.Rec)
      Default.Rec = E.complete(*Default.Rec);
    R.Values[I] = Default.K == Value::Kind::Quantity && !Default.Number.isKnown() ? Value() : Default;
  }
}

/// Changes one field of a job whose blocks are copied on the way.
static bool change(Record &Job, const FieldChange &One, Evaluator &E) {
  Record *R = &Job;
  std::string_view Path = One.Path;
  for (;;) {
    size_t Dot = Path.find('.');
    int Index = R->Schema->find(Path.substr(0, Dot));
    if (Index < 0)
      return false;
    if (Dot == std::string_view::npos) {
      change(*R, static_cast<unsigned>(Index), One.To, E);
      return true;
    }
    const FieldDecl &Block = R->Schema->Fields[static_cast<unsigned>(Index)];
    if (Block.Ty.K != Type::Kind::Record || (!R->Values[Index].Rec && Block.Ty.Schema->TopLevel))
      return false;
    // A block that the job does not have is one of defaults.
    const Record *Old = R->Values[Index].Rec;
    Record *Inner = E.own(Old ? *Old : *E.complete(*E.own(emptyRecord(*Block.Ty.Schema, Block.Name))));
    R->Values[Index].Rec = Inner;
    R = Inner;
    Path = Path.substr(Dot + 1);
  }
}

std::optional<Plan> withFieldsOnly(const Plan &P, std::span<const FieldChange> Changes, Evaluator &E) {
  Record *Job = E.own(*P.Written);
  for (const FieldChange &One : Changes)
    if (!change(*Job, One, E))
      return std::nullopt;
  auto Changed = resolve(*Job, E);
  if (Changed)
    Changed->Foreign = P.Foreign;
  return Changed;
}

std::optional<Plan> withFields(const Plan &P, std::span<const FieldChange> Changes, Evaluator &E) {
  auto Changed = withFieldsOnly(P, Changes, E);
  return Changed && P.HasOptions ? withOptions(*Changed, E) : Changed;
}

std::optional<Plan> withField(const Plan &P, std::string_view Path, const Value &V, Evaluator &E) {
  FieldChange One{Path, V};
  return withFields(P, std::span(&One, 1), E);
}

} // namespace parlance
