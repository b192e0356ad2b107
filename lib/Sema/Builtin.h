// The functions that every expression may call without a declaration.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parlance {

enum class Builtin : uint8_t {
  Min,
  Max,
  Ceil,
  Floor,
  Round,
  Abs,
  Sqrt,
  Log2,
  Divides,
  Known,
  Given,
  Has,
  Words,
  Divisors
};

struct BuiltinInfo {
  Builtin Id;
  std::string_view Name, Signature, Doc;
};
inline constexpr std::array<BuiltinInfo, 14> Builtins{{
    {Builtin::Min, "min", "min(a, b, …)", "smallest of quantities of one dimension"},
    {Builtin::Max, "max", "max(a, b, …)", "largest of quantities of one dimension"},
    {Builtin::Ceil, "ceil", "ceil(x)", "next whole number above"},
    {Builtin::Floor, "floor", "floor(x)", "next whole number below"},
    {Builtin::Round, "round", "round(x)", "nearest whole number, halves away from zero"},
    {Builtin::Abs, "abs", "abs(x)", "magnitude without sign"},
    {Builtin::Sqrt, "sqrt", "sqrt(x)", "square root; halves the exponents of the unit"},
    {Builtin::Log2, "log2", "log2(x)", "binary logarithm of a plain number"},
    {Builtin::Divides, "divides", "divides(a, b)", "whether a divides b without remainder"},
    {Builtin::Known, "known", "known(x)", "whether x was given or follows from what was given"},
    {Builtin::Given, "given", "given(x)", "whether the field x was written, not left to its default"},
    {Builtin::Has, "has", "has(text, \"word\")", "whether a text of several words has a word"},
    {Builtin::Words, "words", "words(text)", "number of words of a text"},
    {Builtin::Divisors, "divisors", "divisors(n)", "list of the divisors of a whole number"},
}};

constexpr std::optional<Builtin> builtinNamed(std::string_view Name) {
  for (const BuiltinInfo &B : Builtins)
    if (B.Name == Name)
      return B.Id;
  return std::nullopt;
}

} // namespace parlance
