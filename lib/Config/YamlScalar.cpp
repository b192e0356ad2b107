// The implicit types of YAML 1.1, as the regular expressions of PyYAML's resolver give them.
#include "Config/Yaml.h"
#include <algorithm>
#include <charconv>

namespace parlance {
namespace {

using Kind = ConfigValue::Kind;

bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isDigitOrLine(char C) { return isDigit(C) || C == '_'; }

std::string withoutLines(std::string_view Text) {
  std::string Result;
  std::ranges::copy_if(Text, std::back_inserter(Result), [](char C) { return C != '_'; });
  return Result;
}

/// Whole numbers of a base that is a power of two.
std::optional<std::string> wholeOf(std::string_view Digits, int Base) {
  const std::string Plain = withoutLines(Digits);
  uint64_t Value = 0;
  auto [Stop, Error] = std::from_chars(Plain.data(), Plain.data() + Plain.size(), Value, Base);
  if (Stop != Plain.data() + Plain.size() || Plain.empty())
    return std::nullopt;
  if (Error == std::errc())
    return std::to_string(Value);
  double Large = 0;
  for (char C : Plain)
    Large = Large * Base + (isDigit(C) ? C - '0' : (C | 0x20) - 'a' + 10);
  return fmt::format("{}", Large);
}

/// `1:30:05` and `1:30.5`: the parts in base 60.
std::optional<std::string> sexagesimal(std::string_view Text) {
  double Value = 0;
  bool First = true, Fraction = false;
  while (!Text.empty()) {
    const size_t Colon = Text.find(':');
    std::string_view Part = Text.substr(0, Colon);
    const bool Last = Colon == std::string_view::npos;
    if (const size_t Point = Part.find('.'); Last && Point != std::string_view::npos) {
      Fraction = true;
      if (!std::ranges::all_of(Part.substr(Point + 1), isDigitOrLine))
        return std::nullopt;
    }
    const std::string_view Whole = Fraction ? Part.substr(0, Part.find('.')) : Part;
    if (Whole.empty() || !isDigit(Whole[0]) || !std::ranges::all_of(Whole, isDigitOrLine))
      return std::nullopt;
    if (!First && (Whole.size() > 2 || (Whole.size() == 2 && (Whole[0] > '5' || Whole[1] == '_'))))
      return std::nullopt;
    double Number = 0;
    const std::string Plain = withoutLines(Part);
    std::from_chars(Plain.data(), Plain.data() + Plain.size(), Number);
    Value = Value * 60 + Number;
    First = false;
    if (Last)
      break;
    Text.remove_prefix(Colon + 1);
    if (Text.empty())
      return std::nullopt;
  }
  if (Fraction)
    return fmt::format("{:#}", Value); // with a point
  return fmt::format("{:.0f}", Value);
}

std::optional<std::string> whole(std::string_view Text) {
  if (Text.starts_with("0b"))
    return wholeOf(Text.substr(2), 2);
  if (Text.starts_with("0x"))
    return wholeOf(Text.substr(2), 16);
  if (Text == "0")
    return "0";
  if (Text.starts_with('0'))
    return wholeOf(Text, 8);
  if (Text.empty() || !isDigit(Text[0]))
    return std::nullopt;
  if (std::ranges::all_of(Text, isDigitOrLine))
    return withoutLines(Text);
  return Text.find(':') != std::string_view::npos && Text.find('.') == std::string_view::npos ? sexagesimal(Text)
                                                                                              : std::nullopt;
}

/// Digits with a point among them, and an exponent that has a sign.
std::optional<std::string> fraction(std::string_view Text, bool Signed) {
  const size_t Point = Text.find('.');
  if (Point == std::string_view::npos)
    return std::nullopt;
  if (Text.find(':') != std::string_view::npos)
    return sexagesimal(Text);
  const std::string_view Whole = Text.substr(0, Point);
  const size_t Exponent = std::min(Text.find_first_of("eE", Point), Text.size());
  const std::string_view Part = Text.substr(Point + 1, Exponent - Point - 1);
  // Without digits before the point the first one behind it must be a digit, and no sign may stand.
  if (Whole.empty() ? Signed || Part.empty() || !isDigit(Part[0]) : !isDigit(Whole[0]))
    return std::nullopt;
  if (!std::ranges::all_of(Whole, isDigitOrLine) || !std::ranges::all_of(Part, isDigitOrLine))
    return std::nullopt;
  const std::string_view Power = Text.substr(Exponent);
  if (!Power.empty() &&
      (Power.size() < 3 || (Power[1] != '+' && Power[1] != '-') || !std::ranges::all_of(Power.substr(2), isDigit)))
    return std::nullopt;
  std::string Before = withoutLines(Whole), After = withoutLines(Part);
  Before.erase(0, std::min(Before.find_first_not_of('0'), Before.size()));
  return fmt::format("{}.{}{}", Before.empty() ? "0" : Before, After.empty() ? "0" : After, Power);
}

std::optional<std::string> number(std::string_view Text) {
  const bool Signed = Text.starts_with('-') || Text.starts_with('+');
  const std::string Sign = Text.starts_with('-') ? "-" : "";
  if (Signed)
    Text.remove_prefix(1);
  if (Text == ".inf" || Text == ".Inf" || Text == ".INF")
    return Sign + "Infinity";
  if (!Signed && (Text == ".nan" || Text == ".NaN" || Text == ".NAN"))
    return "NaN";
  auto Result = whole(Text);
  if (!Result)
    Result = fraction(Text, Signed);
  return Result ? std::optional(Sign + *Result) : std::nullopt;
}

} // namespace

std::pair<Kind, std::string> resolveYamlScalar(std::string_view Plain) {
  static constexpr std::string_view Nulls[] = {"", "~", "null", "Null", "NULL"};
  static constexpr std::string_view True[] = {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
  static constexpr std::string_view False[] = {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
  if (std::ranges::find(Nulls, Plain) != std::end(Nulls))
    return {Kind::Null, "null"};
  if (std::ranges::find(True, Plain) != std::end(True))
    return {Kind::Bool, "true"};
  if (std::ranges::find(False, Plain) != std::end(False))
    return {Kind::Bool, "false"};
  if (auto Number = number(Plain))
    return {Kind::Number, std::move(*Number)};
  if (placeholderLength(Plain, 0, false) == Plain.size())
    return {Kind::Symbolic, std::string(Plain)};
  return {Kind::String, std::string(Plain)};
}

} // namespace parlance
