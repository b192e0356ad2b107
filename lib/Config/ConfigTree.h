// The tree that the readers of foreign formats (JSON, TOML, YAML) share: every key and value knows its place in the
// source.
#pragma once
#include "Basic/Diagnostic.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// A value, and its key when it is a member of an object. Members stand in Items in the order of the file.
struct ConfigValue {
  /// Symbolic: a template's placeholder, whose value is not known.
  enum class Kind : uint8_t { Null, Bool, Number, String, Array, Object, Symbolic };
  Kind K = Kind::Null;
  /// With the quotes or brackets. Of a TOML section its header, of a table that a dotted key makes the key; of a YAML
  /// alias what it stands for. Empty (but somewhere) for a YAML null that is not written.
  SourceRange Range;
  /// A string without its escapes; a number as JSON or Python would write it (the spelling is the text of Range);
  /// `true`, `false` or `null`; a placeholder as it is written.
  std::string Text;
  SourceRange KeyRange; ///< with the quotes; nowhere outside an object
  std::string Key;
  std::vector<ConfigValue> Items;
  std::string Comment; ///< what the writers put above a member; no reader sets it

  bool isNull() const { return K == Kind::Null; }
  bool isObject() const { return K == Kind::Object; }
  bool isTrue() const { return K == Kind::Bool && Text == "true"; }
  bool isSymbolic() const { return K == Kind::Symbolic; }
  /// The member of an object that counts: the last of that name.
  const ConfigValue *find(std::string_view Name) const;
  /// A number without fraction or exponent that fits 64 bits.
  std::optional<int64_t> integer() const;
  /// Any number; `NaN` and infinities too.
  std::optional<double> number() const;
  /// "a string", "an object", …
  std::string_view kindName() const;
  /// The value in a message: a scalar as it is spelt (shortened), `[…]` or `{…}`.
  std::string brief() const;
};

/// Deeper nesting and more values than these are refused: a bound on stack and memory, far above real files. Values
/// that YAML aliases repeat count each time.
inline constexpr unsigned MaxConfigDepth = 200;
inline constexpr size_t MaxConfigValues = 1'000'000;

/// A string that a reader of YAML 1.1 does not take for a number although its writer meant one:
/// `1e-5` and `1.5e5`, whose exponents lack the sign or the dot.
bool looksLikeNumber(const ConfigValue &V);

/// The fix of a whole number in quotes: the number without them. Empty for any other value.
std::optional<Fix> withoutQuotes(const ConfigValue &V);

/// Warns of keys that are given twice; `Warned` counts over a file, which is not flooded.
void warnOfDuplicateKeys(const ConfigValue &Object, unsigned &Warned, DiagnosticEngine &Diags);

/// The place of a template's placeholder that begins at an offset: `{{…}}`, `{%…%}`, `<…>`, `${…}`,
/// `$(…)`, `$NAME`, `__NAME__`, and with `BareWords` a word such as `MBSIZE` or `CL_1st_MIN`. None
/// of them runs over the end of its line. The length in bytes; 0 when there is none.
size_t placeholderLength(std::string_view Text, size_t At, bool BareWords);

} // namespace parlance
