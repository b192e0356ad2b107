// Scatter plots without a library: small files that read well on light and on dark pages.
#include "Report.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace parlance::validate {

namespace {

constexpr double Size = 360, Left = 56, Top = 26, Right = 14, Bottom = 42;
constexpr double Plot = Size - Left - Right;

struct Axis {
  double Low = 0, High = 1; ///< powers of ten
  double at(double V) const { return (std::log10(V) - Low) / (High - Low); }
  double x(double V) const { return Left + Plot * at(V); }
  double y(double V) const { return Top + Plot * (1 - at(V)); }
};

/// One range for both axes, so that the diagonal is the diagonal. A predicted value far outside is drawn at the edge.
Axis axisOf(const Check &C) {
  double Low = 1e300, High = 0;
  std::vector<double> Predicted;
  for (const Sample &X : C.Samples) {
    Low = std::min(Low, X.Measured);
    High = std::max(High, X.Measured);
    Predicted.push_back(X.Predicted);
  }
  Low = std::min(Low, quantile(Predicted, 0.005));
  High = std::max(High, quantile(Predicted, 0.995));
  double Margin = 0.04 * std::max(0.2, std::log10(High / Low));
  return {std::log10(Low) - Margin, std::log10(High) + Margin};
}

/// 1, 2 and 5 times powers of ten, as many as have room.
std::vector<double> ticks(const Axis &A) {
  std::vector<double> Out;
  double Decades = A.High - A.Low;
  for (int E = static_cast<int>(std::floor(A.Low)); E <= static_cast<int>(std::ceil(A.High)); ++E)
    for (double M : {1.0, 2.0, 5.0}) {
      double V = M * std::pow(10, E);
      bool Keep = Decades < 2 || (Decades < 5 ? M == 1.0 : M == 1.0 && E % 2 == 0);
      if (Keep && std::log10(V) >= A.Low && std::log10(V) <= A.High)
        Out.push_back(V);
    }
  return Out;
}

std::string escaped(std::string_view Text) {
  std::string Out;
  for (char C : Text)
    Out += C == '<' ? "&lt;" : C == '&' ? "&amp;" : std::string(1, C);
  return Out;
}

std::string grid(const Axis &A) {
  std::string Out;
  for (double V : ticks(A)) {
    double X = A.x(V), Y = A.y(V);
    Out += fmt::format("<path class=\"g\" d=\"M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}H{:.1f}\"/>\n", X, Top, Top + Plot,
                       Left, Y, Left + Plot);
    Out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n", X, Top + Plot + 14, V);
    Out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", Left - 5, Y + 3.5, V);
  }
  return Out;
}

/// Points on a grid of half pixels, each once: thousands of rows stay a few kilobytes.
std::string points(const Check &C, const Axis &A) {
  std::set<std::pair<int, int>> At;
  for (const Sample &X : C.Samples) {
    double Px = std::clamp(A.x(X.Measured), Left, Left + Plot), Py = std::clamp(A.y(X.Predicted), Top, Top + Plot);
    At.insert({static_cast<int>(std::lround(Px)), static_cast<int>(std::lround(Py))});
  }
  std::string Out = "<path class=\"p\" d=\"";
  for (auto [X, Y] : At)
    Out += fmt::format("M{} {}h0", X, Y);
  return Out + "\"/>\n";
}

} // namespace

std::string scatter(const Check &C) {
  Axis A = axisOf(C);
  // The lines of 10 % and the diagonal, in pixels.
  double Ten = Plot * std::log10(1.1) / (A.High - A.Low);
  std::string Out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
                                "height=\"{1}\" "
                                "font-family=\"sans-serif\" "
                                "font-size=\"10\">\n<style>text{{fill:#555}}.g{{stroke:#8884;fill:none}}"
                                ".d{{stroke:#888;fill:none}}.t{{stroke:#888;fill:none;stroke-dasharray:3 "
                                "3}}.p{{stroke:#1769aa;stroke-width:3;"
                                "stroke-linecap:round;stroke-opacity:.55;fill:none}}@media(prefers-color-scheme:"
                                "dark){{text{{fill:#bbb}}"
                                ".p{{stroke:#6db3f2}}}}</style>\n",
                                Size, Size + Bottom - Right);
  Out += fmt::format("<text x=\"{}\" y=\"14\" font-size=\"12\">{}</text>\n", Left, escaped(C.name()));
  Out += grid(A);
  Out += fmt::format("<clipPath id=\"c\"><rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/></clipPath>\n", Left,
                     Top, Plot);
  Out += fmt::format("<g clip-path=\"url(#c)\"><path class=\"d\" d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}\"/>"
                     "<path class=\"t\" d=\"M{0:.1f} {4:.1f}L{2:.1f} {5:.1f}M{0:.1f} {6:.1f}L{2:.1f} "
                     "{7:.1f}\"/></g>\n",
                     Left, Top + Plot, Left + Plot, Top, Top + Plot - Ten, Top - Ten, Top + Plot + Ten, Top + Ten);
  Out += points(C, A);
  std::string Unit = C.Unit.empty() ? "" : " [" + C.Unit + "]";
  Out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">measured{}, dashed: ±10 %</text>\n",
                     Left + Plot / 2, Top + Plot + 32, escaped(Unit));
  Out += fmt::format("<text transform=\"translate(12 {:.0f}) rotate(-90)\" "
                     "text-anchor=\"middle\">predicted{}</text>\n",
                     Top + Plot / 2, escaped(Unit));
  return Out + "</svg>\n";
}

} // namespace parlance::validate
