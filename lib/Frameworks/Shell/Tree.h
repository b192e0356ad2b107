// A script as a tree. Offsets are into the flat text of the unit that was read (Unit.h).
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parlance::shell {

/// An offset range of a unit.
struct Span {
  uint32_t Begin = 0, End = 0;
};

/// A part of a word as it is written.
struct Part {
  enum class Kind : uint8_t {
    Literal,     ///< the text of its span, byte for byte
    Parameter,   ///< $NAME, ${NAME…}
    Arithmetic,  ///< $(( Operand ))
    Command,     ///< $( … ), ` … `, <( … )
    Placeholder, ///< <path to your data>, as templates have it
  };
  Kind K = Kind::Literal;
  bool Quoted = false;
  Span At;
  // Of a parameter:
  std::string Name;  ///< "TP", "1", "@"
  std::string Index; ///< what stands in its brackets: "@", "0"
  bool Length = false, Indirect = false;
  std::string Op;            ///< ":-", "%%", "//"; empty for none
  std::vector<Part> Operand; ///< what follows the operator; the expression of arithmetic
};

struct Word {
  Span At;
  std::vector<Part> Parts;
  bool Quoted = false; ///< a quote occurs in it, so that it is a word even when it is empty
  bool Glob = false;   ///< an unquoted `*`, `?`, `[` or `{` occurs in it
};

/// NAME=word, NAME+=word, NAME[index]=word or NAME=( words ).
struct Assignment {
  Span At, NameAt;
  std::string Name, Index;
  bool Append = false, Array = false;
  Word Value;
  std::vector<Word> Elements;
};

struct HereDocument {
  Span At; ///< the operator and its word
  Span Body;
  std::vector<Part> Parts;
};

struct Redirect {
  std::string Op;      ///< without the number of the file: "<", ">", ">>", "<<<"
  bool Output = false; ///< writes standard output to a file
  Word Target;
  std::unique_ptr<HereDocument> Here; ///< then there is no target
};

/// A token between `[[` and `]]`.
struct TestToken {
  std::string Op; ///< "&&", "||", "!", "(" or ")"; empty for a word
  Word W;
};

struct Node;
using List = std::vector<std::unique_ptr<Node>>;

/// An argument of a simple command; `export A=b` has an assignment for one.
struct Argument {
  Word W;
  std::unique_ptr<Assignment> Assign;
};

struct Node {
  enum class Kind : uint8_t {
    Simple,
    AndOr,
    Pipeline,
    Group,
    Subshell,
    If,
    While,
    For,
    Case,
    Function,
    Test,
    Arithmetic
  };
  struct Arm {
    List Condition;             ///< of `if` and `while`
    std::vector<Word> Patterns; ///< of `case`
    List Body;
  };

  Kind K = Kind::Simple;
  Span At;
  bool Background = false, Negated = false;
  std::vector<Redirect> Redirects;

  std::vector<Assignment> Assignments; ///< Simple: those in front
  std::vector<Argument> Arguments;     ///< Simple: the command and what follows
  List Children;                       ///< AndOr, Pipeline; body of Group, Subshell, For, Function
  std::vector<bool> IsAnd;             ///< AndOr: before each child but the first
  std::vector<Arm> Arms;               ///< If, While, Case
  bool HasElse = false;                ///< If: the last arm has no condition
  std::string Name;                    ///< Function; For: the variable
  bool HasIn = false;                  ///< For
  std::vector<Word> Words;             ///< For: the list; Case: the subject
  std::vector<TestToken> Tests;        ///< Test
  Word Expression;                     ///< Arithmetic; For of three expressions
};

} // namespace parlance::shell
