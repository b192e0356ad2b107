#include "Analysis/Neighbourhood.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include "std/Std.h"
#include <algorithm>
#include <cmath>

namespace parlance {

using namespace fields;

namespace {

/// A field that is moved: a size is halved and doubled, of few values each other one is tried. In the order of pairs:
/// those that save most memory first.
struct MovedField {
  std::string_view Path;
  bool Size;
};
constexpr MovedField MovedFields[] = {
    {"layout.zero", false}, {"layout.recompute", false}, {"batch.micro", true},
    {"layout.tp", true},    {"layout.pp", true},         {"layout.sequence_parallel", false},
    {"layout.cp", true},    {"layout.ep", true},         {"layout.virtual_stages", true},
};

/// A size is moved by at most this factor.
constexpr double Reach = 8;
/// Pairs are many, and the far ones seldom better: a bound on the time of a check.
constexpr size_t MaxPairs = 96;

} // namespace

bool isSpread(std::string_view Path) {
  return Path.starts_with("layout.") || Path == "batch.micro" || Path == "batch.accum";
}

bool isAboutSpread(const Record &Job, std::string_view Field) {
  const Record *Owner = fieldAt(Job, Field).Owner;
  return Owner && (Owner == Job.rec(fields::job::layout) || Owner == Job.rec(fields::job::batch));
}

/// Whether micro-batches, accumulation and replicas make up the batch that is asked for, as far as they are known.
static Truth batchAddsUp(const Plan &P) {
  const Record &Batch = *P.Job->rec(job::batch);
  const Num Made = Batch.num(batch::micro) * Batch.num(batch::accum) * P.Job->rec(job::layout)->num(layout::dp);
  return truth(equal(Made, Batch.num(batch::sequences)) != Truth::False);
}

Truth couldRun(const Plan &P) {
  return rt::flag(P.Context->derived(quantities::valid_shape)) & rt::flag(P.Context->derived(quantities::valid_batch)) &
         batchAddsUp(P);
}

Neighbourhood::Neighbourhood(const Plan &P, Evaluator &E) : P(P), E(E) {
  for (const MovedField &F : MovedFields)
    movesOf(F.Path, F.Size);
  add(Singles, {});
  for (const Move &M : Moves)
    add(Singles, {&M});
  std::ranges::stable_sort(Singles, {}, &Neighbour::Distance);
}

std::optional<Neighbour> Neighbourhood::with(const FieldChange &Change) const {
  Neighbour N{{Change}, 1};
  return follow(N.Changes) ? std::optional(std::move(N)) : std::nullopt;
}

/// Adds pairs of two fields that are moved by one step each, the nearest first.
void Neighbourhood::addPairs(std::vector<Neighbour> &Into, const std::vector<Move> &Of,
                             const std::vector<Move> &With) const {
  const size_t Before = Into.size();
  for (const Move &A : Of)
    for (const Move &B : With)
      if (A.Change.Path != B.Change.Path && A.Distance <= 1 && B.Distance <= 1 && (&Of != &With || &A < &B))
        add(Into, {&A, &B});
  std::ranges::stable_sort(Into.begin() + static_cast<ptrdiff_t>(Before), Into.end(), {}, &Neighbour::Distance);
  Into.resize(std::min(Into.size(), Before + MaxPairs));
}

const std::vector<Neighbour> &Neighbourhood::pairs() {
  if (!Pairs)
    addPairs(Pairs.emplace(), Moves, Moves);
  return *Pairs;
}

/// Whether a path is one of the job itself or of the options of its own framework.
static bool isOwn(const Record &Job, std::string_view Path) {
  const int Field = Job.Schema->find(Path.substr(0, Path.find('.')));
  return Field >= 0 && (!Job.Schema->Fields[static_cast<size_t>(Field)].Optional ||
                        Job.rec(static_cast<unsigned>(Field)) == optionsOf(Job));
}

/// What the library knows to relieve the job's memory.
std::vector<Neighbourhood::Move> Neighbourhood::reliefMoves() const {
  static constexpr std::string_view Prefix = "relief.";
  std::vector<Move> Result;
  const Library &Lib = P.Context->library();
  for (auto D = std::ranges::lower_bound(Lib.Derives, Prefix, {}, &DeriveDecl::Name);
       D != Lib.Derives.end() && D->Name.starts_with(Prefix); ++D) {
    const std::string_view Path = D->Name.substr(Prefix.size());
    const FieldPath At = isOwn(*P.Job, Path) ? fieldAt(*P.Job, Path) : FieldPath();
    if (!At.Owner)
      continue;
    Value To = P.Context->derived(static_cast<uint32_t>(D - Lib.Derives.begin()));
    if (To.K == Value::Kind::String && At.decl().Ty.K == Type::Kind::Enum)
      if (int Index = At.decl().Ty.Enum->find(To.Text); Index >= 0)
        To = Value::enumerator(static_cast<uint32_t>(Index));
    if (rt::knownValue(To) && !rt::sameValue(To, At.Owner->at(At.Index)))
      Result.push_back({{Path, To}, 1});
  }
  return Result;
}

const std::vector<Neighbour> &Neighbourhood::reliefs() {
  if (Reliefs)
    return *Reliefs;
  Reliefs.emplace();
  for (const Move &M : reliefMoves())
    add(*Reliefs, {&M});
  return *Reliefs;
}

const std::vector<Neighbour> &Neighbourhood::reliefPairs() {
  if (ReliefPairs)
    return *ReliefPairs;
  const std::vector<Move> Own = reliefMoves();
  ReliefPairs.emplace();
  addPairs(*ReliefPairs, Own, Own);
  addPairs(*ReliefPairs, Own, Moves);
  return *ReliefPairs;
}

const Plan *Neighbourhood::without(const std::function<Truth(const Plan &)> &Violation, const Neighbour &N) {
  auto [It, New] = Plans.try_emplace(&N);
  Resolved &R = It->second;
  if (New)
    R.Fields = withFieldsOnly(P, N.Changes, E);
  const bool Fields = std::ranges::all_of(N.Changes, isSpread, &FieldChange::Path),
             Options = std::ranges::none_of(N.Changes, isSpread, &FieldChange::Path);
  // Options of a foreign job are those before the change, and would be judged with it.
  if (!R.Fields || (!P.Foreign && Fields && Violation(*R.Fields) == Truth::True))
    return nullptr;
  if (!R.Whole) {
    R.Whole = P.HasOptions && !(P.Foreign && Options) ? withOptions(*R.Fields, E) : R.Fields;
    R.Whole->HasOptions = P.HasOptions;
  }
  return Violation(*R.Whole) == Truth::False ? &*R.Whole : nullptr;
}

void Neighbourhood::movesOf(std::string_view Path, bool Size) {
  FieldPath At = fieldAt(*P.Job, Path);
  const Value Current = At.Owner ? At.Owner->at(At.Index) : Value();
  if (!rt::knownValue(Current))
    return;
  const FieldDecl &F = At.decl();
  if (Current.K == Value::Kind::Enum) {
    for (uint32_t I = 0; I < F.Ty.Enum->Values.size(); ++I)
      if (I != Current.Index)
        Moves.push_back({{Path, Value::enumerator(I)}, 1});
  } else if (Current.K == Value::Kind::Bool) {
    Moves.push_back({{Path, Value::of(!Current.Flag)}, 1});
  } else if (Current.K == Value::Kind::Quantity && Current.Number.isIntegral()) {
    int64_t Now = Current.Number.toInteger();
    auto Try = [&](int64_t To) {
      if (To != Now && To >= F.Minimum.value_or(INT64_MIN) && To <= F.Maximum.value_or(INT64_MAX))
        Moves.push_back({{Path, Value::of(Num(To))}, Size ? std::fabs(std::log2(static_cast<double>(To) / Now)) : 1});
    };
    if (!Size) {
      for (int64_t To = F.Minimum.value_or(Now); To <= F.Maximum.value_or(Now); ++To)
        Try(To);
      return;
    }
    // 2^k and 3 * 2^k: sizes of clusters and divisors of layers.
    for (int64_t Power = 1; Now > 0 && Power <= Reach * Now; Power *= 2)
      for (int64_t To : {Power, 3 * Power})
        if (To * Reach >= Now && To <= Reach * Now)
          Try(To);
  }
}

void Neighbourhood::add(std::vector<Neighbour> &Into, std::initializer_list<const Move *> Moved) const {
  Neighbour N;
  for (const Move *M : Moved) {
    N.Changes.push_back(M->Change);
    N.Distance += M->Distance;
  }
  N.Moved = N.Changes.size();
  if (follow(N.Changes) && !N.Changes.empty())
    Into.push_back(std::move(N));
}

/// A number of a job as it is after changes.
static Num after(const Plan &P, std::span<const FieldChange> Changes, std::string_view Path) {
  for (const FieldChange &C : Changes)
    if (C.Path == Path)
      return rt::num(C.To);
  FieldPath At = fieldAt(*P.Job, Path);
  return At.Owner->num(At.Index);
}

/// Adds to a change what keeps the product of the dimensions and the batch; false when that does not come out even.
bool Neighbourhood::follow(std::vector<FieldChange> &Changes) const {
  Num World = P.Job->num(job::gpus_per_node) * rt::fieldNum(P.Job->rec(job::cluster), cluster::nodes);
  const Record &Layout = *P.Job->rec(job::layout);
  Num Dp = Layout.num(layout::dp);
  if (!World.isKnown())
    World = Layout.num(layout::tp) * Layout.num(layout::pp) * Layout.num(layout::cp) * Dp;
  if (World.isKnown()) {
    Num Replicas =
        World / (after(P, Changes, "layout.tp") * after(P, Changes, "layout.pp") * after(P, Changes, "layout.cp"));
    if (!Replicas.isIntegral())
      return false;
    bool Auto = P.Written->rec(job::layout)->at(layout::dp).K == Value::Kind::Auto;
    bool Set = std::ranges::find(Changes, "layout.dp", &FieldChange::Path) != Changes.end();
    if (Set && equal(Replicas, after(P, Changes, "layout.dp")) == Truth::False)
      return false;
    if (!Set && !Auto && equal(Replicas, Dp) == Truth::False)
      Changes.push_back({"layout.dp", Value::of(Num(Replicas.toInteger()))});
    Dp = Replicas;
  }
  return followBatch(Changes, Dp);
}

bool Neighbourhood::followBatch(std::vector<FieldChange> &Changes, Num Dp) const {
  const Record &Written = *P.Written->rec(job::batch), &Batch = *P.Job->rec(job::batch);
  bool Given = Written.at(batch::global).K == Value::Kind::Quantity;
  Num Sequences = Batch.num(batch::sequences), Accum = Sequences / (after(P, Changes, "batch.micro") * Dp);
  // A batch that follows from a layout without sense is none to keep.
  if (!Given && P.Context->derived(quantities::valid_world).Flag != Truth::True)
    return true;
  if (!Accum.isKnown())
    return true;
  if (!Accum.isIntegral())
    return false;
  bool Auto = Given && Written.at(batch::accum).K == Value::Kind::Auto;
  if (std::ranges::find(Changes, "batch.accum", &FieldChange::Path) != Changes.end())
    return equal(Accum, after(P, Changes, "batch.accum")) == Truth::True;
  if (!Auto && equal(Accum, Batch.num(batch::accum)) == Truth::False)
    Changes.push_back({"batch.accum", Value::of(Num(Accum.toInteger()))});
  return true;
}

} // namespace parlance
