// The small languages in the values of Megatron-LM's options: which layers have experts or a window, and what each
// pipeline stage holds.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
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

/// `E|(t|)*3,m|m||L` with its repetitions written out and its commas left out: `E|t|t|t|m|m||L`.
/// Empty for brackets and stars out of place.
std::optional<std::string> expandLayout(std::string_view Layout);

/// How many parts it has: pipeline stages times chunks of each.
std::optional<int64_t> countStages(std::string_view Layout);

/// What is wrong with a layout that is written out: what it has, and what it must be. Null layers are not known.
struct LayoutFault {
  std::string Has, Must;
};
std::optional<LayoutFault> layoutFault(std::string_view Expanded, std::optional<int64_t> Layers,
                                       std::optional<int64_t> Predictors);

/// Why Megatron-LM would not read a schedule of batch sizes (`0:768 250B:1536`); empty when it does.
std::string scheduleFault(std::string_view Schedule);

/// The numbers of `(4096,0)` or `4096,0`.
std::optional<std::vector<int64_t>> parseTuple(std::string_view Text);

} // namespace parlance::megatron
