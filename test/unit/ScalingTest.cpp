// Estimates are smooth: a little more of anything changes the time per token by a little, unless a group changes its
// place or a count is rounded. Over random jobs of all models, devices and stacks.
#include "Support.h"
#include <algorithm>
#include <random>

using namespace parlance;

namespace {

constexpr unsigned RandomJobs = 4000;

/// The names of the library's records of a kind.
std::vector<std::string_view> recordsOf(std::string_view Schema) {
  std::vector<std::string_view> Names;
  for (const LibraryRecord &R : standardLibrary().Records)
    if (R.Schema->Name == Schema)
      Names.push_back(R.Name);
  return Names;
}

/// A job as numbers and names; `text` writes it.
struct Shape {
  std::string_view Model, Device, Link, Stack, Recompute;
  unsigned Nodes, Tp, Pp, Cp, Ep, Zero, Micro, Accum, Virtual;
  bool Sequence;
  std::string Network{}; ///< what the link has that its kind has not

  std::string text() const {
    return fmt::format(
        "use std/hardware\nuse std/models\nuse std/stacks\n"
        "model m from {} {{ }}\nlink net from {} {{ {} }}\n"
        "cluster c {{ node = 8 * {}, nodes = {}, inter = net }}\n"
        "layout spread {{ tp = {}, pp = {}, cp = {}, ep = {}, zero = {}, virtual_stages = {}, recompute = {}, "
        "sequence_parallel = {} }}\n"
        "job j {{\n  model = m, cluster = c, layout = spread, seq_len = 4096 tok/seq, stack = {}\n"
        "  batch {{ micro = {} seq, accum = {} }}\n  precision {{ grads = fp32 }}\n}}\n",
        Model, Link, Network, Device, Nodes, Tp, Pp, Cp, Ep, Zero, Virtual, Recompute, Sequence, Stack, Micro, Accum);
  }
};

class Shapes {
public:
  explicit Shapes(unsigned Seed) : Random(Seed) {}
  Shape next() {
    Shape S;
    S.Model = any(Models), S.Device = any(Devices), S.Link = any(Links), S.Stack = any(Stacks);
    S.Nodes = 8 + below(57);
    S.Tp = 1u << below(5), S.Pp = 1u << below(4), S.Cp = 1u << below(2), S.Ep = 1u << below(4);
    S.Zero = below(4), S.Micro = 1u << below(3), S.Accum = 8 + below(57);
    S.Virtual = S.Pp > 1 && below(3) == 0 ? 2 : 1;
    S.Sequence = S.Tp > 1 && below(2) == 0;
    constexpr std::string_view Modes[] = {"none", "selective", "full"};
    S.Recompute = Modes[below(3)];
    return S;
  }

private:
  unsigned below(unsigned N) { return static_cast<unsigned>(Random() % N); }
  std::string_view any(const std::vector<std::string_view> &From) {
    return From[below(static_cast<unsigned>(From.size()))];
  }
  std::mt19937 Random;
  std::vector<std::string_view> Models = recordsOf("model"), Devices = recordsOf("device"), Links = recordsOf("link"),
                                Stacks = recordsOf("stack");
};

/// A job, resolved, with what is asked of it.
class Estimate {
public:
  explicit Estimate(const std::string &Text) : C(Text), P(C.plan("j")) {}
  bool known() const { return P && std::isfinite(perToken()) && perToken() > 0; }
  double of(Quantity Q) const { return rt::num(P->Context->derived(Q)).real(); }
  double number(unsigned Block, unsigned Field) const { return P->Job->rec(Block)->num(Field).real(); }
  /// Seconds of one GPU for one token.
  double perToken() const {
    return of(quantities::time_step) * of(quantities::world) / number(fields::job::batch, fields::batch::tokens);
  }
  /// Where every group sits, how many layers the fullest stage has, and how many GPUs are left over.
  std::string placement() const {
    std::string Out;
    const Record *Groups = P->Job->rec(fields::job::groups);
    if (!Groups)
      return Out;
    for (unsigned I = 0; I < Groups->Values.size(); ++I) {
      const Record *G = Groups->rec(I);
      Out += fmt::format("{}:{}:{} ", Groups->Schema->Fields[I].Name, G->num(fields::group::per_node).toInteger(),
                         G->num(fields::group::nodes).toInteger() > 1);
    }
    double Most = 0;
    for (int64_t I = 0; I < static_cast<int64_t>(number(fields::job::layout, fields::layout::pp)); ++I)
      Most = std::max(Most, rt::num(P->Context->derived(quantities::memory_stage_layers, {Value::of(Num(I))})).real());
    // A node too many for another replica is rounded away.
    return Out + fmt::format("layers:{} unused:{}", Most, of(quantities::cluster_gpus) - of(quantities::world));
  }
  std::string reported() { return C.reported(); }

