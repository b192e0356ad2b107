#include "Frameworks/Megatron/Write.h"
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace parlance {

/// The value of a flag; empty when it is not there.
static std::string valueOf(const std::vector<std::string> &Words, std::string_view Flag) {
  auto It = std::ranges::find(Words, Flag);
  return It == Words.end() || It + 1 == Words.end() ? std::string() : *(It + 1);
}

/// A list with an entry for each layer: `First` for so many of them, then the other.
static std::string layerList(int64_t First, int64_t Count, int64_t Layers) {
  return fmt::format("([{}]*{}+[{}]*{})", First, Count, 1 - First, Layers - Count);
}

void megatron::spellPatterns(std::vector<std::string> &Words) {
  std::string Layers = valueOf(Words, "--num-layers");
  int64_t L = Layers.empty() ? 0 : std::stoll(Layers);
  for (size_t I = 0; I + 1 < Words.size();) {
    size_t Blank = Words[I].find(" (");
    if (!Words[I].starts_with("--") || Blank == std::string::npos) {
      ++I;
      continue;
    }
    std::string Flag = Words[I].substr(0, Blank);
    bool IsThere = std::ranges::find(Words, Flag) != Words.end();
    if (IsThere || Flag == "--pipeline-model-parallel-layout" || Flag == "--hierarchical-context-parallel-sizes") {
      Words.erase(Words.begin() + static_cast<std::ptrdiff_t>(I), Words.begin() + static_cast<std::ptrdiff_t>(I) + 2);
      continue;
    }
    int64_t N = std::stoll(Words[I + 1]);
    Words[I] = Flag;
    // A window is given as the keys before a query and those behind it.
    Words[I + 1] = Flag == "--window-size"      ? fmt::format("{},0", N - 1)
                   : Flag == "--moe-layer-freq" ? layerList(0, N, L)
                                                : layerList(1, N, L);
    I += 2;
  }
}

void writeMegatron(TargetWriter &To) {
  std::vector<std::string> Words = commandLine(To.F, To.Options);
  megatron::spellPatterns(Words);
  To.addWords("args.json", Words);
  To.addVariables("env.json");
  To.launch(LaunchScript::Always, {"${MEGATRON_LM:-.}/pretrain_gpt.py"}, std::move(Words));
}

} // namespace parlance
