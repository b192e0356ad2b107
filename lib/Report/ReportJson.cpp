#include "Eval/DerivationBuilder.h"
#include "Eval/Support.h"
#include "Render/Render.h"
#include "Report/Communication.h"
#include "Report/Estimate.h"
#include "Report/LiveReport.h"
#include "Report/ReportSections.h"
#include <llvm/Support/raw_ostream.h>

namespace parlance {

namespace {

class ReportWriter {
public:
  ReportWriter(const ReportInput &In, llvm::raw_ostream &Out) : In(In), C(*In.P.Context), J(Out) {}
  void write();

private:
  void diagnostics();
  void machine();
  void titles();
  void derivations();
  void derivation(Quantity Q);

  const ReportInput &In;
  const JobContext &C;
  llvm::json::OStream J;
};

} // namespace

/// What `check --format json` says, and beside it each diagnostic's lines of the file as text.
void ReportWriter::diagnostics() {
  const SourceManager &Sources = In.Values.Sources;
  J.attributeBegin("check");
  J.rawValue(renderJson(In.Diagnostics, Sources, In.SuppressedErrors));
  J.attributeEnd();
  J.attributeArray("frames", [&] {
    for (const Diagnostic &D : In.Diagnostics) {
      Diagnostic Frame = D; // the rest has a form of its own on the page
      Frame.Derivations.clear();
      Frame.Fixes.clear();
      J.value(llvm::json::fixUTF8(renderText(Frame, Sources, {})));
    }
  });
}

void ReportWriter::machine() {
  using namespace fields;
  J.attributeObject("machine", [&] {
    if (!hasCluster(In.P))
      return;
    J.attribute("device", llvm::json::fixUTF8(ref(In.P.Job->rec(job::device)->Name)));
    J.attribute("gpus_per_node", In.P.Job->num(job::gpus_per_node).toInteger());
    if (const Record *Network = In.P.Job->rec(job::inter))
      J.attribute("network", llvm::json::fixUTF8(ref(Network->Name)));
  });
}

void ReportWriter::titles() {
  J.attributeObject("titles", [&] {
    for (const CommunicationKind &K : CommunicationKinds)
      J.attribute(ref(K.Name), ref(K.Title));
  });
}

void ReportWriter::derivation(Quantity Q) {
  if (!rt::num(C.derived(Q)).isKnown())
    return;
  Evaluator::Frame F = In.P.frame();
  DerivationBuilder Builder(In.Values, In.Trees);
  J.rawValue(renderJson(Builder.ofDerived(Q.Index, {}, F), In.Values.Sources));
}

void ReportWriter::derivations() {
  auto Section = [&](llvm::StringRef Key, std::initializer_list<Quantity> Shown) {
    J.attributeArray(Key, [&] {
      for (Quantity Q : Shown)
        derivation(Q);
    });
  };
  J.attributeObject("derivations", [&] {
    Section("memory", {quantities::memory_peak, quantities::memory_usable});
    Section("time", {quantities::time_step, quantities::time_bubble, quantities::bubble});
    Section("rate", {quantities::mfu, quantities::tokens_per_second_per_gpu});
    J.attributeArray("overlap", [&] {
      for (const CommunicationKind &K : CommunicationKinds)
        for (Quantity Q : {K.Ratio, K.Exposed})
          derivation(Q);
    });
    Section("products", {quantities::peak_rate, quantities::gemm_ridge});
  });
}

void ReportWriter::write() {
  J.object([&] {
    J.attribute("version", 1);
    J.attribute("parlance", ref(In.Version));
    J.attribute("file", llvm::json::fixUTF8(ref(In.File)));
    diagnostics();
    J.attributeBegin("estimate");
    J.rawValue(estimateJson(In.P, In.Verdict.Name));
    J.attributeEnd();
    if (!rt::num(C.derived(quantities::memory_peak)).isKnown())
      J.attribute("memory_missing", whyOpen(In.Verdict, "memory"));
    machine();
    titles();
    J.attributeBegin("timeline");
    writeTimeline(J, In.P);
    J.attributeEnd();
    J.attributeBegin("roofline");
    writeProducts(J, In.P);
    J.attributeEnd();
    J.attributeBegin("ranks");
    writeRanks(J, In.P);
    J.attributeEnd();
    derivations();
  });
}

std::string reportJson(const ReportInput &In) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  ReportWriter(In, Out).write();
  Out << '\n';
  return Text;
}

} // namespace parlance
