#include "Basic/Diff.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <unordered_map>

namespace parlance {

namespace {

/// Equal lines have equal numbers.
using Lines = std::vector<uint32_t>;

/// Matches lines of both texts in ever smaller ranges: common ends, lines that occur once on either side (patience
/// diff), and a table of the longest common subsequence where it is small.
class Matcher {
public:
  Matcher(const Lines &Old, const Lines &New, size_t Different)
      : Old(Old), New(New), Seen(Different), Partner(Old.size(), None) {}

  /// For each old line its new one, or None.
  static constexpr size_t None = SIZE_MAX;
  const std::vector<size_t> &run() {
    Todo.push_back({0, Old.size(), 0, New.size(), 0});
    while (!Todo.empty()) {
      Range R = Todo.back();
      Todo.pop_back();
      trim(R);
      if (R.OldBegin == R.OldEnd || R.NewBegin == R.NewEnd)
        continue;
      if (R.Depth == MaxDepth || !matchUnique(R))
        matchSmall(R);
    }
    return Partner;
  }

private:
  static constexpr unsigned MaxDepth = 32;
  static constexpr size_t MaxCells = 1 << 20;
  struct Range {
    size_t OldBegin, OldEnd, NewBegin, NewEnd;
    unsigned Depth;
  };
  struct Occurrences {
    uint32_t Old = 0, New = 0;
    size_t At = 0; ///< the last one in the new text
  };

  void match(size_t O, size_t N) { Partner[O] = N; }
  void trim(Range &R) {
    while (R.OldBegin < R.OldEnd && R.NewBegin < R.NewEnd && Old[R.OldBegin] == New[R.NewBegin])
      match(R.OldBegin++, R.NewBegin++);
    while (R.OldBegin < R.OldEnd && R.NewBegin < R.NewEnd && Old[R.OldEnd - 1] == New[R.NewEnd - 1])
      match(--R.OldEnd, --R.NewEnd);
  }

  struct Pair {
    size_t Old, New, Before; ///< Before: the pair ahead of it in the longest chain that ends here
  };
  /// The lines that occur once in the range of either text, in the order of the old one.
  std::vector<Pair> uniquePairs(const Range &R) {
    for (size_t I = R.OldBegin; I < R.OldEnd; ++I)
      ++Seen[Old[I]].Old;
    for (size_t I = R.NewBegin; I < R.NewEnd; ++I) {
      ++Seen[New[I]].New;
      Seen[New[I]].At = I;
    }
    std::vector<Pair> Pairs;
    for (size_t I = R.OldBegin; I < R.OldEnd; ++I)
      if (const Occurrences &S = Seen[Old[I]]; S.Old == 1 && S.New == 1)
        Pairs.push_back({I, S.At, None});
    for (size_t I = R.OldBegin; I < R.OldEnd; ++I)
      Seen[Old[I]] = {};
    for (size_t I = R.NewBegin; I < R.NewEnd; ++I)
      Seen[New[I]] = {};
    return Pairs;
  }
  /// Matches the longest chain of such lines that rises in both texts and goes on between them.
  bool matchUnique(const Range &R) {
    std::vector<Pair> Pairs = uniquePairs(R);
    if (Pairs.empty())
      return false;
    std::vector<size_t> Tails; // the last pair of the best chain of each length
    for (size_t I = 0; I < Pairs.size(); ++I) {
      auto At = std::ranges::lower_bound(Tails, Pairs[I].New, {}, [&](size_t P) { return Pairs[P].New; });
      if (At != Tails.begin())
        Pairs[I].Before = *std::prev(At);
      At == Tails.end() ? Tails.push_back(I) : void(*At = I);
    }
    Range Rest = R;
    ++Rest.Depth;
    for (size_t P = Tails.back(); P != None; P = Pairs[P].Before) {
      match(Pairs[P].Old, Pairs[P].New);
      Todo.push_back({Pairs[P].Old + 1, Rest.OldEnd, Pairs[P].New + 1, Rest.NewEnd, Rest.Depth});
      Rest.OldEnd = Pairs[P].Old;
      Rest.NewEnd = Pairs[P].New;
    }
    Todo.push_back(Rest);
    return true;
  }

  void matchSmall(const Range &R) {
    size_t Rows = R.OldEnd - R.OldBegin, Columns = R.NewEnd - R.NewBegin;
    if (Rows > MaxCells / Columns)
      return;
    // Length of the longest common subsequence behind each pair of places.
    std::vector<uint32_t> Table((Rows + 1) * (Columns + 1), 0);
    auto Cell = [&](size_t I, size_t J) -> uint32_t & { return Table[I * (Columns + 1) + J]; };
    auto Same = [&](size_t I, size_t J) { return Old[R.OldBegin + I] == New[R.NewBegin + J]; };
    for (size_t I = Rows; I-- > 0;)
      for (size_t J = Columns; J-- > 0;)
        Cell(I, J) = Same(I, J) ? Cell(I + 1, J + 1) + 1 : std::max(Cell(I + 1, J), Cell(I, J + 1));
    for (size_t I = 0, J = 0; I < Rows && J < Columns;) {
      if (Same(I, J))
        match(R.OldBegin + I++, R.NewBegin + J++);
      else
        ++(Cell(I + 1, J) >= Cell(I, J + 1) ? I : J);
    }
  }

