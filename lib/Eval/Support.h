// The operations that generated formulas and the tree-walking evaluator share, so that they cannot differ.
#pragma once
#include "Eval/JobContext.h"

namespace parlance::rt {

inline constexpr uint32_t UnknownEnumerator = UINT32_MAX;

inline Num num(const Value &V) { return V.K == Value::Kind::Quantity ? V.Number : Num::unknown(); }
inline Truth flag(const Value &V) { return V.K == Value::Kind::Bool ? V.Flag : Truth::Unknown; }
inline uint32_t enumerator(const Value &V) { return V.K == Value::Kind::Enum ? V.Index : UnknownEnumerator; }
inline std::string_view text(const Value &V) { return V.Text; }
inline const Record *record(const Value &V) { return V.K == Value::Kind::Record ? V.Rec : nullptr; }

/// A field of a record that may itself be absent.
inline Value field(const Record *R, unsigned I) { return R ? R->at(I) : Value(); }
inline Num fieldNum(const Record *R, unsigned I) { return R ? num(R->at(I)) : Num::unknown(); }
inline Truth fieldFlag(const Record *R, unsigned I) { return R ? flag(R->at(I)) : Truth::Unknown; }
inline uint32_t fieldEnum(const Record *R, unsigned I) { return R ? enumerator(R->at(I)) : UnknownEnumerator; }
inline const Record *fieldRecord(const Record *R, unsigned I) { return R ? record(R->at(I)) : nullptr; }
inline std::string_view fieldText(const Record *R, unsigned I) { return R ? text(R->at(I)) : std::string_view(); }

inline Value toValue(Num N) { return Value::of(N); }
inline Value toValue(Truth T) { return Value::of(T); }
inline Value toValue(uint32_t E) { return E == UnknownEnumerator ? Value() : Value::enumerator(E); }
inline Value toValue(const Record *R) { return Value::record(R); }
inline Value toValue(std::string_view S) { return Value::string(S); }

inline Truth sameEnumerator(uint32_t A, uint32_t B) {
  return A == UnknownEnumerator || B == UnknownEnumerator ? Truth::Unknown : truth(A == B);
}
inline Truth sameFlag(Truth A, Truth B) {
  return A == Truth::Unknown || B == Truth::Unknown ? Truth::Unknown : truth(A == B);
}
inline Truth sameText(std::string_view A, std::string_view B) { return truth(A == B); }

/// Whether a field was written, by the user or in the library, not left to its default.
inline Truth given(const Record *R, unsigned I) {
  return truth(R && (R->Origins[I].K == Origin::Kind::Given || R->Origins[I].K == Origin::Kind::Library));
}
/// Whether the blank-separated words of a text include one.
Truth hasWord(std::string_view Text, std::string_view Word);
Num wordCount(std::string_view Text);

inline bool known(Num N) { return N.isKnown(); }
inline bool known(Truth T) { return T != Truth::Unknown; }
inline bool known(uint32_t E) { return E != UnknownEnumerator; }
inline bool known(const Record *R) { return R != nullptr; }
inline bool known(std::string_view S) { return !S.empty(); }

inline bool knownValue(const Value &V) {
  return !V.isAbsent() && !(V.K == Value::Kind::Quantity && !V.Number.isKnown()) &&
         !(V.K == Value::Kind::Bool && V.Flag == Truth::Unknown) &&
         !(V.K == Value::Kind::Enum && V.Index == UnknownEnumerator);
}
/// Whether two scalars are the same; two that are not known are.
bool sameValue(const Value &A, const Value &B);
/// Whether a field has the schema's default, given the other fields.
bool hasDefault(const Record &R, unsigned I);
/// Whether nobody gave a field and the schema's default is what it has; a record of the library that the default names
/// counts.
bool leftToDefault(const Record &R, unsigned I);
/// A value as a .parl file writes it for a field; populations that the field implies are left out.
std::string sourceText(const Value &V, const FieldDecl &F);
/// A value of a type that was given but that nobody knows (an unset variable of a script).
Value unknownValue(const Type &T);

template <typename T> T unknown();
template <> inline Num unknown<Num>() { return Num::unknown(); }
template <> inline Truth unknown<Truth>() { return Truth::Unknown; }
template <> inline uint32_t unknown<uint32_t>() { return UnknownEnumerator; }
template <> inline const Record *unknown<const Record *>() { return nullptr; }
template <> inline std::string_view unknown<std::string_view>() { return {}; }

/// Only the branch that is taken is evaluated.
template <typename Then, typename Else> auto choose(Truth Condition, Then A, Else B) -> decltype(A()) {
  return Condition == Truth::True ? A() : Condition == Truth::False ? B() : unknown<decltype(A())>();
}
template <typename Right> Truth both(Truth A, Right B) { return A == Truth::False ? A : A & B(); }
template <typename Right> Truth either(Truth A, Right B) { return A == Truth::True ? A : A | B(); }

/// Longest range that a reduction walks: a bound on the time of a check, far above stages, layers or experts.
inline constexpr int64_t MaxRange = 1'000'000;

/// sum, min or max of Body(i) for i in [From, To); unknown for ends that are not whole; 0 or unknown when empty.
template <typename Fold, typename Body> Num reduce(Num From, Num To, Num Start, Fold F, Body B) {
  if (!From.isIntegral() || !To.isIntegral() || To.toInteger() - From.toInteger() > MaxRange)
    return Num::unknown();
  Num Result = Start;
  bool First = true;
  for (int64_t I = From.toInteger(); I < To.toInteger(); ++I) {
    Num V = B(Num(I));
    Result = First && Start.isUnknown() ? V : F(Result, V);
    First = false;
  }
  return Result;
}
template <typename Body> Num sumOver(Num From, Num To, Body B) {
  return reduce(From, To, Num(0), [](Num X, Num Y) { return X + Y; }, B);
}
template <typename Body> Num minOver(Num From, Num To, Body B) { return reduce(From, To, Num::unknown(), minimum, B); }
template <typename Body> Num maxOver(Num From, Num To, Body B) { return reduce(From, To, Num::unknown(), maximum, B); }

/// A derived quantity inside a formula: one that does not apply to the job counts as none of it.
inline Num derivedNum(const Value &V) { return V.isAbsent() ? Num(0) : num(V); }
inline Truth derivedFlag(const Value &V) { return flag(V); }
inline uint32_t derivedEnum(const Value &V) { return enumerator(V); }

/// A field of a library record, with the line of the library that gives it.
struct FieldInit {
  unsigned Index;
  Value V;
  std::string_view Where;
};
Record makeRecord(const SchemaDecl &Schema, std::string_view Name, std::initializer_list<FieldInit> Fields);
Value scaled(Num Count, const Record *R);
Value automatic();

/// The record that a word stands for: `Makers` has one per word, in order.
inline Value recordNamed(std::initializer_list<const Record *(*)()> Makers, uint32_t Word) {
  return Word < Makers.size() ? Value::record(Makers.begin()[Word]()) : Value();
}

/// The schema's default of a field that a record leaves out.
inline Value defaultOf(const Record &R, unsigned I) {
  const FieldDecl &F = R.Schema->Fields[I];
  return F.Default ? F.Default(R) : Value();
}

} // namespace parlance::rt
