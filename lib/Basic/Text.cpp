#include "Basic/Text.h"
#include <algorithm>
#include <fmt/format.h>
#include <vector>

using namespace parlance;

static char lower(char C) { return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C; }

unsigned parlance::editDistance(std::string_view A, std::string_view B, unsigned Limit) {
  const size_t Shorter = std::min(A.size(), B.size()), Longer = std::max(A.size(), B.size());
  if (Longer - Shorter > Limit)
    return Limit + 1;
  // Three rows of the matrix: a transposition looks two rows back.
  std::vector<unsigned> Before(B.size() + 1), Last(B.size() + 1), Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Last[J] = static_cast<unsigned>(J);
  for (size_t I = 1; I <= A.size(); ++I) {
    Row[0] = static_cast<unsigned>(I);
    unsigned Smallest = Row[0];
    for (size_t J = 1; J <= B.size(); ++J) {
      const char X = lower(A[I - 1]), Y = lower(B[J - 1]);
      Row[J] = std::min({Last[J] + 1, Row[J - 1] + 1, Last[J - 1] + (X != Y)});
      if (I > 1 && J > 1 && X == lower(B[J - 2]) && lower(A[I - 2]) == Y)
        Row[J] = std::min(Row[J], Before[J - 2] + 1);
      Smallest = std::min(Smallest, Row[J]);
    }
    // A later row can undercut this one only through a transposition, which costs one more.
    if (Smallest > Limit + 1)
      return Limit + 1;
    std::swap(Before, Last);
    std::swap(Last, Row);
  }
  return std::min(Last[B.size()], Limit + 1);
}

std::optional<std::string_view> parlance::nearest(std::string_view Wrong,
                                                  std::span<const std::string_view> Candidates) {
  constexpr size_t LongestGuessed = 128;
  if (Wrong.empty() || Wrong.size() > LongestGuessed)
    return std::nullopt;
  const size_t Length = Wrong.size();
  const unsigned Limit = Length < 3 ? 0 : Length <= 4 ? 1 : Length <= 8 ? 2 : 3;
  std::optional<std::string_view> Best;
  unsigned BestCost = 2 * Limit + 2;
  for (const std::string_view Candidate : Candidates) {
    if (Candidate == Wrong || Candidate.empty())
      continue; // offering what was written helps nobody
    const unsigned Distance = editDistance(Wrong, Candidate, Limit);
    // The first letter is rarely the wrong one: it decides between equally near names.
    const unsigned Cost = 2 * Distance + (lower(Wrong[0]) != lower(Candidate[0]));
    if (Distance <= Limit && Cost < BestCost) {
      Best = Candidate;
      BestCost = Cost;
    }
  }
  return Best;
}

bool parlance::isMisspelt(std::string_view Wrong, std::string_view Near) {
  const unsigned Limit = Wrong.size() < 3 ? 0 : Wrong.size() < 10 ? 1 : 2;
  return editDistance(Wrong, Near, Limit) <= Limit;
}

std::string parlance::plural(int64_t Count, std::string_view Noun) {
  std::string Result = withThousands(Count) + ' ' + std::string(Noun);
  if (Count == 1 || Noun.empty())
    return Result;
  const auto EndsWith = [&](std::string_view End) { return Noun.ends_with(End); };
  const bool VowelBeforeY = EndsWith("ay") || EndsWith("ey") || EndsWith("oy") || EndsWith("uy");
  if (EndsWith("y") && !VowelBeforeY) {
    Result.pop_back();
    return Result + "ies";
  }
  const bool Sibilant = EndsWith("s") || EndsWith("x") || EndsWith("ch") || EndsWith("sh");
  return Result + (Sibilant ? "es" : "s");
}

template <typename String> static std::string joinAny(std::span<const String> Items, std::string_view Conjunction) {
  std::string Result;
  for (size_t I = 0; I < Items.size(); ++I) {
    if (I > 0 && I + 1 == Items.size())
      Result.append(" ").append(Conjunction).append(" ");
    else if (I > 0)
      Result += ", ";
    Result += Items[I];
  }
  return Result;
}

std::string parlance::joinList(std::span<const std::string_view> Items, std::string_view Conjunction) {
  return joinAny(Items, Conjunction);
}

std::string parlance::joinList(std::span<const std::string> Items, std::string_view Conjunction) {
  return joinAny(Items, Conjunction);
}

std::string parlance::withThousands(int64_t Value) { return withThousands(std::string_view(fmt::format("{}", Value))); }

std::string parlance::withThousands(std::string_view Decimal) {
  const size_t Sign = Decimal.starts_with('-') ? 1 : 0;
  const size_t Digits = std::min(Decimal.find_first_not_of("0123456789", Sign), Decimal.size());
  std::string Result(Decimal);
  for (size_t I = Digits; I > Sign + 3;) {
    I -= 3;
    Result.insert(I, 1, ',');
  }
  return Result;
}

std::string parlance::unescape(std::string_view Contents) {
  std::string Result;
  for (size_t I = 0; I < Contents.size(); ++I) {
    char C = Contents[I];
    if (C == '\\' && I + 1 < Contents.size()) {
      char Next = Contents[++I];
      C = Next == 'n' ? '\n' : Next == 't' ? '\t' : Next;
    }
    Result += C;
  }
  return Result;
}

std::string parlance::oneLine(std::string_view Text) {
  std::string Result;
  for (char C : Text)
    if (C != '\n' && C != '\r' && C != '\t' && C != ' ')
      Result += C;
    else if (!Result.empty() && Result.back() != ' ')
      Result += ' ';
  if (Result.ends_with(' '))
    Result.pop_back();
  return Result;
}

std::string parlance::shellWord(std::string_view Word) {
  constexpr std::string_view Plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!Word.empty() && Word.find_first_not_of(Plain) == std::string_view::npos)
    return std::string(Word);
  std::string Result = "'";
  for (char C : Word)
    Result += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Result + "'";
}

std::string parlance::fillMarks(std::string_view Template,
                                std::span<const std::pair<std::string_view, std::string>> Parts) {
  std::string Result;
  for (const auto &[Mark, Text] : Parts) {
    size_t At = Template.find(Mark);
    Result += Template.substr(0, At);
    Result += Text;
    Template.remove_prefix(At + Mark.size());
  }
  return Result += Template;
}
