// The tables of published measurements can be read, their rows become jobs, and the errors stay below floors that hold
// with a margin: a regression shows here, the figures themselves are in docs/accuracy.md.
#include "Sets.h"
#include "Sweep.h"
#include <gtest/gtest.h>

using namespace parlance;
using namespace parlance::validate;

namespace {

std::string path(std::string_view File) {
  return std::string(PARLANCE_SOURCE_DIR "/test/data/validation/") + std::string(File);
}

Table table(std::string_view File) {
  std::string Error;
  auto T = readCsv(path(File), Error);
  EXPECT_TRUE(T) << Error;
  return T ? *T : Table();
}

/// The checks of a data set by name.
std::map<std::string, Statistics> statisticsOf(std::string_view Name) {
  std::map<std::string, Statistics> Out;
  for (const DataSet &S : dataSets()) {
    if (S.Name != Name)
      continue;
    Jobs J;
    for (const Check &C : S.Run(S, table(S.File), J))
      Out[C.name()] = statistics(C);
    EXPECT_EQ(J.problems(), "") << Name;
  }
  EXPECT_FALSE(Out.empty()) << Name;
  return Out;
}

} // namespace

TEST(Validation, Cells) {
  std::string Error;
  EXPECT_FALSE(readCsv("/nonexistent.csv", Error));
  EXPECT_NE(Error, "");
  Table T{"", {"a", "b"}, {{"1.5", ""}, {"x", "true"}}};
  EXPECT_EQ(Row(T, 0).number("a"), 1.5);
  EXPECT_TRUE(std::isnan(Row(T, 0).number("b")));
  EXPECT_EQ(Row(T, 0).integer("b", 7), 7);
  EXPECT_TRUE(std::isnan(Row(T, 1).number("a")));
  EXPECT_TRUE(Row(T, 1).yes("b"));
  EXPECT_EQ(Row(T, 1).text("none"), "");
}

TEST(Validation, Statistics) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 0.9), 9);
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3}, {10, 20, 30}), 1);
  EXPECT_DOUBLE_EQ(spearman({1, 2, 3}, {30, 20, 10}), -1);
  EXPECT_TRUE(std::isnan(spearman({1, 2}, {1, 2})));
  Check C;
  C.Samples = {{"a", "", 110, 100, 0.05, true}, {"b", "", 99, 100, 0.05, true}};
  Statistics S = statistics(C);
  EXPECT_DOUBLE_EQ(S.Share, 0.5);
  EXPECT_NEAR(S.Worst, 0.1, 1e-12);
  EXPECT_NEAR(S.Bias, 0.045, 1e-12);
  EXPECT_FALSE(met(C, S)); // no target
  C.Wanted = {.Median = 0.06, .Text = "median"};
  EXPECT_EQ(met(C, S), std::optional(true));
  C.Wanted.Mean = 0.01;
  EXPECT_EQ(met(C, S), std::optional(false));
}

TEST(Validation, EveryTableReads) {
  size_t Rows = 0;
  for (const DataSet &S : dataSets())
    Rows += table(S.File).Rows.size();
  EXPECT_GT(Rows, 13000u);
}

/// Rows are not quietly lost: what cannot be used is said and counted.
TEST(Validation, RowsBecomeJobs) {
  for (std::string_view File : {"llm_foundry_mpt.csv", "simumax_b200.csv", "ultrascale_playbook.csv"}) {
    Table T = table(File);
    Jobs J;
    for (size_t I = 0; I < T.Rows.size(); ++I) {
      Row R(T, I);
      struct Run Of = runOf(R);
      ASSERT_EQ(unusable(R, Of), "") << Of.Id;
      auto P = J.plan(Of);
      ASSERT_TRUE(P) << Of.Id << J.problems();
      EXPECT_EQ(J.quantity(*P, "world"), static_cast<double>(Of.Gpus)) << Of.Id;
      EXPECT_GT(J.quantity(*P, "memory.peak"), 0) << Of.Id;
      EXPECT_GT(J.step(*P), 0) << Of.Id;
    }
  }
}

TEST(Validation, PublishedUtilisationIsReproduced) {
  for (std::string_view Name : {"llm_foundry_mpt", "nemo_2407", "bloom"}) {
    auto S = statisticsOf(Name);
    EXPECT_EQ(S[std::string(Name) + ": TFLOP/s from the published step time"].Share, 1) << Name;
  }
}

TEST(Validation, Floors) {
  auto Simumax = statisticsOf("simumax_b200");
  EXPECT_LT(Simumax["simumax_b200: allocated memory, worst rank"].Median, 0.03);
  EXPECT_LT(std::fabs(Simumax["simumax_b200: allocated memory, worst rank"].Worst), 0.10);
  auto Galvatron = statisticsOf("galvatron");
  EXPECT_LT(Galvatron["galvatron: states of one layer"].Mean, 0.02);
  EXPECT_LT(Galvatron["galvatron: activations of one layer"].Mean, 0.10);
  auto Ci = statisticsOf("megatron_ci_golden");
  EXPECT_GT(Ci["megatron_ci_golden: allocated between steps, last stage"].Share, 0.8);
  auto Papers = statisticsOf("papers");
  EXPECT_LT(Papers["korthikanti: step time"].Mean, 0.25);
}

/// From one size of cluster to the next the time per token and GPU jumps where a group moves, and nowhere else.
TEST(Validation, JumpsHaveACause) {
  std::vector<Jump> Jumps = sweep(0.2, 128);
  EXPECT_FALSE(Jumps.empty());
  for (const Jump &J : Jumps)
    EXPECT_NE(J.Cause, "") << sweepText({J});
}
