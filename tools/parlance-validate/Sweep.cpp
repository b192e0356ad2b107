#include "Sweep.h"
#include "Eval/Support.h"
#include "Plan/Plan.h"
#include "Sema/Program.h"
#include "std/Std.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace parlance::validate {

namespace {

/// One job on one size of cluster: how fast it is, and all that is placed or rounded.
struct Point {
  double PerToken = std::nan("");
  std::vector<std::pair<std::string, std::string>> Placed; ///< "dp group": "8 per node, over nodes"
  bool known() const { return std::isfinite(PerToken); }
};

struct Scene {
  std::string_view Model, Layout;
};

constexpr Scene Scenes[] = {
    {"llama3_8b", "tp = 1, pp = 1, zero = 1"},
    {"llama3_8b", "tp = 2, pp = 1, zero = 3, sequence_parallel = true"},
    {"llama3_70b", "tp = 8, pp = 4, zero = 1, sequence_parallel = true"},
    {"llama3_70b", "tp = 16, pp = 2, zero = 0"},
    {"llama3_70b", "tp = 4, pp = 2, cp = 4, zero = 2"},
    {"mixtral_8x7b", "tp = 1, pp = 2, ep = 8, zero = 1"},
};
constexpr std::string_view Links[] = {"infiniband_ndr", "efa_100g"};

void place(const Plan &P, Point &Out) {
  using namespace fields;
  if (const Record *Groups = P.Job->rec(job::groups))
    for (unsigned I = 0; I < Groups->Values.size(); ++I) {
      const Record *G = Groups->rec(I);
      Out.Placed.emplace_back(fmt::format("{} group", Groups->Schema->Fields[I].Name),
                              fmt::format("{} of a node{}", G->num(group::per_node).toInteger(),
                                          G->num(group::nodes).toInteger() > 1 ? ", over nodes" : ""));
    }
  double Layers = 0;
  auto Stages = P.Job->rec(job::layout)->num(layout::pp).toInteger();
  for (int64_t I = 0; I < Stages; ++I)
    Layers = std::max(Layers, rt::num(P.Context->derived(quantities::memory_stage_layers, {Value::of(Num(I))})).real());
  Out.Placed.emplace_back("layers of the fullest stage", fmt::format("{}", Layers));
}

Point pointOf(const Scene &S, std::string_view Link, std::string_view Stack, int Nodes) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  const Library &Lib = standardLibrary();
  Program Files(Sources, Lib, Diags);
  Evaluator Values(Sources, Lib, Diags);
  Module &Main = Files.add(
      Sources.add("sweep.parl",
                  fmt::format("use std/hardware\nuse std/models\nuse std/stacks\n"
                              "cluster c {{ node = 8 * h100_sxm, nodes = {}, inter = {} }}\n"
                              "layout spread {{ {} }}\n"
                              "job j {{ model = {}, cluster = c, layout = spread, seq_len = 4096 tok/seq, stack = {}\n"
                              "  batch {{ micro = 1 seq, accum = 8 }} }}\n",
                              Nodes, Link, S.Layout, S.Model, Stack)));
  Point Out;
  const Record *Job = Values.instance(Main, *Main.Names.find("j")->second);
  auto P = Job ? resolve(*Job, Values) : std::nullopt;
  if (!P)
    return Out;
  auto Of = [&](Quantity Q) { return rt::num(P->Context->derived(Q)).real(); };
  if (Of(quantities::world) > Of(quantities::cluster_gpus))
    return Out; // not one replica fits
  Out.PerToken = Of(quantities::time_step) * Of(quantities::world) /
                 P->Job->rec(fields::job::batch)->num(fields::batch::tokens).real();
  place(*P, Out);
  return Out;
}

std::string causeOf(const Point &A, const Point &B) {
  std::string Out;
  for (size_t I = 0; I < A.Placed.size() && I < B.Placed.size(); ++I)
    if (A.Placed[I].second != B.Placed[I].second)
      Out += fmt::format("{}{}: {} -> {}", Out.empty() ? "" : "; ", A.Placed[I].first, A.Placed[I].second,
                         B.Placed[I].second);
  return Out;
}

} // namespace

std::vector<Jump> sweep(double Least, int Most) {
  std::vector<Jump> Jumps;
  for (const LibraryRecord &Stack : standardLibrary().Records) {
    if (Stack.Schema->Name != "stack")
      continue;
    for (const Scene &S : Scenes)
      for (std::string_view Link : Links) {
        Point Last = pointOf(S, Link, Stack.Name, 1);
        for (int Nodes = 1; Nodes < Most; ++Nodes) {
          Point Next = pointOf(S, Link, Stack.Name, Nodes + 1);
          if (Last.known() && Next.known() && std::fabs(Next.PerToken / Last.PerToken - 1) > Least)
            Jumps.push_back({fmt::format("{} {{ {} }} on {}, {}", S.Model, S.Layout, Link, Stack.Name), Nodes,
                             Last.PerToken, Next.PerToken, causeOf(Last, Next)});
          Last = std::move(Next);
        }
      }
  }
  return Jumps;
}

std::string sweepText(const std::vector<Jump> &Jumps) {
  std::string Out;
  for (const Jump &J : Jumps)
    Out += fmt::format("{}\n  {} -> {} nodes: {:+.0f} % per token and GPU: {}\n", J.Job, J.Nodes, J.Nodes + 1,
                       100 * J.change(), J.Cause.empty() ? "no cause" : J.Cause);
  auto Faults = std::ranges::count_if(Jumps, [](const Jump &J) { return J.Cause.empty(); });
  return Out + fmt::format("{} jumps, {} without a cause\n", Jumps.size(), Faults);
}

} // namespace parlance::validate
