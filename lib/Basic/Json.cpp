// The parser is RapidJSON's event reader in iterative mode: it uses no stack on nested input,
// refuses everything that is not JSON, tells its position, and reads the NaN and Infinity of
// Python. (LLVM's JSON parser keeps no positions; its YAML parser does, but takes much that is not
// JSON, such as bare words and single quotes, without a word; simdjson keeps no positions of keys
// and refuses NaN.) The tree is ours, because RapidJSON's own has no positions.
#include "Basic/Json.h"
#include "Basic/Diagnostics.h"
#include "Basic/JsonErrors.h"
#include <algorithm>
#include <charconv>
#include <cstring>

#if defined(__clang__)
// Its stack of characters starts as a null pointer to which it adds, which the sanitizer objects
// to.
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif

namespace parlance {

const JsonValue *JsonValue::find(std::string_view Name) const {
  if (K != Kind::Object)
    return nullptr;
  auto Last =
      std::find_if(Items.rbegin(), Items.rend(), [&](const JsonValue &V) { return V.Key == Name; });
  return Last == Items.rend() ? nullptr : &*Last;
}

std::optional<int64_t> JsonValue::integer() const {
  int64_t Result = 0;
  const char *End = Text.data() + Text.size();
  if (K != Kind::Number)
    return std::nullopt;
  auto [Stop, Error] = std::from_chars(Text.data(), End, Result);
  return Error == std::errc() && Stop == End ? std::optional(Result) : std::nullopt;
}

std::string_view JsonValue::kindName() const {
  static constexpr std::string_view Names[] = {"null",     "a truth value", "a number",
                                               "a string", "a list",        "an object"};
  return Names[static_cast<unsigned>(K)];
}

std::string JsonValue::brief() const {
  constexpr size_t Longest = 40;
  if (K == Kind::Array)
    return Items.empty() ? "[]" : "[…]";
  if (K == Kind::Object)
    return Items.empty() ? "{}" : "{…}";
  std::string Result = Text;
  if (Result.size() > Longest) {
    size_t Cut = Longest;
    while (Cut > 0 && (static_cast<unsigned char>(Result[Cut]) & 0xC0) == 0x80)
      --Cut; // not inside a character
    Result = Result.substr(0, Cut) + "…";
  }
  return K == Kind::String ? '"' + Result + '"' : Result;
}

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

/// Makes the tree out of RapidJSON's events. The reader reports an opening and a closing bracket
/// while it stands in front of it, everything else when it has passed it; where it began follows
/// from where the last one ended.
class TreeBuilder {
public:
  TreeBuilder(uint32_t File, std::string_view Text, const TextStream &Stream,
              DiagnosticEngine &Diags)
      : File(File), Text(Text), Stream(Stream), Diags(Diags) {}

  bool Null() { return scalar(JsonValue::Kind::Null); }
  bool Bool(bool) { return scalar(JsonValue::Kind::Bool); }
  bool RawNumber(const char *, rapidjson::SizeType, bool) {
    return scalar(JsonValue::Kind::Number);
  }
  bool Double(double) { return scalar(JsonValue::Kind::Number); }
  bool Int(int) { return scalar(JsonValue::Kind::Number); }
  bool Uint(unsigned) { return scalar(JsonValue::Kind::Number); }
  bool Int64(int64_t) { return scalar(JsonValue::Kind::Number); }
  bool Uint64(uint64_t) { return scalar(JsonValue::Kind::Number); }
  bool String(const char *Chars, rapidjson::SizeType Length, bool) {
    JsonValue V = value(JsonValue::Kind::String, passed());
    V.Text.assign(Chars, Length);
    return finish(std::move(V));
  }
  bool Key(const char *Chars, rapidjson::SizeType Length, bool) {
    PendingRange = passed();
    PendingKey.assign(Chars, Length);
    return true;
  }
  bool StartObject() { return open(JsonValue::Kind::Object); }
  bool StartArray() { return open(JsonValue::Kind::Array); }
  bool EndObject(rapidjson::SizeType) {
    warnOfDuplicates(Open.back());
    return close();
  }
  bool EndArray(rapidjson::SizeType) { return close(); }

