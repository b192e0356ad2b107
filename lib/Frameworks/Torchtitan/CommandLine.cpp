#include "Frameworks/Torchtitan/CommandLine.h"
#include <algorithm>
#include <charconv>

namespace parlance::torchtitan {

namespace {

class CommandReader {
public:
  CommandReader(std::span<const CommandWord> Words, const SchemaDecl &Schema) : Words(Words), Schema(Schema) {}
  ConfigValue run();

private:
  const FieldDecl *find(std::string_view Path) const;
  void option(const CommandWord &Word);
  void subcommand(const CommandWord &Word, size_t Colon);
  void add(std::string_view Path, SourceRange KeyRange, ConfigValue V);
  ConfigValue value(const CommandWord &Word, size_t From, const FieldDecl *Option) const;

  std::span<const CommandWord> Words;
  const SchemaDecl &Schema;
  size_t Next = 0;
  ConfigValue Tree;
};

/// The part of a word's place that is behind an offset, where the place is as long as the word.
SourceRange placeFrom(const CommandWord &Word, size_t From) {
  SourceRange At = Word.Range;
  size_t Quotes = At.End - At.Begin - Word.Text.size();
  if (From && (Quotes == 0 || Quotes == 2))
    return {At.File, static_cast<uint32_t>(At.Begin + Quotes / 2 + From), static_cast<uint32_t>(At.End - Quotes / 2)};
  return At;
}

bool isNumber(std::string_view Text) {
  double N = 0;
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), N);
  return Error == std::errc() && End == Text.data() + Text.size();
}

} // namespace

const FieldDecl *CommandReader::find(std::string_view Path) const {
  for (const SchemaDecl *S = &Schema;;) {
    size_t Dot = Path.find('.');
    int Index = S->find(Path.substr(0, Dot));
    if (Index < 0)
      return nullptr;
    const FieldDecl &F = S->Fields[static_cast<size_t>(Index)];
    bool Section = F.Ty.K == Type::Kind::Record;
    if (Dot == std::string_view::npos)
      return Section ? nullptr : &F;
    if (!Section)
      return nullptr;
    S = F.Ty.Schema;
    Path.remove_prefix(Dot + 1);
  }
}

/// A text that stands for a value of an option's type, or a string, which is refused where the type is another.
ConfigValue CommandReader::value(const CommandWord &Word, size_t From, const FieldDecl *Option) const {
  ConfigValue V;
  V.Range = placeFrom(Word, From);
  V.Text = Word.Text.substr(From);
  V.K = ConfigValue::Kind::String;
  if (Word.Symbolic)
    V.K = ConfigValue::Kind::Symbolic;
  else if (V.Text == "None")
    V.K = ConfigValue::Kind::Null;
  else if (Option && Option->List)
    std::ranges::replace(V.Text, ',', ' ');
  else if (Option && Option->Ty.K == Type::Kind::Quantity && isNumber(V.Text))
    V.K = ConfigValue::Kind::Number;
  else if (Option && Option->Ty.K == Type::Kind::Bool && (V.Text == "True" || V.Text == "False")) {
    V.K = ConfigValue::Kind::Bool;
    V.Text = V.Text == "True" ? "true" : "false";
  }
  return V;
}

/// Puts a value at a path; of several the last counts.
void CommandReader::add(std::string_view Path, SourceRange KeyRange, ConfigValue V) {
  ConfigValue *Object = &Tree;
  for (;;) {
    size_t Dot = Path.find('.');
    std::string Key(Path.substr(0, Dot));
    auto Known = std::ranges::find(Object->Items, Key, &ConfigValue::Key);
    if (Known == Object->Items.end()) {
      ConfigValue Section;
      Section.K = ConfigValue::Kind::Object;
      Section.Range = Section.KeyRange = KeyRange;
      Section.Key = Key;
      Object->Items.push_back(std::move(Section));
      Known = Object->Items.end() - 1;
    }
    if (Dot == std::string_view::npos) {
      V.Key = std::move(Key);
      V.KeyRange = KeyRange;
      *Known = std::move(V);
      return;
    }
    if (Known->K != ConfigValue::Kind::Object)
      return; // a value and a section of one name: one of them is not an option, which is reported
    Object = &*Known;
    Path.remove_prefix(Dot + 1);
  }
}

void CommandReader::option(const CommandWord &Word) {
  size_t Equals = Word.Text.find('=');
  std::string Path = Word.Text.substr(2, Equals == std::string::npos ? Equals : Equals - 2);
  std::ranges::replace(Path, '-', '_');
  SourceRange KeyRange = Word.Range;
  const FieldDecl *Option = find(Path);
  if (Equals != std::string::npos)
    return add(Path, KeyRange, value(Word, Equals + 1, Option));
  auto Flag = [&](std::string_view At, bool On) {
    ConfigValue V;
    V.K = ConfigValue::Kind::Bool;
    V.Text = On ? "true" : "false";
    V.Range = KeyRange;
    add(At, KeyRange, std::move(V));
  };
  if (!Option) {
    // `--section.no-option` switches an option off.
    size_t No = Path.rfind('.') == std::string::npos ? 0 : Path.rfind('.') + 1;
    if (std::string_view(Path).substr(No).starts_with("no_")) {
      std::string Positive = Path.substr(0, No) + Path.substr(No + 3);
      if (const FieldDecl *F = find(Positive); F && F->Ty.K == Type::Kind::Bool)
        return Flag(Positive, false);
    }
  }
  bool HasValue = Next < Words.size() && !Words[Next].Text.starts_with("--");
  if (Option && Option->Ty.K == Type::Kind::Bool)
    return Flag(Path, true);
  if (!HasValue)
    return Flag(Path, true); // of another type, so that it is refused
  const CommandWord &Given = Words[Next++];
  add(Path, KeyRange, value(Given, 0, Option));
}

/// `activation-checkpoint:memory-budget`
void CommandReader::subcommand(const CommandWord &Word, size_t Colon) {
  std::string Path = Word.Text.substr(0, Colon);
  std::ranges::replace(Path, '-', '_');
  if (!find(Path))
    return;
  ConfigValue V = value(Word, Colon + 1, find(Path));
  std::ranges::replace(V.Text, '-', '_');
  add(Path, Word.Range, std::move(V));
}

ConfigValue CommandReader::run() {
  Tree.K = ConfigValue::Kind::Object;
  if (!Words.empty())
    Tree.Range = Words.front().Range;
  while (Next < Words.size()) {
    const CommandWord &Word = Words[Next++];
    if (Word.Text.starts_with("--"))
      option(Word);
    else if (size_t Colon = Word.Text.find(':'); !Word.Symbolic && Colon != std::string::npos)
      subcommand(Word, Colon);
  }
  return std::move(Tree);
}

ConfigValue commandTree(std::span<const CommandWord> Words, const SchemaDecl &Schema) {
  return CommandReader(Words, Schema).run();
}

} // namespace parlance::torchtitan
