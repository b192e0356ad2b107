// One mistake is one error: programs without a fault, each changed in one place, are refused once.
#include "Support.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

using namespace parlance;

namespace {

/// One change of a text.
struct Mutant {
  size_t At, Length;
  std::string Text;
};

std::string apply(const std::string &Text, const Mutant &M) {
  std::string Changed = Text;
  return Changed.replace(M.At, M.Length, M.Text);
}

/// The files of docs/examples and those that follow have no error.
std::vector<std::string> programs() {
  namespace fs = std::filesystem;
  std::vector<std::string> Texts{
      // Formulas with declared units, which each build on the one before.
      "fn reduce(size: B/gpu, ranks: int, link: B/s/gpu) -> s = 2 * (ranks - 1) / ranks * size / link\n"
      "fn backward(params: elem/gpu, tokens: tok, peak: FLOP/s/gpu) -> s = 4 FLOP/elem/tok * params * tokens / peak\n"
      "let size: elem = 7e9 elem\n"
      "let share: elem/gpu = size / (8 gpu)\n"
      "let peak: FLOP/s/gpu = 989 TFLOP/s/gpu\n"
      "let port: B/s/gpu = 400 Gbit/s / (1 gpu)\n"
      "let length: tok/seq = 4096 tok/seq\n"
      "let sent: s = reduce(share * 4 B/elem, 16, port)\n"
      "let worked: s = backward(share, 2 seq * length, peak)\n"
      "require sent / worked < 10\n"
      "require sent < 1 s\n",
      // Memory of a card by hand.
      "let total: elem = 8G elem\n"
      "let shards = 32 gpu\n"
      "let weights: B/gpu = total * 2 B/elem / shards\n"
      "let states: B/gpu = total * 12 B/elem / shards\n"
      "let card: B/gpu = 80 GB / (1 gpu)\n"
      "let free: B/gpu = card - weights - states\n"
      "require free > 10 GB/gpu\n"
      "require weights + states <= card\n"};
  for (const auto &Entry : fs::directory_iterator(PARLANCE_SOURCE_DIR "/docs/examples")) {
    std::ifstream File(Entry.path());
    std::stringstream Text;
    Text << File.rdbuf();
    // A file that names others, or has findings of its own, is not a program by itself.
    if (Entry.path().extension() == ".parl" && Text.str().find("use \"") == std::string::npos &&
        Text.str().find("import \"") == std::string::npos)
      Texts.push_back(Text.str());
  }
  return Texts;
}

/// The text with its comments and strings blanked: nothing in them is changed.
std::string code(std::string Text) {
  bool Comment = false, String = false;
  for (char &C : Text) {
    if (C == '\n')
      Comment = String = false;
    else if (!Comment && C == '"')
      String = !String;
    else if (!String && C == '#')
      Comment = true;
    else if (Comment || String)
      C = ' ';
  }
  return Text;
}

/// Changes of every place that a pattern matches: its first group becomes each of the words.
void mutate(const std::string &Code, const char *Pattern, std::initializer_list<std::string_view> Words,
            std::vector<Mutant> &Into) {
  std::regex Expression(Pattern);
  for (std::sregex_iterator It(Code.begin(), Code.end(), Expression), End; It != End; ++It)
    for (std::string_view Word : Words)
      if (It->str(1) != Word)
        Into.push_back({static_cast<size_t>(It->position(1)), static_cast<size_t>(It->length(1)), std::string(Word)});
}

/// Mistakes in words, spellings of other languages, and units of another dimension.
std::vector<Mutant> mutants(const std::string &Text) {
  std::string Code = code(Text);
  std::vector<Mutant> All;
  mutate(Code, R"((?:^|\n) *(require) )", {"requre", "Require", "assert"}, All);
  mutate(Code, R"((?:^|\n) *(let) )", {"var", "Let"}, All);
  mutate(Code, R"((?:^|\n)(fn) )", {"def", "function"}, All);
  mutate(Code, R"((?:^|\n)(use) std)", {"import", "include"}, All);
  mutate(Code, R"((?:^|\n)use std(/)\w)", {"."}, All);
  mutate(Code, R"(\d (GB|GiB|TB)\b)", {"tok", "s", "Gb", "GBB"}, All);
  mutate(Code, R"(\d (Gbit|TFLOP)\b)", {"elem", "toks"}, All);
  mutate(Code, R"([\dkMGi] (elem|tok|seq)\b)", {"USD", "sec", "Mtok", "xyz"}, All);
  mutate(Code, R"(\w (<=|>=) \w)", {"=", "=<", "<>=", "==="}, All);
  mutate(Code, R"(\b(true|false)\b)", {"True", "\"true\"", "yes"}, All);
  mutate(Code, R"(\n *(seq_len|micro|sequence_parallel|zero) *= )", {"sequence_len", "micro_batch", "zer0"}, All);
  mutate(Code, R"(memory\.(peak)\b)", {"peek", "Peak"}, All);
  return All;
}

/// The errors of a text, one "CODE LINE:COLUMN" a line.
std::vector<std::string> errorsOf(const std::string &Text) {
  Checked C(Text);
  C.analyze();
  std::vector<std::string> Errors;
  for (const Diagnostic &D : C.take())
    if (D.Level == Severity::Error || D.Code == "PL0107")
      Errors.push_back(fmt::format("{} {} {}", D.Code, C.place(D.Range), D.Message));
  return Errors;
}

TEST(Mutation, OneMistakeIsOneError) {
  unsigned Refused = 0;
  std::string Several;
  for (const std::string &Text : programs()) {
    if (!errorsOf(Text).empty())
      continue;
    for (const Mutant &M : mutants(Text)) {
      std::string Changed = apply(Text, M);
      std::vector<std::string> Errors = errorsOf(Changed);
      Refused += Errors.size() == 1;
      if (Errors.size() < 2)
        continue; // a change without an error is a program of another meaning
      size_t Begin = Changed.rfind('\n', M.At) + 1;
      Several += fmt::format("{}\n", Changed.substr(Begin, Changed.find('\n', M.At) - Begin));
      for (const std::string &E : Errors)
        Several += fmt::format("    {}\n", E);
    }
  }
  EXPECT_EQ(Several, "");
  EXPECT_GT(Refused, 150u) << "the patterns match too little";
}

} // namespace
