// JSON documents as trees in which every key and value knows its place in the source.
#pragma once
#include "Basic/Diagnostic.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// A value, and its key when it is a member of an object. Members stand in Items in the order of
/// the file.
struct JsonValue {
  enum class Kind : uint8_t { Null, Bool, Number, String, Array, Object };
  Kind K = Kind::Null;
  SourceRange Range; ///< with the quotes or brackets
  std::string
      Text; ///< a string without its escapes; a number, `true`, `false` or `null` as it is spelt
  SourceRange KeyRange; ///< with the quotes; nowhere outside an object
  std::string Key;
  std::vector<JsonValue> Items;

  bool isNull() const { return K == Kind::Null; }
  bool isObject() const { return K == Kind::Object; }
  bool isTrue() const { return K == Kind::Bool && Text == "true"; }
  /// The member of an object that counts: the last of that name.
  const JsonValue *find(std::string_view Name) const;
  /// A number without fraction or exponent that fits 64 bits.
  std::optional<int64_t> integer() const;
  /// "a string", "an object", …
  std::string_view kindName() const;
  /// The value in a message: a scalar as it is spelt (shortened), `[…]` or `{…}`.
  std::string brief() const;
};

/// Deeper nesting and more values than these are refused: a bound on stack and memory, far above
/// real files.
inline constexpr unsigned MaxJsonDepth = 200;
inline constexpr size_t MaxJsonValues = 1'000'000;

/// Reads a whole text. Strict JSON, but for `NaN`, `Infinity` and `-Infinity`, which Python writes
/// and reads as numbers. After a syntax error, which is reported, there is no tree. A key given
/// twice is a warning.
std::optional<JsonValue> parseJson(uint32_t File, std::string_view Text, DiagnosticEngine &Diags);

} // namespace parlance
