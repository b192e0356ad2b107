#include "Frameworks/Options/OptionReader.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace parlance {

/// The word of a choice that stands for "not given", which no file can write.
static constexpr std::string_view Unset = "unset";

Record *OptionReader::read(const ConfigValue &Tree, const SchemaDecl &Schema, SourceRange At,
                           const std::string &Prefix) {
  Record *R = E.own(emptyRecord(Schema, F.Name, At));
  readInto(*R, Tree, Prefix);
  reportMissing(*R, Prefix);
  return R;
}

Record *OptionReader::readFacts(const ConfigValue &Facts, const SchemaDecl &Schema) {
  Record *R = E.own(emptyRecord(Schema, F.Name, Facts.Range));
  Section = &Schema;
  for (const ConfigValue &Member : Facts.Items) {
    auto Index = static_cast<unsigned>(Schema.find(Member.Key));
    R->Values[Index] = value(Schema.Fields[Index], Member, std::string(F.fact(Member.Key)->Of));
    R->Origins[Index] = {Origin::Kind::Given, Member.Range, {}};
  }
  return R;
}

void OptionReader::readInto(Record &R, const ConfigValue &Object, const std::string &Prefix) {
  const SchemaDecl *Outer = std::exchange(Section, R.Schema);
  std::map<std::string_view, const ConfigValue *> Last; // of several values the last one counts
  for (const ConfigValue &Member : Object.Items)
    Last[Member.Key] = &Member;
  std::vector<std::pair<const FieldDecl *, SourceRange>> Meant; // by names that are none
  for (const ConfigValue &Member : Object.Items) {
    if (Last[Member.Key] != &Member)
      continue;
    std::string Path = Prefix + Member.Key;
    const FieldDecl *Option = find(*R.Schema, Object, Member, Path);
    if (!Option) {
      if (const FieldDecl *Near = reportUnknown(*R.Schema, Object, Member, Path))
        Meant.emplace_back(Near, Member.Range);
      else if (R.Schema->Unknown == UnknownOption::Rejected)
        Unread.push_back({F.spelled(Path), Member.KeyRange, subjectsOf(Path, Member.Text, E.Lib)});
      continue;
    }
    // A file that has the name of today is none for an older version.
    bool IsOld = std::ranges::find(Option->Old, Member.Key) != Option->Old.end();
    if (IsOld && !F.flags() && Last.contains(keyOf(*Option))) {
      Diags.report(diag::OldAndNew, Member.KeyRange, F.spelled(Path), F.spelled(Prefix + std::string(keyOf(*Option))),
                   F.Title);
      continue;
    }
    auto Index = static_cast<unsigned>(Option - R.Schema->Fields.data());
    Path = Prefix + std::string(keyOf(*Option));
    if (Member.isNull()) { // None, which models take only where it is the default
      if (isModel() && Option->Default)
        wrongType(*Option, Member, Path);
      continue;
    }
    if (Option->Ty.K == Type::Kind::Record) {
      if (!Member.isObject()) {
        wrongType(*Option, Member, Path);
        leaveOpen(R, *Option, Member.Range);
        continue;
      }
      Record *Inner = E.own(emptyRecord(*Option->Ty.Schema, Option->Name, Member.KeyRange));
      readInto(*Inner, Member, Path + ".");
      R.Values[Index] = Value::record(Inner);
    } else {
      R.Values[Index] = value(*Option, Member, Path);
    }
    if (!R.Values[Index].isAbsent())
      R.Origins[Index] = {Origin::Kind::Given, Member.Range, {}};
    else
      R.Origins[Index].Range = Member.Range; // with its error; so it is not missing as well
  }
  for (auto &[Option, Given] : Meant)
    if (R.at(static_cast<unsigned>(Option - R.Schema->Fields.data())).isAbsent())
      leaveOpen(R, *Option, Given);
  Section = Outer;
}

