// The data sets: which rows are used, what is predicted for them and what it is held against.
#pragma once
#include "Check.h"
#include "Run.h"
#include <span>

namespace parlance::validate {

struct DataSet {
  std::string_view Name, File;
  std::vector<Check> (*Run)(const DataSet &, const Table &, Jobs &);
};

/// All of them, in the order of the report.
std::span<const DataSet> dataSets();

// One function per data set; see the .cpp of its kind.
std::vector<Check> publishedUtilisation(const DataSet &, const Table &, Jobs &);
std::vector<Check> bloom(const DataSet &, const Table &, Jobs &);
std::vector<Check> simumax(const DataSet &, const Table &, Jobs &);
std::vector<Check> megatronCi(const DataSet &, const Table &, Jobs &);
std::vector<Check> torchtitan(const DataSet &, const Table &, Jobs &);
std::vector<Check> playbook(const DataSet &, const Table &, Jobs &);
std::vector<Check> galvatron(const DataSet &, const Table &, Jobs &);
std::vector<Check> papers(const DataSet &, const Table &, Jobs &);
std::vector<Check> vtrain(const DataSet &, const Table &, Jobs &);
std::vector<Check> stepTimes(const DataSet &, const Table &, Jobs &);
std::vector<Check> internevo(const DataSet &, const Table &, Jobs &);
std::vector<Check> longSequences(const DataSet &, const Table &, Jobs &);
std::vector<Check> gemms(const DataSet &, const Table &, Jobs &);
std::vector<Check> collectives(const DataSet &, const Table &, Jobs &);

// What they share.

constexpr double GiB = 1073741824.0;

/// "tp8 pp4 dp2 mbs1 full": what is not 1 or none.
std::string shortLayout(const Run &R);
/// Why a row cannot be used as a job at all; "" when it can.
std::string unusable(const Row &R, const Run &Of);
/// The plan of a row, or null after having counted it as skipped in all the given checks.
std::optional<Plan> planOf(const Row &R, const Run &Of, Jobs &J, std::initializer_list<Check *> Checks);
/// Adds a row with a measured value; an unknown prediction or no measured value is counted as skipped.
void compare(Check &C, const Run &Of, double Predicted, double Measured, double Tolerance = std::nan(""));

} // namespace parlance::validate