  uint32_t lastEnd() const { return LastEnd; }
  std::optional<SourceRange> openBracket() const {
    return Open.empty() ? std::nullopt : std::optional(Open.back().Range);
  }
  std::optional<JsonValue> take() { return std::move(Root); }

private:
  uint32_t here() const { return static_cast<uint32_t>(Stream.Tell()); }
  SourceRange passed() {
    uint32_t Begin = LastEnd;
    while (Begin < here() && std::memchr(" \t\r\n,:", Text[Begin], 6))
      ++Begin;
    LastEnd = here();
    return {File, Begin, LastEnd};
  }
  JsonValue value(JsonValue::Kind K, SourceRange Range) {
    JsonValue V;
    V.K = K;
    V.Range = Range;
    V.Key = std::move(PendingKey);
    V.KeyRange = std::exchange(PendingRange, {});
    PendingKey.clear();
    return V;
  }
  bool scalar(JsonValue::Kind K) {
    JsonValue V = value(K, passed());
    V.Text = Text.substr(V.Range.Begin, V.Range.End - V.Range.Begin);
    return finish(std::move(V));
  }
  bool open(JsonValue::Kind K) {
    const SourceRange Bracket{File, here(), here() + 1};
    LastEnd = Bracket.End;
    if (Open.size() >= MaxJsonDepth)
      return refuse(Bracket, fmt::format("brackets are nested more than {} deep", MaxJsonDepth));
    Open.push_back(value(K, Bracket));
    return true;
  }
  bool close() {
    JsonValue V = std::move(Open.back());
    Open.pop_back();
    V.Range.End = LastEnd = here() + 1;
    return finish(std::move(V));
  }
  bool finish(JsonValue V) {
    if (++Values > MaxJsonValues)
      return refuse(V.Range, fmt::format("there are more than {} values", MaxJsonValues));
    if (Open.empty())
      Root = std::move(V);
    else
      Open.back().Items.push_back(std::move(V));
    return true;
  }
  bool refuse(SourceRange Range, std::string Why) {
    Diags.report(diag::JsonSyntax, Range, Why);
    return false;
  }
  void warnOfDuplicates(const JsonValue &Object);

  uint32_t File;
  std::string_view Text;
  const TextStream &Stream;
  DiagnosticEngine &Diags;
  std::vector<JsonValue> Open;
  std::optional<JsonValue> Root;
  std::string PendingKey;
  SourceRange PendingRange;
  uint32_t LastEnd = 0;
  size_t Values = 0;
  unsigned Duplicates = 0;
};

void TreeBuilder::warnOfDuplicates(const JsonValue &Object) {
  constexpr unsigned MaxWarnings = 20; // a file made of them needs no more
  std::vector<const JsonValue *> Sorted;
  Sorted.reserve(Object.Items.size());
  for (const JsonValue &V : Object.Items)
    Sorted.push_back(&V);
  std::stable_sort(Sorted.begin(), Sorted.end(),
                   [](const JsonValue *A, const JsonValue *B) { return A->Key < B->Key; });
  for (size_t I = 1; I < Sorted.size(); ++I) {
    if (Sorted[I - 1]->Key != Sorted[I]->Key || ++Duplicates > MaxWarnings)
      continue;
    Diags.report(diag::JsonDuplicateKey, Sorted[I]->KeyRange, Sorted[I]->Key)
        .Notes.push_back({Sorted[I - 1]->KeyRange, "given before here; this value does not count"});
  }
}

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

std::optional<JsonValue> parseJson(uint32_t File, std::string_view Text, DiagnosticEngine &Diags) {
  if (size_t Nul = Text.find('\0'); Nul != std::string_view::npos) {
    const auto At = static_cast<uint32_t>(Nul);
    Diags.report(diag::JsonSyntax, {File, At, At + 1}, "a NUL byte is no part of a text");
    return std::nullopt;
  }
  TextStream Stream(Text);
  TreeBuilder Builder(File, Text, Stream, Diags);
  rapidjson::Reader Reader;
  constexpr unsigned Flags = rapidjson::kParseIterativeFlag |
                             rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;
  const rapidjson::ParseResult Result = Reader.Parse<Flags>(Stream, Builder);
  if (!Result.IsError())
    return Builder.take();
  if (Result.Code() != rapidjson::kParseErrorTermination) // otherwise the builder has reported
    reportJsonError(File, Text,
                    {faultOf(Result.Code()),
                     static_cast<uint32_t>(std::min(Result.Offset(), Text.size())),
                     Builder.lastEnd(), Builder.openBracket()},
                    Diags);
  return std::nullopt;
}

} // namespace parlance
