// The parser is RapidJSON's event reader in iterative mode: it uses no stack on nested input, refuses everything that
// is not JSON, tells its position, and reads the NaN and Infinity of Python. (LLVM's JSON parser keeps no positions;
// its YAML parser does, but takes much that is not JSON, such as bare words and single quotes, without a word; simdjson
// keeps no positions of keys and refuses NaN.) The tree is ours, because RapidJSON's own has no positions.
#include "Config/Json.h"
#include "Basic/Diagnostics.h"
#include "Config/JsonErrors.h"
#include "Config/RelaxedJson.h"
#include <algorithm>

#ifdef __clang__
// Its stack of characters starts as a null pointer to which it adds, which the sanitizer objects to.
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

namespace parlance {

namespace {

/// A text as RapidJSON reads it: a NUL byte says that it has ended.
class TextStream {
public:
  using Ch = char;
  explicit TextStream(std::string_view Text) : Text(Text) {}
  char Peek() const { return Next < Text.size() ? Text[Next] : '\0'; }
  char Take() { return Next < Text.size() ? Text[Next++] : '\0'; }
  size_t Tell() const { return Next; }
  // Writing belongs to the interface of a stream; only in-place parsing uses it.
  char *PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  size_t PutEnd(char *) { return 0; }

private:
  std::string_view Text;
  size_t Next = 0;
};

/// Makes the tree out of RapidJSON's events. The reader reports an opening and a closing bracket while it stands in
/// front of it, everything else when it has passed it; where it began follows from where the last one ended.
class TreeBuilder {
public:
  /// `Relaxed`: where the bytes of the text come from; null when it is the file's own.
  TreeBuilder(uint32_t File, std::string_view Text, const RelaxedJson *Relaxed, const TextStream &Stream,
              JsonDialect Dialect, DiagnosticEngine &Diags)
      : File(File), Text(Text), Relaxed(Relaxed), Stream(Stream), Dialect(Dialect), Diags(Diags) {}

  bool Null() { return scalar(ConfigValue::Kind::Null); }
  bool Bool(bool) { return scalar(ConfigValue::Kind::Bool); }
  bool RawNumber(const char *, rapidjson::SizeType, bool) { return scalar(ConfigValue::Kind::Number); }
  bool Double(double) { return scalar(ConfigValue::Kind::Number); }
  bool Int(int) { return scalar(ConfigValue::Kind::Number); }
  bool Uint(unsigned) { return scalar(ConfigValue::Kind::Number); }
  bool Int64(int64_t) { return scalar(ConfigValue::Kind::Number); }
  bool Uint64(uint64_t) { return scalar(ConfigValue::Kind::Number); }
  bool String(const char *Chars, rapidjson::SizeType Length, bool) {
    ConfigValue V = value(ConfigValue::Kind::String, place(passed()));
    V.Text.assign(Chars, Length);
    if (Relaxed)
      markPlaceholder(V);
    return finish(std::move(V));
  }
  bool Key(const char *Chars, rapidjson::SizeType Length, bool) {
    PendingRange = place(passed());
    PendingKey.assign(Chars, Length);
    return true;
  }
  bool StartObject() { return open(ConfigValue::Kind::Object); }
  bool StartArray() { return open(ConfigValue::Kind::Array); }
  bool EndObject(rapidjson::SizeType) {
    if (Dialect != JsonDialect::Hjson)
      warnOfDuplicateKeys(Open.back(), Duplicates, Diags);
    return close();
  }
  bool EndArray(rapidjson::SizeType) { return close(); }

  uint32_t lastEnd() const { return LastEnd; }
  std::optional<SourceRange> openBracket() const {
    return Open.empty() ? std::nullopt : std::optional(Open.back().Range);
  }
  std::optional<ConfigValue> take() { return std::move(Root); }

private:
  uint32_t here() const { return static_cast<uint32_t>(Stream.Tell()); }
  /// What the reader has passed since the last call.
  std::pair<uint32_t, uint32_t> passed() {
    uint32_t Begin = LastEnd;
    constexpr std::string_view Between = " \t\r\n,:";
    while (Begin < here() && Between.find(Text[Begin]) != std::string_view::npos)
      ++Begin;
    LastEnd = here();
    return {Begin, LastEnd};
  }
  SourceRange place(std::pair<uint32_t, uint32_t> Part) const {
    return Relaxed ? SourceRange{File, Relaxed->begin(Part.first), Relaxed->end(Part.second)}
                   : SourceRange{File, Part.first, Part.second};
  }
  void markPlaceholder(ConfigValue &V) {
    const auto &Found = Relaxed->Placeholders;
    const auto It = std::ranges::lower_bound(Found, V.Range.Begin, {}, &Placeholder::Begin);
    if (It == Found.end() || It->Begin != V.Range.Begin)
      return;
    V.K = ConfigValue::Kind::Symbolic;
    V.Text = It->Text;
    Diags.report(diag::TemplatePlaceholder, V.Range, V.Text);
  }
  ConfigValue value(ConfigValue::Kind K, SourceRange Range) {
    ConfigValue V;
    V.K = K;
    V.Range = Range;
    V.Key = std::move(PendingKey);
    V.KeyRange = std::exchange(PendingRange, {});
    PendingKey.clear();
    return V;
  }
  bool scalar(ConfigValue::Kind K) {
    const auto Part = passed();
    ConfigValue V = value(K, place(Part));
    V.Text = Text.substr(Part.first, Part.second - Part.first);
    return finish(std::move(V));
  }
  bool open(ConfigValue::Kind K) {
    LastEnd = here() + 1;
    const SourceRange Bracket = place({here(), LastEnd});
    if (Open.size() >= MaxConfigDepth)
      return refuse(Bracket, fmt::format("brackets are nested more than {} deep", MaxConfigDepth));
    Open.push_back(value(K, Bracket));
    return true;
  }
  bool close() {
    ConfigValue V = std::move(Open.back());
    Open.pop_back();
    LastEnd = here() + 1;
    V.Range.End = place({here(), LastEnd}).End;
    return finish(std::move(V));
  }
  bool finish(ConfigValue V) {
    if (++Values > MaxConfigValues)
      return refuse(V.Range, fmt::format("there are more than {} values", MaxConfigValues));
    if (Open.empty())
      Root = std::move(V);
    else
      Open.back().Items.push_back(std::move(V));
    return true;
  }
  bool refuse(SourceRange Range, const std::string &Why) {
    Diags.report(diag::JsonSyntax, Range, Why);
    return false;
  }

