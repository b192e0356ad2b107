// The words for what toml++ finds. Its own name functions and characters of the parser; where it stops, and the text
// around, are enough to say what a person has to change.
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include "Config/TomlText.h"
#include <algorithm>

namespace parlance {
namespace {

bool isWordByte(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_' || C == '-' ||
         C == '+' || C == '.' || C == ':' || (static_cast<unsigned char>(C) & 0x80);
}

class Explainer {
public:
  Explainer(uint32_t File, std::string_view Text, size_t At, std::string_view Found, DiagnosticEngine &Diags)
      : File(File), Text(Text), At(std::min(At, Text.size())), Found(Found), Diags(Diags) {}

  void explain() {
    if (!redefined() && !placeholder() && !cutShort() && !word() && !listed())
      say(At, characterEnd(), "this is not TOML");
  }

private:
  Diagnostic &say(size_t From, size_t To, const std::string &Message) {
    From = std::min(From, Text.size());
    To = std::clamp(To, From, Text.size());
    return Diags.report(diag::TomlSyntax, {File, static_cast<uint32_t>(From), static_cast<uint32_t>(To)}, Message);
  }
  bool found(std::string_view Words) const { return Found.find(Words) != std::string_view::npos; }
  size_t characterEnd() const {
    size_t End = At + 1;
    while (End < Text.size() && isContinuation(Text[End]))
      ++End;
    return End;
  }
  size_t lineBegin() const {
    const size_t Break = At == 0 ? std::string_view::npos : Text.rfind('\n', At - 1);
    return Break == std::string_view::npos ? 0 : Break + 1;
  }
  size_t lineEnd() const {
    size_t End = std::min(Text.find('\n', At), Text.size());
    while (End > At && (Text[End - 1] == '\r' || Text[End - 1] == ' ' || Text[End - 1] == '\t'))
      --End;
    return End;
  }
  /// The word around the place where the parser stopped.
  std::pair<size_t, size_t> wordAround() const {
    size_t From = At, To = At;
    while (From > 0 && isWordByte(Text[From - 1]))
      --From;
    while (To < Text.size() && isWordByte(Text[To]))
      ++To;
    return {From, To};
  }

  bool redefined();
  bool placeholder();
  bool cutShort();
  bool word();
  bool listed();

