// RapidJSON's own flags for comments and trailing commas do not reach `#`, missing commas, bare keys and strings, nor
// placeholders; and its reader reports a comma before a bracket only with them off. So one pass before it does all of
// that.
#include "Config/RelaxedJson.h"
#include <algorithm>

namespace parlance {
namespace {

bool isBlank(char C) { return C == ' ' || C == '\t' || C == '\r'; }
bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// `true`, `false`, `null` or a number, which Hjson does not take for a string.
bool isLiteral(std::string_view Word) {
  for (std::string_view Known : {"true", "false", "null", "NaN", "Infinity", "-Infinity"})
    if (Word == Known)
      return true;
  size_t I = Word.starts_with('-') ? 1 : 0;
  const auto Digits = [&] {
    const size_t From = I;
    while (I < Word.size() && isDigit(Word[I]))
      ++I;
    return I - From;
  };
  const bool Zero = I < Word.size() && Word[I] == '0';
  const size_t Whole = Digits();
  if (Whole == 0 || (Zero && Whole > 1))
    return false;
  if (I < Word.size() && Word[I] == '.') {
    ++I;
    if (Digits() == 0)
      return false;
  }
  if (I < Word.size() && (Word[I] == 'e' || Word[I] == 'E')) {
    ++I;
    if (I < Word.size() && (Word[I] == '+' || Word[I] == '-'))
      ++I;
    if (Digits() == 0)
      return false;
  }
  return I == Word.size();
}

class Relaxer {
public:
  Relaxer(std::string_view Text, bool Hjson) : Text(Text), Hjson(Hjson) {
    Out.Text.reserve(Text.size());
    Out.Original.reserve(Text.size());
    Out.Size = static_cast<uint32_t>(Text.size());
  }

  RelaxedJson run() {
    while (I < Text.size())
      step();
    return std::move(Out);
  }

private:
  enum class Last : uint8_t { Nothing, Open, Comma, Colon, Value };

  void emit(char C, size_t From) {
    Out.Text += C;
    Out.Original.push_back(static_cast<uint32_t>(From));
  }
  void copy() {
    emit(Text[I], I);
    ++I;
  }
  bool wantKey() const { return !Open.empty() && Open.back() == '{' && Before != Last::Colon; }
  std::string_view rest() const { return Text.substr(I); }

  void step();
  void separator();
  void comment();
  void quoted();
  void singleQuoted();
  bool placeholder();
  void bareKey();
  void bareValue();
  /// The bytes [From, To) of the file as a string.
  void emitString(size_t From, size_t To);
  /// Before something begins: the comma that the end of a line stands for.
  void begin() {
    if (Hjson && Before == Last::Value && NewLine && !Open.empty())
      emit(',', I);
    NewLine = false;
  }

