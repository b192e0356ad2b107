#include "Check.h"
#include <algorithm>
#include <numeric>

namespace parlance::validate {

unsigned Check::skipped() const {
  unsigned Sum = 0;
  for (const auto &[Reason, Rows] : Skipped)
    Sum += Rows;
  return Sum;
}

double quantile(std::vector<double> V, double Q) {
  if (V.empty())
    return std::nan("");
  std::ranges::sort(V);
  double At = Q * static_cast<double>(V.size() - 1);
  auto Low = static_cast<size_t>(At);
  size_t High = std::min(Low + 1, V.size() - 1);
  return V[Low] + (V[High] - V[Low]) * (At - static_cast<double>(Low));
}

double median(std::vector<double> V) { return quantile(std::move(V), 0.5); }

static std::vector<double> ranks(const std::vector<double> &V) {
  std::vector<size_t> Order(V.size());
  std::iota(Order.begin(), Order.end(), static_cast<size_t>(0));
  std::ranges::sort(Order, [&](size_t A, size_t B) { return V[A] < V[B]; });
  std::vector<double> Out(V.size());
  for (size_t I = 0; I < Order.size();) {
    size_t J = I;
    while (J < Order.size() && V[Order[J]] == V[Order[I]])
      ++J;
    for (size_t K = I; K < J; ++K)
      Out[Order[K]] = static_cast<double>(I + J - 1) / 2;
    I = J;
  }
  return Out;
}

double spearman(const std::vector<double> &A, const std::vector<double> &B) {
  if (A.size() < 3)
    return std::nan("");
  auto RA = ranks(A), RB = ranks(B);
  double Mean = static_cast<double>(A.size() - 1) / 2, Cov = 0, VarA = 0, VarB = 0;
  for (size_t I = 0; I < A.size(); ++I) {
    Cov += (RA[I] - Mean) * (RB[I] - Mean);
    VarA += (RA[I] - Mean) * (RA[I] - Mean);
    VarB += (RB[I] - Mean) * (RB[I] - Mean);
  }
  return VarA > 0 && VarB > 0 ? Cov / std::sqrt(VarA * VarB) : std::nan("");
}

static Statistics ofErrors(const Check &C) {
  Statistics S;
  std::vector<double> Size, Signed;
  double Sum = 0;
  size_t Within = 0, Bounded = 0;
  for (const Sample &X : C.Samples) {
    double E = X.error();
    Signed.push_back(E);
    Size.push_back(std::fabs(E));
    Sum += std::fabs(E);
    if (std::isnan(S.Worst) || std::fabs(E) > std::fabs(S.Worst))
      S.Worst = E;
    if (!std::isnan(X.Tolerance)) {
      ++Bounded;
      Within += std::fabs(E) <= X.Tolerance;
    }
  }
  S.Rows = C.Samples.size();
  if (!S.Rows)
    return S;
  S.Median = median(Size);
  S.Mean = Sum / static_cast<double>(S.Rows);
  S.P90 = quantile(Size, 0.9);
  S.Bias = median(Signed);
  if (Bounded)
    S.Share = static_cast<double>(Within) / static_cast<double>(Bounded);
  return S;
}

Statistics statistics(const Check &C) {
  if (C.K == Check::Kind::Error)
    return ofErrors(C);
  Statistics S;
  S.Rows = C.Samples.size();
  if (!S.Rows)
    return S;
  if (C.K == Check::Kind::Answer) {
    size_t Right = 0;
    for (const Sample &X : C.Samples)
      Right += X.Right;
    S.Share = static_cast<double>(Right) / static_cast<double>(S.Rows);
    return S;
  }
  std::vector<double> Scores;
  for (const Sample &X : C.Samples)
    Scores.push_back(X.Predicted);
  S.Median = median(Scores);
  S.Mean = std::accumulate(Scores.begin(), Scores.end(), 0.0) / static_cast<double>(S.Rows);
  S.P90 = quantile(Scores, 0.1); // nine in ten reach this
  S.Worst = *std::ranges::min_element(Scores);
  return S;
}

std::optional<bool> met(const Check &C, const Statistics &S) {
  if (!C.Wanted.given() || !S.Rows)
    return std::nullopt;
  const Target &T = C.Wanted;
  // A bound that is not given holds: a comparison with NaN is false.
  return !(S.Median > T.Median) && !(S.Mean > T.Mean) && !(S.P90 > T.P90) && !(S.Share < T.Share) &&
         !(S.Median < T.Score);
}

std::vector<const Sample *> worst(const Check &C, size_t Count) {
  std::vector<const Sample *> Out;
  for (const Sample &X : C.Samples)
    if (C.K != Check::Kind::Answer || !X.Right)
      Out.push_back(&X);
  auto Badness = [&](const Sample *X) {
    return C.K == Check::Kind::Score ? 1 - X->Predicted
                                     : std::fabs(std::log(std::max(1e-12, X->Predicted / X->Measured)));
  };
  std::ranges::stable_sort(Out, [&](auto *A, auto *B) { return Badness(A) > Badness(B); });
  Out.resize(std::min(Out.size(), Count));
  return Out;
}

} // namespace parlance::validate
