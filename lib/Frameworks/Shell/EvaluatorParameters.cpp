// `$NAME`, `${NAME:-default}` and the other forms.
#include "Frameworks/Shell/Evaluator.h"
#include "Frameworks/Shell/WordReader.h"
#include <algorithm>
#include <cstdlib>

namespace parlance::shell {

bool matches(std::string_view Pattern, std::string_view Text) {
  size_t P = 0, T = 0, Star = Pattern.npos, Resume = 0;
  // The width of the pattern's item at P if it matches the character, else 0.
  auto Item = [&](char C) -> size_t {
    if (P >= Pattern.size())
      return 0;
    if (Pattern[P] == '?')
      return 1;
    if (Pattern[P] == '\\' && P + 1 < Pattern.size())
      return Pattern[P + 1] == C ? 2 : 0;
    size_t Close = Pattern[P] == '[' ? Pattern.find(']', P + 2) : Pattern.npos;
    if (Close == Pattern.npos || Close - P > 256)
      return Pattern[P] == C;
    std::string_view Set = Pattern.substr(P + 1, Close - P - 1);
    bool Not = Set[0] == '!' || Set[0] == '^', In = false;
    for (size_t I = Not; I < Set.size(); ++I)
      if (I + 2 < Set.size() && Set[I + 1] == '-') {
        In |= Set[I] <= C && C <= Set[I + 2];
        I += 2;
      } else {
        In |= Set[I] == C;
      }
    return In != Not ? Close - P + 1 : 0;
  };
  while (T < Text.size()) {
    if (P < Pattern.size() && Pattern[P] == '*') {
      Star = P++;
      Resume = T;
    } else if (size_t Width = Item(Text[T])) {
      P += Width;
      ++T;
    } else if (Star != Pattern.npos) {
      P = Star + 1;
      T = ++Resume;
    } else {
      return false;
    }
  }
  while (P < Pattern.size() && Pattern[P] == '*')
    ++P;
  return P == Pattern.size();
}

/// Of texts this long and longer, patterns are not tried at every place.
static constexpr size_t MaxMatched = 4096;

// --- looking up

Parameter Evaluator::argument(const std::string &Name, Span At) {
  SourceRange Where = U->range(At);
  Parameter Result;
  bool All = Name == "@" || Name == "*";
  if (!Frames.empty()) {
    const std::vector<ShellText> &Arguments = Frames.back().Arguments;
    Result.Set = true;
    if (All) {
      Result.Many = true;
      Result.Values = Arguments;
      return Result;
    }
    if (Name == "#") {
      Result.Values.push_back(computed(std::to_string(Arguments.size()), Where));
      return Result;
    }
    if (size_t N = std::strtoul(Name.c_str(), nullptr, 10); N > 0) {
      Result.Set = N <= Arguments.size();
      Result.Values.push_back(Result.Set ? Arguments[N - 1] : ShellText());
      return Result;
    }
  }
  std::string Key = Name;
  if (isDigit(Name[0]) && Name != "0")
    Key = std::to_string(std::strtoul(Name.c_str(), nullptr, 10) % 100000 + Shifted);
  if (const std::string *Text = given(Key)) {
    Result.Set = true;
    Result.Values.push_back(computed(*Text, Where));
    return Result;
  }
  if (All)
    for (unsigned I = 1 + Shifted;; ++I) {
      const std::string *Text = given(std::to_string(I));
      if (!Text)
        break;
      Result.Values.push_back(computed(*Text, Where));
    }
  Result.Many = All;
  if (!Result.Values.empty()) {
    Result.Set = true;
    return Result;
  }
  Piece P = rootSymbol(Key, Where);
  P.MaySplit = All;
  Result.Set = !isDigit(Name[0]) || Name == "0";
  Result.Values.emplace_back().append(std::move(P));
  return Result;
}

Parameter Evaluator::element(const Part &P, const Variable &V) {
  Parameter Result;
  Result.Set = true;
  if (P.Index == "@" || P.Index == "*") {
    Result.Many = P.Index == "@" || !P.Quoted;
    Result.Values = V.Array ? V.Elements : std::vector<ShellText>{V.Scalar};
    if (!Result.Many) { // "${A[*]}" is one word
      ShellText One;
      for (size_t I = 0; I < Result.Values.size(); ++I) {
        if (I > 0)
          One.append(computed(" ", U->range(P.At)));
        One.append(Result.Values[I]);
      }
      Result.Values = {std::move(One)};
    }
    return Result;
  }
  size_t Index = 0;
  if (!P.Index.empty()) {
    std::string Expression = P.Index;
    std::erase(Expression, '$');
    Number N = evaluate(computed(Expression, U->range(P.At)), 0);
    if (!N.Value || *N.Value < 0) {
      Result.Values.emplace_back().append(derived(P.At, V.Scalar));
      return Result;
    }
    Index = static_cast<size_t>(*N.Value);
  }
  if (!V.Array) {
    Result.Values.push_back(Index == 0 ? V.Scalar : ShellText());
    return Result;
  }
  // Behind a symbol that may be several elements, none has a known place.
  for (size_t I = 0; I <= Index && I < V.Elements.size(); ++I)
    for (const Piece &Of : V.Elements[I].pieces())
      if (Of.MaySplit && I < Index) {
        Result.Values.emplace_back().append(derived(P.At, V.Elements[I]));
        return Result;
      }
  Result.Set = Index < V.Elements.size();
  Result.Values.push_back(Result.Set ? V.Elements[Index] : ShellText());
  return Result;
}

Parameter Evaluator::lookUp(const Part &P) {
  if (!isNameStart(P.Name[0]))
    return argument(P.Name, P.At);
  if (const Variable *V = find(P.Name)) {
    for (const ShellText &E : V->Elements)
      charge(E.weight());
    charge(V->Scalar.weight());
    return element(P, *V);
  }
  Parameter Result;
  SourceRange Where = U->range(P.At);
  if (const std::string *Text = given(P.Name)) {
    Result.Set = true;
    Result.Values.push_back(computed(*Text, Where));
    return Result;
  }
  // In a job of Slurm its variables are set, whatever default is written.
  Result.Set = !Script.Sbatch.empty() && P.Name.starts_with("SLURM_");
  Piece Symbol = rootSymbol(P.Name, Where);
  Symbol.MaySplit = !P.Quoted;
  Result.Values.emplace_back().append(std::move(Symbol));
  return Result;
}

// --- operators

Parameter Evaluator::parameter(const Part &P) {
  Parameter Value = lookUp(P);
  for (const ShellText &Text : Value.Values)
    charge(Text.weight());
  if (Stopped)
    return {};
  if (P.Length)
    return length(P, Value);
  if (P.Indirect) {
    Parameter Result;
    std::string Name = Value.Values.empty() ? "" : Value.Values[0].text().value_or("");
    const Variable *V = find(Name);
    if (V && !V->Array && P.Op.empty())
      Result.Values.push_back(V->Scalar);
    else
      Result.Values.emplace_back().append(derived(P.At, Value.Values.empty() ? ShellText() : Value.Values[0]));
    return Result;
  }
  if (P.Op.empty())
    return Value;
  char Sign = P.Op.back();
  if (P.Op == ":") {
    sliced(P, Value);
    return Value;
  }
  if ((Sign == '-' || Sign == '=' || Sign == '+' || Sign == '?') && P.Op[0] != '/')
    return withDefault(P, std::move(Value));
  for (ShellText &Text : Value.Values)
    Text = transformed(P, Text);
  return Value;
}

Parameter Evaluator::length(const Part &P, const Parameter &Of) {
  Parameter Result;
  Result.Set = true;
  size_t Count = Of.Values.size();
  for (const ShellText &Text : Of.Values) {
    bool Open = Text.symbolic();
    if (Of.Many)
      Open = std::ranges::any_of(Text.pieces(), &Piece::MaySplit);
    if (Open) {
      Result.Values.emplace_back().append(derived(P.At, Text));
      return Result;
    }
    if (!Of.Many)
      Count = Text.size();
  }
  Result.Values.push_back(computed(std::to_string(Count), U->range(P.At)));
  return Result;
}

Parameter Evaluator::withDefault(const Part &P, Parameter Of) {
  bool Colon = P.Op[0] == ':', Null = true;
  for (const ShellText &Text : Of.Values)
    Null &= Text.empty();
  bool Missing = !Of.Set || (Colon && Null);
  Parameter Result;
  Result.Set = true;
  switch (P.Op.back()) {
  case '?':
    return Of;
  case '+': {
    ShellText Text;
    bool Known = std::ranges::none_of(Of.Values, &ShellText::symbolic);
    if (!Missing && !Known && Colon)
      Text.append(derived(P.At, Of.Values[0]));
    else if (!Missing)
      Text = expand(P.Operand);
    Result.Values.push_back(std::move(Text));
    return Result;
  }
  default:
    if (!Missing)
      return Of;
    Result.Values.push_back(expand(P.Operand));
    if (P.Op.back() == '=' && isNameStart(P.Name[0]) && P.Index.empty()) {
      Variable V;
      V.At = U->range(P.At);
      V.Scalar = Result.Values[0];
      set(P.Name, std::move(V));
    }
    return Result;
  }
}

ShellText Evaluator::transformed(const Part &P, const ShellText &Value) {
  ShellText Result;
  std::optional<std::string> Pattern = expand(P.Operand).text();
  if (!Value.symbolic() && Pattern && Value.size() <= MaxMatched && Pattern->size() <= MaxMatched) {
    char Sign = P.Op[0];
    if (Sign == '%' || Sign == '#')
      return stripped(P, Value, *Pattern);
    if (Sign == '/')
      return replaced(P, Value);
    if ((Sign == '^' || Sign == ',') && P.Operand.empty())
      return withCase(P, Value);
  }
  Result.append(derived(P.At, Value));
  return Result;
}

/// `%` and `#`: without the shortest, doubled the longest, end or beginning that matches.
ShellText Evaluator::stripped(const Part &P, const ShellText &Value, const std::string &Pattern) {
  std::string Flat = Value.flat();
  size_t Size = Flat.size();
  bool Suffix = P.Op[0] == '%', Longest = P.Op.size() == 2;
  for (size_t I = 0; I <= Size; ++I) {
    size_t Length = Longest ? Size - I : I;
    std::string_view Part = std::string_view(Flat).substr(Suffix ? Size - Length : 0, Length);
    if (!charge(Part.size() + Pattern.size()))
      break;
    if (matches(Pattern, Part))
      return Suffix ? Value.slice(0, Size - Length) : Value.slice(Length, Size);
  }
  return Value;
}

/// `/pattern/text`; the pattern is taken as plain text, anything else stays symbolic.
ShellText Evaluator::replaced(const Part &P, const ShellText &Value) {
  ShellText Operand = expand(P.Operand), Result;
  std::string All = Operand.flat(), Flat = Value.flat();
  size_t Slash = All.find('/');
  std::string Pattern = All.substr(0, Slash);
  if (Pattern.empty())
    return Value;
  if (P.Op.size() == 2 && P.Op != "//") {
    Result.append(derived(P.At, Value));
    return Result;
  }
  if (Pattern.find_first_of("*?[\\") != Pattern.npos) {
    Result.append(derived(P.At, Value));
    return Result;
  }
  ShellText With = Slash == All.npos ? ShellText() : Operand.slice(Slash + 1, All.size());
  size_t At = 0;
  for (size_t Found; (Found = Flat.find(Pattern, At)) != Flat.npos;) {
    if (!charge(With.weight() + Flat.size()))
      return Value;
    Result.append(Value.slice(At, Found));
    Result.append(With);
    At = Found + Pattern.size();
    if (P.Op == "/")
      break;
  }
  Result.append(Value.slice(At, Flat.size()));
  bounded(Result, P.At);
  return Result;
}

ShellText Evaluator::withCase(const Part &P, const ShellText &Value) {
  std::string Flat = Value.flat();
  bool Up = P.Op[0] == '^';
  size_t Count = P.Op.size() == 2 ? Flat.size() : std::min<size_t>(1, Flat.size());
  for (size_t I = 0; I < Count; ++I) {
    char C = Flat[I];
    if (Up ? C >= 'a' && C <= 'z' : C >= 'A' && C <= 'Z')
      Flat[I] = static_cast<char>(C ^ 0x20);
  }
  return computed(std::move(Flat), U->range(P.At));
}

/// `${A:offset}`, `${A:offset:length}` of a text or of `${A[@]…}`.
void Evaluator::sliced(const Part &P, Parameter &Of) {
  std::optional<std::string> Operand = expand(P.Operand).text();
  bool Open = !Operand;
  for (const ShellText &Text : Of.Values)
    Open |= Of.Many ? std::ranges::any_of(Text.pieces(), &Piece::MaySplit) : Text.symbolic();
  Number Offset, Length;
  size_t Colon = 0;
  if (!Open) {
    Colon = Operand->find(':');
    Offset = evaluate(computed(Operand->substr(0, Colon), U->range(P.At)), 0);
    if (Colon != Operand->npos)
      Length = evaluate(computed(Operand->substr(Colon + 1), U->range(P.At)), 0);
    Open = !Offset.Value || (Colon != Operand->npos && !Length.Value);
  }
  if (Open) {
    ShellText From = Of.Values.empty() ? ShellText() : Of.Values[0];
    Of.Values.clear();
    Of.Values.emplace_back().append(derived(P.At, From));
    return;
  }
  bool Arguments = P.Name == "@" || P.Name == "*"; // counted from 1
  auto Size = static_cast<int64_t>(Of.Many ? Of.Values.size() : Of.Values[0].size());
  int64_t Begin = *Offset.Value < 0 ? Size + std::max(*Offset.Value, -Size) : *Offset.Value;
  if (Arguments && *Offset.Value > 0)
    --Begin;
  Begin = std::clamp<int64_t>(Begin, 0, Size);
  int64_t End = Size;
  if (Length.Value)
    End = *Length.Value < 0 ? std::max(Begin, Size + std::max(*Length.Value, -Size))
                            : Begin + std::min(*Length.Value, Size - Begin);
  if (Of.Many)
    Of.Values = {Of.Values.begin() + Begin, Of.Values.begin() + End};
  else
    Of.Values[0] = Of.Values[0].slice(static_cast<size_t>(Begin), static_cast<size_t>(End));
}

} // namespace parlance::shell
