// Reads the object of one config.json by the table of its family. Internal to the importer.
#pragma once
#include "Config/Json.h"
#include "Frameworks/HuggingFace/Families.h"
#include "Frameworks/HuggingFace/Store.h"
#include <optional>
#include <set>

namespace parlance::huggingface {

/// Where the parts of a file are.
struct Config {
  const ConfigValue *Shape = nullptr;   ///< the object with the model's shape
  const ConfigValue *Outside = nullptr; ///< the object around it, where it is nested
  SourceRange FamilyRange;              ///< the value of `model_type`: where defaults come from
};

class ConfigReader {
public:
  ConfigReader(const Family &F, const Config &C, const SchemaDecl &Model, Store &Owner, DiagnosticEngine &Diags);
  /// The fields that the file and the family give; null after an error, all of which are reported.
  const Record *read(std::string_view Name);

  // For Family::Adjust.

  /// The value of a key; null when it is absent or `null`.
  const ConfigValue *value(std::string_view Key);
  bool flag(std::string_view Key, bool Default);
  std::optional<int64_t> count(std::string_view Key);
  /// A field that has been read or has its default.
  std::optional<int64_t> number(unsigned Field) const;
  /// Sets a field; it comes from the key, or from the family where the file does not have the key.
  void setNumber(unsigned Field, int64_t N, std::string_view Key);
  void setWord(unsigned Field, std::string_view Word, std::string_view Key);
  void refuse(std::string_view Key, std::string_view Why);

private:
  struct Found {
    const ConfigValue *V = nullptr; ///< null: no spelling is there
    std::string_view Key;
  };
  Found find(const Option &O);
  void readOption(const Option &O);
  void readGiven(const Option &O, const Found &F);
  void readAbsent(const Option &O);
  void readActivation(const Option &O, const Found &F);
  void readLeadingLayers(const Option &O, const ConfigValue &V, std::string_view Key);
  bool setActivation(std::string_view Function, Origin From, unsigned Field);
  std::optional<int64_t> wholeNumber(const ConfigValue &V, std::string_view Key);
  std::optional<bool> truthValue(const ConfigValue &V, std::string_view Key);

  void checkLimits(std::span<const Limit> Limits);
  void checkLimit(const Limit &L, const ConfigValue &V);
  void checkLayerTypes(const Limit &L, const ConfigValue &V);
  void unsupported(const ConfigValue &V, std::string_view Key, std::string_view Why);
  void setFixed(const Fixed &F);
  void checkShape();
  void checkDivides(unsigned Part, unsigned Whole);
  void checkAtMost(unsigned Part, unsigned Whole);
  void reportDefaults();
  void reportMisspelt();

  void set(const Option &O, Value V, Origin From);
  void set(unsigned Field, bool InAttention, Value V, Origin From);
  void setCount(const Option &O, int64_t N, Origin From, std::string_view Key);
  Value word(const FieldDecl &F, std::string_view Word) const;
  Record &target(bool InAttention) { return InAttention ? Attention : Model; }
  Origin given(const ConfigValue &V) const { return {Origin::Kind::Given, V.Range, {}}; }
  Origin byFamily() const { return {Origin::Kind::Default, C.FamilyRange, DefaultOf}; }
  bool isMla() const;
  /// How the file calls a field: "num_key_value_heads".
  std::string_view keyOf(unsigned Field) const { return FieldKeys[Field]; }

  const Family &Fam;
  const Config &C;
  Store &Owner;
  DiagnosticEngine &Diags;
  Record Model, Attention;
  std::string_view DefaultOf;              ///< "default of llama"
  std::vector<std::string_view> FieldKeys; ///< by field of the model
  std::set<std::string_view> Used;         ///< keys that were asked for
  std::vector<std::string_view> Unread;    ///< options that the file does not have
  std::vector<std::string> Missing, Defaulted;
};

} // namespace parlance::huggingface
