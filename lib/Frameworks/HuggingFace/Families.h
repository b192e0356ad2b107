// What the importer knows about each family of models: which keys of config.json give which field of a `model` block,
// the defaults of the family's configuration class, and the options that a
// `model` block cannot express.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace parlance::huggingface {

class ConfigReader;

/// How the value of a key becomes the value of a field.
enum class Conversion : uint8_t {
  Count,         ///< a whole number
  Flag,          ///< a truth value
  Activation,    ///< the name of a function; whether it is gated follows from the family
  BiasAll,       ///< a truth value: bias = all or none
  BiasQkv,       ///< a truth value: bias = qkv or none
  IsWord,        ///< whether it is a given word
  LeadingLayers, ///< a list of layer numbers 0, 1, … k-1: k
};

/// What an absent key means.
enum class Absence : uint8_t {
  Default,    ///< the number or truth value of the family's class
  Schema,     ///< the schema's default (kv_heads = heads, head_dim = hidden / heads)
  Required,   ///< the family has no default
  FourHidden, ///< four times the hidden width
};

/// One field of the model and the keys that it is read from.
struct Option {
  std::array<std::string_view, 3> Keys; ///< spellings; unused ones are empty
  unsigned Field;
  Conversion How = Conversion::Count;
  int64_t Default = 0;
  Absence IfAbsent = Absence::Default;
  /// `null` says that the model has none of it, so that the schema's default holds; otherwise it
  /// counts as absent.
  bool NullIsNone = false;
  bool InAttention = false;   ///< a field of `attention { … }`
  bool AlsoOutside = false;   ///< looked up around a `text_config` too
  bool Shape = false;         ///< one that every real file gives
  int64_t Add = 0;            ///< to a count
  std::string_view Word = {}; ///< of IsWord; the default of an Activation

  constexpr Option inAttention() const {
    Option O = *this;
    O.InAttention = true;
    return O;
  }
  constexpr Option nullIsNone() const {
    Option O = *this;
    O.NullIsNone = true;
    return O;
  }
  constexpr Option required() const {
    Option O = *this;
    O.IfAbsent = Absence::Required;
    return O;
  }
  constexpr Option orSchema() const {
    Option O = *this;
    O.IfAbsent = Absence::Schema;
    return O;
  }
};

/// A field that is the same in every model of a family.
struct Fixed {
  unsigned Field;
  int64_t Number = 0;         ///< of a count; not 0 for a flag that is true
  std::string_view Word = {}; ///< of a choice
  bool InAttention = false;
};

/// A value of a key that cannot be expressed.
struct Limit {
  enum class When : uint8_t {
    True,
    False,
    NotOne,
    Positive,
    Present,         ///< anything but null
    NotWord,         ///< another string than Word
    OtherLayerTypes, ///< a list with a kind of layer that is not attention
    NotAllLayers,    ///< a list that does not name every layer
  };
  std::string_view Key;
  When Is;
  std::string_view Why;
  bool Harmless = false; ///< the number of parameters is right all the same: a hint
  std::string_view Word = {};
};

struct Family {
  std::string_view Name; ///< the `model_type`
  bool Gated = true;     ///< the feed-forward network has a gate
  std::span<const Option> Shape, Extra;
  std::span<const Fixed> Always;
  std::span<const Limit> Limits;
  void (*Adjust)(ConfigReader &) = nullptr; ///< what no table says
};

/// A family that is known and cannot be expressed.
struct UnsupportedFamily {
  std::string_view Name, Why;
  /// Keys that show it, the first one of a file is pointed at.
  std::array<std::string_view, 2> Keys;
};

std::span<const Family> families();
const Family *familyNamed(std::string_view Name);
const UnsupportedFamily *unsupportedFamily(std::string_view Name);
/// Limits of every family.
std::span<const Limit> commonLimits();

} // namespace parlance::huggingface
