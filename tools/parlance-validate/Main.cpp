// parlance-validate: the estimator against published measurements. `tools/dev validate` builds and runs it.
#include "Report.h"
#include "Sets.h"
#include "Sweep.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <thread>

using namespace parlance::validate;

namespace {

struct Options {
  std::string Data = PARLANCE_SOURCE_DIR "/test/data/validation", Csv, Docs;
  std::vector<std::string> Sets;
  size_t Worst = 0;
  bool Json = false, Sweep = false;
};

constexpr const char *Usage = R"(usage: parlance-validate [options]

  --set NAME     one data set, or those whose name begins so (may be repeated)
  --worst [N]    the N rows that are furthest off under each line (10), and why rows were skipped
  --csv FILE     every prediction, for analysis
  --json         the table as JSON
  --write DIR    write DIR/accuracy.md and DIR/accuracy/*.svg
  --data DIR     where the tables are
  --sweep        instead: time per token and GPU from 1 to 128 nodes, every jump above 20 % with its cause
)";

/// The value of an option, or an exit when it has none.
const char *valueOf(int Count, char **Words, int &I) {
  if (I + 1 < Count)
    return Words[++I];
  fmt::print(stderr, "parlance-validate: {} needs a value\n", Words[I]);
  std::exit(2);
}

Options parse(int Count, char **Words) {
  Options O;
  for (int I = 1; I < Count; ++I) {
    std::string_view W = Words[I];
    if (W == "--set") {
      O.Sets.emplace_back(valueOf(Count, Words, I));
    } else if (W == "--worst") {
      O.Worst = 10;
      if (I + 1 < Count && std::strspn(Words[I + 1], "0123456789") == std::strlen(Words[I + 1]))
        O.Worst = std::strtoul(Words[++I], nullptr, 10);
    } else if (W == "--csv") {
      O.Csv = valueOf(Count, Words, I);
    } else if (W == "--write") {
      O.Docs = valueOf(Count, Words, I);
    } else if (W == "--data") {
      O.Data = valueOf(Count, Words, I);
    } else if (W == "--json") {
      O.Json = true;
    } else if (W == "--sweep") {
      O.Sweep = true;
    } else {
      bool Help = W == "--help" || W == "-h";
      std::fputs(Usage, Help ? stdout : stderr);
      std::exit(Help ? 0 : 2);
    }
  }
  return O;
}

bool wanted(const DataSet &S, const Options &O) {
  for (const std::string &Name : O.Sets)
    if (S.Name.starts_with(Name))
      return true;
  return O.Sets.empty();
}

/// All data sets, two at a time; results in the order of the sets whatever finishes first.
std::vector<Result> runAll(const Options &O) {
  std::vector<const DataSet *> Todo;
  for (const DataSet &S : dataSets())
    if (wanted(S, O))
      Todo.push_back(&S);
  std::vector<Result> Results(Todo.size());
  std::atomic<size_t> Next = 0;
  auto Work = [&] {
    for (size_t I; (I = Next++) < Todo.size();) {
      Jobs J;
      auto T = readCsv(O.Data + "/" + std::string(Todo[I]->File), Results[I].Error);
      if (T)
        Results[I].Checks = Todo[I]->Run(*Todo[I], *T, J);
    }
  };
  std::thread Second(Work);
  Work();
  Second.join();
  return Results;
}

/// Fails where a jump has no cause.
int printSweep() {
  std::vector<Jump> Jumps = sweep(0.2, 128);
  std::fputs(sweepText(Jumps).c_str(), stdout);
  return std::ranges::any_of(Jumps, [](const Jump &J) { return J.Cause.empty(); });
}

bool write(const std::string &Path, const std::string &Text) {
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  if (!Out)
    fmt::print(stderr, "parlance-validate: cannot write {}\n", Path);
  return static_cast<bool>(Out);
}

} // namespace

int main(int Count, char **Words) {
  Options O = parse(Count, Words);
  if (O.Sweep)
    return printSweep();
  std::vector<Check> Checks;
  bool Failed = false;
  for (Result &R : runAll(O)) {
    if (!R.Error.empty())
      fmt::print(stderr, "parlance-validate: {}\n", R.Error);
    Failed |= !R.Error.empty();
    for (Check &C : R.Checks)
      Checks.push_back(std::move(C));
  }
  if (Checks.empty() && !Failed) {
    fmt::print(stderr, "parlance-validate: no such data set\n");
    return 2;
  }
  std::string Error;
  if (!O.Csv.empty() && !write(O.Csv, reportCsv(Checks)))
    return 1;
  if (!O.Docs.empty() && !writeDocs(O.Docs, O.Data, Checks, Error)) {
    fmt::print(stderr, "parlance-validate: {}\n", Error);
    return 1;
  }
  std::string Text = O.Json ? reportJson(Checks) : reportText(Checks, O.Worst);
  std::fputs(Text.c_str(), stdout);
  return Failed;
}
