#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Report/Communication.h"
#include "Report/Estimate.h"
#include "Report/UsedConstants.h"
#include "Units/Format.h"
#include "std/Std.h"

namespace parlance {

namespace {

constexpr unsigned BarWidth = 32;

struct MemoryPart {
  Quantity Bytes;
  std::string_view Title;
  char Letter; ///< in the bar
};
constexpr MemoryPart Parts[] = {
    {quantities::memory_stage_weights, "Weights", 'W'}, {quantities::memory_stage_gradients, "Grads", 'G'},
    {quantities::memory_stage_optimizer, "Optim", 'O'}, {quantities::memory_stage_activations, "Activ", 'A'},
    {quantities::memory_stage_logits, "Logits", 'L'},   {quantities::memory_stage_buffers, "Buffers", 'B'},
    {quantities::memory_stage_overhead, "Context", 'C'}};

class Table {
public:
  Table(const Plan &P, const JobVerdict &Verdict) : P(P), Verdict(Verdict), C(P.Context->library(), *P.Job) {}
  std::string text();

private:
  Num derive(Quantity Q, std::initializer_list<Value> Args = {}) const { return rt::num(C.derived(Q, Args)); }
  static std::string gib(Num N) { return N.isKnown() ? fmt::format("{:.1f}", N.real() / (1 << 30)) : "?"; }
  static std::string seconds(Num N) { return formatQuantity(N, Dim::of(Base::Time)); }
  static std::string count(Num N) { return formatNumber(N); }
  std::string word(const Record *R, unsigned Field) const {
    int I = R->enumerator(Field);
    return I < 0 ? "?" : std::string(R->Schema->Fields[Field].Ty.Enum->Values[I]);
  }
  std::string software();
  void head();
  void layout();
  void batch();
  void memory();
  void stage(int64_t I, double Scale);
  void communication();
  void time();
  void measured();
  void assumptions();

