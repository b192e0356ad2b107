// Groups on the rank grid: sizes, strides and places, the formulas against an enumeration of all groups.
#include "Plan/RankGrid.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>

using namespace parlance;

namespace {

constexpr std::string_view Default = "tp-cp-ep-dp-pp";

std::string text(const Group &G) {
  return "size " + std::to_string(G.Size) + " stride " + std::to_string(G.Stride) + ": " + std::to_string(G.PerNode) +
         " per node on " + std::to_string(G.Nodes);
}

std::string along(Axis A, const AxisSizes &Sizes, std::string_view Order = Default, int64_t PerNode = 8) {
  return text(groupAlong(A, Sizes, *parseRankOrder(Order), PerNode));
}

/// Most members on one node and most nodes, over all groups of the kind, counted rank by rank.
Group enumerated(Axis A, const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t PerNode) {
  int64_t World = 1;
  for (int64_t S : Sizes)
    World *= S;
  std::map<int64_t, std::map<int64_t, int64_t>> Members; // by group, then node
  std::map<int64_t, std::vector<int64_t>> Ranks;
  for (int64_t Rank = 0; Rank < World; ++Rank) {
    int64_t Rest = Rank, Stride = 1, Key = Rank;
    for (Axis X : Order) {
      int64_t Size = Sizes[static_cast<unsigned>(X)];
      if (X == A)
        Key = Rank - Rest % Size * Stride; // the group's first rank
      Rest /= Size;
      Stride *= Size;
    }
    ++Members[Key][Rank / PerNode];
    Ranks[Key].push_back(Rank);
  }
  Group G;
  for (auto &[Key, Nodes] : Members) {
    G.Nodes = std::max(G.Nodes, static_cast<int64_t>(Nodes.size()));
    for (auto [Node, Count] : Nodes)
      G.PerNode = std::max(G.PerNode, Count);
  }
  const auto &First = Ranks.begin()->second;
  G.Size = static_cast<int64_t>(First.size());
  G.Stride = First.size() > 1 ? First[1] - First[0] : 0;
  return G;
}

std::vector<std::array<Axis, NumAxes>> allOrders() {
  std::array<Axis, NumAxes> Order{Axis::Tp, Axis::Cp, Axis::Ep, Axis::Dp, Axis::Pp};
  std::vector<std::array<Axis, NumAxes>> Orders;
  do
    Orders.push_back(Order);
  while (std::ranges::next_permutation(Order).found);
  return Orders;
}

TEST(RankGrid, TensorPipelineAndData) {
  AxisSizes S{8, 1, 1, 2, 4}; // tp 8, dp 2, pp 4 on 8 nodes of 8
  EXPECT_EQ(along(Axis::Tp, S), "size 8 stride 1: 8 per node on 1");
  EXPECT_EQ(along(Axis::Dp, S), "size 2 stride 8: 1 per node on 2");
  EXPECT_EQ(along(Axis::Pp, S), "size 4 stride 16: 1 per node on 4");
  EXPECT_EQ(along(Axis::Cp, S), "size 1 stride 8: 1 per node on 1");
}

TEST(RankGrid, DataParallelOverNodes) {
  EXPECT_EQ(along(Axis::Dp, {1, 1, 1, 128, 1}), "size 128 stride 1: 8 per node on 16");
  EXPECT_EQ(along(Axis::Dp, {2, 1, 1, 64, 1}), "size 64 stride 2: 4 per node on 16");
  EXPECT_EQ(along(Axis::Dp, {8, 1, 1, 16, 1}), "size 16 stride 8: 1 per node on 16");
}

TEST(RankGrid, ContextParallelSharesItsNode) {
  AxisSizes S{2, 4, 1, 2, 2};
  EXPECT_EQ(along(Axis::Cp, S), "size 4 stride 2: 4 per node on 1");
  EXPECT_EQ(along(Axis::Dp, S), "size 2 stride 8: 1 per node on 2");
  EXPECT_EQ(along(Axis::Cp, {4, 4, 1, 2, 1}), "size 4 stride 4: 2 per node on 2");
}

TEST(RankGrid, OrderDecides) {
  AxisSizes S{8, 1, 1, 2, 4};
  EXPECT_EQ(along(Axis::Pp, S, "pp-tp-cp-ep-dp"), "size 4 stride 1: 4 per node on 1");
  EXPECT_EQ(along(Axis::Tp, S, "pp-tp-cp-ep-dp"), "size 8 stride 4: 2 per node on 4");
  EXPECT_EQ(along(Axis::Dp, S, "dp-tp-cp-ep-pp"), "size 2 stride 1: 2 per node on 1");
}

TEST(RankGrid, TensorParallelOverTwoNodes) {
  EXPECT_EQ(along(Axis::Tp, {16, 1, 1, 4, 1}), "size 16 stride 1: 8 per node on 2");
  // Groups of six on nodes of eight: some lie on one node, others straddle two.
  EXPECT_EQ(along(Axis::Tp, {6, 1, 1, 4, 1}), "size 6 stride 1: 6 per node on 2");
}

TEST(RankGrid, OneGpuPerNode) {
  EXPECT_EQ(along(Axis::Tp, {4, 1, 1, 2, 1}, Default, 1), "size 4 stride 1: 1 per node on 4");
  EXPECT_EQ(along(Axis::Dp, {4, 1, 1, 2, 1}, Default, 1), "size 2 stride 4: 1 per node on 2");
}

void expectEnumerated(const AxisSizes &Sizes, const std::array<Axis, NumAxes> &Order, int64_t PerNode) {
  for (unsigned A = 0; A < NumAxes; ++A) {
    Group Got = groupAlong(static_cast<Axis>(A), Sizes, Order, PerNode);
    Group Want = enumerated(static_cast<Axis>(A), Sizes, Order, PerNode);
    ASSERT_EQ(Got.Size, Want.Size);
    if (Want.Size > 1)
      ASSERT_EQ(Got.Stride, Want.Stride);
    ASSERT_TRUE(Got.PerNode == Want.PerNode && Got.Nodes == Want.Nodes)
        << "sizes " << Sizes[0] << " " << Sizes[1] << " " << Sizes[2] << " " << Sizes[3] << " " << Sizes[4] << ", axis "
        << A << " of order " << static_cast<int>(Order[0]) << static_cast<int>(Order[1]) << static_cast<int>(Order[2])
        << static_cast<int>(Order[3]) << static_cast<int>(Order[4]) << ", " << PerNode << " per node: " << text(Got)
        << ", counted " << text(Want);
  }
}

TEST(RankGrid, AlignedGridsAreEnumerated) {
  for (const auto &Order : allOrders())
    for (int64_t Tp : {1, 2, 8, 16})
      for (int64_t Cp : {1, 4})
        for (int64_t Dp : {1, 2, 8})
          for (int64_t Pp : {1, 4})
            for (int64_t PerNode : {1, 4, 8})
              expectEnumerated({Tp, Cp, 1, Dp, Pp}, Order, PerNode);
}

TEST(RankGrid, UnalignedGridsAreEnumerated) {
  std::mt19937 Random(11);
  auto Orders = allOrders();
  auto Below = [&](unsigned N) { return static_cast<int64_t>(Random() % N); };
  for (unsigned Round = 0; Round < 3000; ++Round) {
    AxisSizes Sizes{1 + Below(9), 1 + Below(3), 1 + Below(4), 1 + Below(7), 1 + Below(6)};
    expectEnumerated(Sizes, Orders[static_cast<size_t>(Below(120))], 1 + Below(12));
  }
}

TEST(RankGrid, PiecesOfAnAxisAreEnumerated) {
  // A piece and its copies are axes of a grid that has one axis more: "ep", right before "dp".
  std::mt19937 Random(12);
  auto Below = [&](unsigned N) { return static_cast<int64_t>(Random() % N); };
  unsigned Tried = 0;
  for (const auto &Order : allOrders()) {
    const auto *Dp = std::ranges::find(Order, Axis::Dp);
    if (Dp == Order.begin() || Dp[-1] != Axis::Ep)
      continue;
    ++Tried;
    for (unsigned Round = 0; Round < 60; ++Round) {
      int64_t Tp = 1 + Below(5), Cp = 1 + Below(3), Piece = 1 + Below(6), Pieces = 1 + Below(5), Pp = 1 + Below(4),
              PerNode = 1 + Below(12);
      CutGroup Got = cutAlong(Axis::Dp, {Tp, Cp, 1, Piece * Pieces, Pp}, Order, PerNode, Piece);
      AxisSizes Cut{Tp, Cp, Piece, Pieces, Pp};
      for (auto [Part, A] : {std::pair{&Got.Inner, Axis::Ep}, {&Got.Outer, Axis::Dp}}) {
        Group Want = enumerated(A, Cut, Order, PerNode);
        ASSERT_EQ(Part->Size, Want.Size);
        if (Want.Size > 1)
          ASSERT_EQ(Part->Stride, Want.Stride);
        ASSERT_TRUE(Part->PerNode == Want.PerNode && Part->Nodes == Want.Nodes)
            << text(*Part) << ", counted " << text(Want);
      }
    }
  }
  EXPECT_EQ(Tried, 24u);
}

TEST(RankGrid, OrdersArePermutations) {
  std::set<std::array<Axis, NumAxes>> Seen;
  static constexpr std::string_view Names[] = {"tp", "cp", "ep", "dp", "pp"};
  for (const auto &Order : allOrders()) {
    std::string Written;
    for (Axis A : Order)
      Written += (Written.empty() ? "" : "-") + std::string(Names[static_cast<unsigned>(A)]);
    auto Parsed = parseRankOrder(Written);
    ASSERT_TRUE(Parsed) << Written;
    EXPECT_EQ(*Parsed, Order);
    Seen.insert(*Parsed);
  }
  EXPECT_EQ(Seen.size(), 120u);
}

TEST(RankGrid, OtherOrdersAreRefused) {
  for (std::string_view Bad :
       {"", "tp", "tp-cp-ep-dp", "tp-cp-ep-dp-dp", "tp-cp-ep-dp-pp-tp", "tp-cp-ep-dp-pp-", "-tp-cp-ep-dp-pp",
        "tp--cp-ep-dp-pp", "tp-cp-ep-dp-PP", "tp cp ep dp pp", "tp-cp-ep-dp-pp "})
    EXPECT_FALSE(parseRankOrder(Bad)) << Bad;
}

} // namespace
