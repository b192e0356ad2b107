// Where in the language an offset is, told from the tokens before it: text that is being typed seldom parses.
#pragma once
#include "Server/Snapshot.h"

namespace parlance::server {

struct Cursor {
  Cursor(Snapshot &S, uint32_t Offset);

  struct Bracket {
    char Open = '{';
    std::vector<std::string_view> Head; ///< the words before it in its item; of `(`, the callee
    unsigned Commas = 0;
  };
  /// Open brackets, outermost first.
  std::vector<Bracket> Brackets;
  /// The item's tokens before the word at the cursor.
  std::vector<std::string_view> Line;
  /// The word that is being typed, and where it begins; empty behind a blank.
  std::string_view Word;
  uint32_t WordBegin = 0;
  /// The names before it in a dotted name: "memory.stage." without the last dot.
  std::string Chain;
  /// Whether a number stands right before the word: a unit may follow.
  bool BehindNumber = false;
  /// What is written of a unit behind a number, up to its last operator: "tok/".
  std::string UnitBegun;
  bool InComment = false, InString = false;
  std::string_view TokenText; ///< of the comment or string, up to the cursor

  /// The schema of the innermost block; null outside of blocks and where it is not known.
  const SchemaDecl *block(const Library &Lib) const;
  /// Whether expressions at the cursor see a job's fields and quantities: anywhere in a job, or in a rule.
  bool seesJob() const;
  /// The innermost open call; null outside of calls.
  const Bracket *call() const;
  /// The field whose value is being written; null for other items.
  const FieldDecl *field(const Library &Lib) const;

private:
  void advance(std::string_view Text, char Class);
  void findUnitBegun();
  void newItem() { Line.clear(); }
  bool inValues() const {
    return !Brackets.empty() &&
           (Brackets.back().Open != '{' || (!Brackets.back().Head.empty() && Brackets.back().Head.back() == "any"));
  }
  std::vector<std::vector<std::string_view>> Outer; ///< lines around the brackets
};

} // namespace parlance::server
