#include "Frameworks/Megatron/Patterns.h"
#include "Basic/Text.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace parlance::megatron {

/// No model has as many layers: a bound for `[0]*1000000*1000000`.
static constexpr int64_t MaxEntries = 1 << 16;
static constexpr unsigned MaxDepth = 32;

static std::optional<int64_t> wholeNumber(std::string_view Text) {
  while (Text.starts_with(' '))
    Text.remove_prefix(1);
  while (Text.ends_with(' '))
    Text.remove_suffix(1);
  int64_t Result = 0;
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Result);
  bool All = !Text.empty() && End == Text.data() + Text.size();
  return Error == std::errc() && All ? std::optional(Result) : std::nullopt;
}

namespace {

/// Sums and products of lists and whole numbers, as Python computes them. Megatron-LM lets through digits, commas,
/// brackets, `+` and `*` only.
class ListExpression {
public:
  explicit ListExpression(std::string_view Text) : Text(Text) {}
  std::optional<std::vector<int64_t>> read() {
    auto Result = sum(0);
    if (!Result || At != Text.size() || !Result->IsList)
      return std::nullopt;
    return std::move(Result->Entries);
  }

private:
  struct Operand {
    bool IsList = false;
    std::vector<int64_t> Entries; ///< of a number, the number
  };

  bool take(char C) {
    bool Here = At < Text.size() && Text[At] == C;
    At += Here;
    return Here;
  }

  std::optional<Operand> sum(unsigned Depth) {
    auto Left = product(Depth);
    while (Left && take('+')) {
      auto Right = product(Depth);
      if (!Right || Left->IsList != Right->IsList)
        return std::nullopt;
      if (Left->IsList)
        Left->Entries.insert(Left->Entries.end(), Right->Entries.begin(), Right->Entries.end());
      else
        Left->Entries[0] += Right->Entries[0];
      if (tooLarge(*Left))
        return std::nullopt;
    }
    return Left;
  }

  std::optional<Operand> product(unsigned Depth) {
    auto Left = atom(Depth);
    while (Left && take('*')) {
      auto Right = atom(Depth);
      if (!Right || (Left->IsList && Right->IsList))
        return std::nullopt;
      if (Right->IsList)
        std::swap(*Left, *Right);
      int64_t Times = Right->Entries[0];
      if (!Left->IsList)
        Left->Entries[0] *= Times;
      else if (static_cast<int64_t>(Left->Entries.size()) * Times > MaxEntries)
        return std::nullopt;
      else
        repeat(Left->Entries, Times);
      if (tooLarge(*Left))
        return std::nullopt;
    }
    return Left;
  }

  std::optional<Operand> atom(unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    if (take('(')) {
      auto Inner = sum(Depth + 1);
      return take(')') ? Inner : std::nullopt;
    }
    if (take('['))
      return list(Depth + 1);
    size_t End = std::min(Text.find_first_not_of("0123456789", At), Text.size());
    auto N = wholeNumber(Text.substr(At, End - At));
    if (!N || *N > MaxEntries)
      return std::nullopt;
    At = End;
    return Operand{false, {*N}};
  }

  std::optional<Operand> list(unsigned Depth) {
    Operand Result{true, {}};
    while (!take(']')) {
      auto Entry = sum(Depth);
      if (!Entry || Entry->IsList)
        return std::nullopt;
      Result.Entries.push_back(Entry->Entries[0]);
      if (!take(',') && (At >= Text.size() || Text[At] != ']'))
        return std::nullopt;
    }
    return Result;
  }

  static void repeat(std::vector<int64_t> &Entries, int64_t Times) {
    std::vector<int64_t> Once = Entries;
    Entries.clear();
    for (int64_t I = 0; I < Times; ++I)
      Entries.insert(Entries.end(), Once.begin(), Once.end());
  }
  static bool tooLarge(const Operand &O) {
    return O.IsList ? static_cast<int64_t>(O.Entries.size()) > MaxEntries : O.Entries[0] > MaxEntries;
  }

  std::string_view Text;
  size_t At = 0;
};

/// Writes out the repetitions of a layout: `x*3` and `(…)*3`.
class LayoutReader {
public:
  explicit LayoutReader(std::string_view Text) : Text(Text) {}
  std::optional<std::string> read() {
    auto Result = sequence(0);
    return At == Text.size() ? Result : std::nullopt;
  }

private:
  std::optional<std::string> sequence(unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    std::string Result;
    while (At < Text.size() && Text[At] != ')') {
      auto Part = part(Depth);
      if (!Part)
        return std::nullopt;
      auto Times = repetition();
      if (!Times || static_cast<int64_t>(Result.size() + Part->size() * *Times) > MaxEntries)
        return std::nullopt;
      for (int64_t I = 0; I < *Times; ++I)
        Result += *Part;
    }
    return Result;
  }
  /// A letter or a bar, or what brackets hold, which a repetition has to follow.
  std::optional<std::string> part(unsigned Depth) {
    if (Text[At] != '(') {
      char C = Text[At++];
      return C == ',' ? std::string() : std::string(1, C);
    }
    ++At;
    auto Inner = sequence(Depth + 1);
    if (!Inner || At >= Text.size())
      return std::nullopt;
    ++At;
    return At < Text.size() && Text[At] == '*' ? Inner : std::nullopt;
  }
  std::optional<int64_t> repetition() {
    if (At >= Text.size() || Text[At] != '*')
      return 1;
    size_t End = std::min(Text.find_first_not_of("0123456789", At + 1), Text.size());
    auto N = wholeNumber(Text.substr(At + 1, End - At - 1));
    At = End;
    return N && *N <= MaxEntries ? N : std::nullopt;
  }

