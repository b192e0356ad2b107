// What the checks say, for people, programs and docs/accuracy.md.
#pragma once
#include "Check.h"
#include "Csv.h"

namespace parlance::validate {

struct Result {
  std::vector<Check> Checks;
  std::string Error; ///< the table could not be read
};

/// The table, one line per check; with `Worst` that many rows under each.
std::string reportText(const std::vector<Check> &Checks, size_t Worst);
std::string reportJson(const std::vector<Check> &Checks);
/// Every prediction: set, what, id, predicted, measured, error, layout.
std::string reportCsv(const std::vector<Check> &Checks);

/// Writes accuracy.md and accuracy/*.svg into a folder. False with a reason when one cannot be written.
bool writeDocs(const std::string &Folder, const std::string &DataFolder, const std::vector<Check> &Checks,
               std::string &Error);
/// A scatter plot, predicted against measured on logarithmic axes.
std::string scatter(const Check &C);

/// The three workloads of workloads.csv as a section of accuracy.md.
std::string workloads(const Table &Peers);

/// "12.3 %", "+4.5 %", "0.87"; "–" for none.
std::string percent(double V, bool Signed = false);
/// A number with three significant digits or so.
std::string figure(double V);

} // namespace parlance::validate
