#include "Eval/Support.h"
#include "Report/Communication.h"
#include "Report/Estimate.h"
#include "Report/UsedConstants.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <cmath>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace parlance {

namespace {

using llvm::json::OStream;

/// Writes attributes from derived quantities of one job; what is unknown or does not apply is left out.
class Writer {
public:
  Writer(const Plan &P, llvm::raw_ostream &Out) : P(P), C(P.Context->library(), *P.Job), J(Out, 1) {}
  void write(std::string_view JobName);

private:
  static llvm::StringRef ref(std::string_view S) { return {S.data(), S.size()}; }
  void number(std::string_view Key, Num N);
  /// Whole bytes, elements or counts, although a share of them may be fractional.
  void whole(std::string_view Key, Num N) { number(Key, N.isKnown() ? roundOf(N) : N); }
  void word(std::string_view Key, const Record *R, unsigned Field);
  bool quantity(std::string_view Key, Quantity Q, std::initializer_list<Value> Args = {});
  void bytes(std::string_view Key, Quantity Q, std::initializer_list<Value> Args = {});
  Num derive(Quantity Q, std::initializer_list<Value> Args = {}) const { return rt::num(C.derived(Q, Args)); }
  void params();
  void layout();
  void batch();
  void memory();
  void stage(int64_t I);
  void flops();
  void time();
  void overlap();
  void group(const Record *G);
  void measured();
  void assumptions();

  const Plan &P;
  /// Of the estimate alone: the constants that it reads are those that the estimate rests on.
  const JobContext C;
  OStream J;
};

} // namespace

void Writer::number(std::string_view Key, Num N) {
  if (!N.isKnown())
    return;
  if (N.isInt())
    J.attribute(ref(Key), N.integer());
  else if (std::isfinite(N.real()))
    J.attribute(ref(Key), N.real());
}

void Writer::word(std::string_view Key, const Record *R, unsigned Field) {
  int Index = R ? R->enumerator(Field) : -1;
  if (Index >= 0)
    J.attribute(ref(Key), ref(R->Schema->Fields[Field].Ty.Enum->Values[Index]));
}

bool Writer::quantity(std::string_view Key, Quantity Q, std::initializer_list<Value> Args) {
  Num N = derive(Q, Args);
  number(Key, N);
  return N.isKnown();
}

void Writer::bytes(std::string_view Key, Quantity Q, std::initializer_list<Value> Args) { whole(Key, derive(Q, Args)); }

void Writer::params() {
  J.attributeObject("params", [&] {
    whole("total", derive(quantities::params_total));
    whole("active", derive(quantities::params_active));
    whole("embedding", derive(quantities::params_embedding));
    whole("trainable", derive(quantities::params_trainable));
  });
}

void Writer::layout() {
  using namespace fields;
  const Record *L = P.Job->rec(job::layout);
  J.attributeObject("layout", [&] {
    number("world", derive(quantities::world));
    number("nodes", rt::fieldNum(P.Job->rec(job::cluster), cluster::nodes));
    number("tp", L->num(layout::tp));
    J.attribute("sp", L->flag(layout::sequence_parallel) == Truth::True);
    number("pp", L->num(layout::pp));
    number("vpp", L->num(layout::virtual_stages));
    number("cp", L->num(layout::cp));
    number("ep", L->num(layout::ep));
    number("etp", L->num(layout::etp));
    number("dp", L->num(layout::dp));
    number("zero", L->num(layout::zero));
    number("shard", L->num(layout::shard));
    word("recompute", L, layout::recompute);
    number("micro_batches", rt::fieldNum(P.Job->rec(job::batch), batch::accum));
    word("schedule", L, layout::schedule);
  });
}

void Writer::batch() {
  using namespace fields;
  const Record *B = P.Job->rec(job::batch);
  J.attributeObject("batch", [&] {
    number("seq_len", P.Job->num(job::seq_len));
    number("document_len", P.Job->num(job::document_len));
    number("global_sequences", B->num(batch::sequences));
    number("global_tokens", B->num(batch::tokens));
    number("micro_sequences", B->num(batch::micro));
    quantity("tokens_per_replica", quantities::tokens_per_replica);
    quantity("tokens_per_gpu", quantities::tokens_per_gpu);
  });
}

static constexpr std::pair<std::string_view, Quantity> StageParts[] = {
    {"params", quantities::memory_stage_params},
    {"weights", quantities::memory_stage_weights},
    {"gradients", quantities::memory_stage_gradients},
    {"optimizer", quantities::memory_stage_optimizer},
    {"activations", quantities::memory_stage_activations},
    {"logits", quantities::memory_stage_logits},
    {"buffers", quantities::memory_stage_buffers},
    {"overhead", quantities::memory_stage_overhead},
    {"peak", quantities::memory_stage_peak}};

void Writer::stage(int64_t I) {
  Value At = Value::of(Num(I));
  J.object([&] {
    J.attribute("stage", I);
    quantity("layers", quantities::memory_stage_layers, {At});
    for (auto [Part, Q] : StageParts)
      bytes(Part, Q, {At});
    Value Phase = C.derived(quantities::memory_stage_peak_phase, {At});
    if (Phase.K == Value::Kind::Enum)
      J.attribute("peak_phase", ref(C.library().enumNamed("phase")->Values[Phase.Index]));
    quantity("in_flight", quantities::memory_stage_in_flight, {At});
  });
}

