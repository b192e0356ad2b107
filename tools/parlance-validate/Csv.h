// Tables of figures as they stand in test/data/validation: comma-separated, quoted where a cell holds a comma.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::validate {

struct Table {
  std::string Path;
  std::vector<std::string> Columns;
  std::vector<std::vector<std::string>> Rows; ///< each as long as Columns
  int column(std::string_view Name) const;
};

/// The table of a file. Empty with a reason in `Error` when it cannot be read or a row has another width.
std::optional<Table> readCsv(const std::string &Path, std::string &Error);

/// One row. A column that the table does not have is as good as an empty cell.
class Row {
public:
  Row(const Table &T, size_t Index) : T(T), Cells(T.Rows[Index]) {}
  std::string_view text(std::string_view Column) const;
  bool has(std::string_view Column) const { return !text(Column).empty(); }
  /// NaN for an empty cell and for what is not a number.
  double number(std::string_view Column) const;
  int64_t integer(std::string_view Column, int64_t Default) const;
  bool yes(std::string_view Column) const { return text(Column) == "true"; }

private:
  const Table &T;
  const std::vector<std::string> &Cells;
};

} // namespace parlance::validate
