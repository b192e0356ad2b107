// The parser is libyaml's, which is also behind PyYAML's fast loader; its events carry positions. What the events mean
// (types, merge keys, what safe_load refuses) is decided here.
#include "Config/Yaml.h"
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include "Config/YamlErrors.h"
#include <algorithm>
#include <map>
#include <yaml.h>

namespace parlance {
namespace {

using Kind = ConfigValue::Kind;

/// Byte offsets of the parser's marks, which count code points.
class Offsets {
public:
  explicit Offsets(std::string_view Text) : Size(static_cast<uint32_t>(Text.size())) {
    if (std::ranges::none_of(Text, [](char C) { return (C & 0x80) != 0; }))
      return;
    for (uint32_t I = 0; I < Size; ++I)
      if (!isContinuation(Text[I]))
        Points.push_back(I);
  }
  uint32_t operator()(const yaml_mark_t &M) const {
    const auto Index = static_cast<uint32_t>(std::min<size_t>(M.index, Size));
    return Points.empty() ? Index : Index < Points.size() ? Points[Index] : Size;
  }

private:
  uint32_t Size;
  std::vector<uint32_t> Points; ///< empty when every code point is one byte
};

/// One event, released at the end of its scope.
struct Event {
  yaml_event_t E{};
  Event() = default;
  Event(const Event &) = delete;
  ~Event() { yaml_event_delete(&E); }
};

std::string_view text(const yaml_char_t *Chars) { return Chars ? reinterpret_cast<const char *>(Chars) : ""; }

/// A tag as it is usually written: `!!int` for tag:yaml.org,2002:int.
std::string shortTag(std::string_view Tag) {
  constexpr std::string_view Standard = "tag:yaml.org,2002:";
  return Tag.starts_with(Standard) ? "!!" + std::string(Tag.substr(Standard.size())) : std::string(Tag);
}

class Reader {
public:
  Reader(uint32_t File, std::string_view Text, DiagnosticEngine &Diags)
      : File(File), Text(Text), Diags(Diags), Places(Text) {
    yaml_parser_initialize(&Parser);
    yaml_parser_set_encoding(&Parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&Parser, reinterpret_cast<const unsigned char *>(Text.data()), Text.size());
  }
  Reader(const Reader &) = delete;
  ~Reader() { yaml_parser_delete(&Parser); }

  std::optional<ConfigValue> read() {
    while (!Failed && !Done)
      step();
    return Failed ? std::nullopt : std::optional(std::move(Root));
  }

private:
  /// A collection that is being read.
  struct Frame {
    ConfigValue V;
    std::string Anchor;
    bool Block = false, HaveKey = false, MergeKey = false;
    std::string Key;
    SourceRange KeyRange;
    std::vector<ConfigValue> Merged; ///< of merge keys: counts less than what is written here
  };

  void step();
  bool next(Event &Out);
  void syntaxError();
  void scalar(const yaml_event_t &E);
  void typed(ConfigValue &V, const yaml_event_t &E);
  void alias(const yaml_event_t &E);
  void open(const yaml_event_t &E, Kind K);
  void close(const yaml_event_t &E);
  bool placeholder(const yaml_event_t &E);
  /// Says that a key, or what is glued to a placeholder, is not what it must be.
  void refuseKey(SourceRange At);
  void key(std::string Name, SourceRange Range, bool Merge);
  void finish(ConfigValue V, std::string_view Anchor);
  void keep(std::string_view Anchor, const ConfigValue &V);
  void merge(Frame &F, ConfigValue V);
  bool charge(const ConfigValue &V, SourceRange At);
  static size_t measure(const ConfigValue &V, unsigned &Height);

  bool wantKey() const { return !Open.empty() && Open.back().V.K == Kind::Object && !Open.back().HaveKey; }
  SourceRange range(const yaml_event_t &E) const {
    const uint32_t Begin = Places(E.start_mark);
    return {File, Begin, std::max(Begin, Places(E.end_mark))};
  }
  void refuse(SourceRange At, const std::string &Why) {
    if (!Failed)
      Diags.report(diag::YamlSyntax, At, Why);
    Failed = true;
  }

