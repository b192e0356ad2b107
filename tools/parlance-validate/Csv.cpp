#include "Csv.h"
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace parlance::validate {

int Table::column(std::string_view Name) const {
  for (size_t I = 0; I < Columns.size(); ++I)
    if (Columns[I] == Name)
      return static_cast<int>(I);
  return -1;
}

/// One line into cells; cells do not span lines.
static std::vector<std::string> cells(const std::string &Line) {
  std::vector<std::string> Out(1);
  bool Quoted = false;
  for (size_t I = 0; I < Line.size(); ++I) {
    char C = Line[I];
    if (C == '"') {
      if (Quoted && I + 1 < Line.size() && Line[I + 1] == '"')
        Out.back() += Line[++I];
      else
        Quoted = !Quoted;
    } else if (C == ',' && !Quoted) {
      Out.emplace_back();
    } else if (C != '\r') {
      Out.back() += C;
    }
  }
  return Out;
}

std::optional<Table> readCsv(const std::string &Path, std::string &Error) {
  std::ifstream In(Path);
  if (!In) {
    Error = fmt::format("{}: cannot be read", Path);
    return std::nullopt;
  }
  Table T{Path, {}, {}};
  unsigned Number = 0;
  for (std::string Line; std::getline(In, Line);) {
    ++Number;
    if (Line.empty())
      continue;
    auto Cells = cells(Line);
    if (T.Columns.empty()) {
      T.Columns = std::move(Cells);
      continue;
    }
    if (Cells.size() != T.Columns.size()) {
      Error = fmt::format("{}:{}: {} cells, not {}", Path, Number, Cells.size(), T.Columns.size());
      return std::nullopt;
    }
    T.Rows.push_back(std::move(Cells));
  }
  return T;
}

std::string_view Row::text(std::string_view Column) const {
  int I = T.column(Column);
  return I < 0 ? std::string_view() : std::string_view(Cells[static_cast<size_t>(I)]);
}

double Row::number(std::string_view Column) const {
  std::string_view S = text(Column);
  double V = 0;
  auto [End, Code] = std::from_chars(S.data(), S.data() + S.size(), V);
  return S.empty() || Code != std::errc() || End != S.data() + S.size() ? std::nan("") : V;
}

int64_t Row::integer(std::string_view Column, int64_t Default) const {
  double V = number(Column);
  return std::isnan(V) ? Default : std::llround(V);
}

} // namespace parlance::validate