  const Plan &P;
  const JobVerdict &Verdict;
  /// Of the estimate alone: the constants that it reads are those that the estimate rests on.
  const JobContext C;
  std::string Out;
};

} // namespace

/// "megatron", or "megatron with stack ours".
std::string Table::software() {
  std::string Target(word(P.Job, fields::job::target));
  const Record *Stack = P.Job->rec(fields::job::stack);
  return Stack && Stack->Name != Target ? fmt::format("{} with stack {}", Target, Stack->Name) : Target;
}

void Table::head() {
  using namespace fields;
  const Record *Cluster = P.Job->rec(job::cluster);
  Out += fmt::format("{}: {} on {} of {} {}, {}, {}\n\n", Verdict.Name, P.Job->rec(job::model)->Name,
                     plural(Cluster->num(cluster::nodes).toInteger(), "node"), count(P.Job->num(job::gpus_per_node)),
                     P.Job->rec(job::device)->Name, plural(derive(quantities::world).toInteger(), "GPU"), software());
}

void Table::layout() {
  using namespace fields;
  const Record *L = P.Job->rec(job::layout);
  Out += fmt::format("layout    tp {}{}", count(L->num(layout::tp)),
                     L->flag(layout::sequence_parallel) == Truth::True ? " with sequence parallel" : "");
  Out += fmt::format(", pp {}", count(L->num(layout::pp)));
  if (L->num(layout::virtual_stages).toInteger() > 1)
    Out += fmt::format(" x {} virtual", count(L->num(layout::virtual_stages)));
  for (auto [Name, Field] : {std::pair{"cp", +layout::cp}, {"ep", +layout::ep}, {"etp", +layout::etp}})
    if (L->num(Field).isIntegral() && L->num(Field).toInteger() > 1)
      Out += fmt::format(", {} {}", Name, count(L->num(Field)));
  Out += fmt::format(", dp {}, zero {}", count(L->num(layout::dp)), count(L->num(layout::zero)));
  if (equal(L->num(layout::shard), L->num(layout::dp)) == Truth::False)
    Out += fmt::format(" over {}", count(L->num(layout::shard)));
  Out += fmt::format(", recompute {}\n", word(L, layout::recompute));
}

void Table::batch() {
  using namespace fields;
  const Record *B = P.Job->rec(job::batch);
  Out += fmt::format("batch     {} tok = {} sequences of {} tok; {} micro-batches of {} per replica\n",
                     count(B->num(batch::tokens)), count(B->num(batch::sequences)), count(P.Job->num(job::seq_len)),
                     count(B->num(batch::accum)), count(B->num(batch::micro)));
  Out += fmt::format("          {} tok per replica, {} tok per GPU and step\n",
                     count(derive(quantities::tokens_per_replica)), count(derive(quantities::tokens_per_gpu)));
  Num Document = P.Job->num(job::document_len);
  if (less(Document, P.Job->num(job::seq_len)) == Truth::True)
    Out += fmt::format("          packed documents of {} tok\n", count(Document));
  Num Total = derive(quantities::params_total), Active = derive(quantities::params_active),
      Trainable = derive(quantities::params_trainable);
  Out += fmt::format("params    {}", count(Total));
  if (Active.isKnown() && equal(Total, Active) != Truth::True)
    Out += fmt::format(", {} active per token", count(Active));
  if (Trainable.isKnown() && equal(Total, Trainable) != Truth::True)
    Out += fmt::format(", frozen; {} trained in adapters", count(Trainable));
  Out += '\n';
}

/// A stacked bar, one letter per part, against the capacity.
void Table::stage(int64_t I, double Scale) {
  Value At = Value::of(Num(I));
  std::string Bar;
  Out += fmt::format("{:>5} {:>7}", I, count(derive(quantities::memory_stage_layers, {At})));
  double Sum = 0;
  for (const MemoryPart &Part : Parts) {
    Num Bytes = derive(Part.Bytes, {At});
    Out += fmt::format("{:>9}", gib(Bytes));
    Sum += Bytes.isKnown() ? Bytes.real() : 0;
    auto End = static_cast<size_t>(std::lround(Sum / Scale * BarWidth));
    Bar.resize(std::max(Bar.size(), End), Part.Letter);
  }
  Num Peak = derive(quantities::memory_stage_peak, {At});
  Value Phase = C.derived(quantities::memory_stage_peak_phase, {At});
  Out += fmt::format("{:>8}  {:<{}}|", gib(Peak), Bar, BarWidth);
  if (Phase.K == Value::Kind::Enum)
    Out += fmt::format(" {}", C.library().enumNamed("phase")->Values[Phase.Index]);
  Out += '\n';
}

void Table::memory() {
  Num Usable = derive(quantities::memory_usable), Peak = derive(quantities::memory_peak);
  if (!Peak.isKnown()) {
    Out += fmt::format("\nmemory    not known: {}\n", whyOpen(Verdict, "memory"));
    return;
  }
  Out += fmt::format("\nmemory per GPU in GiB, {} usable on {}\nstage  layers", gib(Usable),
                     P.Job->rec(fields::job::device)->Name);
  for (const MemoryPart &Part : Parts)
    Out += fmt::format("{:>9}", Part.Title);
  Out += fmt::format("    peak  {:<{}}  phase\n", "", BarWidth);
  int64_t Stages = P.Job->rec(fields::job::layout)->num(fields::layout::pp).toInteger();
  double Scale = Usable.isKnown() ? std::max(Usable.real(), Peak.real()) : Peak.real();
  constexpr int64_t Shown = 16;
  for (int64_t I = 0; I < Stages; ++I) {
    // Long pipelines: both ends, where stages differ.
    if (Stages > Shown && I == Shown / 2) {
      Out += fmt::format("  … {} more stages\n", Stages - Shown);
      I = Stages - Shown / 2;
    }
    stage(I, Scale);
  }
  Out += fmt::format("peak      {} of {} GiB ({}) on stage {}: {}\n", gib(Peak), gib(Usable),
                     formatPercent(Peak.real() / Usable.real()), count(derive(quantities::memory_worst_stage)),
                     rt::flag(C.derived(quantities::memory_fits)) == Truth::True ? "fits" : "does not fit");
}

void Table::communication() {
  using namespace fields;
  bool Head = false;
  for (const CommunicationKind &K : CommunicationKinds) {
    Num Ratio = derive(K.Ratio);
    if (!Ratio.isKnown())
      continue;
    if (!Head)
      Out += "\ncommunication      group                     bytes       comm    compute  ratio\n";
    Head = true;
    const Record *G = rt::fieldRecord(P.Job->rec(job::groups), K.Group);
    Num Nodes = rt::fieldNum(G, group::nodes);
    std::string Ranks =
        fmt::format("{} GPUs {}", count(rt::fieldNum(G, group::size)),
                    Nodes.isInt() && Nodes.integer() == 1 ? "in one node" : fmt::format("on {} nodes", count(Nodes)));
    Num Exposed = derive(K.Exposed);
    Out += fmt::format("{:<18} {:<22} {:>9} {:>10} {:>10} {:>6}  {}\n", K.Title, Ranks,
                       formatQuantity(derive(K.Bytes), Dim::of(Base::Information)), seconds(derive(K.Comm)),
                       seconds(derive(K.Compute)), formatNumber(Ratio, 3),
                       Exposed.isKnown() && Exposed.real() > 0 ? "exposed " + seconds(Exposed) + " per step"
                                                               : std::string("hidden"));
  }
}

void Table::time() {
  Num Step = derive(quantities::time_step);
  if (!Step.isKnown()) {
    Out += fmt::format("\nstep      not known: {}\n", whyOpen(Verdict, "step time"));
    return;
  }
  Out += fmt::format("\nstep      {} = compute {} + bubble {} + exposed communication {} + optimizer {}\n",
                     seconds(Step), seconds(derive(quantities::time_compute)), seconds(derive(quantities::time_bubble)),
                     seconds(derive(quantities::time_exposed_comm)), seconds(derive(quantities::time_optimizer)));
  Out += fmt::format("rate      {} tok/s, {} tok/s per GPU\n",
                     formatNumber(roundOf(derive(quantities::tokens_per_second))),
                     formatNumber(roundOf(derive(quantities::tokens_per_second_per_gpu))));
  bool Measured = derive(quantities::measured_mfu_from_step_time).isKnown();
  Out += fmt::format("MFU       {} ({} FLOPs{}), HFU {}, bubble {}\n", formatPercent(derive(quantities::mfu).real()),
                     word(P.Job, fields::job::convention), Measured ? ", of the measured step time" : "",
                     formatPercent(derive(quantities::hfu).real()), formatPercent(derive(quantities::bubble).real()));
  Num Cost = derive(quantities::cost, {Value::of(Num(int64_t{1'000'000'000}))});
  if (Cost.isKnown())
    Out += fmt::format("cost      {:.2f} USD per billion tokens\n", Cost.real());
}

void Table::measured() {
  static constexpr std::pair<std::string_view, Quantity> Lines[] = {
      {"MFU from the measured step time", quantities::measured_mfu_from_step_time},
      {"HFU from the measured step time", quantities::measured_hfu_from_step_time},
      {"reserved but not allocated", quantities::measured_fragmentation},
      {"predicted memory off by", quantities::measured_memory_error},
      {"predicted step time off by", quantities::measured_time_error}};
  for (auto [Title, Name] : Lines)
    if (Num N = derive(Name); N.isKnown())
      Out += fmt::format("measured  {}: {}\n", Title, formatPercent(N.real()));
}

/// Every number behind the figures above that no formula gives, with where it is from.
void Table::assumptions() {
  std::vector<UsedConstant> Used = usedConstants(C);
  if (Used.empty())
    return;
  std::vector<std::string> Values;
  size_t Names = 0, Width = 0;
  for (const UsedConstant &U : Used) {
    Values.push_back(formatQuantity(U.Value, U.Constant->Result.Dimension) + (U.Assumed ? " (assumed)" : ""));
    Names = std::max(Names, U.Constant->Name.size());
    Width = std::max(Width, Values.back().size());
  }
  Out += "\nassumptions\n";
  for (size_t I = 0; I < Used.size(); ++I)
    Out += fmt::format(
        "  {:<{}}  {:<{}}  {}{}\n", Used[I].Constant->Name, Names, Values[I], Width,
        Used[I].Assumed
            ? fmt::format("instead of {}: ", formatQuantity(Used[I].LibraryValue, Used[I].Constant->Result.Dimension))
            : "",
        Used[I].source());
}

std::string Table::text() {
  head();
  layout();
  batch();
  memory();
  communication();
  time();
  measured();
  assumptions();
  return std::move(Out);
}

std::string estimateText(const Plan &P, const JobVerdict &Verdict) { return Table(P, Verdict).text(); }

} // namespace parlance
