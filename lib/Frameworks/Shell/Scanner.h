// Tokens of a script: words in parts, operators, reserved words where they are reserved, and the here-documents cut out
// and attached to their operators.
#pragma once
#include "Frameworks/Shell/Tree.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::shell {

/// In the order of the grammar's `tokens`; Parser.cpp holds them against each other.
enum class Tok : uint8_t {
  End,
  Word,
  Assign,
  Function,
  Redirect,
  HereDoc,
  Arith,
  TestBegin,
  TestEnd,
  Newline,
  Semi,
  DSemi,
  Amp,
  And,
  Or,
  Pipe,
  LParen,
  RParen,
  LBrace,
  RBrace,
  Bang,
  If,
  Then,
  Elif,
  Else,
  Fi,
  For,
  In,
  Do,
  Done,
  While,
  Case,
  Esac
};

struct Lexeme {
  Tok Kind = Tok::End;
  Span At;
  uint32_t Payload = 0; ///< index into Words, Assignments or HereDocuments
};

struct ScanError {
  Span At;
  std::string Message;
};

struct Tokens {
  std::string_view Text;
  std::vector<Lexeme> List; ///< ends with Tok::End
  std::vector<Word> Words;  ///< also of FUNCTION (its name) and ARITH (its expression)
  std::vector<Assignment> Assignments;
  std::vector<HereDocument> HereDocuments;
  std::vector<Span> Comments;
  std::optional<ScanError> Error; ///< scanning stopped there
};

/// How deeply quotes and expansions, and commands in commands, may nest.
inline constexpr unsigned MaxNesting = 60;

Tokens scan(std::string_view Text);

} // namespace parlance::shell
