#include "Frameworks/Megatron/Patterns.h"
#include <algorithm>
#include <charconv>

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

/// Sums and products of lists and whole numbers, as Python computes them. Megatron-LM lets through
/// digits, commas, brackets, `+` and `*` only.
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
    return O.IsList ? static_cast<int64_t>(O.Entries.size()) > MaxEntries
                    : O.Entries[0] > MaxEntries;
  }

  std::string_view Text;
  size_t At = 0;
};

/// Counts the bars of a layout; `x*3` and `(…)*3` stand for repetitions.
class LayoutReader {
public:
  explicit LayoutReader(std::string_view Text) : Text(Text) {}
  std::optional<int64_t> bars() {
    auto Count = sequence(0);
    return At == Text.size() ? Count : std::nullopt;
  }

private:
  std::optional<int64_t> sequence(unsigned Depth) {
    if (Depth > MaxDepth)
      return std::nullopt;
    int64_t Count = 0;
    while (At < Text.size() && Text[At] != ')') {
      int64_t Bars = 0;
      if (Text[At] == '(') {
        ++At;
        auto Inner = sequence(Depth + 1);
        if (!Inner || At >= Text.size())
          return std::nullopt;
        Bars = *Inner;
      } else {
        Bars = Text[At] == '|';
      }
      ++At;
      auto Times = repetition();
      if (!Times || (Bars && *Times > MaxEntries / Bars))
        return std::nullopt;
      Count += Bars * *Times;
    }
    return Count <= MaxEntries ? std::optional(Count) : std::nullopt;
  }
  std::optional<int64_t> repetition() {
    if (At >= Text.size() || Text[At] != '*')
      return 1;
    size_t End = std::min(Text.find_first_not_of("0123456789", At + 1), Text.size());
    auto N = wholeNumber(Text.substr(At + 1, End - At - 1));
    At = End;
    return N;
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

std::optional<int64_t> countStages(std::string_view Layout) {
  auto Bars = LayoutReader(Layout).bars();
  return Bars ? std::optional(*Bars + 1) : std::nullopt;
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
