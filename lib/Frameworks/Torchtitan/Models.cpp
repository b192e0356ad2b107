#include "Frameworks/Torchtitan/Models.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

// torchtitan/models/*/__init__.py of v0.2.2 (73a0e697) and main (b5bcd76c). Described in part: llama4's flavors whose
// layers with experts alternate with others, gpt_oss (attention sinks, biases of experts); not at all flux (no
// transformer of text). Of equal shapes the first is written.
static constexpr TorchtitanModel Table[] = {
    {"llama3", "debugmodel", "torchtitan_llama3_debug", "llama3_debugmodel"},
    {"llama3", "debugmodel_flex_attn", "torchtitan_llama3_debug", {}, true, false},
    {"llama3", "debugmodel_varlen_attn", "torchtitan_llama3_debug", {}, true, false},
    {"llama3", "1B", "llama32_1b", {}, false},
    {"llama3", "3B", "llama32_3b", {}, false},
    {"llama3", "8B", "llama3_8b", "llama3_8b"},
    {"llama3", "8B_flex", "llama3_8b", {}, true, false},
    {"llama3", "8B_varlen", "llama3_8b", {}, true, false},
    {"llama3", "70B", "llama3_70b", "llama3_70b"},
    {"llama3", "405B", "llama31_405b", {}}, // its function on main trains in 8 bits
    {"llama4", "debugmodel", {}, {}, true, false, {6, 16, 16, 8, 1}},
    {"llama4", "17bx16e", "torchtitan_llama4_17bx16e", {}, true, false},
    {"llama4", "17bx128e", {}, {}, true, false, {48, 40, 8, 128, 1}},
    {"llama4", "debugmodel_irope", {}, {}, true, false, {6, 16, 16, 8, 1}},
    {"llama4", "17bx16e_irope", "torchtitan_llama4_17bx16e", {}, true, false},
    {"llama4", "17bx128e_irope", {}, {}, true, false, {48, 40, 8, 128, 1}},
    {"deepseek_v3", "debugmodel", "torchtitan_deepseek_v3_debug", "deepseek_v3_debugmodel"},
    {"deepseek_v3", "debugmodel_flex_attn", "torchtitan_deepseek_v3_debug", {}, true, false},
    {"deepseek_v3", "16B", "deepseek_v2_lite", "deepseek_v3_16b"},
    {"deepseek_v3", "236B", "deepseek_v2", {}},
    {"deepseek_v3", "671B", "torchtitan_deepseek_v3_671b", "deepseek_v3_671b"},
    {"qwen3", "debugmodel", "torchtitan_qwen3_debug", "qwen3_debugmodel"},
    {"qwen3", "debugmodel_non_fused_qkv", "torchtitan_qwen3_debug", {}, false},
    {"qwen3", "0.6B", "qwen3_0_6b", "qwen3_0_6b"},
    {"qwen3", "1.7B", "qwen3_1_7b", "qwen3_1_7b"},
    {"qwen3", "4B", "qwen3_4b", {}},
    {"qwen3", "8B", "qwen3_8b", {}},
    {"qwen3", "14B", "qwen3_14b", "qwen3_14b"},
    {"qwen3", "32B", "qwen3_32b", "qwen3_32b"},
    {"qwen3", "debugmodel_moe", "torchtitan_qwen3_debug_moe", "qwen3_moe_debug"},
    {"qwen3", "30B-A3B", "qwen3_30b_a3b", "qwen3_30b_a3b"},
    {"qwen3", "235B-A22B", "qwen3_235b_a22b", {}},
    {"gpt_oss", "debugmodel", {}, "gpt_oss_debugmodel", true, true, {4, 64, 8, 8, 4}},
    {"gpt_oss", "20b", {}, "gpt_oss_20b", true, true, {24, 64, 8, 32, 4}},
    {"gpt_oss", "120b", {}, "gpt_oss_120b", true, true, {36, 64, 8, 128, 4}},
    {"flux", "flux-dev", {}, "flux_dev"},
    {"flux", "flux-schnell", {}, "flux_schnell"},
    {"flux", "flux-debug", {}, "flux_debugmodel"},
};

std::span<const TorchtitanModel> torchtitanModels() { return Table; }

const Record *torchtitanModel(const TorchtitanModel &M, Evaluator &E, SourceRange At) {
  if (int Index = M.Record.empty() ? -1 : E.Lib.record(M.Record); Index >= 0)
    return E.libraryInstance(static_cast<uint32_t>(Index));
  if (!M.Partly.Layers)
    return nullptr;
  using namespace fields;
  Record *Model = E.own(emptyRecord(*E.Lib.schema("model"), M.Flavor, At));
  for (auto [Field, Count] : {std::pair{model::layers, M.Partly.Layers},
                              {model::heads, M.Partly.Heads},
                              {model::kv_heads, M.Partly.KvHeads},
                              {model::experts, M.Partly.Experts},
                              {model::top_k, M.Partly.TopK}}) {
    Model->Values[Field] = Value::of(Num(Count));
    Model->Origins[Field] = {Origin::Kind::Given, At, {}};
  }
  return E.complete(*Model);
}

std::string_view torchtitanFamily(std::string_view Name) {
  Name = Name.substr(Name.rfind('.') + 1);
  if (Name == "local_map_deepseek_v3")
    return "deepseek_v3";
  return Name == "llama3_ft" ? "llama3" : Name;
}

/// Whether two shapes are the same; a published count of parameters is not part of a shape.
static bool sameShape(const Record &A, const Record &B) {
  for (unsigned I = 0; I < A.Values.size(); ++I) {
    const Value &X = A.at(I), &Y = B.at(I);
    if (A.Schema->Name == "model" && I == fields::model::params)
      continue;
    if (X.K != Y.K)
      return false;
    bool Same = X.K == Value::Kind::Quantity ? equal(X.Number, Y.Number) == Truth::True
                : X.K == Value::Kind::Bool   ? X.Flag == Y.Flag
                : X.K == Value::Kind::Enum   ? X.Index == Y.Index
                : X.K == Value::Kind::Record ? sameShape(*X.Rec, *Y.Rec)
                                             : true;
    if (!Same)
      return false;
  }
  return true;
}

const TorchtitanModel *torchtitanModelFor(const Record &Model, bool Main, Evaluator &E) {
  for (const TorchtitanModel &M : Table) {
    if (M.Record.empty() || !(Main ? M.OnMain && !M.Config.empty() : M.InToml))
      continue;
    int Index = E.Lib.record(M.Record);
    if (sameShape(Model, *E.libraryInstance(static_cast<uint32_t>(Index))))
      return &M;
  }
  return nullptr;
}

} // namespace parlance
