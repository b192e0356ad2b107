// The small languages in the values of Megatron-LM's options: which layers have experts or a
// window, and what each pipeline stage holds.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace parlance::megatron {

/// `([0]*3+[1]*58)`: an entry for each layer; or `2`: every second layer.
struct LayerPattern {
  std::optional<int64_t> Every;
  std::vector<int64_t> Entries;
};

/// Empty for what Megatron-LM would not read, and for lists that are absurdly long.
std::optional<LayerPattern> parseLayerPattern(std::string_view Text);

/// How many parts `E|(t|)*3,m|m||L` has: pipeline stages times chunks of each.
std::optional<int64_t> countStages(std::string_view Layout);

/// The numbers of `(4096,0)` or `4096,0`.
std::optional<std::vector<int64_t>> parseTuple(std::string_view Text);

} // namespace parlance::megatron