  uint32_t File;
  std::string_view Text;
  DiagnosticEngine &Diags;
  Offsets Places;
  yaml_parser_t Parser{};
  std::vector<Frame> Open;
  std::map<std::string, ConfigValue, std::less<>> Anchors;
  ConfigValue Root;
  size_t Values = 0;
  unsigned Documents = 0, Duplicates = 0;
  bool Failed = false, Done = false;
};

bool Reader::next(Event &Out) {
  if (yaml_parser_parse(&Parser, &Out.E))
    return true;
  syntaxError();
  return false;
}

void Reader::syntaxError() {
  const auto Words = [](const char *Text) { return std::string_view(Text ? Text : ""); };
  YamlStop Stop{Words(Parser.problem), Words(Parser.context), Places(Parser.problem_mark), Places(Parser.context_mark)};
  if (Parser.error == YAML_READER_ERROR)
    Stop.At = Parser.problem_offset;
  else if (Parser.error == YAML_MEMORY_ERROR)
    Stop.Problem = "out of memory";
  Failed = true;
  reportYamlError(File, Text, Stop, Diags);
}

void Reader::step() {
  Event Next;
  if (!next(Next))
    return;
  const yaml_event_t &E = Next.E;
  switch (E.type) {
  case YAML_DOCUMENT_START_EVENT:
    if (++Documents > 1)
      refuse({File, Places(E.start_mark), Places(E.start_mark) + 3},
             "a second document begins here; safe_load reads files of one");
    break;
  case YAML_SCALAR_EVENT:
    return scalar(E);
  case YAML_ALIAS_EVENT:
    return alias(E);
  case YAML_SEQUENCE_START_EVENT:
    return open(E, Kind::Array);
  case YAML_MAPPING_START_EVENT:
    return open(E, Kind::Object);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    return close(E);
  case YAML_STREAM_END_EVENT:
    Done = true;
    if (Documents == 0)
      Root.Range = {File, 0, 0};
    break;
  default:
    break;
  }
}

void Reader::scalar(const yaml_event_t &E) {
  const auto &S = E.data.scalar;
  SourceRange Range = range(E);
  if (S.style == YAML_LITERAL_SCALAR_STYLE || S.style == YAML_FOLDED_SCALAR_STYLE)
    while (Range.End > Range.Begin + 1 && std::string_view(" \r\n").find(Text[Range.End - 1]) != std::string_view::npos)
      --Range.End; // its end is where the next token begins
  ConfigValue V;
  V.Range = Range;
  if (!wantKey()) {
    typed(V, E);
    return finish(std::move(V), text(S.anchor));
  }
  const std::string_view Name{reinterpret_cast<const char *>(S.value), S.length};
  const bool Merge = Name == "<<" && (S.plain_implicit || shortTag(text(S.tag)) == "!!merge");
  key(std::string(Name), Range, Merge);
  if (Merge || (!S.anchor && !S.tag))
    return;
  typed(V, E); // an alias may use it
  if (S.anchor)
    keep(text(S.anchor), V);
}

void Reader::typed(ConfigValue &V, const yaml_event_t &E) {
  const auto &S = E.data.scalar;
  V.K = Kind::String;
  V.Text.assign(reinterpret_cast<const char *>(S.value), S.length);
  if (S.quoted_implicit && !S.plain_implicit)
    return;
  if (S.plain_implicit) {
    if (V.Text == "=" || V.Text == "<<")
      return refuse(V.Range, fmt::format("safe_load refuses a bare `{}` as a value; put it in quotes", V.Text));
    std::tie(V.K, V.Text) = resolveYamlScalar(V.Text);
    return;
  }
  const std::string Tag = shortTag(text(S.tag));
  if (Tag == "!!str" || Tag == "!!binary" || Tag == "!!timestamp")
    return;
  auto [K, Resolved] = resolveYamlScalar(V.Text);
  const bool Number = Tag == "!!int" || Tag == "!!float";
  if (Tag == "!!null") {
    V.K = Kind::Null;
    V.Text = "null";
  } else if (Number && K != Kind::Number && looksLikeNumber(V) && Tag == "!!float") {
    V.K = Kind::Number;
    V.Text.erase(0, V.Text.starts_with('+'));
  } else if ((Number && K == Kind::Number) || (Tag == "!!bool" && K == Kind::Bool)) {
    V.K = K;
    V.Text = Resolved;
    if (Tag == "!!float" && V.integer())
      V.Text += ".0";
    if (Tag == "!!int" && V.Text.find_first_not_of("-0123456789") != std::string::npos)
      refuse(V.Range, fmt::format("{} is not what its tag `{}` says", V.brief(), Tag));
  } else if (Number || Tag == "!!bool") {
    refuse(V.Range, fmt::format("{} is not what its tag `{}` says", V.brief(), Tag));
  } else {
    refuse(V.Range, fmt::format("safe_load knows no tag `{}`", printable(Tag)));
  }
}

void Reader::alias(const yaml_event_t &E) {
  const std::string_view Name = text(E.data.alias.anchor);
  const SourceRange Range = range(E);
  const auto It = Anchors.find(Name);
  if (It == Anchors.end()) {
    const bool Inside = std::ranges::any_of(Open, [&](const Frame &F) { return F.Anchor == Name; });
    return refuse(Range, Inside ? fmt::format("`*{}` stands inside what it repeats", printable(Name))
                                : fmt::format("there is no anchor `&{}` before this alias", printable(Name)));
  }
  const ConfigValue &Meant = It->second;
  if (wantKey()) {
    if (Meant.K == Kind::Array || Meant.isObject())
      return refuseKey(Range);
    return key(Meant.Text, Range, false);
  }
  if (!Open.empty())
    Open.back().V.Range.End = std::max(Open.back().V.Range.End, Range.End);
  if (charge(Meant, Range))
    finish(Meant, "");
}

void Reader::open(const yaml_event_t &E, Kind K) {
  const bool List = K == Kind::Array;
  const auto *Tag = List ? E.data.sequence_start.tag : E.data.mapping_start.tag;
  const auto *Anchor = List ? E.data.sequence_start.anchor : E.data.mapping_start.anchor;
  const SourceRange At = range(E);
  if (wantKey()) {
    if (!placeholder(E))
      refuseKey(At);
    return;
  }
  if (Tag && text(Tag) != "!") {
    const std::string Short = shortTag(text(Tag));
    const bool Known =
        List ? Short == "!!seq" || Short == "!!omap" || Short == "!!pairs" : Short == "!!map" || Short == "!!set";
    if (!Known)
      return refuse(At,
                    fmt::format("safe_load knows no tag `{}` for {}", printable(Short), List ? "a list" : "an object"));
  }
  if (Open.size() >= MaxConfigDepth)
    return refuse(At, fmt::format("values are nested more than {} deep", MaxConfigDepth));
  Frame &F = Open.emplace_back();
  F.V.K = K;
  F.V.Range = At;
  F.Anchor = text(Anchor);
  F.Block = List ? E.data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE
                 : E.data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE;
}

/// `{{x}}` is an object whose key is an object: reads over both.
bool Reader::placeholder(const yaml_event_t &E) {
  const uint32_t Inner = Places(E.start_mark);
  const Frame &F = Open.back();
  if (E.type != YAML_MAPPING_START_EVENT || Inner == 0 || F.V.Range.Begin + 1 != Inner || !F.V.Items.empty() ||
      F.Block || !Text.substr(Inner - 1).starts_with("{{"))
    return false;
  const size_t Length = placeholderLength(Text, Inner - 1, false);
  uint32_t End = 0;
  for (unsigned Depth = 2; Depth > 0;) {
    Event Next;
    if (!next(Next))
      return true; // reported
    const auto Type = Next.E.type;
    Depth += Type == YAML_MAPPING_START_EVENT || Type == YAML_SEQUENCE_START_EVENT;
    Depth -= Type == YAML_MAPPING_END_EVENT || Type == YAML_SEQUENCE_END_EVENT;
    End = Places(Next.E.end_mark);
  }
  if (Failed || Length == 0 || End != Inner - 1 + Length)
    return Failed;
  ConfigValue V;
  V.K = Kind::Symbolic;
  V.Range = {File, Inner - 1, End};
  V.Text = Text.substr(V.Range.Begin, Length);
  const std::string Anchor = F.Anchor;
  Open.pop_back();
  const bool Whole = End == Text.size() || std::string_view(" \t\r\n,]}").find(Text[End]) != std::string_view::npos;
  if (wantKey() || !Whole) {
    refuseKey(V.Range);
    return true;
  }
  Diags.report(diag::TemplatePlaceholder, V.Range, printable(V.Text));
  finish(std::move(V), Anchor);
  return true;
}

void Reader::refuseKey(SourceRange At) {
  const size_t Length = placeholderLength(Text, At.Begin, false);
  if (Length == 0)
    return refuse(At, "a key must be a scalar");
  refuse({File, At.Begin, At.Begin + static_cast<uint32_t>(Length)},
         fmt::format("`{}` is a template's placeholder; fill the template in first",
                     printable(Text.substr(At.Begin, Length))));
}

void Reader::key(std::string Name, SourceRange Range, bool Merge) {
  Frame &F = Open.back();
  F.HaveKey = true;
  F.MergeKey = Merge;
  F.Key = std::move(Name);
  F.KeyRange = Range;
  F.V.Range.End = std::max(F.V.Range.End, Range.End);
}

void Reader::close(const yaml_event_t &E) {
  Frame F = std::move(Open.back());
  Open.pop_back();
  if (!F.Block) // the end of a block is said to be where the next token begins
    F.V.Range.End = Places(E.end_mark);
  if (F.V.K == Kind::Object) {
    warnOfDuplicateKeys(F.V, Duplicates, Diags);
    F.V.Items.insert(F.V.Items.begin(), std::make_move_iterator(F.Merged.begin()),
                     std::make_move_iterator(F.Merged.end()));
  }
  finish(std::move(F.V), F.Anchor);
}

void Reader::finish(ConfigValue V, std::string_view Anchor) {
  if (++Values > MaxConfigValues)
    return refuse(V.Range, fmt::format("there are more than {} values", MaxConfigValues));
  if (!Anchor.empty())
    keep(Anchor, V);
  if (Failed)
    return;
  if (Open.empty()) {
    Root = std::move(V);
    return;
  }
  Frame &F = Open.back();
  F.V.Range.End = std::max(F.V.Range.End, V.Range.End);
  if (F.V.K == Kind::Array) {
    F.V.Items.push_back(std::move(V));
    return;
  }
  F.HaveKey = false;
  if (F.MergeKey)
    return merge(F, std::move(V));
  V.Key = std::move(F.Key);
  V.KeyRange = F.KeyRange;
  F.V.Items.push_back(std::move(V));
}

/// What aliases will repeat.
void Reader::keep(std::string_view Anchor, const ConfigValue &V) {
  if (Anchors.contains(Anchor))
    return refuse(V.Range, fmt::format("the anchor `&{}` is given twice", printable(Anchor)));
  if (charge(V, V.Range))
    Anchors.emplace(Anchor, V);
}

void Reader::merge(Frame &F, ConfigValue V) {
  const auto Take = [&](ConfigValue &From) {
    F.Merged.insert(F.Merged.end(), std::make_move_iterator(From.Items.begin()),
                    std::make_move_iterator(From.Items.end()));
  };
  if (V.isObject())
    return Take(V);
  if (V.K != Kind::Array || !std::ranges::all_of(V.Items, &ConfigValue::isObject))
    return refuse(V.Range, "`<<` needs an object or a list of objects");
  for (auto It = V.Items.rbegin(); It != V.Items.rend(); ++It) // the first one counts most
    Take(*It);
}

size_t Reader::measure(const ConfigValue &V, unsigned &Height) {
  size_t Count = 1;
  unsigned Highest = 0;
  for (const ConfigValue &Item : V.Items) {
    unsigned Below = 0;
    Count += measure(Item, Below);
    Highest = std::max(Highest, Below + 1);
  }
  Height = Highest;
  return Count;
}

/// Counts a copy of a value: few bytes of aliases can stand for any number of values.
bool Reader::charge(const ConfigValue &V, SourceRange At) {
  unsigned Height = 0;
  Values += measure(V, Height);
  if (Values > MaxConfigValues)
    refuse(At, fmt::format("with its aliases written out the file has more than {} values", MaxConfigValues));
  else if (Open.size() + Height > MaxConfigDepth)
    refuse(At, fmt::format("values are nested more than {} deep", MaxConfigDepth));
  return !Failed;
}

} // namespace

std::optional<ConfigValue> parseYaml(uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
  if (size_t Bad = firstInvalidUtf8(Text); Bad != std::string_view::npos) {
    const auto At = static_cast<uint32_t>(Bad);
    Diags.report(diag::YamlSyntax, {File, At, At + 1}, "this is not text: a byte that is not UTF-8");
    return std::nullopt;
  }
  return Reader(File, Text, Diags).read();
}

} // namespace parlance
