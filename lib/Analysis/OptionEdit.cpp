#include "Analysis/OptionEdit.h"
#include <algorithm>
#include <charconv>

namespace parlance {

static bool isQuoted(std::string_view Text) {
  return Text.size() >= 2 && (Text[0] == '"' || Text[0] == '\'') && Text.back() == Text[0];
}

static std::string_view withoutQuotes(std::string_view Text) {
  return isQuoted(Text) ? Text.substr(1, Text.size() - 2) : Text;
}

static std::string_view oldText(const OptionChange &C, const Evaluator &E) {
  return C.Before.Range ? E.Sources.text(C.Before.Range) : std::string_view();
}

//===----------------------------------------------------------------------===//
// A value in place of another one
//===----------------------------------------------------------------------===//

/// The new value in the manner of the old one; empty where what stands there is no such value: a flag that takes none,
/// a variable.
static std::string likeOld(const Value &V, const FieldDecl &F, std::string_view Written) {
  std::string_view Old = withoutQuotes(Written);
  std::string Text = fileText(V, F);
  if (V.K == Value::Kind::Bool) {
    if (Old == "True" || Old == "False")
      Text[0] = static_cast<char>(Text[0] - 'a' + 'A');
    else if (Old == "0" || Old == "1")
      Text = Text == "true" ? "1" : "0";
    else if (Old != "true" && Old != "false")
      return {};
  } else if (V.K == Value::Kind::Quantity) {
    double Number = 0;
    auto [End, Error] = std::from_chars(Old.data(), Old.data() + Old.size(), Number);
    if (Old.empty() || Error != std::errc() || End != Old.data() + Old.size())
      return {};
  } else if (Old.empty() || Old.find_first_of("${<\"'\n") != std::string_view::npos) {
    return {};
  }
  return isQuoted(Written) ? Written[0] + Text + Written[0] : Text;
}

std::string optionTitle(const OptionChange &C, Evaluator &E) {
  std::string Text = likeOld(C.After, *C.Option, oldText(C, E));
  return fmt::format("{} = {}", keyOf(*C.Option), Text.empty() ? fileText(C.After, *C.Option) : Text);
}

//===----------------------------------------------------------------------===//
// One more option
//===----------------------------------------------------------------------===//

namespace {

/// A key of a file: `"stage": 1`, `stage = 1`, `stage: 1`.
struct KeyPlace {
  size_t Begin = 0;
  char Separator = 0;
  bool FirstOnLine = false;
  std::string_view Indent;
};

} // namespace

/// The key that stands before a value on its line, if it is the name that is expected.
static std::optional<KeyPlace> keyBefore(std::string_view Text, size_t ValueAt, std::string_view Name) {
  auto SkipBlanks = [&](size_t At) {
    while (At > 0 && (Text[At - 1] == ' ' || Text[At - 1] == '\t'))
      --At;
    return At;
  };
  size_t At = SkipBlanks(ValueAt);
  if (At == 0 || (Text[At - 1] != ':' && Text[At - 1] != '='))
    return std::nullopt;
  KeyPlace Result;
  Result.Separator = Text[--At];
  At = SkipBlanks(At);
  bool Quoted = At > 0 && (Text[At - 1] == '"' || Text[At - 1] == '\'');
  size_t Length = Name.size() + (Quoted ? 2 : 0);
  if (At < Length || withoutQuotes(Text.substr(At - Length, Length)) != Name)
    return std::nullopt;
  Result.Begin = At - Length;
  size_t Line = SkipBlanks(Result.Begin);
  Result.FirstOnLine = Line == 0 || Text[Line - 1] == '\n';
  Result.Indent = Text.substr(Line, Result.Begin - Line);
  return Result;
}

/// Whether a file is an object of JSON, comments above it left out.
static bool isJson(std::string_view Text) {
  while (true) {
    Text.remove_prefix(std::min(Text.find_first_not_of(" \t\r\n"), Text.size()));
    std::string_view End = Text.starts_with("/*") ? "*/" : Text.starts_with("//") || Text.starts_with('#') ? "\n" : "";
    if (End.empty())
      return Text.starts_with('{');
    Text.remove_prefix(std::min(Text.find(End, 2), Text.size() - End.size()) + End.size());
  }
}

/// Where the comments begin that stand directly above a line, or the line. Comments that a file begins with may be
/// about all of it, and have no such place.
static std::optional<size_t> aboveComments(std::string_view Text, size_t Line) {
  size_t Result = Line;
  while (Result > 0) {
    size_t Above = Result < 2 ? 0 : Text.rfind('\n', Result - 2) + 1;
    std::string_view Written = Text.substr(Above, Result - Above);
    size_t First = std::min(Written.find_first_not_of(" \t"), Written.size());
    if (!Written.substr(First).starts_with('#') && !Written.substr(First).starts_with("//"))
      break;
    Result = Above;
  }
  return Result > 0 || Line == 0 ? std::optional(Result) : std::nullopt;
}

/// A line of its own, above the comments that belong to the line of another key.
static Edit lineBeside(SourceRange Sibling, const KeyPlace &Key, std::string New, std::string_view Text) {
  size_t Break = std::min(Text.find('\n', Sibling.End), Text.size());
  bool Carriage = Break < Text.size() && Break > 0 && Text[Break - 1] == '\r';
  std::string_view NewLine = Carriage ? "\r\n" : "\n";
  auto Place = aboveComments(Text, Key.Begin - Key.Indent.size());
  New.insert(0, Key.Indent);
  if (Place)
    New += NewLine;
  else
    New.insert(0, NewLine);
  auto At = static_cast<uint32_t>(Place.value_or(Break - Carriage));
  return {{Sibling.File, At, At}, std::move(New)};
}

/// Whether a place in a TOML file is in a section. An option that older versions had elsewhere stands in another one.
static bool isInSection(std::string_view Text, size_t At, std::string_view Section) {
  std::string_view Header;
  for (size_t Line = Text.rfind('\n', At) + 1; Header.empty() && Line > 0;) {
    Line = Line < 2 ? 0 : Text.rfind('\n', Line - 2) + 1;
    std::string_view Written = Text.substr(Line, Text.find('\n', Line) - Line);
    Written.remove_prefix(std::min(Written.find_first_not_of(" \t"), Written.size()));
    if (Written.starts_with('['))
      Header = Written.substr(1, std::min(Written.find(']'), Written.size()) - 1);
  }
  return Header == Section;
}

/// The option, written before one that is there.
static std::optional<Edit> beside(const OptionChange &C, SourceRange Sibling, const FieldDecl &Of, const Evaluator &E) {
  std::string_view Text = E.Sources.file(Sibling.File).text();
  auto Key = keyBefore(Text, Sibling.Begin, keyOf(Of));
  std::string Name(keyOf(*C.Option));
  if (!Key) { // a recipe in YAML names the options of a command
    Key = keyBefore(Text, Sibling.Begin, asFlag(Of.Name));
    Name = asFlag(C.Option->Name);
    if (Key && Key->Separator != ':')
      return std::nullopt;
  }
  bool Json = isJson(Text);
  if (!Key || (!Json && !Key->FirstOnLine))
    return std::nullopt;
  bool Toml = Key->Separator == '=';
  const size_t Dot = C.Path.rfind('.');
  if (Toml && !isInSection(Text, Key->Begin, Dot == std::string::npos ? std::string() : C.Path.substr(0, Dot)))
    return std::nullopt;
  std::string Value = fileText(C.After, *C.Option);
  bool Word = C.After.K == Value::Kind::Enum || C.After.K == Value::Kind::String;
  if (Word && Value.find_first_of("\"\\\n:#") != std::string::npos)
    return std::nullopt;
  if (Word && (Json || Toml))
    Value = '"' + Value + '"';
  std::string New =
      Json ? fmt::format("\"{}\": {},", Name, Value) : fmt::format("{}{} {}", Name, Toml ? " =" : ":", Value);
  if (Key->FirstOnLine)
    return lineBeside(Sibling, *Key, std::move(New), Text);
  auto At = static_cast<uint32_t>(Key->Begin);
  return Edit{{Sibling.File, At, At}, New + ' '};
}

/// Next to the first option of its section that stands in the file.
static std::optional<Edit> insertion(const OptionChange &C, const Record &Options, const Evaluator &E) {
  FieldPath At = fieldAt(Options, C.Path);
  if (!At.Owner)
    return std::nullopt;
  const Record &Section = *At.Owner;
  std::optional<Edit> Result;
  for (unsigned I = 0; I < Section.Values.size(); ++I) {
    const Origin &O = Section.Origins[I];
    const FieldDecl &Sibling = Section.Schema->Fields[I];
    if (O.K != Origin::Kind::Given || !O.Range || Section.Values[I].Rec || isVariable(Sibling) != isVariable(*C.Option))
      continue;
    auto Beside = beside(C, O.Range, Sibling, E);
    if (Beside && (!Result || Beside->Range.Begin < Result->Range.Begin))
      Result = std::move(Beside);
  }
  return Result;
}

std::optional<Edit> optionEdit(const OptionChange &C, const Record *Options, Evaluator &E) {
  if (C.Before.K != Origin::Kind::Given)
    return Options ? insertion(C, *Options, E) : std::nullopt;
  std::string Text = likeOld(C.After, *C.Option, oldText(C, E));
  return Text.empty() ? std::nullopt : std::optional(Edit{C.Before.Range, std::move(Text)});
}

} // namespace parlance
