// What is held against what: rows of one data set with a predicted and a measured value, their statistics and target.
#pragma once
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parlance::validate {

struct Sample {
  std::string Id;
  std::string Label; ///< the layout in short, for the lists of worst rows
  double Predicted = 0, Measured = 0;
  /// Error that counts as reproduced, where the check counts rows.
  double Tolerance = std::nan("");
  bool Right = true; ///< of a yes-or-no check
  double error() const { return Predicted / Measured - 1; }
};

struct Statistics {
  size_t Rows = 0;
  double Median = std::nan(""), Mean = std::nan(""), P90 = std::nan(""), Worst = std::nan("");
  double Bias = std::nan("");  ///< signed median
  double Share = std::nan(""); ///< rows within their tolerance, or right
};

/// Bounds that a target names; NaN: none.
struct Target {
  double Median = std::nan(""), Mean = std::nan(""), P90 = std::nan(""), Share = std::nan("");
  double Score = std::nan(""); ///< least median of a score
  std::string Text{};          ///< in words
  bool given() const { return !Text.empty(); }
};

struct Check {
  /// Error: predicted over measured, less 1. Answer: yes or no, Right says whether so. Score: Predicted is the score of
  /// a group, 1 is best.
  enum class Kind { Error, Answer, Score };
  std::string Set{}, What{}, Unit{};
  Kind K = Kind::Error;
  std::vector<Sample> Samples{};
  std::map<std::string, unsigned> Skipped{}; ///< reason to rows
  Target Wanted{};
  std::string Peer{};  ///< what the best peer reaches
  std::string Notes{}; ///< filled in by the check itself: noise floors and the like

  void skip(const std::string &Reason) { ++Skipped[Reason]; }
  unsigned skipped() const;
  std::string name() const { return Set + ": " + What; }
};

Statistics statistics(const Check &C);
/// Whether the target is met; empty without one or without rows.
std::optional<bool> met(const Check &C, const Statistics &S);
/// The rows that are furthest off, at most `Count`.
std::vector<const Sample *> worst(const Check &C, size_t Count);

double median(std::vector<double> V);
double quantile(std::vector<double> V, double Q);
/// Spearman's rank correlation; ties share their mean rank. NaN for fewer than three.
double spearman(const std::vector<double> &A, const std::vector<double> &B);

} // namespace parlance::validate
