#include "Frameworks/Options/Framework.h"
#include "Plan/Options.h"
#include <cctype>

namespace parlance {

// Neither DeepSpeed's nor accelerate's files describe the model that they train, nor its kernels.
static constexpr std::string_view DeepSpeedElsewhere[] = {
    "model", "seq_len", "kernels", "attention_kernel", "cross_entropy", "layout.recompute"};
static constexpr std::string_view AccelerateElsewhere[] = {"model",         "seq_len", "kernels",  "attention_kernel",
                                                           "cross_entropy", "batch",   "optimizer"};

static constexpr Framework Table[] = {
    {"megatron", "Megatron-LM", true, false, false, {}},
    {"deepspeed", "DeepSpeed", false, false, true, DeepSpeedElsewhere, Conversion::Models},
    {"torchtitan", "torchtitan", false, false, false, {}},
    {"torchtitan_main", "torchtitan", true, false, false, {}},
    {"nanotron", "nanotron", false, false, false, {}},
    {"accelerate", "accelerate", false, false, true, AccelerateElsewhere, Conversion::Everywhere},
    {"neox", "GPT-NeoX", false, true, false, {}},
};

std::span<const Framework> frameworks() { return Table; }

const Framework *frameworkNamed(std::string_view Name) {
  auto It = std::ranges::find(Table, Name, &Framework::Name);
  return It == std::end(Table) ? nullptr : It;
}

std::string Framework::spelled(std::string_view Path) const {
  bool Variable = std::isupper(static_cast<unsigned char>(Path[0])); // of the environment
  return Flags && !Variable ? asFlag(Path) : std::string(Path);
}

} // namespace parlance