  uint32_t File;
  std::string_view Text;
  size_t At;
  std::string_view Found;
  DiagnosticEngine &Diags;
};

bool Explainer::redefined() {
  const size_t Open = Found.find('\''), Close = Found.rfind('\'');
  const bool Again = found("cannot redefine existing"), Closed = found("cannot insert");
  if ((!Again && !Closed) || Open == std::string_view::npos || Open == Close)
    return false;
  const std::string_view Name = Found.substr(Open + 1, Close - Open - 1);
  const bool Header = found("table header");
  const size_t From = lineBegin();
  const size_t Equals = Text.rfind('=', At);
  const bool OnLine = Equals != std::string_view::npos && Equals >= From;
  size_t To = Header ? lineEnd() : OnLine ? Equals : At;
  if (size_t Comment = Text.substr(From, To - From).find('#'); Comment != std::string_view::npos)
    To = From + Comment;
  while (To > From && (Text[To - 1] == ' ' || Text[To - 1] == '\t'))
    --To;
  size_t Begin = From;
  while (Begin < To && (Text[Begin] == ' ' || Text[Begin] == '\t'))
    ++Begin;
  if (!Header && OnLine) // inside an inline table the key follows `{` or `,`
    if (size_t Before = Text.substr(Begin, To - Begin).find_last_of("{,"); Before != std::string_view::npos)
      Begin += Before + 1 + (Text[Begin + Before + 1] == ' ');
  say(Begin, To,
      Closed ? fmt::format("`{}` adds to a table that is closed by its braces", printable(Name))
             : fmt::format("`{}` is given before; TOML allows it once", printable(Name)));
  return true;
}

bool Explainer::placeholder() {
  for (size_t From : {At, At - std::min<size_t>(At, 1)})
    if (From < Text.size() && !isWordByte(Text[From]))
      if (size_t Length = placeholderLength(Text, From, false)) {
        say(From, From + Length,
            fmt::format("`{}` is a template's placeholder; fill the template in first",
                        printable(Text.substr(From, Length))));
        return true;
      }
  return false;
}

bool Explainer::cutShort() {
  if (!found("end-of-file"))
    return false;
  const auto [From, To] = wordAround();
  if (found("parsing array"))
    say(Text.size(), Text.size(), "the text ends inside a list: `]` is missing");
  else if (found("inline table"))
    say(Text.size(), Text.size(), "the text ends inside a table: `}` is missing");
  else if (found("table header"))
    say(lineBegin(), Text.size(), "the text ends inside a header: `]` is missing");
  else if (found("string"))
    say(Text.size(), Text.size(), "the text ends inside a string that is never closed");
  else if (found("key-value"))
    say(lineBegin(), Text.size(),
        Text.substr(lineBegin()).find('=') == std::string_view::npos ? "a key needs `=` and a value"
                                                                     : "the value is missing");
  else
    say(From, To, fmt::format("`{}` is not a complete value", printable(Text.substr(From, To - From))));
  return true;
}

bool Explainer::word() {
  const bool Date = found("parsing date") || found("parsing time");
  const bool Number = found("integer:") || found("floating-point:");
  if (!Date && !Number && !found("parsing boolean") && !found("could not determine value type") &&
      !found("begin with underscores"))
    return false;
  const auto [From, To] = wordAround();
  const std::string Shown = printable(Text.substr(From, std::min<size_t>(To - From, 40)));
  const char First = From < To ? Text[From] : '\0';
  for (auto [Written, Right] : {std::pair<std::string_view, std::string_view>{"True", "true"},
                                {"TRUE", "true"},
                                {"yes", "true"},
                                {"False", "false"},
                                {"FALSE", "false"},
                                {"no", "false"},
                                {"NaN", "nan"},
                                {"Infinity", "inf"}})
    if (Shown == Written) {
      say(From, To, fmt::format("`{}` is written `{}` in TOML", Written, Right))
          .Fixes.push_back({fmt::format("`{}`", Right),
                            Applicability::Machine,
                            {{{File, static_cast<uint32_t>(From), static_cast<uint32_t>(To)}, std::string(Right)}},
                            {}});
      return true;
    }
  if (Shown == "null" || Shown == "None")
    say(From, To, "TOML has no null: leave the key out");
  else if (found("leading zeroes"))
    say(From, To, fmt::format("`{}`: a number does not begin with a zero", Shown));
  else if (found("64 bits") || found("could not be interpreted"))
    say(From, To, "number too large");
  else if (Date)
    say(From, To, fmt::format("`{}` is not a date or time", Shown));
  else if (First == '+' || First == '-' || First == '.' || (First >= '0' && First <= '9'))
    say(From, To, fmt::format("`{}` is not a number as TOML writes it", Shown));
  else if (From < To)
    say(From, To, fmt::format("`{}` is a bare word; strings stand in quotes", Shown));
  else
    return false;
  return true;
}

bool Explainer::listed() {
  static constexpr std::pair<std::string_view, std::string_view> Words[] = {
      {"dangling comma", "no comma may stand before `}` in TOML"},
      {"expected a comment", "nothing but a comment may follow here on the line"},
      {"expected '='", "`=` is missing behind the key"},
      {"expected value or closing", "a value is missing before this `,`"},
      {"expected value", "the value is missing"},
      {"expected comma or closing ']'", "`,` or `]` was expected here"},
      {"expected comma or closing '}'", "`,` or `}` was expected here"},
      {"expected key", "a key was expected here"},
      {"expected bare key", "a key was expected here"},
      {"blank bare keys", "a section needs a name"},
      {"expected ']'", "`]` was expected here"},
      {"unknown escape", "unknown escape in a string; a backslash is written `\\\\`"},
      {"hex digit", "the escape needs hexadecimal digits"},
      {"U+10FFFF", "the escape is not a character"},
      {"surrogates", "the escape is half of a surrogate pair, which is not a character"},
      {"after '\\r'", "a carriage return alone is not a line break"},
      {"maximum nested", "brackets are nested too deep"},
  };
  if (found("control character")) {
    if (At < Text.size() && (Text[At] == '\n' || Text[At] == '\r'))
      say(At, At, "this string is not closed on its line");
    else
      say(At, characterEnd(), "a control character may only be written as an escape, such as `\\u0007`");
    return true;
  }
  for (auto [Theirs, Ours] : Words)
    if (found(Theirs)) {
      say(At, characterEnd(), std::string(Ours));
      return true;
    }
  return false;
}

} // namespace

void reportTomlError(uint32_t File, std::string_view Text, size_t At, std::string_view Found, DiagnosticEngine &Diags) {
  Explainer(File, Text, At, Found, Diags).explain();
}

} // namespace parlance
