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
  bool quantity(std::string_view Key, std::string_view Name, std::initializer_list<Value> Args = {});
  void bytes(std::string_view Key, std::string_view Name, std::initializer_list<Value> Args = {});
  Num derive(std::string_view Name, std::initializer_list<Value> Args = {}) const {
    return rt::num(C.derived(Name, Args));
  }
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

bool Writer::quantity(std::string_view Key, std::string_view Name, std::initializer_list<Value> Args) {
  Num N = derive(Name, Args);
  number(Key, N);
  return N.isKnown();
}

void Writer::bytes(std::string_view Key, std::string_view Name, std::initializer_list<Value> Args) {
  whole(Key, derive(Name, Args));
}

void Writer::params() {
  J.attributeObject("params", [&] {
    for (std::string_view Part : {"total", "active", "embedding", "trainable"})
      whole(Part, derive(fmt::format("params.{}", Part)));
  });
}

void Writer::layout() {
  using namespace fields;
  const Record *L = P.Job->rec(job::layout);
  J.attributeObject("layout", [&] {
    number("world", derive("world"));
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
    quantity("tokens_per_replica", "tokens_per_replica");
    quantity("tokens_per_gpu", "tokens_per_gpu");
  });
}

void Writer::stage(int64_t I) {
  Value At = Value::of(Num(I));
  J.object([&] {
    J.attribute("stage", I);
    quantity("layers", "memory.stage.layers", {At});
    for (std::string_view Part :
         {"params", "weights", "gradients", "optimizer", "activations", "logits", "buffers", "overhead", "peak"})
      bytes(Part, fmt::format("memory.stage.{}", Part), {At});
    Value Phase = C.derived("memory.stage.peak_phase", {At});
    if (Phase.K == Value::Kind::Enum)
      J.attribute("peak_phase", ref(C.library().enumNamed("phase")->Values[Phase.Index]));
    quantity("in_flight", "memory.stage.in_flight", {At});
  });
}

void Writer::memory() {
  if (!derive("memory.peak").isKnown())
    return;
  J.attributeObject("memory", [&] {
    whole("device_bytes", rt::fieldNum(P.Job->rec(fields::job::device), fields::device::memory));
    bytes("usable_bytes", "memory.usable");
    bytes("peak_bytes", "memory.peak");
    if (Truth Fits = rt::flag(C.derived("memory.fits")); Fits != Truth::Unknown)
      J.attribute("fits", Fits == Truth::True);
    quantity("worst_stage", "memory.worst_stage");
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
          bytes("bytes", "memory.stage.at", {C.derived("memory.worst_stage"), Value::enumerator(I)});
        });
    });
  });
}

void Writer::flops() {
  const FieldDecl &Convention = P.Job->Schema->Fields[fields::job::convention];
  J.attributeObject("flops", [&] {
    word("convention", P.Job, fields::job::convention);
    quantity("model_per_token", "flops.model_per_token");
    quantity("hardware_per_token", "flops.hardware_per_token");
    quantity("recompute_alpha", "flops.recompute_alpha");
    J.attributeObject("conventions", [&] {
      for (std::string_view Name : Convention.Ty.Enum->Values)
        quantity(Name, fmt::format("flops.conventions.{}", Name));
    });
  });
}

void Writer::time() {
  if (!derive("time.step").isKnown())
    return;
  J.attributeObject("time", [&] {
    for (std::string_view Part : {"step", "compute", "bubble", "exposed_comm", "optimizer"})
      quantity(Part, fmt::format("time.{}", Part));
    quantity("tokens_per_second", "tokens_per_second");
    quantity("tokens_per_second_per_gpu", "tokens_per_second_per_gpu");
    quantity("usd_per_billion_tokens", "cost", {Value::of(Num(int64_t{1'000'000'000}))});
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
      Value Ratio = C.derived(fmt::format("overlap.{}", K.Name));
      if (!rt::num(Ratio).isKnown())
        continue;
      const Record *Ranks = rt::fieldRecord(G, K.Group);
      J.attributeObject(ref(K.Name), [&] {
        for (std::string_view Part : {"comm", "compute"})
          quantity(Part, fmt::format("overlap.{}.{}", K.Name, Part));
        number("ratio", rt::num(Ratio));
        for (std::string_view Part : {"hidden", "exposed"})
          quantity(Part, fmt::format("overlap.{}.{}", K.Name, Part));
        bytes("bytes", fmt::format("overlap.{}.bytes", K.Name));
        quantity("bandwidth", fmt::format("overlap.{}.bandwidth", K.Name));
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
  static constexpr std::pair<std::string_view, std::string_view> Parts[] = {{"mfu", "measured.mfu_from_step_time"},
                                                                            {"hfu", "measured.hfu_from_step_time"},
                                                                            {"fragmentation", "measured.fragmentation"},
                                                                            {"memory_error", "measured.memory_error"},
                                                                            {"time_error", "measured.time_error"}};
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
    params();
    layout();
    batch();
    memory();
    flops();
    time();
    quantity("mfu", "mfu");
    quantity("hfu", "hfu");
    quantity("bubble", "bubble");
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