  Checked C;
  const Plan *P;
};

/// By how much the time per token changes; nothing where a group changes its place.
std::optional<double> change(const Estimate &From, const Estimate &To) {
  if (!From.known() || !To.known() || From.placement() != To.placement())
    return std::nullopt;
  return To.perToken() / From.perToken() - 1;
}

/// What a step pays once, in passes of one micro-batch: the bubble, the optimizer, and reductions that nothing hides.
double passesOnce(const Estimate &E, const Shape &S) {
  double Bubble = E.of(quantities::bubble), Once = E.of(quantities::time_optimizer);
  double Each = E.of(quantities::time_compute) + E.of(quantities::time_layer_comm);
  if (E.of(quantities::memory_holders) > 1 && S.Zero == 3)
    Each += E.of(quantities::overlap_zero3_exposed);
  else if (E.of(quantities::memory_holders) > 1)
    (E.of(quantities::overlap_dp_rounds) == 1 ? Once : Each) += E.of(quantities::overlap_dp_exposed);
  return Bubble * S.Accum / (1 - Bubble) + Once / (Each / S.Accum);
}

/// Seconds of a step in which something is sent, beside compute or not.
double communication(const Estimate &E, const Shape &S) {
  double Inside = E.of(quantities::time_layer_comm);
  if (E.of(quantities::memory_holders) == 1)
    return Inside;
  return Inside + (S.Zero == 3 ? E.of(quantities::overlap_zero3_total)
                               : E.of(quantities::overlap_dp_rounds) * E.of(quantities::overlap_dp_comm));
}

/// What a field is changed to: another number, word or truth.
std::optional<Value> another(const Value &V, const FieldDecl &F) {
  if (V.K == Value::Kind::Quantity && V.Number.isKnown())
    return Value::of(Num(2) * V.Number + Num(2));
  if (V.K == Value::Kind::Enum)
    return Value::enumerator((V.Index + 1) % static_cast<uint32_t>(F.Ty.Enum->Values.size()));
  if (V.K == Value::Kind::Bool && V.Flag != Truth::Unknown)
    return Value::of(truth(V.Flag == Truth::False));
  return std::nullopt;
}

std::string percent(double Ratio) { return fmt::format("{:+.1f} %", 100 * Ratio); }

} // namespace

TEST(Scaling, LittleMoreChangesLittle) {
  Shapes All(20'261'201);
  unsigned Compared = 0;
  for (unsigned I = 0; I < RandomJobs; ++I) {
    Shape S = All.next();
    Estimate Base(S.text());
    if (!Base.known())
      continue;
    double Latency = Base.number(fields::job::inter, fields::link::latency);
    double Rate = Base.number(fields::job::inter, fields::link::bandwidth);
    Shape Node = S, Hop = S, Faster = S;
    ++Node.Nodes;
    Hop.Network = fmt::format("latency = {} s", Latency + 1e-6);
    Faster.Network = fmt::format("bandwidth = {} B/s per direction", Rate * 1.01);
    // A step that sends for a quarter of its time or more may grow as the hops do.
    bool Sends = 4 * communication(Base, S) > Base.of(quantities::time_step);
    auto AtMost = [&](double Growth) { return Sends ? std::max(0.05, Growth) : 0.05; };
    std::pair<Shape, double> Changes[] = {
        {Node, AtMost(1.0 / (S.Nodes - 1))}, {Hop, AtMost(1e-6 / Latency)}, {Faster, 0.05}};
    for (auto &[Changed, Most] : Changes) {
      auto By = change(Base, Estimate(Changed.text()));
      if (!By)
        continue;
      ++Compared;
      EXPECT_LE(std::fabs(*By), Most) << percent(*By) << ", before\n" << S.text() << "and after\n" << Changed.text();
    }
  }
  EXPECT_GT(Compared, 2 * RandomJobs);
}

