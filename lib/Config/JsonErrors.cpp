#include "Config/JsonErrors.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <array>

namespace parlance {
namespace {

bool isWordByte(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' || C == '-' ||
         C == '+' || C == '.' || C == '$' || (static_cast<unsigned char>(C) & 0x80);
}
bool isSpace(char C) { return C == ' ' || C == '\t' || C == '\r' || C == '\n'; }

/// Finds words for one stop; each function reports and returns true when it is about its case.
class Explainer {
public:
  Explainer(uint32_t File, std::string_view Text, const JsonStop &Stop, DiagnosticEngine &Diags)
      : File(File), Text(Text), Stop(Stop), Diags(Diags), Begin(tokenBegin()) {}

  void explain() {
    if (stringOrNumber() || endOfText() || placeholder() || comment() || punctuation() || word())
      return;
    say(Begin, Begin + characterLength(Begin), "unexpected character; a value was expected here");
  }

private:
  Diagnostic &say(size_t From, size_t To, const std::string &Message) {
    return Diags.report(diag::JsonSyntax, range(From, To), Message);
  }
  SourceRange range(size_t From, size_t To) const {
    From = std::min(From, Text.size());
    return {File, static_cast<uint32_t>(From), static_cast<uint32_t>(std::clamp(To, From, Text.size()))};
  }
  /// The reader may have stopped inside a word (`tru`).
  size_t tokenBegin() const {
    size_t I = Stop.Offset;
    while (I > Stop.LastEnd && isWordByte(Text[I - 1]))
      --I;
    return I;
  }
  size_t wordEnd(size_t I) const {
    while (I < Text.size() && isWordByte(Text[I]))
      ++I;
    return I;
  }
  size_t characterLength(size_t I) const {
    size_t Length = 1;
    while (I + Length < Text.size() && (static_cast<unsigned char>(Text[I + Length]) & 0xC0) == 0x80)
      ++Length;
    return Length;
  }
  std::string_view rest() const { return Text.substr(Begin); }
  std::string shown(size_t From, size_t To) const {
    constexpr size_t Longest = 40;
    if (To - From <= Longest)
      return std::string(Text.substr(From, To - From));
    To = From + Longest;
    while (To > From && (static_cast<unsigned char>(Text[To]) & 0xC0) == 0x80)
      --To; // not inside a character
    return std::string(Text.substr(From, To - From)) + "…";
  }

  bool stringOrNumber();
  bool endOfText();
  bool placeholder();
  bool comment();
  bool punctuation();
  bool trailingComma();
  bool word();
  bool missingComma();

