// What is offered where two types do not fit. None of it changes a value: a unit is completed, or a plain count is
// asked for by name.
#pragma once
#include "Sema/Types.h"

namespace parlance {

/// "`B/gpu`", "a plain number".
std::string quoted(const Type &T);

/// Units that a person would write for a type, the likeliest first. A field implies its populations.
std::vector<std::string> unitsFor(const Type &T, bool IsField);

/// Adds fixes to one diagnostic. Each function tells whether it had one.
class Mismatches {
public:
  Mismatches(const SourceManager &Sources, Diagnostic &D) : Sources(Sources), D(D) {}

  /// `20` beside `B/gpu`: a bare number gets the unit of the other side.
  bool offerUnit(const ast::Expr &E, const Type &Of, const Type &Other);
  /// `80 GB` beside `B/gpu`: a written number lacks what the other side is counted per.
  bool offerPopulations(const ast::Expr &E, const Type &Of, const Type &Other, Applicability Trust);
  /// `tp <= gpus_per_node`, `kv_heads >= tp`: plain counts are compared.
  bool offerCounts(const ast::Expr &Comparison, const Type &A, const Type &B);
  /// `let ways = 4` where `gpu/stage` is needed: the unit belongs to the declaration.
  bool offerAtLet(const ast::Expr &E, const Type &Of, const Type &Other);
  /// `"8"`, `"bf16"`: a number or a word in quotes.
  bool offerUnquoted(const ast::Expr &E, const Type &Wanted);

private:
  void offer(std::string Title, Applicability Trust, std::vector<Edit> Edits) {
    D.Fixes.push_back({std::move(Title), Trust, std::move(Edits), {}});
  }
  /// The text of an expression with more behind a place in it.
  std::string inserted(const ast::Expr &E, uint32_t At, std::string_view More) const;

  const SourceManager &Sources;
  Diagnostic &D;
};

} // namespace parlance
