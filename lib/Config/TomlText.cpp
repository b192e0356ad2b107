#include "Config/TomlText.h"
#include <algorithm>

namespace parlance {
namespace {

/// One pass over the tokens of a TOML text, as far as keys, values and brackets have to be told apart. What is wrong it
/// passes over: the parser reports it.
class Scanner {
public:
  Scanner(uint32_t File, std::string_view Text) : File(File), Text(Text) { Out.Text = Text; }
  TomlText run() {
    while (I < Text.size() && !Out.TooDeep)
      step();
    return std::move(Out);
  }

private:
  void step();
  void string();
  bool placeholder();
  void open();
  void close();
  void newLine();
  void dot();
  SourceRange here() const { return {File, static_cast<uint32_t>(I), static_cast<uint32_t>(I + 1)}; }

  uint32_t File;
  std::string_view Text;
  TomlText Out;
  size_t I = 0;
  bool InValue = false;       ///< behind the `=` of a line
  bool WantValue = false;     ///< a value is next, if anything
  unsigned Dots = 0;          ///< of the key that is being read
  unsigned Depth = 0;         ///< of the brackets and dotted keys around it
  std::vector<unsigned> Open; ///< what each open bracket added to Depth
};

void Scanner::step() {
  const char C = Text[I];
  if (C == ' ' || C == '\t' || C == '\r') {
    ++I;
    return;
  }
  if (C == '#') {
    I = std::min(Text.find('\n', I), Text.size());
    return;
  }
  if (C == '\n')
    return newLine();
  if (C == '"' || C == '\'')
    return string();
  if (WantValue && placeholder())
    return;
  if (C == '.')
    return dot();
  if (InValue && (C == '[' || C == '{'))
    return open();
  if (InValue && (C == ']' || C == '}'))
    return close();
  if (C == '=') {
    InValue = WantValue = true;
  } else if (InValue && C == ',') {
    Dots = 0;
    WantValue = true;
  } else {
    WantValue = false;
  }
  ++I;
}

void Scanner::newLine() {
  ++I;
  if (!Open.empty())
    return;
  InValue = WantValue = false;
  Dots = 0;
}

void Scanner::dot() {
  WantValue = false;
  if (Depth + ++Dots > MaxConfigDepth)
    Out.TooDeep = here();
  ++I;
}

void Scanner::open() {
  Open.push_back(Dots + 1);
  Depth += Open.back();
  if (Depth > MaxConfigDepth)
    Out.TooDeep = here();
  WantValue = Text[I] == '[';
  Dots = 0;
  ++I;
}

void Scanner::close() {
  if (!Open.empty()) {
    Depth -= Open.back();
    Open.pop_back();
  }
  WantValue = false;
  Dots = 0;
  ++I;
}

void Scanner::string() {
  WantValue = false;
  const char Quote = Text[I];
  const bool Long = Text.substr(I).starts_with(std::string(3, Quote));
  const std::string End(Long ? 3 : 1, Quote);
  for (I += End.size(); I < Text.size(); ++I) {
    if (Text.substr(I).starts_with(End)) {
      I += End.size();
      while (Long && I < Text.size() && Text[I] == Quote) // up to two belong to the string
        ++I;
      return;
    }
    if (Text[I] == '\n' && !Long)
      return;
    if (Text[I] == '\\' && Quote == '"')
      ++I;
  }
  I = Text.size();
}

bool Scanner::placeholder() {
  const size_t Length = placeholderLength(Text, I, true);
  if (Length < 2)
    return false;
  size_t After = I + Length; // it has to be the whole value
  while (After < Text.size() && (Text[After] == ' ' || Text[After] == '\t' || Text[After] == '\r'))
    ++After;
  if (After < Text.size() && std::string_view(",]}\n#").find(Text[After]) == std::string_view::npos)
    return false;
  Out.Placeholders.push_back({File, static_cast<uint32_t>(I), static_cast<uint32_t>(I + Length)});
  std::fill_n(Out.Text.begin() + static_cast<ptrdiff_t>(I), Length, 'x');
  Out.Text[I] = Out.Text[I + Length - 1] = '"';
  I += Length;
  WantValue = false;
  return true;
}

} // namespace

TomlText prepareToml(uint32_t File, std::string_view Text) { return Scanner(File, Text).run(); }

} // namespace parlance