void Writer::memory() {
  if (!derive(quantities::memory_peak).isKnown())
    return;
  J.attributeObject("memory", [&] {
    whole("device_bytes", rt::fieldNum(P.Job->rec(fields::job::device), fields::device::memory));
    bytes("usable_bytes", quantities::memory_usable);
    bytes("peak_bytes", quantities::memory_peak);
    if (Truth Fits = rt::flag(C.derived(quantities::memory_fits)); Fits != Truth::Unknown)
      J.attribute("fits", Fits == Truth::True);
    quantity("worst_stage", quantities::memory_worst_stage);
    J.attributeArray("stages", [&] {
      int64_t Stages = P.Job->rec(fields::job::layout)->num(fields::layout::pp).toInteger();
      for (int64_t I = 0; I < Stages; ++I)
        stage(I);
    });
    J.attributeArray("phases", [&] {
      const EnumDecl &Phases = *C.library().enumNamed("phase");
      for (uint32_t I = 0; I < Phases.Values.size(); ++I)
        J.object([&] {
          J.attribute("phase", ref(Phases.Values[I]));
          bytes("bytes", quantities::memory_stage_at,
                {C.derived(quantities::memory_worst_stage), Value::enumerator(I)});
        });
    });
  });
}

void Writer::flops() {
  const FieldDecl &Convention = P.Job->Schema->Fields[fields::job::convention];
  J.attributeObject("flops", [&] {
    word("convention", P.Job, fields::job::convention);
    quantity("model_per_token", quantities::flops_model_per_token);
    quantity("hardware_per_token", quantities::flops_hardware_per_token);
    quantity("recompute_alpha", quantities::flops_recompute_alpha);
    J.attributeObject("conventions", [&] {
      for (std::string_view Name : Convention.Ty.Enum->Values)
        if (int Index = C.library().derive(fmt::format("flops.conventions.{}", Name)); Index >= 0)
          quantity(Name, Quantity{static_cast<uint32_t>(Index)});
    });
  });
}

void Writer::time() {
  if (!derive(quantities::time_step).isKnown())
    return;
  J.attributeObject("time", [&] {
    quantity("step", quantities::time_step);
    quantity("compute", quantities::time_compute);
    quantity("bubble", quantities::time_bubble);
    quantity("exposed_comm", quantities::time_exposed_comm);
    quantity("optimizer", quantities::time_optimizer);
    quantity("tokens_per_second", quantities::tokens_per_second);
    quantity("tokens_per_second_per_gpu", quantities::tokens_per_second_per_gpu);
    quantity("usd_per_billion_tokens", quantities::cost, {Value::of(Num(int64_t{1'000'000'000}))});
  });
}

void Writer::group(const Record *G) {
  if (!G)
    return;
  J.attributeObject("group", [&] {
    for (unsigned I = 0; I < G->Values.size(); ++I)
      number(G->Schema->Fields[I].Name, G->num(I));
  });
}

void Writer::overlap() {
  using namespace fields;
  const Record *G = P.Job->rec(job::groups);
  J.attributeObject("overlap", [&] {
    for (const CommunicationKind &K : CommunicationKinds) {
      Value Ratio = C.derived(K.Ratio);
      if (!rt::num(Ratio).isKnown())
        continue;
      const Record *Ranks = rt::fieldRecord(G, K.Group);
      J.attributeObject(ref(K.Name), [&] {
        quantity("comm", K.Comm);
        quantity("compute", K.Compute);
        number("ratio", rt::num(Ratio));
        quantity("hidden", K.Hidden);
        quantity("exposed", K.Exposed);
        bytes("bytes", K.Bytes);
        quantity("bandwidth", K.Bandwidth);
        const Record *Inter = P.Job->rec(job::inter);
        if (rt::fieldNum(Ranks, group::nodes).toInteger() > 1 && Inter)
          J.attribute("link", ref(Inter->Name));
        else if (Ranks)
          J.attribute("link", "nvlink");
        group(Ranks);
      });
    }
  });
}

void Writer::measured() {
  static constexpr std::pair<std::string_view, Quantity> Parts[] = {
      {"mfu", quantities::measured_mfu_from_step_time},
      {"hfu", quantities::measured_hfu_from_step_time},
      {"fragmentation", quantities::measured_fragmentation},
      {"memory_error", quantities::measured_memory_error},
      {"time_error", quantities::measured_time_error}};
  bool Any = false;
  for (auto [Key, Name] : Parts)
    Any |= derive(Name).isKnown();
  if (Any)
    J.attributeObject("measured", [&] {
      for (auto [Key, Name] : Parts)
        quantity(Key, Name);
    });
}

void Writer::assumptions() {
  J.attributeArray("assumptions", [&] {
    for (const UsedConstant &U : usedConstants(C))
      J.object([&] {
        J.attribute("name", ref(U.Constant->Name));
        number("value", U.Value);
        J.attribute("unit", U.unit());
        J.attribute("source", ref(U.source()));
        J.attribute("overridden", U.Assumed);
        if (U.Assumed)
          number("library_value", U.LibraryValue);
      });
  });
}

void Writer::write(std::string_view JobName) {
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("job", ref(JobName));
    J.attribute("model", ref(P.Job->rec(fields::job::model)->Name));
    word("framework", P.Job, fields::job::target);
    if (const Record *Stack = P.Job->rec(fields::job::stack))
      J.attribute("stack", ref(Stack->Name));
    params();
    layout();
    batch();
    memory();
    flops();
    time();
    quantity("mfu", quantities::mfu);
    quantity("hfu", quantities::hfu);
    quantity("bubble", quantities::bubble);
    overlap();
    measured();
    assumptions();
  });
}

std::string estimateJson(const Plan &P, std::string_view JobName) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Writer(P, Out).write(JobName);
  Out << '\n';
  return Text;
}

} // namespace parlance