  const Lines &Old, &New;
  std::vector<Occurrences> Seen;
  std::vector<size_t> Partner;
  std::vector<Range> Todo;
};

/// One line of a unified diff.
void put(std::string &Out, char Mark, std::string_view Line) {
  Out += Mark;
  Out += Line;
  if (!Line.ends_with('\n'))
    Out += "\n\\ No newline at end of file\n";
}

/// "12,3": where lines begin and how many there are; "12" for one.
std::string extent(size_t Begin, size_t End) {
  if (End - Begin == 1)
    return fmt::format("{}", End);
  return fmt::format("{},{}", Begin == End ? Begin : Begin + 1, End - Begin);
}

} // namespace

std::vector<std::string_view> splitLines(std::string_view Text) {
  std::vector<std::string_view> Result;
  while (!Text.empty()) {
    size_t Length = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Result.push_back(Text.substr(0, Length));
    Text.remove_prefix(Length);
  }
  return Result;
}

std::vector<LineChange> diffLines(std::span<const std::string_view> Old, std::span<const std::string_view> New) {
  std::unordered_map<std::string_view, uint32_t> Numbers;
  auto Numbered = [&](std::span<const std::string_view> Texts) {
    Lines Result;
    Result.reserve(Texts.size());
    for (std::string_view Text : Texts)
      Result.push_back(Numbers.emplace(Text, static_cast<uint32_t>(Numbers.size())).first->second);
    return Result;
  };
  Lines A = Numbered(Old), B = Numbered(New);
  Matcher M(A, B, Numbers.size());
  const std::vector<size_t> &Partner = M.run();
  std::vector<LineChange> Changes;
  for (size_t I = 0, J = 0; I < A.size() || J < B.size();) {
    LineChange C{I, I, J, J};
    while (C.OldEnd < A.size() && Partner[C.OldEnd] == Matcher::None)
      ++C.OldEnd;
    C.NewEnd = C.OldEnd < A.size() ? Partner[C.OldEnd] : B.size();
    if (C.OldBegin != C.OldEnd || C.NewBegin != C.NewEnd)
      Changes.push_back(C);
    I = C.OldEnd + 1;
    J = C.NewEnd + 1;
  }
  return Changes;
}

std::vector<Edit> lineEdits(uint32_t File, std::string_view Old, std::string_view New) {
  std::vector<std::string_view> Before = splitLines(Old), After = splitLines(New);
  auto Offset = [](std::string_view Whole, const std::vector<std::string_view> &Lines, size_t I) {
    return static_cast<uint32_t>(I < Lines.size() ? Lines[I].data() - Whole.data() : Whole.size());
  };
  std::vector<Edit> Edits;
  for (const LineChange &L : diffLines(Before, After)) {
    uint32_t Begin = Offset(New, After, L.NewBegin), End = Offset(New, After, L.NewEnd);
    Edits.push_back({{File, Offset(Old, Before, L.OldBegin), Offset(Old, Before, L.OldEnd)},
                     std::string(New.substr(Begin, End - Begin))});
  }
  return Edits;
}

std::string unifiedDiff(std::string_view OldName, std::string_view NewName, std::string_view Old,
                        std::string_view New) {
  constexpr size_t Context = 3;
  std::vector<std::string_view> A = splitLines(Old), B = splitLines(New);
  std::vector<LineChange> Changes = diffLines(A, B);
  if (Changes.empty())
    return "";
  std::string Out = fmt::format("--- {}\n+++ {}\n", OldName, NewName);
  for (size_t I = 0; I < Changes.size();) {
    size_t Last = I; // of the changes that share a hunk
    while (Last + 1 < Changes.size() && Changes[Last + 1].OldBegin - Changes[Last].OldEnd <= 2 * Context)
      ++Last;
    size_t Before = std::min(Context, Changes[I].OldBegin);
    size_t Behind = std::min(Context, A.size() - Changes[Last].OldEnd);
    size_t At = Changes[I].OldBegin - Before;
    Out += fmt::format("@@ -{} +{} @@\n", extent(At, Changes[Last].OldEnd + Behind),
                       extent(Changes[I].NewBegin - Before, Changes[Last].NewEnd + Behind));
    for (; I <= Last; ++I) {
      for (; At < Changes[I].OldBegin; ++At)
        put(Out, ' ', A[At]);
      for (; At < Changes[I].OldEnd; ++At)
        put(Out, '-', A[At]);
      for (size_t J = Changes[I].NewBegin; J < Changes[I].NewEnd; ++J)
        put(Out, '+', B[J]);
    }
    for (size_t End = At + Behind; At < End; ++At)
      put(Out, ' ', A[At]);
  }
  return Out;
}

} // namespace parlance
