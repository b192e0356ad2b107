#include "Frameworks/HuggingFace/ConfigReader.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::huggingface {

namespace M = fields::model;

ConfigReader::ConfigReader(const Family &F, const Config &C, const SchemaDecl &Schema, Store &Owner,
                           DiagnosticEngine &Diags)
    : Fam(F), C(C), Owner(Owner), Diags(Diags), Model(emptyRecord(Schema, {}, C.FamilyRange)),
      Attention(emptyRecord(*Schema.Fields[M::attention].Ty.Schema, Schema.Fields[M::attention].Name, C.FamilyRange)),
      DefaultOf(Owner.keep(fmt::format("default of {}", F.Name))), FieldKeys(Schema.Fields.size()) {}

const Record *ConfigReader::read(std::string_view Name) {
  const unsigned ErrorsBefore = Diags.errors();
  Model.Name = Name;
  checkLimits(commonLimits());
  checkLimits(Fam.Limits);
  for (const Option &O : Fam.Shape)
    readOption(O);
  for (const Option &O : Fam.Extra)
    readOption(O);
  for (const Fixed &F : Fam.Always)
    setFixed(F);
  if (Fam.Adjust)
    Fam.Adjust(*this);
  if (!Missing.empty())
    Diags.report(diag::MissingKeys, C.FamilyRange, Fam.Name, joinList(std::span<const std::string>(Missing), "and"));
  if (Diags.errors() == ErrorsBefore)
    checkShape();
  if (Diags.errors() != ErrorsBefore)
    return nullptr;
  reportDefaults();
  reportMisspelt();
  if (std::ranges::any_of(Attention.Values, [](const Value &V) { return !V.isAbsent(); })) {
    Model.Values[M::attention] = Value::record(Owner.own(std::move(Attention)));
    Model.Origins[M::attention] = byFamily();
  }
  return Owner.own(std::move(Model));
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

ConfigReader::Found ConfigReader::find(const Option &O) {
  Found First;
  for (std::string_view Key : O.Keys) {
    if (Key.empty())
      continue;
    Used.insert(Key);
    const ConfigValue *V = C.Shape->find(Key);
    if (!V && O.AlsoOutside && C.Outside)
      V = C.Outside->find(Key);
    if (!V || (V->isNull() && First.V))
      continue;
    if (!First.V || First.V->isNull())
      First = {V, Key};
    else if (V->brief() != First.V->brief())
      Diags.report(diag::ConflictingKeys, V->Range, Key, V->brief(), First.Key, First.V->brief())
          .Labels.push_back({First.V->Range, "given here"});
  }
  return First;
}

void ConfigReader::readOption(const Option &O) {
  const Found F = find(O);
  if (!O.InAttention)
    FieldKeys[O.Field] = F.V ? F.Key : O.Keys[0];
  if (!F.V)
    Unread.push_back(O.Keys[0]);
  if (F.V && !F.V->isNull())
    readGiven(O, F);
  else if (!F.V || !O.NullIsNone)
    readAbsent(O);
}

void ConfigReader::readGiven(const Option &O, const Found &F) {
  const ConfigValue &V = *F.V;
  switch (O.How) {
  case Conversion::Count:
    if (auto N = wholeNumber(V, F.Key))
      setCount(O, *N, given(V), F.Key);
    break;
  case Conversion::Flag:
    if (auto B = truthValue(V, F.Key))
      set(O, Value::of(truth(*B)), given(V));
    break;
  case Conversion::BiasAll:
  case Conversion::BiasQkv:
    if (auto B = truthValue(V, F.Key))
      set(O,
          word(Model.Schema->Fields[O.Field], !*B                            ? "none"
                                              : O.How == Conversion::BiasAll ? "all"
                                                                             : "qkv"),
          given(V));
    break;
  case Conversion::IsWord:
    set(O, Value::of(truth(V.K == ConfigValue::Kind::String && V.Text == O.Word)), given(V));
    break;
  case Conversion::Activation:
    readActivation(O, F);
    break;
  case Conversion::LeadingLayers:
    readLeadingLayers(O, V, F.Key);
    break;
  }
}

void ConfigReader::readAbsent(const Option &O) {
  if (O.IfAbsent == Absence::Required) {
    Missing.push_back(fmt::format("`{}`", O.Keys[0]));
    return;
  }
  if (O.IfAbsent == Absence::Schema)
    return;
  if (O.IfAbsent == Absence::FourHidden) {
    if (auto Hidden = number(M::hidden); Hidden && *Hidden <= INT64_MAX / 4)
      set(O, Value::of(Num(4 * *Hidden)), byFamily());
    return;
  }
  if (O.Shape)
    Defaulted.push_back(fmt::format("`{}` = {}", O.Keys[0], O.Default));
  switch (O.How) {
  case Conversion::Count:
    set(O, Value::of(Num(O.Default + O.Add)), byFamily());
    break;
  case Conversion::Flag:
    set(O, Value::of(truth(O.Default != 0)), byFamily());
    break;
  case Conversion::BiasAll:
  case Conversion::BiasQkv:
    set(O,
        word(Model.Schema->Fields[O.Field], !O.Default                     ? "none"
                                            : O.How == Conversion::BiasAll ? "all"
                                                                           : "qkv"),
        byFamily());
    break;
  case Conversion::Activation:
    setActivation(O.Word, byFamily(), O.Field);
    break;
  case Conversion::IsWord:
  case Conversion::LeadingLayers:
    break; // the schema's default
  }
}

bool ConfigReader::setActivation(std::string_view Function, Origin From, unsigned Field) {
  struct Row {
    std::string_view Function, Gated, Plain;
  };
  // A gated network with a rectifier is built by no family here, nor is one with a sigmoid and no gate.
  static constexpr Row Rows[] = {
      {"silu", "swiglu", ""},        {"swish", "swiglu", ""},        {"gelu", "geglu", "gelu"},
      {"gelu_new", "geglu", "gelu"}, {"gelu_fast", "geglu", "gelu"}, {"gelu_pytorch_tanh", "geglu", "gelu"},
      {"relu", "", "relu"}};
  for (const Row &R : Rows) {
    const std::string_view Word = Fam.Gated ? R.Gated : R.Plain;
    if (R.Function != Function || Word.empty())
      continue;
    set(Field, false, word(Model.Schema->Fields[Field], Word), From);
    return true;
  }
  return false;
}

void ConfigReader::readActivation(const Option &O, const Found &F) {
  if (F.V->K != ConfigValue::Kind::String) {
    Diags.report(diag::WrongJsonType, F.V->Range, F.Key, "the name of a function", std::string(F.V->kindName()));
    return;
  }
  if (!setActivation(F.V->Text, given(*F.V), O.Field))
    unsupported(*F.V, F.Key,
                Fam.Gated ? "a gated network has silu or gelu here" : "a network without gate has gelu or relu here");
}

void ConfigReader::readLeadingLayers(const Option &O, const ConfigValue &V, std::string_view Key) {
  if (V.K != ConfigValue::Kind::Array) {
    Diags.report(diag::WrongJsonType, V.Range, Key, "a list of layer numbers", std::string(V.kindName()));
    return;
  }
  int64_t Expected = 0;
  for (const ConfigValue &Layer : V.Items) {
    auto N = wholeNumber(Layer, Key);
    if (!N)
      return;
    if (*N != Expected++) {
      unsupported(V, Key, "only the first layers can be dense in `dense_layers`");
      return;
    }
  }
  set(O, Value::of(Num(Expected)), given(V));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<int64_t> ConfigReader::wholeNumber(const ConfigValue &V, std::string_view Key) {
  if (auto N = V.integer())
    return N;
  if (V.K == ConfigValue::Kind::Array)
    unsupported(V, Key, "every layer has a value of its own");
  else
    addFix(Diags.report(diag::WrongJsonType, V.Range, Key, "a whole number",
                        V.K == ConfigValue::Kind::Number ? fmt::format("`{}`", V.brief()) : std::string(V.kindName())),
           withoutQuotes(V));
  return std::nullopt;
}

std::optional<bool> ConfigReader::truthValue(const ConfigValue &V, std::string_view Key) {
  if (V.K == ConfigValue::Kind::Bool)
    return V.isTrue();
  Diags.report(diag::WrongJsonType, V.Range, Key, "`true` or `false`", std::string(V.kindName()));
  return std::nullopt;
}

void ConfigReader::setCount(const Option &O, int64_t N, Origin From, std::string_view Key) {
  // Far above any model, and low enough that sums and products of two stay exact.
  constexpr int64_t Largest = INT32_MAX;
  const FieldDecl &F = target(O.InAttention).Schema->Fields[O.Field];
  const int64_t Least = F.Minimum.value_or(0);
  if (N < Least || N > Largest) {
    Diags.report(diag::ForeignOutOfRange, From.Range, Key, withThousands(N),
                 N < Least ? fmt::format("be at least {}", Least)
                           : fmt::format("be at most {}", withThousands(Largest)));
    return;
  }
  set(O, Value::of(Num(N + O.Add)), From);
}

void ConfigReader::set(const Option &O, Value V, Origin From) { set(O.Field, O.InAttention, V, From); }

void ConfigReader::set(unsigned Field, bool InAttention, Value V, Origin From) {
  target(InAttention).Values[Field] = V;
  target(InAttention).Origins[Field] = From;
}

Value ConfigReader::word(const FieldDecl &F, std::string_view Word) const {
  const int Index = F.Ty.Enum ? F.Ty.Enum->find(Word) : -1;
  return Index < 0 ? Value() : Value::enumerator(static_cast<uint32_t>(Index));
}

void ConfigReader::setFixed(const Fixed &F) {
  const FieldDecl &Field = target(F.InAttention).Schema->Fields[F.Field];
  const Value V = !F.Word.empty()                  ? word(Field, F.Word)
                  : Field.Ty.K == Type::Kind::Bool ? Value::of(truth(F.Number != 0))
                                                   : Value::of(Num(F.Number));
  set(F.Field, F.InAttention, V, byFamily());
}

//===----------------------------------------------------------------------===//
// For Family::Adjust
//===----------------------------------------------------------------------===//

const ConfigValue *ConfigReader::value(std::string_view Key) {
  Used.insert(Key);
  const ConfigValue *V = C.Shape->find(Key);
  return V && !V->isNull() ? V : nullptr;
}

bool ConfigReader::flag(std::string_view Key, bool Default) {
  const ConfigValue *V = value(Key);
  return V ? truthValue(*V, Key).value_or(Default) : Default;
}

std::optional<int64_t> ConfigReader::count(std::string_view Key) {
  const ConfigValue *V = value(Key);
  auto N = V ? wholeNumber(*V, Key) : std::nullopt;
  if (!N || (*N >= 1 && *N <= INT32_MAX))
    return N;
  Diags.report(diag::ForeignOutOfRange, V->Range, Key, withThousands(*N), "be a small positive number");
  return std::nullopt;
}

std::optional<int64_t> ConfigReader::number(unsigned Field) const {
  const Num N = Model.num(Field);
  return N.isInt() ? std::optional(N.integer()) : std::nullopt;
}

void ConfigReader::setNumber(unsigned Field, int64_t N, std::string_view Key) {
  const ConfigValue *V = value(Key);
  FieldKeys[Field] = Key;
  set(Field, false, Value::of(Num(N)), V ? given(*V) : byFamily());
}

void ConfigReader::setWord(unsigned Field, std::string_view Word, std::string_view Key) {
  const ConfigValue *V = value(Key);
  set(Field, false, word(Model.Schema->Fields[Field], Word), V ? given(*V) : byFamily());
}

void ConfigReader::refuse(std::string_view Key, std::string_view Why) {
  if (const ConfigValue *V = value(Key))
    unsupported(*V, Key, Why);
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void ConfigReader::unsupported(const ConfigValue &V, std::string_view Key, std::string_view Why) {
  // A list or an object may go on for pages: its key stands for it.
  const bool Long = V.K == ConfigValue::Kind::Array || V.isObject();
  Diags.report(diag::UnsupportedOption, Long && V.KeyRange ? V.KeyRange : V.Range, Key, V.brief(), Fam.Name, Why);
}

void ConfigReader::checkLimits(std::span<const Limit> Limits) {
  for (const Limit &L : Limits)
    if (const ConfigValue *V = value(L.Key))
      checkLimit(L, *V);
}

void ConfigReader::checkLimit(const Limit &L, const ConfigValue &V) {
  const auto N = V.integer();
  const auto Over = [&] {
    switch (L.Is) {
    case Limit::When::True:
      return V.isTrue();
    case Limit::When::False:
      return V.K == ConfigValue::Kind::Bool && !V.isTrue();
    case Limit::When::NotOne:
      return N != 1;
    case Limit::When::Positive:
      return N.value_or(1) > 0;
    case Limit::When::Present:
      return true;
    case Limit::When::NotWord:
      return V.Text != L.Word;
    case Limit::When::NotAllLayers: {
      const ConfigValue *Layers = C.Shape->find("num_hidden_layers");
      return !V.Items.empty() && Layers && Layers->integer() != static_cast<int64_t>(V.Items.size());
    }
    case Limit::When::OtherLayerTypes:
      return false; // below
    }
    return false;
  };
  if (L.Is == Limit::When::OtherLayerTypes)
    checkLayerTypes(L, V);
  else if (Over() && L.Harmless)
    Diags.report(diag::NotRepresented, V.KeyRange ? V.KeyRange : V.Range, L.Key, L.Why);
  else if (Over())
    unsupported(V, L.Key, L.Why);
}

void ConfigReader::checkLayerTypes(const Limit &L, const ConfigValue &V) {
  for (const ConfigValue &Layer : V.Items)
    if (!Layer.Text.ends_with("attention") || Layer.Text.starts_with("linear")) {
      unsupported(Layer, L.Key, L.Why);
      return;
    }
}

//===----------------------------------------------------------------------===//
// The whole shape
//===----------------------------------------------------------------------===//

bool ConfigReader::isMla() const {
  const FieldDecl &Kind = Attention.Schema->Fields[fields::attention::kind];
  return Attention.enumerator(fields::attention::kind) >= 0 &&
         Attention.enumerator(fields::attention::kind) == Kind.Ty.Enum->find("mla");
}

/// Where a shape can be corrected: at the given one of two values that do not fit.
static SourceRange eitherRange(const Origin &Part, const Origin &Whole) {
  const bool AtWhole = Part.K != Origin::Kind::Given && Whole.K == Origin::Kind::Given;
  return AtWhole ? Whole.Range : Part.Range;
}

void ConfigReader::checkDivides(unsigned Part, unsigned Whole) {
  const auto P = number(Part), W = number(Whole);
  if (P && W && *W % *P != 0)
    Diags.report(diag::ForeignOutOfRange, eitherRange(Model.Origins[Part], Model.Origins[Whole]), keyOf(Part),
                 withThousands(*P), fmt::format("divide `{}`, {}", keyOf(Whole), withThousands(*W)));
}

void ConfigReader::checkAtMost(unsigned Part, unsigned Whole) {
  const auto P = number(Part), W = number(Whole);
  if (P && W && *P > *W)
    Diags.report(diag::ForeignOutOfRange, eitherRange(Model.Origins[Part], Model.Origins[Whole]), keyOf(Part),
                 withThousands(*P), fmt::format("be at most `{}`, {}", keyOf(Whole), withThousands(*W)));
}

void ConfigReader::checkShape() {
  checkDivides(M::kv_heads, M::heads);
  if (!isMla() && Model.Values[M::head_dim].isAbsent())
    checkDivides(M::heads, M::hidden);
  if (number(M::experts).value_or(0) > 0) {
    checkAtMost(M::top_k, M::experts);
    checkAtMost(M::dense_layers, M::layers);
  }
}

//===----------------------------------------------------------------------===//
// What a reader of the file should know
//===----------------------------------------------------------------------===//

void ConfigReader::reportDefaults() {
  if (!Defaulted.empty())
    Diags.report(diag::FamilyDefaults, C.FamilyRange, Fam.Name,
                 joinList(std::span<const std::string>(Defaulted), "and"));
}

void ConfigReader::reportMisspelt() {
  for (const ConfigValue &V : C.Shape->Items) {
    // A word more or less is another option (head_dim, v_head_dim), a letter is a slip.
    if (Used.contains(V.Key) || V.isNull())
      continue;
    for (std::string_view Key : Unread)
      if (editDistance(V.Key, Key, 1) <= 1) {
        Diags.report(diag::MisspeltKey, V.KeyRange, V.Key, Key)
            .Fixes.push_back(
                {fmt::format("`{}`", Key), Applicability::Machine, {{V.KeyRange, fmt::format("\"{}\"", Key)}}, {}});
        break;
      }
  }
}

} // namespace parlance::huggingface
