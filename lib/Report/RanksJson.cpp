#include "Eval/Support.h"
#include "Plan/RankGrid.h"
#include "Report/Communication.h"
#include "Report/ReportSections.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

namespace {

using namespace fields;

/// Squares that a picture can still show; more ranks are drawn node by node.
constexpr int64_t MostCells = 1024;

/// Ranks side by side on one node that are one square.
struct Cells {
  int64_t Run = 1, Count = 0, World = 0;
  int64_t begin(int64_t I) const { return I * Run; }
  int64_t end(int64_t I) const { return std::min((I + 1) * Run, World); }
};

struct Kind {
  std::string_view Name, Title;
  Group G;
};

} // namespace

static int64_t whole(Num N) { return N.isIntegral() ? N.toInteger() : 0; }

/// The groups of more than one rank. `edp` and `replicate` are of no communication kind of their own.
static std::vector<Kind> kindsOf(const Record &Groups, bool Experts) {
  std::vector<Kind> Kinds;
  auto Add = [&](std::string_view Name, std::string_view Title, unsigned Field) {
    const Record *R = Groups.rec(Field);
    Group G{whole(R->num(group::size)), whole(R->num(group::stride)), whole(R->num(group::per_node)),
            whole(R->num(group::nodes))};
    bool Known =
        std::ranges::any_of(Kinds, [&](const Kind &K) { return K.G.Size == G.Size && K.G.Stride == G.Stride; });
    if (G.Size > 1 && !(Known && Field == groups::shard))
      Kinds.push_back({Name, Title, G});
  };
  for (const CommunicationKind &K : CommunicationKinds)
    Add(K.Name == "zero3" ? "shard" : K.Name, K.Name == "zero3" ? "shard" : K.Title, K.Group);
  if (Experts)
    Add("edp", "data parallel of experts", groups::edp);
  Add("replicate", "copies of shards", groups::replicate);
  return Kinds;
}

/// For each square the smallest and largest of a number over its ranks; one list where they are the same.
template <typename Of> static void writeCells(llvm::json::OStream &J, std::string_view Key, const Cells &C, Of Number) {
  auto List = [&](llvm::StringRef Name, bool Largest) {
    J.attributeArray(Name, [&] {
      for (int64_t I = 0; I < C.Count; ++I) {
        int64_t Found = Number(C.begin(I));
        for (int64_t Rank = C.begin(I) + 1; Rank < C.end(I); ++Rank)
          Found = Largest ? std::max(Found, Number(Rank)) : std::min(Found, Number(Rank));
        J.value(Found);
      }
    });
  };
  List(ref(Key), false);
  if (C.Run > 1)
    List(fmt::format("{}_end", Key), true);
}

static void writeKind(llvm::json::OStream &J, const Kind &K, const Cells &C) {
  J.object([&] {
    J.attribute("name", ref(K.Name));
    J.attribute("title", ref(K.Title));
    J.attribute("size", K.G.Size);
    J.attribute("stride", K.G.Stride);
    J.attribute("per_node", K.G.PerNode);
    J.attribute("nodes", K.G.Nodes);
    writeCells(J, "group", C, [&](int64_t Rank) { return K.G.numberOf(Rank); });
    writeCells(J, "member", C, [&](int64_t Rank) { return K.G.memberOf(Rank); });
  });
}

void writeRanks(llvm::json::OStream &J, const Plan &P) {
  const Record *Groups = P.Job->rec(job::groups);
  int64_t World = whole(rt::num(P.Context->derived(quantities::world))),
          PerNode = whole(P.Job->num(job::gpus_per_node));
  if (!Groups || !hasCluster(P) || World < 1 || PerNode < 1) {
    J.value(nullptr);
    return;
  }
  bool Experts = rt::fieldNum(P.Job->rec(job::model), model::experts).real() > 0;
  Cells C{World <= MostCells ? 1 : PerNode, 0, World};
  C.Count = std::min(MostCells, (World + C.Run - 1) / C.Run);
  J.object([&] {
    J.attribute("world", World);
    J.attribute("per_node", PerNode);
    J.attribute("nodes", (World + PerNode - 1) / PerNode);
    J.attribute("run", C.Run);
    J.attribute("cells", C.Count);
    J.attribute("order", ref(rt::text(P.Job->rec(job::layout)->at(layout::order))));
    J.attributeArray("kinds", [&] {
      for (const Kind &K : kindsOf(*Groups, Experts))
        writeKind(J, K, C);
    });
  });
}

} // namespace parlance
