#include "Frameworks/Shell/Sbatch.h"

namespace parlance::shell {

namespace {

constexpr std::pair<char, std::string_view> LongNames[] = {
    {'N', "nodes"},    {'n', "ntasks"},  {'J', "job-name"},   {'p', "partition"}, {'t', "time"},
    {'A', "account"},  {'o', "output"},  {'e', "error"},      {'G', "gpus"},      {'c', "cpus-per-task"},
    {'w', "nodelist"}, {'x', "exclude"}, {'C', "constraint"}, {'a', "array"},     {'d', "dependency"},
    {'q', "qos"},      {'D', "chdir"},
};

std::string_view longName(char Short) {
  for (const auto &[Letter, Name] : LongNames)
    if (Letter == Short)
      return Name;
  return {};
}

class LineReader {
public:
  LineReader(const ShellText &Script, std::string_view Text, size_t Begin, size_t End, std::vector<SbatchOption> &Into)
      : Script(Script), Text(Text.substr(0, End)), At(Begin), Into(Into) {}

  void run() {
    size_t Begin = 0, End = 0;
    while (next(Begin, End)) {
      std::string_view Word = Text.substr(Begin, End - Begin);
      if (Word.starts_with("--"))
        longOption(Begin, End);
      else if (Word.size() >= 2 && Word[0] == '-')
        shortOption(Begin, End);
    }
  }

private:
  /// The next word; a comment ends the line.
  bool next(size_t &Begin, size_t &End) {
    At = std::min(Text.find_first_not_of(" \t\r", At), Text.size());
    if (At >= Text.size() || Text[At] == '#')
      return false;
    Begin = At;
    char Quote = '\0';
    for (; At < Text.size(); ++At) {
      char C = Text[At];
      if (Quote ? C == Quote : C == '"' || C == '\'')
        Quote = Quote ? '\0' : C;
      else if (!Quote && (C == ' ' || C == '\t' || C == '\r'))
        break;
    }
    End = At;
    return true;
  }

  void longOption(size_t Begin, size_t End) {
    std::string_view Word = Text.substr(Begin, End - Begin);
    size_t Equals = Word.find('=');
    SbatchOption O;
    O.Name = Word.substr(2, Equals == Word.npos ? Word.npos : Equals - 2);
    if (Equals != Word.npos)
      value(O, Begin + Equals + 1, End);
    else
      valueAhead(O);
    finish(std::move(O), Begin);
  }

  void shortOption(size_t Begin, size_t End) {
    SbatchOption O;
    std::string_view Name = longName(Text[Begin + 1]);
    O.Name = Name.empty() ? Text.substr(Begin + 1, 1) : Name;
    if (End - Begin > 2)
      value(O, Begin + 2, End);
    else
      valueAhead(O);
    finish(std::move(O), Begin);
  }

  /// `--nodes 4`: a word that is not an option belongs to the one before.
  void valueAhead(SbatchOption &O) {
    size_t Before = At, Begin = 0, End = 0;
    if (next(Begin, End) && Text[Begin] != '-')
      value(O, Begin, End);
    else
      At = Before;
  }

  void value(SbatchOption &O, size_t Begin, size_t End) {
    if (End - Begin >= 2 && (Text[Begin] == '"' || Text[Begin] == '\'') && Text[End - 1] == Text[Begin]) {
      ++Begin;
      --End;
    }
    O.Value.Text = Script.slice(Begin, End);
    O.Value.Written = Script.range(Begin, End);
  }

  void finish(SbatchOption O, size_t Begin) {
    O.Range = Script.range(Begin, At);
    Into.push_back(std::move(O));
  }

  const ShellText &Script;
  std::string_view Text;
  size_t At;
  std::vector<SbatchOption> &Into;
};

} // namespace

std::vector<SbatchOption> readSbatch(const ShellText &Script) {
  std::string Flat = Script.flat();
  std::string_view Text = Flat;
  constexpr std::string_view Mark = "#SBATCH";
  std::vector<SbatchOption> Result;
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line = Text.substr(At, End - At);
    if (Line.starts_with(Mark) && Line.size() > Mark.size() && (Line[Mark.size()] == ' ' || Line[Mark.size()] == '\t'))
      LineReader(Script, Text, At + Mark.size(), End, Result).run();
    else if (size_t First = Line.find_first_not_of(" \t\r"); First != Line.npos && Line[First] != '#')
      break;
    At = End + 1;
  }
  return Result;
}

} // namespace parlance::shell