  uint32_t File;
  std::string_view Text;
  const JsonStop &Stop;
  DiagnosticEngine &Diags;
  size_t Begin;
};

bool Explainer::stringOrNumber() {
  const size_t At = Stop.Offset;
  switch (Stop.Fault) {
  case JsonFault::OpenString: {
    const size_t Quote = Text.find('"', Stop.LastEnd);
    say(Quote, Quote + 1, "this string is never closed");
    return true;
  }
  case JsonFault::Escape:
    if (At < Text.size() && static_cast<unsigned char>(Text[At]) < 0x20)
      say(Text.find('"', Stop.LastEnd), At,
          Text[At] == '\n' || Text[At] == '\r'
              ? "this string is not closed on its line"
              : "a control character in a string is written as an escape, such as `\\t`");
    else
      say(At, At + 2, "unknown escape in a string; a backslash is written `\\\\`");
    return true;
  case JsonFault::Surrogate:
    say(At, At + 6, "half of a surrogate pair; the other half must follow");
    return true;
  case JsonFault::NumberTooLarge:
    say(Begin, wordEnd(Begin), "number too large");
    return true;
  case JsonFault::Number:
    say(Begin, wordEnd(Begin), fmt::format("`{}` is not a number: a digit is missing", shown(Begin, wordEnd(Begin))));
    return true;
  default:
    return false;
  }
}

bool Explainer::endOfText() {
  if (Stop.Offset < Text.size())
    return false;
  if (Begin < Stop.Offset)
    return false; // ends inside a word
  if (Stop.Open)
    say(Stop.Open->Begin, Stop.Open->End,
        fmt::format("`{}` is never closed: the text ends too early", Text[Stop.Open->Begin]));
  else
    say(0, 0, "there is no JSON: the text is empty");
  return true;
}

bool Explainer::placeholder() {
  // A template's opening brackets; `{{` was understood up to the second one, as an object without a key.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> Kinds{
      {{"{{", "}}"}, {"{%", "%}"}, {"<", ">"}, {"${", "}"}, {"$(", ")"}}};
  size_t From = Begin;
  if (From > 0 && From == Stop.LastEnd && Text[From - 1] == '{' && Stop.Fault == JsonFault::NoKey)
    --From;
  for (auto [Open, Close] : Kinds) {
    if (!Text.substr(From).starts_with(Open))
      continue;
    const size_t LineEnd = std::min(Text.find('\n', From), Text.size());
    const size_t To = Text.find(Close, From);
    const size_t End = To < LineEnd ? To + Close.size() : From + Open.size();
    say(From, End, fmt::format("`{}` is a template's placeholder; fill the template in first", shown(From, End)));
    return true;
  }
  return false;
}

bool Explainer::comment() {
  if (!rest().starts_with("//") && !rest().starts_with("/*") && !rest().starts_with("#"))
    return false;
  say(Begin, std::min(Text.find('\n', Begin), Text.size()), "JSON has no comments");
  return true;
}

bool Explainer::trailingComma() {
  size_t Comma = Begin;
  while (Comma > Stop.LastEnd && isSpace(Text[Comma - 1]))
    --Comma;
  if (Comma <= Stop.LastEnd || Text[Comma - 1] != ',')
    return false;
  say(Comma - 1, Comma, fmt::format("no comma may stand before `{}`", Text[Begin]))
      .Fixes.push_back({"remove it", Applicability::Machine, {{range(Comma - 1, Comma), ""}}, {}});
  return true;
}

bool Explainer::punctuation() {
  const char C = Text[Begin];
  if (Stop.Fault == JsonFault::TrailingText) {
    say(Begin, std::max(wordEnd(Begin), Begin + 1), "the document has ended before; nothing may follow");
    return true;
  }
  if (C == '\'') {
    say(Begin, Begin + 1, "strings stand in double quotes, not in single ones");
    return true;
  }
  if (C == ']' || C == '}') {
    const char Wanted = Stop.Open && Text[Stop.Open->Begin] == '[' ? ']' : '}';
    if (Stop.Open && C != Wanted)
      say(Begin, Begin + 1, fmt::format("`{}` does not close `{}`", C, Text[Stop.Open->Begin]))
          .Notes.push_back({*Stop.Open, "opened here"});
    else if (!trailingComma())
      say(Begin, Begin + 1, fmt::format("`{}` stands where a value was expected", C));
    return true;
  }
  if (C == ',' || C == ':') {
    say(Begin, Begin + 1,
        fmt::format("`{}` stands where {} was expected", C,
                    Stop.Fault == JsonFault::NoKey     ? "a key"
                    : Stop.Fault == JsonFault::NoComma ? "`,` or the closing bracket"
                    : Stop.Fault == JsonFault::NoColon ? "`:`"
                                                       : "a value"));
    return true;
  }
  return missingComma();
}

bool Explainer::missingComma() {
  const char C = Text[Begin];
  const bool StartsValue = C == '"' || C == '{' || C == '[' || C == '-' || (C >= '0' && C <= '9');
  if (Stop.Fault == JsonFault::NoComma && StartsValue && Stop.LastEnd > 0) {
    const bool Apart = Begin > Stop.LastEnd; // `01` is a number and a number only to the reader
    if (!Apart) {
      say(Begin, std::max(wordEnd(Begin), Begin + 1), "`,` or the closing bracket was expected");
      return true;
    }
    say(Stop.LastEnd - 1, Stop.LastEnd, "`,` is missing behind this value")
        .Fixes.push_back({"add it", Applicability::Maybe, {{range(Stop.LastEnd, Stop.LastEnd), ","}}, {}});
    return true;
  }
  if (Stop.Fault == JsonFault::NoColon) {
    say(Begin, std::max(wordEnd(Begin), Begin + 1), "`:` is missing behind the key");
    return true;
  }
  if (Stop.Fault == JsonFault::NoKey && StartsValue) {
    say(Begin, std::max(wordEnd(Begin), Begin + 1), "a key in double quotes was expected");
    return true;
  }
  return false;
}

bool Explainer::word() {
  const size_t End = wordEnd(Begin);
  if (End == Begin)
    return false;
  const std::string_view Word = Text.substr(Begin, End - Begin);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> Meant{{{"True", "true"},
                                                                                       {"False", "false"},
                                                                                       {"None", "null"},
                                                                                       {"nan", "NaN"},
                                                                                       {"inf", "Infinity"},
                                                                                       {"TRUE", "true"},
                                                                                       {"FALSE", "false"}}};
  for (auto [Written, Right] : Meant)
    if (Word == Written) {
      say(Begin, End, fmt::format("`{}` is written `{}` in JSON", Word, Right))
          .Fixes.push_back(
              {fmt::format("`{}`", Right), Applicability::Machine, {{range(Begin, End), std::string(Right)}}, {}});
      return true;
    }
  const char C = Word[0];
  if ((C >= '0' && C <= '9') || C == '-' || C == '+' || C == '.')
    say(Begin, End, fmt::format("`{}` is not a number as JSON writes it", shown(Begin, End)));
  else
    say(Begin, End,
        fmt::format("`{}` is a bare word; {} stand in double quotes", shown(Begin, End),
                    Stop.Fault == JsonFault::NoKey ? "keys" : "strings"));
  return true;
}

} // namespace

void reportJsonError(uint32_t File, std::string_view Text, const JsonStop &Stop, DiagnosticEngine &Diags) {
  Explainer(File, Text, Stop, Diags).explain();
}

} // namespace parlance
