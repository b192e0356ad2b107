#include "Report.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance::validate {

std::string percent(double V, bool Signed) {
  if (std::isnan(V))
    return "–";
  std::string Text = Signed ? fmt::format("{:+.1f} %", 100 * V) : fmt::format("{:.1f} %", 100 * V);
  if (Text[0] == '-')
    Text.replace(0, 1, "−");
  return Text;
}

std::string figure(double V) {
  double A = std::fabs(V);
  return std::isnan(V) ? "–"
         : A >= 1000   ? fmt::format("{:.0f}", V)
         : A >= 10     ? fmt::format("{:.1f}", V)
                       : fmt::format("{:.3g}", V);
}

/// Characters that a terminal shows, for padding.
static size_t width(std::string_view Text) {
  size_t N = 0;
  for (char C : Text)
    N += (static_cast<unsigned char>(C) & 0xC0) != 0x80;
  return N;
}

static std::string padded(const std::string &Text, size_t To, bool Right = false) {
  size_t W = width(Text);
  std::string Space(W < To ? To - W : 0, ' ');
  return Right ? Space + Text : Text + Space;
}

static std::string verdict(const Check &C, const Statistics &S) {
  auto Met = met(C, S);
  if (!Met)
    return C.Wanted.given() ? "no rows" : "";
  return *Met ? "met" : "NOT MET";
}

static std::string line(const Check &C, const Statistics &S) {
  std::string Out = padded(C.name(), 62);
  Out += padded(fmt::format("{}", S.Rows), 6, true);
  Out += padded(C.skipped() ? fmt::format("-{}", C.skipped()) : "", 7, true);
  if (C.K == Check::Kind::Error) {
    for (double V : {S.Median, S.Mean, S.P90})
      Out += padded(percent(V), 10, true);
    Out += padded(percent(S.Worst, true), 11, true) + padded(percent(S.Bias, true), 10, true);
  } else if (C.K == Check::Kind::Score) {
    for (double V : {S.Median, S.Mean, S.P90, S.Worst})
      Out += padded(fmt::format("{:.3f}", V), V == S.Worst ? 11 : 10, true);
    Out += padded("", 10);
  } else {
    Out += padded("", 51);
  }
  Out += padded(std::isnan(S.Share) ? "" : percent(S.Share), 9, true);
  if (C.Wanted.given())
    Out += "  " + padded(verdict(C, S), 8) + C.Wanted.Text;
  return Out + "\n";
}

static std::string sampleLine(const Check &C, const Sample &X) {
  if (C.K == Check::Kind::Score)
    return fmt::format("      {:.3f}  {}  {}\n", X.Predicted, padded(X.Id, 32), X.Label);
  return fmt::format("      {} {} → {} {}  {}  {}\n", padded(percent(X.error(), true), 11, true),
                     padded(figure(X.Measured), 9, true), padded(figure(X.Predicted), 9), C.Unit, padded(X.Id, 26),
                     X.Label);
}

std::string reportText(const std::vector<Check> &Checks, size_t Worst) {
  std::string Out = padded("data set: what", 62) + padded("rows", 6, true) + padded("skip", 7, true) +
                    padded("median", 10, true) + padded("mean", 10, true) + padded("p90", 10, true) +
                    padded("worst", 11, true) + padded("bias", 10, true) + padded("within", 9, true) + "  target\n";
  for (const Check &C : Checks) {
    Statistics S = statistics(C);
    Out += line(C, S);
    if (!Worst)
      continue;
    if (!C.Peer.empty())
      Out += fmt::format("      peer: {}\n", C.Peer);
    if (!C.Notes.empty())
      Out += fmt::format("      note: {}\n", C.Notes);
    for (const auto &[Reason, Rows] : C.Skipped)
      Out += fmt::format("      skipped {}: {}\n", Rows, Reason);
    for (const Sample *X : worst(C, Worst))
      Out += sampleLine(C, *X);
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

static std::string quoted(std::string_view Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + '"';
}

static std::string jsonNumber(double V) { return std::isfinite(V) ? fmt::format("{}", V) : "null"; }

static std::string jsonCheck(const Check &C) {
  Statistics S = statistics(C);
  std::string Out = fmt::format("  {{\"set\": {}, \"what\": {}, \"unit\": {}, \"rows\": {}, \"skipped\": {{",
                                quoted(C.Set), quoted(C.What), quoted(C.Unit), S.Rows);
  bool More = false;
  for (const auto &[Reason, Rows] : C.Skipped) {
    Out += fmt::format("{}{}: {}", More ? ", " : "", quoted(Reason), Rows);
    More = true;
  }
  Out += fmt::format("}}, \"median\": {}, \"mean\": {}, \"p90\": {}, \"worst\": {}, \"bias\": {}, \"share\": {}",
                     jsonNumber(S.Median), jsonNumber(S.Mean), jsonNumber(S.P90), jsonNumber(S.Worst),
                     jsonNumber(S.Bias), jsonNumber(S.Share));
  auto Met = met(C, S);
  Out += fmt::format(", \"target\": {}, \"met\": {}, \"worst_rows\": [",
                     C.Wanted.given() ? quoted(C.Wanted.Text) : "null", Met ? (*Met ? "true" : "false") : "null");
  More = false;
  for (const Sample *X : worst(C, 10)) {
    Out += fmt::format("{}\n    {{\"id\": {}, \"predicted\": {}, \"measured\": {}, \"row\": {}}}", More ? "," : "",
                       quoted(X->Id), jsonNumber(X->Predicted), jsonNumber(X->Measured), quoted(X->Label));
    More = true;
  }
  return Out + "]}";
}

std::string reportJson(const std::vector<Check> &Checks) {
  std::string Out = "[\n";
  for (size_t I = 0; I < Checks.size(); ++I)
    Out += jsonCheck(Checks[I]) + (I + 1 < Checks.size() ? ",\n" : "\n");
  return Out + "]\n";
}

static std::string csvCell(const std::string &Text) {
  if (Text.find_first_of(",\"") == std::string::npos)
    return Text;
  std::string Out = "\"";
  for (char C : Text)
    Out += C == '"' ? std::string("\"\"") : std::string(1, C);
  return Out + '"';
}

std::string reportCsv(const std::vector<Check> &Checks) {
  std::string Out = "set,what,id,predicted,measured,error,right,row\n";
  for (const Check &C : Checks)
    for (const Sample &X : C.Samples)
      Out += fmt::format("{},{},{},{:.6g},{:.6g},{:.5f},{},{}\n", C.Set, csvCell(C.What), csvCell(X.Id), X.Predicted,
                         X.Measured, X.error(), X.Right, csvCell(X.Label));
  return Out;
}

} // namespace parlance::validate
