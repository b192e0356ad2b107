#include "Frameworks/Shell/WordReader.h"

namespace parlance::shell {

void WordReader::fail(uint32_t Begin, std::string Message) {
  if (!Error)
    Error = ScanError{{Begin, std::min<uint32_t>(Begin + 1, static_cast<uint32_t>(Text.size()))}, std::move(Message)};
  At = static_cast<uint32_t>(Text.size());
}

bool WordReader::stops(Until Stop, char C) const {
  switch (Stop) {
  case Until::Blank:
    return std::string_view(" \t\n;&|<>()").find(C) != std::string_view::npos;
  case Until::Regex:
    return C == ' ' || C == '\t' || C == '\n';
  case Until::Quote:
    return C == '"';
  case Until::Brace:
    return C == '}';
  case Until::End:
    return false;
  }
  return false;
}

void WordReader::literal(uint32_t Begin, uint32_t End, bool Quoted, std::vector<Part> &Into) const {
  if (Begin >= End)
    return;
  if (!Into.empty()) {
    Part &Last = Into.back();
    if (Last.K == Part::Kind::Literal && Last.At.End == Begin && Last.Quoted == Quoted) {
      Last.At.End = End;
      return;
    }
  }
  Part P;
  P.At = {Begin, End};
  P.Quoted = Quoted;
  Into.push_back(std::move(P));
}

/// At a backslash. Within double quotes it quotes only what would be special there.
void WordReader::escape(Until Stop, bool Quoted, std::vector<Part> &Into) {
  char C = peek(1);
  uint32_t Begin = At;
  At = std::min<uint32_t>(At + 2, static_cast<uint32_t>(Text.size()));
  if (C == '\r' && peek() == '\n') { // a continued line of a file with CRLF
    ++At;
    return;
  }
  if (C == '\n')
    return;
  bool Special = !Quoted || C == '$' || C == '`' || C == '\\' || (C == '"' && Stop != Until::End) ||
                 (C == '}' && Stop == Until::Brace);
  literal(Special && Begin + 1 < At ? Begin + 1 : Begin, At, true, Into);
}

/// `Begin` is the first byte inside; the position is there too.
void WordReader::singleQuotes(uint32_t Begin, std::vector<Part> &Into) {
  size_t Close = Text.find('\'', Begin);
  if (Close == std::string_view::npos)
    return fail(Begin - 1, "the quote `'` is not closed");
  literal(Begin, static_cast<uint32_t>(Close), true, Into);
  At = static_cast<uint32_t>(Close) + 1;
}

void WordReader::doubleQuotes(std::vector<Part> &Into, Word *Of) {
  uint32_t Begin = At++;
  parts(Until::Quote, true, Into, Of);
  if (atEnd())
    return fail(Begin, "the quote `\"` is not closed");
  ++At;
}

void WordReader::parts(Until Stop, bool Quoted, std::vector<Part> &Into, Word *Of) {
  if (++Depth > MaxNesting)
    fail(At, "quotes and expansions are nested too deeply");
  while (!atEnd() && !Error) {
    char C = peek();
    bool Process = (C == '<' || C == '>') && peek(1) == '(' && Stop == Until::Blank;
    if (C == '\\') {
      escape(Stop, Quoted, Into);
    } else if (Process) {
      uint32_t Begin = At;
      At += 2;
      command(Begin, Quoted, Into);
    } else if (C == '<' && Stop == Until::Blank && placeholder(Into)) {
      continue;
    } else if (stops(Stop, C)) {
      break;
    } else if (C == '\'' && !Quoted) {
      if (Of)
        Of->Quoted = true;
      ++At;
      singleQuotes(At, Into);
    } else if (C == '"' && Stop != Until::End) {
      if (Of)
        Of->Quoted = true;
      doubleQuotes(Into, nullptr);
    } else if (C == '`') {
      backticks(Quoted, Into);
    } else if (C == '$' && dollar(Quoted, Into)) {
      continue;
    } else if (C == '\r' && peek(1) == '\n' && Stop == Until::Blank) {
      ++At; // CRLF: bash would keep the carriage return; nobody means it
    } else {
      if (Of && (C == '*' || C == '?' || C == '[' || C == '{'))
        Of->Glob = true;
      literal(At, At + 1, Quoted, Into);
      ++At;
    }
  }
  --Depth;
}

Word WordReader::word() {
  Word W;
  W.At.Begin = At;
  parts(Until::Blank, false, W.Parts, &W);
  W.At.End = At;
  return W;
}

Word WordReader::regex() {
  Word W;
  W.At.Begin = At;
  parts(Until::Regex, false, W.Parts, &W);
  W.At.End = At;
  return W;
}

std::vector<Part> WordReader::hereDocument(bool StripTabs) {
  std::vector<Part> All;
  if (!StripTabs) {
    parts(Until::End, true, All, nullptr);
    return All;
  }
  // Line by line, so that the tabs that begin a line are left out.
  std::string_view Whole = Text;
  while (At < Whole.size() && !Error) {
    while (At < Whole.size() && Whole[At] == '\t')
      ++At;
    size_t Line = Whole.find('\n', At);
    Text = Whole.substr(0, Line == std::string_view::npos ? Line : Line + 1);
    parts(Until::End, true, All, nullptr);
  }
  Text = Whole;
  return All;
}

bool WordReader::skipParentheses() {
  unsigned Open = 1;
  while (!atEnd()) {
    char C = Text[At++];
    if (C == '\\') {
      ++At;
    } else if (C == '\'' || C == '"') {
      char Quote = C;
      while (!atEnd() && Text[At] != Quote)
        At += Quote == '"' && Text[At] == '\\' ? 2 : 1;
      ++At;
    } else if (C == '#' && At > 1 && std::string_view(" \t\n;").find(Text[At - 2]) != std::string_view::npos) {
      size_t Line = Text.find('\n', At);
      At = static_cast<uint32_t>(Line == std::string_view::npos ? Text.size() : Line);
    } else if (C == '(') {
      ++Open;
    } else if (C == ')' && --Open == 0) {
      return true;
    }
  }
  At = static_cast<uint32_t>(Text.size());
  return false;
}

std::optional<Word> WordReader::arithmetic() {
  uint32_t Begin = At, Open = 0, End = At;
  for (;; ++End) {
    if (End + 1 >= Text.size())
      return {};
    if (Text[End] == '(')
      ++Open;
    else if (Text[End] == ')' && Open > 0)
      --Open;
    else if (Text[End] == ')' && Text[End + 1] == ')')
      break;
    else if (Text[End] == ')')
      return {};
  }
  Word W;
  W.At = {Begin, End};
  WordReader Inner(Text.substr(0, End), Begin);
  Inner.Depth = Depth + 1;
  Inner.parts(Until::End, true, W.Parts, nullptr);
  At = End + 2;
  if (Inner.Error)
    fail(Inner.Error->At.Begin, Inner.Error->Message);
  return W;
}

/// A command substitution or process substitution; the position is behind its parenthesis.
void WordReader::command(uint32_t Begin, bool Quoted, std::vector<Part> &Into) {
  if (!skipParentheses())
    return fail(Begin, "the parenthesis of this command is not closed");
  Part P;
  P.K = Part::Kind::Command;
  P.Quoted = Quoted;
  P.At = {Begin, At};
  Into.push_back(std::move(P));
}

size_t placeholderAt(std::string_view Text, size_t At) {
  if (At + 2 >= Text.size() || Text[At] != '<' || !isNameStart(Text[At + 1]))
    return 0;
  size_t Close = Text.find_first_of("<>\n;&|()$\"'`", At + 1);
  if (Close == Text.npos || Text[Close] != '>')
    return 0;
  bool Glued = At > 0 && (Text[At - 1] == '=' || Text[At - 1] == '/');
  std::string_view Rest = Text.substr(Close + 1);
  bool LineEnds = Rest.empty() || Rest[0] == '\n' || Rest.starts_with("\r\n") || Rest.starts_with(" \\\n");
  return Glued || LineEnds ? Close + 1 - At : 0;
}

bool WordReader::placeholder(std::vector<Part> &Into) {
  size_t Size = placeholderAt(Text, At);
  if (Size == 0)
    return false;
  Part P;
  P.K = Part::Kind::Placeholder;
  P.At = {At, At + static_cast<uint32_t>(Size)};
  At = P.At.End;
  Into.push_back(std::move(P));
  return true;
}

void WordReader::backticks(bool Quoted, std::vector<Part> &Into) {
  uint32_t Begin = At++;
  while (!atEnd() && Text[At] != '`')
    At += Text[At] == '\\' ? 2 : 1;
  if (atEnd())
    return fail(Begin, "the backquote is not closed");
  ++At;
  Part P;
  P.K = Part::Kind::Command;
  P.Quoted = Quoted;
  P.At = {Begin, At};
  Into.push_back(std::move(P));
}

std::string WordReader::name() {
  uint32_t Begin = At;
  if (isNameStart(peek()))
    while (isNamePart(peek()))
      ++At;
  else if (isDigit(peek()))
    while (isDigit(peek()))
      ++At;
  else if (!atEnd() && std::string_view("@*#?-$!").find(peek()) != std::string_view::npos)
    ++At;
  return std::string(Text.substr(Begin, At - Begin));
}

bool WordReader::dollar(bool Quoted, std::vector<Part> &Into) {
  uint32_t Begin = At;
  char Next = peek(1);
  if (Next == '(' && peek(2) == '(') {
    At += 3;
    if (std::optional<Word> Inner = arithmetic()) {
      Part P;
      P.K = Part::Kind::Arithmetic;
      P.Quoted = Quoted;
      P.At = {Begin, At};
      P.Operand = std::move(Inner->Parts);
      Into.push_back(std::move(P));
      return true;
    }
    At = Begin;
  }
  if (Next == '(') {
    At += 2;
    command(Begin, Quoted, Into);
    return true;
  }
  if (Next == '{') {
    braced(Quoted, Into);
    return true;
  }
  if (Next == '\'' && !Quoted) {
    At += 2;
    singleQuotes(At, Into);
    return true;
  }
  if (Next == '"' && !Quoted) {
    ++At;
    doubleQuotes(Into, nullptr);
    return true;
  }
  ++At;
  Part P;
  // Outside braces a digit stands alone: `$10` is `${1}0`.
  if (isDigit(Next))
    P.Name = Text.substr(At++, 1);
  else
    P.Name = name();
  if (P.Name.empty()) {
    At = Begin;
    return false;
  }
  P.K = Part::Kind::Parameter;
  P.Quoted = Quoted;
  P.At = {Begin, At};
  Into.push_back(std::move(P));
  return true;
}

/// The operators of `${NAME…}`, the longer before those that begin them.
static std::string_view operatorAt(std::string_view Rest) {
  for (std::string_view Op : {":-", ":=", ":+", ":?", "%%", "##", "//", "/#", "/%", "^^", ",,",
                              "-",  "=",  "+",  "?",  "%",  "#",  "/",  "^",  ",",  ":",  "@"})
    if (Rest.starts_with(Op))
      return Op;
  return {};
}

void WordReader::braced(bool Quoted, std::vector<Part> &Into) {
  uint32_t Begin = At;
  At += 2;
  Part P;
  P.K = Part::Kind::Parameter;
  P.Quoted = Quoted;
  if (peek() == '!' && peek(1) != '}') {
    P.Indirect = true;
    ++At;
  } else if (peek() == '#' && peek(1) != '}') {
    P.Length = true;
    ++At;
  }
  P.Name = name();
  if (P.Name.empty())
    return fail(Begin, "`${` is not followed by the name of a variable");
  if (peek() == '[') {
    size_t Close = Text.find(']', At);
    if (Close == std::string_view::npos)
      return fail(At, "the bracket is not closed");
    P.Index = Text.substr(At + 1, Close - At - 1);
    At = static_cast<uint32_t>(Close) + 1;
  }
  P.Op = operatorAt(Text.substr(std::min<size_t>(At, Text.size())));
  At += static_cast<uint32_t>(P.Op.size());
  if (!P.Op.empty())
    parts(Until::Brace, Quoted, P.Operand, nullptr);
  if (Error)
    return;
  if (peek() != '}')
    return fail(Begin, "the brace of `${` is not closed");
  P.At = {Begin, ++At};
  Into.push_back(std::move(P));
}

} // namespace parlance::shell
