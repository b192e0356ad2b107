// Reads one word, or the text of a here-document, into its parts.
#pragma once
#include "Frameworks/Shell/Scanner.h"

namespace parlance::shell {

class WordReader {
public:
  /// Reads within `Text`, which may end before the script does.
  WordReader(std::string_view Text, uint32_t At) : Text(Text), At(At) {}

  /// From the current position to the first unquoted blank or operator.
  Word word();
  /// A word after `=~`: parentheses are part of it.
  Word regex();
  /// To the end of the text, with expansions but without quotes.
  std::vector<Part> hereDocument(bool StripTabs);
  /// What stands between `((` and `))`; the position is behind `((`. Nothing if there is no `))`.
  std::optional<Word> arithmetic();

  uint32_t position() const { return At; }
  const std::optional<ScanError> &error() const { return Error; }

private:
  enum class Until : uint8_t { Blank, Regex, Quote, Brace, End };

  void parts(Until Stop, bool Quoted, std::vector<Part> &Into, Word *Of);
  bool stops(Until Stop, char C) const;
  void literal(uint32_t Begin, uint32_t End, bool Quoted, std::vector<Part> &Into) const;
  void escape(Until Stop, bool Quoted, std::vector<Part> &Into);
  void singleQuotes(uint32_t Begin, std::vector<Part> &Into);
  void doubleQuotes(std::vector<Part> &Into, Word *Of);
  /// At a `$`; false if it is only a dollar sign.
  bool dollar(bool Quoted, std::vector<Part> &Into);
  void braced(bool Quoted, std::vector<Part> &Into);
  void command(uint32_t Begin, bool Quoted, std::vector<Part> &Into);
  bool placeholder(std::vector<Part> &Into);
  void backticks(bool Quoted, std::vector<Part> &Into);
  std::string name();
  /// Past the parenthesis that closes the one before the position.
  bool skipParentheses();
  void fail(uint32_t Begin, std::string Message);

  char peek(uint32_t Ahead = 0) const { return At + Ahead < Text.size() ? Text[At + Ahead] : '\0'; }
  bool atEnd() const { return At >= Text.size(); }

  std::string_view Text;
  uint32_t At;
  unsigned Depth = 0;
  std::optional<ScanError> Error;
};

/// The size of a placeholder of a template that begins at an offset, or 0: `<data path>` glued to a word or at the end
/// of a line, where bash would not take it for redirections.
size_t placeholderAt(std::string_view Text, size_t At);

inline bool isNameStart(char C) { return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_'; }
inline bool isDigit(char C) { return C >= '0' && C <= '9'; }
inline bool isNamePart(char C) { return isNameStart(C) || isDigit(C); }

} // namespace parlance::shell
