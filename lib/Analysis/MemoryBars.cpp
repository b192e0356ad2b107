#include "Analysis/MemoryBars.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include <fmt/format.h>

namespace parlance {

std::vector<std::string> memoryBars(const JobContext &C, int64_t Stage, unsigned Width) {
  std::vector<std::string> Lines;
  Num Worst = Stage >= 0 ? Num(Stage) : rt::num(C.derived("memory.worst_stage"));
  Num Usable = rt::num(C.derived("memory.usable"));
  if (!Worst.isIntegral())
    return Lines;
  auto Part = [&](std::string_view Name) {
    return rt::num(C.derived(fmt::format("memory.stage.{}", Name), {Value::of(Worst)}));
  };
  double Scale = Part("peak").real();
  if (Usable.isKnown())
    Scale = std::max(Scale, Usable.real());
  if (!(Scale > 0))
    return Lines;
  for (std::string_view Name : {"weights", "gradients", "optimizer", "activations", "logits", "buffers", "overhead"}) {
    Num Bytes = Part(Name);
    if (!Bytes.isKnown() || Bytes.real() <= 0)
      continue;
    auto Length = static_cast<size_t>(std::lround(Bytes.real() / Scale * Width));
    Lines.push_back(fmt::format("{:<12}{:>10}  {}", Name, formatGiB(Bytes.real()), std::string(Length, '#')));
  }
  return Lines;
}

} // namespace parlance
