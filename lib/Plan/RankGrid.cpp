#include "Plan/RankGrid.h"
#include <algorithm>
#include <numeric>

namespace parlance {

std::optional<std::array<Axis, NumAxes>> parseRankOrder(std::string_view Order) {
  static constexpr std::string_view Names[NumAxes] = {"tp", "cp", "ep", "dp", "pp"};
  std::array<Axis, NumAxes> Result{};
  unsigned Count = 0, Seen = 0;
  for (bool More = true; More;) {
    size_t Dash = Order.find('-');
    More = Dash != std::string_view::npos;
    const auto *It = std::ranges::find(Names, Order.substr(0, Dash));
    if (It == std::end(Names) || Count == NumAxes)
      return std::nullopt;
    auto Index = static_cast<unsigned>(It - Names);
    Seen |= 1u << Index;
    Result[Count++] = static_cast<Axis>(Index);
    Order.remove_prefix(More ? Dash + 1 : 0);
  }
  return Seen == (1u << NumAxes) - 1 && Count == NumAxes ? std::optional(Result) : std::nullopt;
}

Group placed(int64_t Size, int64_t Stride, int64_t Repeats, int64_t GpusPerNode) {
  Group G{Size, Stride, 1, 1};
  // Aligned grids, the usual case: groups start at multiples of their span.
  bool Within = GpusPerNode % (Size * Stride) == 0;
  bool Spanning = Stride % GpusPerNode == 0 || (GpusPerNode % Stride == 0 && Size * Stride % GpusPerNode == 0);
  if (Within || Spanning) {
    G.PerNode = std::min(Size, std::max<int64_t>(1, GpusPerNode / Stride));
    G.Nodes = Size / G.PerNode;
    return G;
  }
  // Unaligned: only the position of a group's first rank within its node matters. Groups start at k * Size * Stride + j
  // for k < Repeats and j < Stride; the positions come back after `Period` steps of k.
  int64_t Period = GpusPerNode / std::gcd(Size * Stride, GpusPerNode);
  int64_t Offsets = std::min(Stride, GpusPerNode);
  for (int64_t K = 0; K < std::min(Repeats, Period); ++K)
    for (int64_t J = 0; J < Offsets; ++J) {
      int64_t Nodes = 0, Here = 0, LastNode = -1, Most = 0;
      for (int64_t I = 0; I < Size; ++I) {
        int64_t Node = (K * Size * Stride + J + I * Stride) / GpusPerNode;
        Nodes += Node != LastNode;
        Here = Node == LastNode ? Here + 1 : 1;
        LastNode = Node;
        Most = std::max(Most, Here);
      }
      G.Nodes = std::max(G.Nodes, Nodes);
      G.PerNode = std::max(G.PerNode, Most);
    }
  return G;
}

namespace {

/// What lies around an axis: those before it in the order make up its stride, those behind it repeat the pattern.
struct Surroundings {
  int64_t Stride = 1, Repeats = 1;
};

} // namespace

static Surroundings around(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order) {
  Surroundings S;
  bool Behind = false;
  for (Axis X : Order) {
    if (X != A)
      (Behind ? S.Repeats : S.Stride) *= Sizes[static_cast<unsigned>(X)];
    Behind |= X == A;
  }
  return S;
}

Group groupAlong(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t GpusPerNode) {
  auto [Stride, Repeats] = around(A, Sizes, Order);
  return placed(Sizes[static_cast<unsigned>(A)], Stride, Repeats, GpusPerNode);
}

CutGroup cutAlong(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t GpusPerNode,
                  int64_t Piece) {
  auto [Stride, Repeats] = around(A, Sizes, Order);
  int64_t Pieces = Sizes[static_cast<unsigned>(A)] / Piece;
  return {placed(Piece, Stride, Repeats * Pieces, GpusPerNode), placed(Pieces, Stride * Piece, Repeats, GpusPerNode)};
}

} // namespace parlance