  std::string_view Text;
  size_t At = 0;
};

} // namespace

std::optional<LayerPattern> parseLayerPattern(std::string_view Text) {
  if (Text.find('[') == std::string_view::npos) {
    auto Every = wholeNumber(Text);
    return Every && *Every > 0 ? std::optional(LayerPattern{Every, {}}) : std::nullopt;
  }
  auto Entries = ListExpression(Text).read();
  return Entries ? std::optional(LayerPattern{std::nullopt, std::move(*Entries)}) : std::nullopt;
}

std::optional<std::string> expandLayout(std::string_view Layout) { return LayoutReader(Layout).read(); }

std::optional<int64_t> countStages(std::string_view Layout) {
  auto Expanded = expandLayout(Layout);
  return Expanded ? std::optional(std::ranges::count(*Expanded, '|') + 1) : std::nullopt;
}

std::optional<LayoutFault> layoutFault(std::string_view Expanded, std::optional<int64_t> Layers,
                                       std::optional<int64_t> Predictors) {
  if (size_t Odd = Expanded.find_first_not_of("EtmL|"); Odd != std::string_view::npos)
    return LayoutFault{fmt::format("a layout with `{}`", Expanded[Odd]), "be made of E, t, m, L and bars"};
  std::string Order(Expanded);
  std::erase(Order, '|');
  auto Count = [&](char C) { return std::ranges::count(Order, C); };
  if (!Order.starts_with('E') || Count('E') != 1)
    return LayoutFault{fmt::format("a layout with {}", plural(Count('E'), "embedding")),
                       "start with E and have no other"};
  if (!Order.ends_with('L') || Count('L') != 1)
    return LayoutFault{fmt::format("a layout with {} of L", plural(Count('L'), "place")),
                       "end with L and have no other"};
  if (Layers && Count('t') != *Layers)
    return LayoutFault{fmt::format("a layout of {}", plural(Count('t'), "layer")),
                       fmt::format("place each of {}", plural(*Layers, "layer"))};
  if (Predictors && Count('m') != *Predictors)
    return LayoutFault{fmt::format("a layout with {} of m", plural(Count('m'), "place")),
                       fmt::format("have as many as --mtp-num-layers, {}", *Predictors)};
  if (size_t First = Order.find('m'); Order.find('t', std::min(First, Order.size())) != Order.npos)
    return LayoutFault{"a layout with t behind m", "have m behind all t"};
  return std::nullopt;
}

/// The number before an optional K, M, B or T.
static bool isScheduleNumber(std::string_view Text) {
  if (!Text.empty() && std::string_view("KMBTkmbt").find(Text.back()) != std::string_view::npos)
    Text.remove_suffix(1);
  double Value = 0;
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  return Error == std::errc() && End == Text.data() + Text.size() && Value >= 0;
}

std::string scheduleFault(std::string_view Schedule) {
  for (size_t Begin = 0; Begin < Schedule.size();) {
    size_t End = std::min(Schedule.find_first_of(" ,", Begin), Schedule.size());
    std::string_view Entry = Schedule.substr(Begin, End - Begin);
    Begin = End + 1;
    if (Entry.empty())
      continue;
    size_t Colon = Entry.find(':');
    if (Colon == std::string_view::npos)
      return fmt::format("`{}`, which has no colon", Entry);
    for (std::string_view Number : {Entry.substr(0, Colon), Entry.substr(Colon + 1)})
      if (!isScheduleNumber(Number))
        return fmt::format("`{}`, in which `{}` is not a number", Entry, Number);
  }
  return {};
}

std::optional<std::vector<int64_t>> parseTuple(std::string_view Text) {
  while (!Text.empty() && (Text.front() == '(' || Text.front() == ')'))
    Text.remove_prefix(1);
  while (!Text.empty() && (Text.back() == '(' || Text.back() == ')'))
    Text.remove_suffix(1);
  std::vector<int64_t> Result;
  for (size_t Begin = 0; Begin <= Text.size();) {
    size_t End = std::min(Text.find(',', Begin), Text.size());
    auto N = wholeNumber(Text.substr(Begin, End - Begin));
    if (!N)
      return std::nullopt;
    Result.push_back(*N);
    Begin = End + 1;
  }
  return Result;
}

} // namespace parlance::megatron