/// Neither a number of nodes nor a latency is where something new begins.
TEST(Scaling, NoCliffs) {
  Shape S;
  S.Model = "llama3_8b", S.Device = "h100_sxm", S.Link = "efa_100g", S.Stack = "nanotron", S.Recompute = "none";
  S.Nodes = 63, S.Tp = 1, S.Pp = 2, S.Cp = 1, S.Ep = 1, S.Zero = 1, S.Micro = 1, S.Accum = 8, S.Virtual = 1;
  S.Sequence = false;
  Shape More = S, Near = S, Far = S;
  More.Nodes = 64;
  Near.Network = "latency = 49 us", Far.Network = "latency = 50 us";
  EXPECT_LT(std::fabs(*change(Estimate(S.text()), Estimate(More.text()))), 0.02);
  EXPECT_LT(std::fabs(*change(Estimate(Near.text()), Estimate(Far.text()))), 0.02);
}

/// One micro-batch more: at most what is paid once is shared by one more.
TEST(Scaling, OneMoreMicroBatch) {
  Shapes All(20'261'202);
  unsigned Compared = 0;
  for (unsigned I = 0; I < RandomJobs; ++I) {
    Shape S = All.next();
    Shape More = S;
    ++More.Accum;
    Estimate Base(S.text()), After(More.text());
    auto By = change(Base, After);
    if (!By)
      continue;
    ++Compared;
    double Passes = passesOnce(Base, S), Expected = (1 + Passes / More.Accum) / (1 + Passes / S.Accum) - 1;
    EXPECT_GE(*By, Expected - 0.02) << percent(*By) << " where " << percent(Expected) << " are shared\n" << S.text();
    EXPECT_LE(*By, 0.02) << percent(*By) << "\n" << S.text();
  }
  EXPECT_GT(Compared, RandomJobs / 2);
}

/// Fields that say nothing about a job, as `matters` has it, move none of its quantities.
TEST(Scaling, FieldsThatSayNothingMoveNothing) {
  const Library &Lib = standardLibrary();
  Shapes All(20'261'203);
  std::set<std::string_view> Tried;
  constexpr Quantity Shown[] = {quantities::memory_peak,
                                quantities::memory_static,
                                quantities::memory_dynamic,
                                quantities::memory_overhead,
                                quantities::memory_first_step,
                                quantities::memory_update,
                                quantities::time_step,
                                quantities::time_compute,
                                quantities::time_bubble,
                                quantities::mfu,
                                quantities::hfu,
                                quantities::params_total,
                                quantities::params_trainable};
  for (unsigned I = 0; I < RandomJobs / 10; ++I) {
    Shape S = All.next();
    Estimate Base(S.text());
    if (!Base.known())
      continue;
    for (const DeriveDecl &D : Lib.Derives) {
      // Which fused loss is not told apart where nobody asks for one; it is read nevertheless.
      if (!D.Name.starts_with("matters.") || D.Name == "matters.cross_entropy")
        continue;
      std::string_view Path = D.Name.substr(std::string_view("matters.").size());
      FieldPath At = fieldAt(*Base.P->Job, Path);
      ASSERT_TRUE(At.Owner) << Path;
      auto To = another(At.Owner->at(At.Index), At.Owner->Schema->Fields[At.Index]);
      Value Matters = Base.P->Context->derived(static_cast<uint32_t>(&D - Lib.Derives.data()));
      if (rt::flag(Matters) != Truth::False || !To)
        continue;
      auto Changed = withField(*Base.P, Path, *To, Base.C.Values);
      ASSERT_TRUE(Changed) << Path;
      Tried.insert(Path);
      for (Quantity Q : Shown)
        EXPECT_TRUE(rt::sameValue(Base.P->Context->derived(Q), Changed->Context->derived(Q)))
            << Path << " moves " << Lib.Derives[Q.Index].Name << "\n"
            << S.text();
    }
  }
  EXPECT_GT(Tried.size(), 15u);
}
