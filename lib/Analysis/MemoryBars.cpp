#include "Analysis/MemoryBars.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <fmt/format.h>

namespace parlance {

static constexpr std::pair<std::string_view, Quantity> Parts[] = {
    {"weights", quantities::memory_stage_weights},     {"gradients", quantities::memory_stage_gradients},
    {"optimizer", quantities::memory_stage_optimizer}, {"activations", quantities::memory_stage_activations},
    {"logits", quantities::memory_stage_logits},       {"buffers", quantities::memory_stage_buffers},
    {"overhead", quantities::memory_stage_overhead}};

std::vector<std::string> memoryBars(const JobContext &C, int64_t Stage, unsigned Width) {
  std::vector<std::string> Lines;
  Num Worst = Stage >= 0 ? Num(Stage) : rt::num(C.derived(quantities::memory_worst_stage));
  Num Usable = rt::num(C.derived(quantities::memory_usable));
  if (!Worst.isIntegral())
    return Lines;
  auto OfStage = [&](Quantity Q) { return rt::num(C.derived(Q, {Value::of(Worst)})); };
  double Scale = OfStage(quantities::memory_stage_peak).real();
  if (Usable.isKnown())
    Scale = std::max(Scale, Usable.real());
  if (!(Scale > 0))
    return Lines;
  for (auto [Name, Part] : Parts) {
    Num Bytes = OfStage(Part);
    if (!Bytes.isKnown() || Bytes.real() <= 0)
      continue;
    auto Length = static_cast<size_t>(std::lround(Bytes.real() / Scale * Width));
    std::string Bar = Length ? "  " + std::string(Length, '#') : "";
    Lines.push_back(fmt::format("{:<12}{:>10}{}", Name, formatGiB(Bytes.real()), Bar));
  }
  return Lines;
}

} // namespace parlance
