#include "Eval/Support.h"
#include "Report/ReportSections.h"
#include "std/Std.h"

namespace parlance {

static Num roofline(const JobContext &C, Quantity Q) { return rt::num(C.derived(Q)); }

static constexpr std::pair<std::string_view, Quantity> Figures[] = {
    {"rows", quantities::gemm_rows},   {"columns", quantities::gemm_columns}, {"inner", quantities::gemm_inner},
    {"flops", quantities::gemm_flops}, {"bytes", quantities::gemm_bytes},     {"intensity", quantities::gemm_intensity},
    {"time", quantities::gemm_time},   {"rate", quantities::gemm_rate},       {"roof", quantities::gemm_roof}};

/// One product; its figures are known where the device is.
static void writeProduct(llvm::json::OStream &J, const JobContext &C, uint32_t Layer, uint32_t Pass) {
  Value P = Value::enumerator(Layer), W = Value::enumerator(Pass);
  const Library &Lib = C.library();
  J.object([&] {
    J.attribute("layer", ref(Lib.enumNamed("product")->Values[Layer]));
    J.attribute("pass", ref(Lib.enumNamed("product_pass")->Values[Pass]));
    uint32_t Type = rt::enumerator(C.derived(quantities::gemm_type, {P}));
    J.attribute("type", ref(Lib.enumNamed("dtype")->Values[Type]));
    auto Number = [&](std::string_view Key, Num N) {
      J.attributeBegin(ref(Key));
      shortNumber(J, N.real());
      J.attributeEnd();
    };
    Number("groups", rt::num(C.derived(quantities::gemm_groups, {P})));
    for (auto [Key, Figure] : Figures)
      Number(Key, rt::num(C.derived(Figure, {P, W})));
  });
}

void writeProducts(llvm::json::OStream &J, const Plan &P) {
  const JobContext &C = *P.Context;
  Num Peak = roofline(C, quantities::peak_rate), Ridge = roofline(C, quantities::gemm_ridge);
  if (!Peak.isKnown() || !Ridge.isKnown() || !roofline(C, quantities::time_step).isKnown()) {
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
          if (rt::flag(C.derived(quantities::gemm_present, {Args[0], Args[1]})) == Truth::True &&
              rt::num(C.derived(quantities::gemm_rate, {Args[0], Args[1]})).isKnown())
            writeProduct(J, C, L, W);
        }
    });
  });
}

} // namespace parlance