/// Makes an option, with all that a section holds, one that is given and not known.
void OptionReader::leaveOpen(Record &R, const FieldDecl &Option, SourceRange Given) {
  auto Index = static_cast<unsigned>(&Option - R.Schema->Fields.data());
  R.Origins[Index] = {Origin::Kind::Given, Given, {}};
  if (Option.Ty.K != Type::Kind::Record) {
    R.Values[Index] = rt::unknownValue(Option.Ty);
    return;
  }
  Record *Inner = E.own(emptyRecord(*Option.Ty.Schema, Option.Name, Given));
  for (const FieldDecl &Part : Inner->Schema->Fields)
    if (!Part.Computed)
      leaveOpen(*Inner, Part, Given);
  R.Values[Index] = Value::record(Inner);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// As options are called.
std::string OptionReader::keyIn(const ConfigValue &Member) const {
  std::string Key = Member.Key;
  if (F.DashesAreUnderscores)
    std::ranges::replace(Key, '-', '_');
  return Key;
}

/// Whether an object gives an option by the name that it has today.
bool OptionReader::isGiven(const ConfigValue &Object, const FieldDecl &Option) const {
  return std::ranges::any_of(Object.Items, [&](const ConfigValue &M) { return keyIn(M) == keyOf(Option); });
}

/// The edit that calls an option by another name; the key keeps its quotes and dashes: only the name in it is replaced.
std::optional<Fix> OptionReader::rename(const ConfigValue &Member, std::string_view To, Applicability Trust) const {
  std::string Written(E.Sources.text(Member.KeyRange));
  const std::string Old = F.flags() ? F.spelled(Member.Key) : Member.Key;
  std::string New = F.flags() ? F.spelled(To) : std::string(To);
  if (F.DashesAreUnderscores && Old.find('_') == std::string::npos)
    std::ranges::replace(New, '_', '-');
  const size_t At = Written.find(Old);
  if (At == std::string::npos)
    return std::nullopt;
  return Fix{fmt::format("`{}`", New), Trust, {{Member.KeyRange, Written.replace(At, Old.size(), New)}}, {}};
}

const FieldDecl *OptionReader::find(const SchemaDecl &S, const ConfigValue &Object, const ConfigValue &Member,
                                    const std::string &Path) {
  std::string Key = keyIn(Member);
  for (const FieldDecl &Option : S.Fields) {
    if (F.fact(Option.Name))
      continue;
    if (keyOf(Option) == Key)
      return &Option;
    if (std::ranges::find(Option.Old, Key) != Option.Old.end()) {
      Diagnostic &D =
          Diags.report(diag::OldOption, Member.KeyRange, F.spelled(Path), F.Title, F.spelled(keyOf(Option)));
      if (!isGiven(Object, Option))
        addFix(D, rename(Member, keyOf(Option), Applicability::Machine));
      return &Option;
    }
  }
  return nullptr;
}

/// The option that a name nearly is, of those that are not given if one of them is near; null where there is none or
/// the framework, which ignores the name, takes the default.
const FieldDecl *OptionReader::reportUnknown(const SchemaDecl &S, const ConfigValue &Object, const ConfigValue &Member,
                                             const std::string &Path) {
  if (S.Unknown == UnknownOption::Passed || ++Unknown > MaxUnknown)
    return nullptr;
  Diagnostic &D = S.Unknown == UnknownOption::Ignored
                      ? Diags.report(diag::IgnoredOption, Member.KeyRange, F.spelled(Path), F.Title)
                      : Diags.report(diag::UnknownOption, Member.KeyRange, F.spelled(Path), F.Title);
  std::vector<std::string_view> Names, Free;
  for (const FieldDecl &Option : S.Fields) {
    if (F.fact(Option.Name))
      continue;
    Names.push_back(keyOf(Option));
    if (!isGiven(Object, Option))
      Free.push_back(keyOf(Option));
  }
  auto Near = nearest(Member.Key, Free);
  const bool IsFree = Near.has_value();
  if (!Near)
    Near = nearest(Member.Key, Names);
  if (!Near)
    return nullptr;
  const bool Certain = IsFree && isMisspelt(keyIn(Member), *Near);
  addFix(D, rename(Member, *Near, Certain ? Applicability::Machine : Applicability::Maybe));
  return S.Unknown == UnknownOption::Rejected ? &*std::ranges::find(S.Fields, *Near, keyOf) : nullptr;
}

void OptionReader::reportMissing(const Record &R, const std::string &Prefix) {
  std::vector<std::string> Missing;
  for (size_t I = 0; I < R.Schema->Fields.size(); ++I) {
    const FieldDecl &Option = R.Schema->Fields[I];
    std::string Path = Prefix + std::string(keyOf(Option));
    if (const Record *Inner = R.Values[I].Rec)
      reportMissing(*Inner, Path + ".");
    else if (Option.Required && R.Values[I].isAbsent() && !Diags.errorWithin(R.Origins[I].Range))
      Missing.push_back(fmt::format("`{}`", F.spelled(Path)));
  }
  if (!Missing.empty())
    Diags.report(diag::MissingOption, R.NameRange, F.Title, joinList(std::span<const std::string>(Missing), "and"));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool OptionReader::isSymbolic(const FieldDecl &Option, const ConfigValue &V) const {
  return V.isSymbolic() ||
         (F.AutoIsUnknown && Option.Ty.K != Type::Kind::String && V.K == ConfigValue::Kind::String && V.Text == "auto");
}

/// What is taken for a truth value: by pydantic, and by accelerate's str_to_bool.
static std::optional<bool> truthIn(const ConfigValue &V) {
  if (V.K == ConfigValue::Kind::Number)
    if (auto N = V.number(); N && (*N == 0 || *N == 1))
      return *N == 1;
  if (V.K != ConfigValue::Kind::String)
    return std::nullopt;
  std::string Word = V.Text;
  std::ranges::transform(Word, Word.begin(), [](unsigned char C) { return std::tolower(C); });
  static constexpr std::string_view True[] = {"true", "t", "yes", "y", "on", "1"},
                                    False[] = {"false", "f", "no", "n", "off", "0"};
  if (std::ranges::find(True, Word) != std::end(True))
    return true;
  return std::ranges::find(False, Word) != std::end(False) ? std::optional(false) : std::nullopt;
}

Value OptionReader::value(const FieldDecl &Option, const ConfigValue &V, const std::string &Path) {
  if (isSymbolic(Option, V)) {
    if (!Diags.errorWithin(V.Range)) // which says more than that it is not known
      Symbols.push_back({V.Text, V.Range, F.spelled(Path)});
    return rt::unknownValue(Option.Ty);
  }
  switch (Option.Ty.K) {
  case Type::Kind::Quantity:
    return number(Option, V, Path);
  case Type::Kind::Bool:
    if (V.K == ConfigValue::Kind::Bool)
      return Value::of(truth(V.isTrue()));
    if (auto Converted = converts() ? truthIn(V) : std::nullopt)
      return Value::of(truth(*Converted));
    return wrongType(Option, V, Path);
  case Type::Kind::Enum:
    return choice(Option, V, Path);
  default:
    return text(Option, V, Path);
  }
}

static std::optional<double> parsed(std::string_view Text) {
  double Result = 0;
  if (Text.starts_with('+'))
    Text.remove_prefix(1);
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Result);
  return Error == std::errc() && End == Text.data() + Text.size() ? std::optional(Result) : std::nullopt;
}

/// The number that a value is taken for. Words of a command line have no type.
std::optional<double> OptionReader::numberIn(const FieldDecl &Option, const ConfigValue &V) const {
  if (V.K == ConfigValue::Kind::Number)
    return V.number();
  if (V.K == ConfigValue::Kind::Bool && isModel())
    return V.isTrue() ? 1 : 0;
  if (V.K != ConfigValue::Kind::String || !(F.flags() || converts()))
    return std::nullopt;
  // Python's int() takes no exponent; pydantic, but not argparse, takes a fraction of zero.
  bool Whole = V.Text.find_first_of(F.flags() ? ".eE" : "eE") == std::string::npos;
  return Option.Ty.isCount() && !Whole ? std::nullopt : parsed(V.Text);
}

Value OptionReader::number(const FieldDecl &Option, const ConfigValue &V, const std::string &Path) {
  auto N = numberIn(Option, V);
  if (!N || (Option.Ty.isCount() && !std::isfinite(*N)))
    return wrongType(Option, V, Path);
  Value Result = Value::of(Num(*N));
  if (auto Exact = V.integer())
    Result.Number = Num(*Exact);
  else if (Result.Number.isIntegral())
    Result.Number = Num(Result.Number.toInteger());
  else if (Option.Ty.isCount())
    return wrongType(Option, V, Path);
  bool Low = Option.Minimum && *N < static_cast<double>(*Option.Minimum),
       High = Option.Maximum && *N > static_cast<double>(*Option.Maximum);
  if (Low || High) {
    Diags.report(diag::OptionRange, V.Range, F.spelled(Path), V.brief(),
                 Option.Maximum ? fmt::format("{} to {}", Option.Minimum.value_or(0), *Option.Maximum)
                                : fmt::format("at least {}", *Option.Minimum));
    return rt::unknownValue(Option.Ty);
  }
  return Result;
}

Value OptionReader::choice(const FieldDecl &Option, const ConfigValue &V, const std::string &Path) {
  bool Scalar = V.K != ConfigValue::Kind::Array && V.K != ConfigValue::Kind::Object;
  if (!Scalar)
    return wrongType(Option, V, Path);
  // `no` in YAML is a truth value, and a word here.
  std::string_view Word = V.K == ConfigValue::Kind::String ? std::string_view(V.Text) : E.Sources.text(V.Range);
  int Index = Word == Unset ? -1 : Option.Ty.Enum->find(Word);
  if (Index >= 0)
    return Value::enumerator(static_cast<uint32_t>(Index));
  std::vector<std::string_view> Known;
  for (std::string_view K : Option.Ty.Enum->Values)
    if (K != Unset)
      Known.push_back(K);
  Diagnostic &D = Diags.report(diag::OptionChoice, V.Range, F.spelled(Path), std::string(Word), F.Title,
                               joinList(std::span<const std::string_view>(Known)));
  if (auto Near = nearest(Word, Known)) {
    std::string Written(E.Sources.text(V.Range));
    const Applicability Trust = isMisspelt(Word, *Near) ? Applicability::Machine : Applicability::Maybe;
    if (size_t At = Written.find(Word); At != std::string::npos)
      D.Fixes.push_back({fmt::format("`{}`", *Near), Trust, {{V.Range, Written.replace(At, Word.size(), *Near)}}, {}});
  }
  return rt::unknownValue(Option.Ty);
}

/// A text, or a list of words, which becomes one text with blanks between them.
Value OptionReader::text(const FieldDecl &Option, const ConfigValue &V, const std::string &Path) {
  bool Fits = V.K == ConfigValue::Kind::String || V.K == ConfigValue::Kind::Symbolic ||
              (Option.List && V.K == ConfigValue::Kind::Array);
  if (isModel() && !Fits) // pydantic makes no text of anything else
    return wrongType(Option, V, Path);
  switch (V.K) {
  case ConfigValue::Kind::Object:
    return wrongType(Option, V, Path);
  case ConfigValue::Kind::Array: {
    std::string Words;
    for (const ConfigValue &Item : V.Items) {
      bool Scalar = Item.K != ConfigValue::Kind::Array && Item.K != ConfigValue::Kind::Object;
      Words += (Words.empty() ? "" : " ") + (Scalar ? Item.Text : std::string(E.Sources.text(Item.Range)));
    }
    return Value::string(E.keep(std::move(Words)));
  }
  default:
    return Value::string(E.keep(V.Text));
  }
}

static std::string_view wanted(const FieldDecl &Option) {
  if (Option.List)
    return "a list";
  switch (Option.Ty.K) {
  case Type::Kind::Quantity:
    return Option.Ty.isCount() ? "a whole number" : "a number";
  case Type::Kind::Bool:
    return "true or false";
  case Type::Kind::Record:
    return "a section";
  default:
    return "a word";
  }
}

/// What a value is without its quotes, or with the dot and the sign that YAML wants, where that is a value of the
/// option: a number or a truth value that became a text.
static std::optional<std::string> unquoted(const FieldDecl &Option, const ConfigValue &V, std::string_view Written) {
  if (V.K != ConfigValue::Kind::String)
    return std::nullopt;
  if (looksLikeNumber(V) && !Option.Ty.isCount() && Option.Ty.isQuantity()) {
    std::string Text = V.Text;
    const size_t E = Text.find_first_of("eE");
    if (Text.find_first_of("+-", E) == std::string::npos)
      Text.insert(E + 1, "+");
    return Text.find('.') == std::string::npos ? Text.insert(E, ".0") : Text;
  }
  if (Written.size() < 2 || (Written[0] != '"' && Written[0] != '\''))
    return std::nullopt;
  if (Option.Ty.K == Type::Kind::Bool)
    if (auto Truth = truthIn(V); Truth && V.Text.size() > 3) // "true" and "false"
      return *Truth ? "true" : "false";
  auto N = parsed(V.Text);
  const bool Plain = V.Text == "0" || V.Text.find_first_not_of("+0") == 0;
  if (!Option.Ty.isQuantity() || !N || !std::isfinite(*N) || !Plain ||
      (Option.Ty.isCount() && V.Text.find_first_of(".eE") != std::string::npos))
    return std::nullopt;
  const bool InRange = *N >= static_cast<double>(Option.Minimum.value_or(INT64_MIN)) &&
                       *N <= static_cast<double>(Option.Maximum.value_or(INT64_MAX));
  return InRange ? std::optional(V.Text) : std::nullopt;
}

Value OptionReader::wrongType(const FieldDecl &Option, const ConfigValue &V, const std::string &Path) {
  std::string Found =
      V.K == ConfigValue::Kind::Number || V.K == ConfigValue::Kind::String ? V.brief() : std::string(V.kindName());
  std::string Wanted(wanted(Option));
  const bool Refused = checksTypes() || Option.Ty.K == Type::Kind::Record;
  Diagnostic &D = Refused ? Diags.report(diag::OptionType, V.Range, F.spelled(Path), Wanted, Found)
                          : Diags.report(diag::UncheckedOption, V.Range, F.spelled(Path), Wanted, Found, F.Title);
  if (auto Text = F.flags() ? std::nullopt : unquoted(Option, V, E.Sources.text(V.Range)))
    D.Fixes.push_back({fmt::format("`{}`", *Text), Applicability::Machine, {{V.Range, *Text}}, {}});
  if (Refused && looksLikeNumber(V))
    D.Notes.push_back({{},
                       "YAML 1.1 reads a number with an exponent only with a dot and a sign: "
                       "`1.0e-5`"});
  return rt::unknownValue(Option.Ty);
}

} // namespace parlance
