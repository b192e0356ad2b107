// The words for what libyaml finds. Its own speak of tokens and nodes.
#include "Config/YamlErrors.h"
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include <algorithm>

namespace parlance {
namespace {

class Explainer {
public:
  Explainer(uint32_t File, std::string_view Text, const YamlStop &Stop, DiagnosticEngine &Diags)
      : File(File), Text(Text), Stop(Stop), Diags(Diags), At(std::min(Stop.At, Text.size())),
        Around(std::min(Stop.Around, Text.size())) {}

  void explain() {
    if (!placeholder() && !character() && !structure() && !listed())
      say(At, characterEnd(At), "this is not YAML");
  }

private:
  Diagnostic &say(size_t From, size_t To, const std::string &Message) {
    return Diags.report(diag::YamlSyntax, range(From, To), Message);
  }
  SourceRange range(size_t From, size_t To) const {
    From = std::min(From, Text.size());
    return {File, static_cast<uint32_t>(From), static_cast<uint32_t>(std::clamp(To, From, Text.size()))};
  }
  bool found(std::string_view Words) const { return Stop.Problem.find(Words) != std::string_view::npos; }
  bool within(std::string_view Words) const { return Stop.Context.find(Words) != std::string_view::npos; }
  size_t characterEnd(size_t I) const {
    size_t End = I + 1;
    while (End < Text.size() && isContinuation(Text[End]))
      ++End;
    return End;
  }
  size_t lineEnd(size_t I) const {
    size_t End = std::min(Text.find('\n', I), Text.size());
    while (End > I && (Text[End - 1] == '\r' || Text[End - 1] == ' '))
      --End;
    return End;
  }

  bool placeholder();
  bool character();
  bool structure();
  bool listed();

  uint32_t File;
  std::string_view Text;
  const YamlStop &Stop;
  DiagnosticEngine &Diags;
  size_t At, Around;
};

/// The parser stops in or behind the first placeholder of a line that it cannot read.
bool Explainer::placeholder() {
  const size_t Break = At == 0 ? std::string_view::npos : Text.rfind('\n', At - 1);
  const size_t Line = Break == std::string_view::npos ? 0 : Break + 1;
  for (size_t From = Line; From < lineEnd(At); ++From) {
    if (!Text.substr(From).starts_with("{{") && !Text.substr(From).starts_with("{%"))
      continue;
    const size_t Length = placeholderLength(Text, From, false);
    if (Length == 0)
      continue;
    say(From, From + Length,
        fmt::format("`{}` is a template's placeholder; fill the template in first",
                    printable(Text.substr(From, Length))));
    return true;
  }
  return false;
}

bool Explainer::character() {
  const char C = At < Text.size() ? Text[At] : '\0';
  if (found("tab character") || (found("cannot start any token") && C == '\t')) {
    say(At, At + 1, "a tab may not stand here; YAML is indented with spaces");
    return true;
  }
  if (found("cannot start any token")) {
    say(At, characterEnd(At),
        fmt::format("`{}` cannot begin a value; strings that do need quotes",
                    printable(Text.substr(At, characterEnd(At) - At))));
    return true;
  }
  if (found("control characters")) {
    say(At, characterEnd(At), "a control character may not stand in YAML");
    return true;
  }
  return false;
}

bool Explainer::structure() {
  if (found("expected ',' or")) {
    const bool List = found("']'");
    say(At, characterEnd(At), fmt::format("`,` or `{}` was expected here", List ? ']' : '}'))
        .Notes.push_back({range(Around, Around + 1), "opened here"});
    return true;
  }
  if (found("expected key") || found("expected '-'")) {
    say(At, lineEnd(At),
        found("key") ? "this does not continue the object around it: a key with the same "
                       "indentation was expected"
                     : "this does not continue the list around it: a `-` with the same "
                       "indentation was expected")
        .Notes.push_back({range(Around, lineEnd(Around)), "it begins here"});
    return true;
  }
  if (found("end of stream") && within("quoted scalar")) {
    say(Around, Around + 1, "this string is never closed");
    return true;
  }
  if (found("could not find expected ':'")) {
    say(Around, lineEnd(Around), "`:` is missing behind this key");
    return true;
  }
  return false;
}

bool Explainer::listed() {
  static constexpr std::pair<std::string_view, std::string_view> Words[] = {
      {"mapping values are not allowed",
       "a `:` may not stand here: a string that contains `: ` needs quotes, and the keys of an "
       "object stand below each other"},
      {"block sequence entries are not allowed", "a list may not begin here"},
      {"mapping keys are not allowed", "a key may not stand here"},
      {"expected node content", "a value was expected here"},
      {"<document start>", "the document has ended before; nothing may follow"},
      {"document indicator", "the document ends inside a string that is never closed"},
      {"unknown escape", "unknown escape in a string; a backslash is written `\\\\`"},
      {"hexdecimal", "the escape needs hexadecimal digits"},
      {"invalid Unicode", "the escape is not a character"},
      {"alphabetic or numeric", "a name is missing behind `&` or `*`"},
      {"undefined tag handle", "the tag begins with a handle that no %TAG line declares"},
      {"indentation indicator", "the indentation of a block string is a digit from 1 to 9"},
      {"comment or line break", "nothing but a comment may follow here on the line"},
      {"incompatible YAML document", "the document is of another version of YAML"},
      {"directive", "this is not a directive of YAML"},
      {"version number", "`%YAML` needs a version, such as 1.1"},
  };
  for (auto [Theirs, Ours] : Words)
    if (found(Theirs)) {
      say(At, characterEnd(At), std::string(Ours));
      return true;
    }
  return false;
}

} // namespace

void reportYamlError(uint32_t File, std::string_view Text, const YamlStop &Stop, DiagnosticEngine &Diags) {
  Explainer(File, Text, Stop, Diags).explain();
}

} // namespace parlance
