#include "Eval/Support.h"
#include "Report/ReportSections.h"
#include "std/Std.h"

namespace parlance {

static Num roofline(const JobContext &C, std::string_view Name) { return rt::num(C.derived(Name)); }

/// One product; its figures are known where the device is.
static void writeProduct(llvm::json::OStream &J, const JobContext &C, uint32_t Layer, uint32_t Pass) {
  Value P = Value::enumerator(Layer), W = Value::enumerator(Pass);
  const Library &Lib = C.library();
  J.object([&] {
    J.attribute("layer", ref(Lib.enumNamed("product")->Values[Layer]));
    J.attribute("pass", ref(Lib.enumNamed("product_pass")->Values[Pass]));
    uint32_t Type = rt::enumerator(C.derived("gemm.type", {P}));
    J.attribute("type", ref(Lib.enumNamed("dtype")->Values[Type]));
    auto Number = [&](std::string_view Key, Num N) {
      J.attributeBegin(ref(Key));
      shortNumber(J, N.real());
      J.attributeEnd();
    };
    Number("groups", rt::num(C.derived("gemm.groups", {P})));
    for (std::string_view Key : {"rows", "columns", "inner", "flops", "bytes", "intensity", "time", "rate", "roof"})
      Number(Key, rt::num(C.derived(fmt::format("gemm.{}", Key), {P, W})));
  });
}

void writeProducts(llvm::json::OStream &J, const Plan &P) {
  const JobContext &C = *P.Context;
  Num Peak = roofline(C, "peak_rate"), Ridge = roofline(C, "gemm.ridge");
  if (!Peak.isKnown() || !Ridge.isKnown() || !roofline(C, "time.step").isKnown()) {
    J.value(nullptr);
    return;
  }
  J.object([&] {
    J.attribute("device", ref(P.Job->rec(fields::job::device)->Name));
    J.attribute("peak", Peak.real());
    J.attribute("bandwidth", rt::fieldNum(P.Job->rec(fields::job::device), fields::device::bandwidth).real());
    J.attribute("ridge", Ridge.real());
    J.attributeArray("products", [&] {
      auto Layers = static_cast<uint32_t>(C.library().enumNamed("product")->Values.size());
      auto Passes = static_cast<uint32_t>(C.library().enumNamed("product_pass")->Values.size());
      for (uint32_t L = 0; L < Layers; ++L)
        for (uint32_t W = 0; W < Passes; ++W) {
          Value Args[] = {Value::enumerator(L), Value::enumerator(W)};
          if (rt::flag(C.derived("gemm.present", {Args[0], Args[1]})) == Truth::True &&
              rt::num(C.derived("gemm.rate", {Args[0], Args[1]})).isKnown())
            writeProduct(J, C, L, W);
        }
    });
  });
}

} // namespace parlance
