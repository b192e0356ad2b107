// Holds the checker against what the frameworks' own validators said: parlance-conform DIR [--list].
#include "Case.h"
#include "Config/Json.h"
#include <algorithm>
#include <filesystem>

using namespace parlance;
using namespace parlance::conform;
namespace fs = std::filesystem;

namespace {

struct Tally {
  unsigned Cases = 0, Uncovered = 0, Agreed = 0;
  std::map<std::string, std::pair<unsigned, unsigned>> Classes; ///< caught, of
  std::vector<std::string> FalseAlarms, Misses;

  void add(const Case &C, const Verdict &V) {
    ++Cases;
    if (!V.Covered) {
      ++Uncovered;
      return;
    }
    bool Refused = !V.Errors.empty();
    Agreed += Refused != C.Accepted;
    if (C.Accepted && Refused)
      FalseAlarms.push_back(fmt::format("{}: {}", C.Id, V.Errors.front()));
    if (C.Accepted)
      return;
    auto &[Caught, Of] = Classes[C.ErrorClass];
    ++Of;
    Caught += Refused;
    if (!Refused)
      Misses.push_back(fmt::format("{}: {}", C.Id, C.ErrorClass));
  }
  void print(const std::string &Name, bool List) const {
    unsigned Judged = Cases - Uncovered;
    fmt::print("{}: {} cases, {} not comparable, agreement {:.2f} % of {}; {} false alarms, {} "
               "misses\n",
               Name, Cases, Uncovered, Judged ? 100.0 * Agreed / Judged : 0, Judged, FalseAlarms.size(), Misses.size());
    for (const auto &[Class, Count] : Classes)
      if (Count.first != Count.second)
        fmt::print("  {:<44} {:>4} of {:>4} caught\n", Class, Count.first, Count.second);
    for (const std::string &F : FalseAlarms)
      if (List || &F - FalseAlarms.data() < 10)
        fmt::print("  false alarm {}\n", F);
    if (List)
      for (const std::string &M : Misses)
        fmt::print("  missed {}\n", M);
  }
};

/// The cases of a file, one JSON object a line.
bool run(const fs::path &Path, bool List) {
  SourceManager Sources;
  SourceManager::ReadError Error;
  auto File = Sources.open(Path.string(), Error);
  if (!File) {
    fmt::print(stderr, "parlance-conform: cannot read {}: {}\n", Path.string(), Error.Reason);
    return false;
  }
  Tally T;
  const SourceFile &Text = Sources.file(*File);
  for (uint32_t Line = 1; Line <= Text.lineCount(); ++Line) {
    if (Text.line(Line).empty())
      continue;
    DiagnosticEngine Diags;
    uint32_t Id = Sources.add(fmt::format("{}:{}", Path.filename().string(), Line), std::string(Text.line(Line)));
    auto Tree = parseJson(Id, Sources.file(Id).text(), Diags);
    const ConfigValue *Input = Tree ? Tree->find("input") : nullptr;
    const ConfigValue *Ok = Tree ? Tree->find("ok") : nullptr;
    const ConfigValue *Name = Tree ? Tree->find("id") : nullptr;
    if (!Input || !Ok || !Name) {
      fmt::print(stderr, "parlance-conform: {}:{} is not a case\n", Path.string(), Line);
      return false;
    }
    const ConfigValue *Class = Tree->find("error_class");
    Case C{Name->Text, Class ? Class->Text : "", Ok->isTrue(), Input};
    T.add(C, judge(C, Path.stem().string()));
  }
  T.print(Path.stem().string(), List);
  return true;
}

} // namespace

int main(int Count, char **Words) {
  std::vector<std::string> Arguments(Words + 1, Words + Count);
  bool List = std::erase(Arguments, "--list") > 0;
  if (Arguments.size() != 1) {
    fmt::print(stderr, "usage: parlance-conform FILE.jsonl|FOLDER [--list]\n");
    return 2;
  }
  std::vector<fs::path> Files{Arguments[0]};
  std::error_code Error;
  if (fs::is_directory(Files[0], Error)) {
    fs::path Folder = Files[0];
    Files.clear();
    for (const auto &Entry : fs::directory_iterator(Folder, Error))
      if (Entry.path().extension() == ".jsonl")
        Files.push_back(Entry.path());
    std::ranges::sort(Files);
  }
  bool Good = !Files.empty();
  for (const fs::path &File : Files)
    Good &= run(File, List);
  return Good ? 0 : 2;
}
