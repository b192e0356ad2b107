// docs/accuracy.md: the table, what explains it, the rows that are furthest off, plots.
#include "Report.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace parlance::validate {

namespace {

/// notes.md beside the tables: `## set: what` and the text under it; `## set` for all of a set.
std::map<std::string, std::string> readNotes(const std::string &Folder) {
  std::map<std::string, std::string> Notes;
  std::ifstream In(Folder + "/notes.md");
  std::string Name;
  for (std::string Line; std::getline(In, Line);) {
    if (Line.starts_with("## "))
      Name = Line.substr(3);
    else if (!Name.empty())
      Notes[Name] += Line + "\n";
  }
  for (auto &[Key, Text] : Notes) {
    size_t First = Text.find_first_not_of("\n"), Last = Text.find_last_not_of("\n");
    Text = First == std::string::npos ? "" : Text.substr(First, Last - First + 1);
  }
  return Notes;
}

/// Broken down by device and type: too many for the page's first table.
bool isDetail(const Check &C) {
  return (C.Set == "gemm_measured" || C.Set == "comm_bandwidth") && !C.What.starts_with("time of");
}

std::string slug(const Check &C) {
  std::string Out;
  for (char X : C.name())
    if (std::isalnum(static_cast<unsigned char>(X)))
      Out += static_cast<char>(std::tolower(X));
    else if (!Out.empty() && Out.back() != '-')
      Out += '-';
  return Out;
}

std::string firstSentence(const std::string &Text) {
  size_t End = Text.find(". ");
  std::string Out = Text.substr(0, std::min(End == std::string::npos ? Text.size() : End + 1, Text.find("\n\n")));
  std::ranges::replace(Out, '\n', ' ');
  return Out;
}

std::string cell(double V, bool Signed = false) { return percent(V, Signed); }

std::string tableRow(const Check &C, const std::string &Note) {
  Statistics S = statistics(C);
  std::string Values;
  if (C.K == Check::Kind::Error)
    Values = fmt::format("{} | {} | {} | {} | {}", cell(S.Median), cell(S.Mean), cell(S.P90), cell(S.Worst, true),
                         cell(S.Bias, true));
  else if (C.K == Check::Kind::Score)
    Values = fmt::format("{:.3f} | {:.3f} | {:.3f} | {:.3f} | ", S.Median, S.Mean, S.P90, S.Worst);
  else
    Values = " | | | | ";
  auto Met = met(C, S);
  return fmt::format("| {}: {} | {} | {} | {} | {} | {} | {} |\n", C.Set, C.What, S.Rows, Values,
                     std::isnan(S.Share) ? "" : percent(S.Share),
                     C.Wanted.Text + (Met ? (*Met ? ": met" : ": **not met**") : ""), C.Peer, Note);
}

constexpr const char *Head =
    "| data set: what | rows | median | mean | 90th percentile | worst | bias | within | target | "
    "best peer | why |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |\n";

std::string worstRows(const Check &C) {
  std::string Out;
  if (C.K == Check::Kind::Score) {
    Out = "| group | score | |\n| --- | ---: | --- |\n";
    for (const Sample *X : worst(C, 10))
      Out += fmt::format("| {} | {:.3f} | {} |\n", X->Id, X->Predicted, X->Label);
    return Out;
  }
  bool Answer = C.K == Check::Kind::Answer;
  Out = fmt::format("| row | {0}{2} | {1}{2} | error | run |\n| --- | ---: | ---: | ---: | --- |\n",
                    Answer ? "usable" : "measured", Answer ? "predicted peak" : "predicted",
                    C.Unit.empty() ? "" : " [" + C.Unit + "]");
  for (const Sample *X : worst(C, 10))
    Out += fmt::format("| {} | {} | {} | {} | {} |\n", X->Id, figure(X->Measured), figure(X->Predicted),
                       percent(X->error(), true), X->Label);
  return Out;
}

std::string section(const Check &C, const std::string &Note) {
  std::string Out = fmt::format("\n### {}\n\n", C.name());
  if (C.K == Check::Kind::Error && C.Samples.size() >= 3)
    Out += fmt::format("![predicted against measured](accuracy/{}.svg)\n\n", slug(C));
  if (!Note.empty())
    Out += Note + "\n\n";
  if (!C.Notes.empty())
    Out += fmt::format("Measured: {}.\n\n", C.Notes);
  if (C.skipped()) {
    Out += "Rows left out:";
    const char *Comma = " ";
    for (const auto &[Reason, Rows] : C.Skipped) {
      Out += fmt::format("{}{} ({})", Comma, Rows, Reason);
      Comma = ", ";
    }
    Out += ".\n\n";
  }
  return C.Samples.empty() ? Out : Out + worstRows(C);
}

constexpr const char *Intro =
    R"(# Accuracy
<!-- Made by `tools/dev validate --write docs`; do not edit. Explanations come from test/data/validation/notes.md. -->

How far the estimates are from published measurements. Nothing here was measured by us; every table says where its
rows come from (test/data/validation/README.md). Three quarters of the collected rows are in the repository.

An error is predicted over measured, less 1. Median, mean and 90th percentile are of its size, the bias is the signed
median. "Within" counts rows inside the tolerance that the target names. For scores (1 is best) the columns hold the
median, the mean, what nine groups in ten reach, and the lowest.

)";

bool save(const std::string &Path, const std::string &Text, std::string &Error) {
  std::ofstream Out(Path, std::ios::binary);
  Out << Text;
  if (!Out)
    Error = "cannot write " + Path;
  return static_cast<bool>(Out);
}

} // namespace

bool writeDocs(const std::string &Folder, const std::string &DataFolder, const std::vector<Check> &Checks,
               std::string &Error) {
  auto Notes = readNotes(DataFolder);
  std::string Table, Details, Sections;
  std::error_code Ignored;
  std::filesystem::create_directories(Folder + "/accuracy", Ignored);
  for (const Check &C : Checks) {
    if (isDetail(C)) {
      Details += tableRow(C, "");
      continue;
    }
    const std::string &Note = Notes[C.name()];
    Table += tableRow(C, firstSentence(Note));
    Sections += section(C, Note);
    if (C.K == Check::Kind::Error && C.Samples.size() >= 3 &&
        !save(fmt::format("{}/accuracy/{}.svg", Folder, slug(C)), scatter(C), Error))
      return false;
  }
  std::string Page = Intro + std::string(Head) + Table;
  for (auto &[Name, Text] : Notes)
    if (Name.starts_with("page: "))
      Page += fmt::format("\n## {}\n\n{}\n", Name.substr(6), Text);
  if (auto Peers = readCsv(DataFolder + "/workloads.csv", Error))
    Page += workloads(*Peers);
  else
    return false;
  if (!Details.empty())
    Page += "\n## Kernels by device\n\n" + std::string(Head) + Details;
  return save(Folder + "/accuracy.md", Page + "\n## Each data set\n" + Sections, Error);
}

} // namespace parlance::validate