  std::string_view Text;
  const bool Hjson;
  RelaxedJson Out;
  size_t I = 0;
  std::string Open; ///< the brackets that are open
  Last Before = Last::Nothing;
  size_t CommaAt = 0; ///< in the output, of the comma that was before
  bool NewLine = false;
};

void Relaxer::step() {
  const char C = Text[I];
  if (isBlank(C) || C == '\n') {
    NewLine |= C == '\n';
    return copy();
  }
  if (Hjson && (C == '#' || rest().starts_with("//") || rest().starts_with("/*")))
    return comment();
  if (C == ',' || C == ':' || C == ']' || C == '}')
    return separator();
  begin();
  if (!wantKey() && Before != Last::Value && placeholder())
    return;
  const bool Key = wantKey();
  if (C == '{' || C == '[') {
    Open += C;
    Before = Last::Open;
    return copy();
  }
  if (C == '"')
    quoted();
  else if (Hjson && C == '\'' && !rest().starts_with("'''"))
    singleQuoted();
  else if (Hjson && Key)
    bareKey();
  else if (Hjson)
    bareValue();
  else
    copy();
  Before = Last::Value;
}

void Relaxer::separator() {
  const char C = Text[I];
  if (C == ',') {
    CommaAt = Out.Text.size();
    Before = Last::Comma;
  } else if (C == ':') {
    Before = Last::Colon;
  } else {
    if (Hjson && Before == Last::Comma)
      Out.Text[CommaAt] = ' ';
    if (!Open.empty())
      Open.pop_back();
    Before = Last::Value;
  }
  NewLine = false;
  copy();
}

void Relaxer::comment() {
  size_t End = std::string_view::npos;
  if (rest().starts_with("/*")) {
    End = Text.find("*/", I + 2);
    if (End != std::string_view::npos)
      End += 2;
  } else {
    End = Text.find('\n', I);
  }
  for (End = std::min(End, Text.size()); I < End; ++I) {
    NewLine |= Text[I] == '\n';
    emit(Text[I] == '\n' ? '\n' : ' ', I);
  }
}

void Relaxer::quoted() {
  copy();
  while (I < Text.size() && Text[I] != '"' && Text[I] != '\n') {
    if (Text[I] == '\\' && I + 1 < Text.size())
      copy();
    copy();
  }
  if (I < Text.size() && Text[I] == '"')
    copy();
}

void Relaxer::singleQuoted() {
  size_t End = I + 1;
  while (End < Text.size() && Text[End] != '\'' && Text[End] != '\n')
    End += Text[End] == '\\' ? 2 : 1;
  if (End >= Text.size() || Text[End] == '\n')
    return copy(); // never closed: for the parser to report
  emit('"', I);
  for (++I; I < End; copy()) {
    if (Text[I] == '\\' && Text[I + 1] == '\'')
      ++I;
    else if (Text[I] == '\\')
      copy();
    else if (Text[I] == '"')
      emit('\\', I);
  }
  emit('"', End);
  I = End + 1;
}

void Relaxer::emitString(size_t From, size_t To) {
  emit('"', From);
  for (size_t J = From; J < To; ++J) {
    if (Text[J] == '"' || Text[J] == '\\')
      emit('\\', J);
    emit(static_cast<unsigned char>(Text[J]) < 0x20 ? ' ' : Text[J], J);
  }
  emit('"', To - 1);
}

bool Relaxer::placeholder() {
  const size_t Length = placeholderLength(Text, I, true);
  if (Length == 0)
    return false;
  size_t After = I + Length; // it has to be the whole value
  while (After < Text.size() && isBlank(Text[After]))
    ++After;
  if (After < Text.size() && std::string_view(",]}\n#/").find(Text[After]) == std::string_view::npos)
    return false;
  Out.Placeholders.push_back({static_cast<uint32_t>(I), std::string(Text.substr(I, Length))});
  emitString(I, I + Length);
  I += Length;
  Before = Last::Value;
  return true;
}

void Relaxer::bareKey() {
  const size_t End = std::min(Text.find_first_of(" \t\r\n,:[]{}\"", I), Text.size());
  if (End == I)
    return copy();
  emitString(I, End);
  I = End;
}

void Relaxer::bareValue() {
  const auto Trimmed = [&](size_t End) {
    while (End > I && isBlank(Text[End - 1]))
      --End;
    return End;
  };
  // The end of the line is looked for last: a file may be one long line.
  size_t Stop = I;
  while (Stop < Text.size() && std::string_view(",]}#\n").find(Text[Stop]) == std::string_view::npos &&
         !Text.substr(Stop).starts_with("//") && !Text.substr(Stop).starts_with("/*"))
    ++Stop;
  const size_t Word = Trimmed(Stop);
  if (isLiteral(Text.substr(I, Word - I))) {
    while (I < Word)
      copy();
    return;
  }
  const size_t End = Trimmed(std::min(Text.find('\n', I), Text.size()));
  emitString(I, End);
  I = End;
}

} // namespace

RelaxedJson relaxJson(std::string_view Text, bool Hjson) { return Relaxer(Text, Hjson).run(); }

} // namespace parlance