  uint32_t File;
  std::string_view Text;
  const RelaxedJson *Relaxed;
  const TextStream &Stream;
  JsonDialect Dialect;
  DiagnosticEngine &Diags;
  std::vector<ConfigValue> Open;
  std::optional<ConfigValue> Root;
  std::string PendingKey;
  SourceRange PendingRange;
  uint32_t LastEnd = 0;
  size_t Values = 0;
  unsigned Duplicates = 0;
};

JsonFault faultOf(rapidjson::ParseErrorCode Code) {
  switch (Code) {
  case rapidjson::kParseErrorDocumentEmpty:
    return JsonFault::NoDocument;
  case rapidjson::kParseErrorDocumentRootNotSingular:
    return JsonFault::TrailingText;
  case rapidjson::kParseErrorObjectMissName:
    return JsonFault::NoKey;
  case rapidjson::kParseErrorObjectMissColon:
    return JsonFault::NoColon;
  case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
  case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
    return JsonFault::NoComma;
  case rapidjson::kParseErrorStringMissQuotationMark:
    return JsonFault::OpenString;
  case rapidjson::kParseErrorStringEscapeInvalid:
  case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
  case rapidjson::kParseErrorStringInvalidEncoding:
    return JsonFault::Escape;
  case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
    return JsonFault::Surrogate;
  case rapidjson::kParseErrorNumberTooBig:
    return JsonFault::NumberTooLarge;
  case rapidjson::kParseErrorNumberMissFraction:
  case rapidjson::kParseErrorNumberMissExponent:
    return JsonFault::Number;
  default:
    return JsonFault::NoValue;
  }
}

} // namespace

std::optional<ConfigValue> parseJson(uint32_t File, std::string_view Text, DiagnosticEngine &Diags,
                                     JsonDialect Dialect) {
  if (size_t Nul = Text.find('\0'); Nul != std::string_view::npos) {
    const auto At = static_cast<uint32_t>(Nul);
    Diags.report(diag::JsonSyntax, {File, At, At + 1}, "a NUL byte is not part of a text");
    return std::nullopt;
  }
  std::optional<RelaxedJson> Relaxed;
  if (Dialect != JsonDialect::Strict)
    Relaxed = relaxJson(Text, Dialect == JsonDialect::Hjson);
  const std::string_view Read = Relaxed ? std::string_view(Relaxed->Text) : Text;
  TextStream Stream(Read);
  TreeBuilder Builder(File, Read, Relaxed ? &*Relaxed : nullptr, Stream, Dialect, Diags);
  rapidjson::Reader Reader;
  constexpr unsigned Flags =
      rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;
  const rapidjson::ParseResult Result = Reader.Parse<Flags>(Stream, Builder);
  if (!Result.IsError())
    return Builder.take();
  if (Result.Code() == rapidjson::kParseErrorTermination)
    return std::nullopt; // the builder has reported
  JsonStop Stop{faultOf(Result.Code()), static_cast<uint32_t>(std::min(Result.Offset(), Read.size())),
                Builder.lastEnd(), Builder.openBracket()};
  if (Relaxed) {
    Stop.Offset = Relaxed->begin(Stop.Offset);
    // The last word of a text may be one of a comment.
    Stop.LastEnd = Result.Offset() >= Read.size() && Read.ends_with(' ')
                       ? Stop.Offset
                       : std::min(Relaxed->end(Stop.LastEnd), Stop.Offset);
  }
  reportJsonError(File, Text, Stop, Diags);
  return std::nullopt;
}

} // namespace parlance
