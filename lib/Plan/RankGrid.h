// The rank grid: in which order the parallel dimensions number the GPUs, and where each group sits in the cluster.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parlance {

enum class Axis : uint8_t { Tp, Cp, Ep, Dp, Pp };
inline constexpr unsigned NumAxes = 5;

/// The axes from the fastest to the slowest varying; "tp-cp-ep-dp-pp" is Megatron-LM's default
/// (megatron/core/parallel_state.py). Empty unless every axis is named once.
std::optional<std::array<Axis, NumAxes>> parseRankOrder(std::string_view Order);

/// One communication group: its ranks are Base + i * Stride for i < Size.
struct Group {
  int64_t Size = 1, Stride = 1;
  /// Most ranks of one group on one node, and most nodes that one group touches, over all groups of the kind.
  int64_t PerNode = 1, Nodes = 1;

  /// Which member of its group a rank is, and which of the kind's groups that is, counted in the order of their first
  /// ranks.
  int64_t memberOf(int64_t Rank) const { return Rank / Stride % Size; }
  int64_t numberOf(int64_t Rank) const { return Rank / (Stride * Size) * Stride + Rank % Stride; }
};

/// Sizes by axis; an axis that does not exist in a grid has size 1.
using AxisSizes = std::array<int64_t, NumAxes>;

/// The group along one axis of a grid whose ranks are numbered in `Order` and placed `GpusPerNode` to a node.
Group groupAlong(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t GpusPerNode);
/// The group along one axis cut into pieces of `Piece` neighbours: a piece, and the ranks that sit at the same place of
/// each piece.
struct CutGroup {
  Group Inner, Outer;
};
CutGroup cutAlong(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t GpusPerNode,
                  int64_t Piece);
/// Groups of ranks `Stride` apart: `Stride` of them side by side, and that `Repeats` times over.
Group placed(int64_t Size, int64_t Stride, int64_t Repeats, int64_t GpusPerNode);

} // namespace parlance
