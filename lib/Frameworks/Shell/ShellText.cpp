#include "Frameworks/Shell/ShellText.h"
#include <algorithm>

namespace parlance::shell {

static size_t sizeOf(const Piece &P) { return P.isSymbol() ? 1 : P.Text.size(); }

void ShellText::append(Piece P) {
  if (P.Text.empty() && !P.isSymbol())
    return;
  if (!Pieces.empty() && !P.isSymbol() && P.Verbatim) {
    Piece &Last = Pieces.back();
    if (!Last.isSymbol() && Last.Verbatim && Last.Range.File == P.Range.File && Last.Range.End == P.Range.Begin) {
      Last.Text += P.Text;
      Last.Range.End = P.Range.End;
      return;
    }
  }
  Starts.push_back(static_cast<uint32_t>(size()));
  Pieces.push_back(std::move(P));
}

void ShellText::append(const ShellText &Other) {
  for (const Piece &P : Other.Pieces)
    append(P);
}

bool ShellText::symbolic() const { return std::ranges::any_of(Pieces, &Piece::isSymbol); }

std::optional<std::string> ShellText::text() const {
  if (symbolic())
    return {};
  return flat();
}

std::string ShellText::flat() const {
  std::string Result;
  for (const Piece &P : Pieces)
    if (P.isSymbol())
      Result += '\0';
    else
      Result += P.Text;
  return Result;
}

std::string ShellText::shown() const {
  std::string Result;
  for (const Piece &P : Pieces)
    Result += P.Text;
  return Result;
}

size_t ShellText::size() const { return Pieces.empty() ? 0 : Starts.back() + sizeOf(Pieces.back()); }

size_t ShellText::weight() const {
  size_t Result = 1;
  for (const Piece &P : Pieces)
    Result += 16 + P.Text.size();
  return Result;
}

/// The part [Begin, End) of a known piece.
static Piece cut(const Piece &P, size_t Begin, size_t End) {
  Piece Part = P;
  if (P.isSymbol())
    return Part;
  Part.Text = P.Text.substr(Begin, End - Begin);
  if (P.Verbatim) {
    Part.Range.Begin = P.Range.Begin + static_cast<uint32_t>(Begin);
    Part.Range.End = P.Range.Begin + static_cast<uint32_t>(End);
  }
  return Part;
}

ShellText ShellText::slice(size_t Begin, size_t End) const {
  ShellText Result;
  size_t I = static_cast<size_t>(std::ranges::upper_bound(Starts, Begin) - Starts.begin());
  for (I -= I > 0; I < Pieces.size() && Starts[I] < End; ++I) {
    size_t At = Starts[I], From = std::max(Begin, At), To = std::min(End, At + sizeOf(Pieces[I]));
    if (From < To)
      Result.append(cut(Pieces[I], From - At, To - At));
  }
  return Result;
}

SourceRange ShellText::range() const {
  SourceRange Result;
  for (const Piece &P : Pieces) {
    if (Result && P.Range && P.Range.File != Result.File)
      return {};
    Result = Result.to(P.Range);
  }
  return Result;
}

SourceRange ShellText::range(size_t Begin, size_t End) const {
  if (Begin < End)
    return slice(Begin, End).range();
  // An empty range lies behind the byte before it, or before the first one.
  SourceRange Beside = Begin > 0 ? slice(Begin - 1, Begin).range() : slice(0, 1).range();
  if (Begin > 0)
    Beside.Begin = Beside.End;
  else
    Beside.End = Beside.Begin;
  return Beside;
}

bool ShellText::same(const ShellText &Other) const {
  std::vector<uint32_t> Mine, Theirs;
  for (const Piece &P : Pieces)
    if (P.isSymbol())
      Mine.push_back(P.Symbol);
  for (const Piece &P : Other.Pieces)
    if (P.isSymbol())
      Theirs.push_back(P.Symbol);
  return Mine == Theirs && flat() == Other.flat();
}

} // namespace parlance::shell
