#include "Config/ConfigTree.h"
#include "Basic/Diagnostics.h"
#include "Basic/Utf8.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ranges>

namespace parlance {

const ConfigValue *ConfigValue::find(std::string_view Name) const {
  if (K != Kind::Object)
    return nullptr;
  auto Last = std::ranges::find_if(std::views::reverse(Items), [&](const ConfigValue &V) { return V.Key == Name; });
  return Last == Items.rend() ? nullptr : &*Last;
}

std::optional<int64_t> ConfigValue::integer() const {
  int64_t Result = 0;
  const char *End = Text.data() + Text.size();
  if (K != Kind::Number)
    return std::nullopt;
  auto [Stop, Error] = std::from_chars(Text.data(), End, Result);
  return Error == std::errc() && Stop == End ? std::optional(Result) : std::nullopt;
}

std::optional<double> ConfigValue::number() const {
  if (K != Kind::Number)
    return std::nullopt;
  char *Stop = nullptr; // reads `NaN` and `Infinity` too, and rounds what is out of range
  const double Result = std::strtod(Text.c_str(), &Stop);
  return Stop == Text.c_str() + Text.size() ? std::optional(Result) : std::nullopt;
}

std::string_view ConfigValue::kindName() const {
  static constexpr std::string_view Names[] = {"null",   "a truth value", "a number",     "a string",
                                               "a list", "an object",     "a placeholder"};
  return Names[static_cast<unsigned>(K)];
}

std::string ConfigValue::brief() const {
  constexpr size_t Longest = 40;
  if (K == Kind::Array)
    return Items.empty() ? "[]" : "[…]";
  if (K == Kind::Object)
    return Items.empty() ? "{}" : "{…}";
  std::string Result = Text;
  if (Result.size() > Longest) {
    size_t Cut = Longest;
    while (Cut > 0 && isContinuation(Result[Cut]))
      --Cut; // not inside a character
    Result = Result.substr(0, Cut) + "…";
  }
  return K == Kind::String ? '"' + Result + '"' : Result;
}

std::optional<Fix> withoutQuotes(const ConfigValue &V) {
  constexpr size_t MostDigits = 18; // of 64 bits
  const bool IsNumber = V.K == ConfigValue::Kind::String && !V.Text.empty() && V.Text.size() <= MostDigits &&
                        V.Text.find_first_not_of("0123456789") == std::string::npos &&
                        (V.Text[0] != '0' || V.Text.size() == 1);
  if (!IsNumber)
    return std::nullopt;
  return Fix{fmt::format("`{}`", V.Text), Applicability::Machine, {{V.Range, V.Text}}, {}};
}

bool looksLikeNumber(const ConfigValue &V) {
  if (V.K != ConfigValue::Kind::String || V.Text.empty())
    return false;
  const char *Begin = V.Text.data(), *End = Begin + V.Text.size();
  if (*Begin == '+')
    ++Begin;
  double Value = 0;
  const auto [Stop, Error] = std::from_chars(Begin, End, Value);
  const char Last = End[-1]; // not the letters of `inf` and `nan`
  return Error != std::errc::invalid_argument && Stop == End && Begin != End &&
         ((Last >= '0' && Last <= '9') || Last == '.');
}

void warnOfDuplicateKeys(const ConfigValue &Object, unsigned &Warned, DiagnosticEngine &Diags) {
  constexpr unsigned MaxWarnings = 20; // a file made of them needs no more
  std::vector<const ConfigValue *> Sorted;
  Sorted.reserve(Object.Items.size());
  for (const ConfigValue &V : Object.Items)
    Sorted.push_back(&V);
  std::ranges::stable_sort(Sorted, [](const ConfigValue *A, const ConfigValue *B) { return A->Key < B->Key; });
  for (size_t I = 1; I < Sorted.size(); ++I) {
    if (Sorted[I - 1]->Key != Sorted[I]->Key || ++Warned > MaxWarnings)
      continue;
    Diags.report(diag::DuplicateKey, Sorted[I]->KeyRange, Sorted[I]->Key)
        .Notes.push_back({Sorted[I - 1]->KeyRange, "given before here; this value does not count"});
  }
}

namespace {

bool isUpper(char C) { return C >= 'A' && C <= 'Z'; }
bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isName(char C) { return isUpper(C) || (C >= 'a' && C <= 'z') || isDigit(C) || C == '_'; }

/// From an opening bracket to its closing one on the same line; 0 when there is none.
size_t bracketed(std::string_view Line, std::string_view Open, std::string_view Close) {
  if (!Line.starts_with(Open))
    return 0;
  const size_t To = Line.find(Close, Open.size());
  return To == std::string_view::npos ? 0 : To + Close.size();
}

size_t namedPlaceholder(std::string_view Line, bool BareWords) {
  size_t Begin = Line.starts_with('$') ? 1 : 0, End = Begin;
  while (End < Line.size() && isName(Line[End]))
    ++End;
  const std::string_view Word = Line.substr(Begin, End - Begin);
  if (Word.empty() || isDigit(Word[0]))
    return 0;
  if (Begin == 1)
    return End;
  const auto Is = [&](auto Test) { return std::ranges::all_of(Word, Test); };
  const bool Capitals = Is([](char C) { return isUpper(C) || isDigit(C) || C == '_'; });
  if (Capitals && Word.size() > 4 && Word.starts_with("__") && Word.ends_with("__"))
    return End;
  constexpr std::string_view Mistakes[] = {"TRUE", "FALSE", "NONE", "NULL", "NAN", "INF", "INFINITY"};
  const bool Mistake = std::ranges::find(Mistakes, Word) != std::end(Mistakes);
  const bool Mixed = std::ranges::any_of(Word, isUpper) && Word.find('_') != std::string_view::npos;
  return BareWords && Word.size() > 2 && !Mistake && (Capitals || Mixed) ? End : 0;
}

} // namespace

size_t placeholderLength(std::string_view Text, size_t At, bool BareWords) {
  std::string_view Line = Text.substr(At);
  if (Line.empty() || !(isName(Line[0]) || Line[0] == '{' || Line[0] == '<' || Line[0] == '$'))
    return 0;
  if (!isName(Line[0]))
    Line = Line.substr(0, Line.find('\n'));
  for (auto [Open, Close] :
       {std::pair<std::string_view, std::string_view>{"{{", "}}"}, {"{%", "%}"}, {"<", ">"}, {"${", "}"}, {"$(", ")"}})
    if (size_t Length = bracketed(Line, Open, Close))
      return Length;
  return namedPlaceholder(Line, BareWords);
}

} // namespace parlance
