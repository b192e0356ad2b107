// What the filter says about the forms of other languages, which it then reads as they were meant.
#include "Basic/Diagnostics.h"
#include "Syntax/Tokens.h"
#include <algorithm>
#include <utility>

namespace parlance::syntax {

static void offer(Diagnostic &D, std::string Title, SourceRange Range, std::string NewText) {
  D.Fixes.push_back({std::move(Title), Applicability::Machine, {{Range, std::move(NewText)}}, {}});
}

void reportStatement(TokenContext &C, const LexToken &T, Tok Meant) {
  static constexpr std::pair<Tok, std::string_view> Words[] = {
      {Tok::Use, "use"},           {Tok::Let, "let"},          {Tok::Fn, "fn"},
      {Tok::Require, "require"},   {Tok::Warn, "warn"},        {Tok::Rule, "rule"},
      {Tok::Maximize, "maximize"}, {Tok::Minimize, "minimize"}};
  std::string Ours;
  for (auto [Kind, Word] : Words)
    if (Kind == Meant)
      Ours = Word;
  Diagnostic &D = C.Diags.report(diag::StatementSpelling, C.range(T), C.text(T), Ours);
  offer(D, fmt::format("`{}`", Ours), C.range(T), Ours);
}

void reportModuleDot(TokenContext &C, const LexToken &T) {
  offer(C.Diags.report(diag::OperatorSpelling, C.range(T), "/", "."), "`/`", C.range(T), "/");
}

void reportSpacedPercent(TokenContext &C, const LexToken &Number, const LexToken &Percent) {
  Diagnostic &D =
      C.Diags.report(diag::MalformedNumber, C.range(Number).to(C.range(Percent)),
                     C.Text.substr(Number.Begin, Percent.End - Number.Begin), "`%` stands directly behind its digits");
  offer(D, "leave the blank out", {C.File, Number.End, Percent.Begin}, "");
}

void reportThousands(TokenContext &C, SourceRange Number, bool Sure) {
  std::string Ours(C.Text.substr(Number.Begin, Number.End - Number.Begin));
  Diagnostic &D = C.Diags.report(diag::MalformedNumber, Number, Ours, "thousands are separated by `_`");
  // However many blanks there are.
  std::erase_if(Ours, [Last = ' '](char X) mutable { return std::exchange(Last, X) == ' ' && X == ' '; });
  std::ranges::replace_if(Ours, [](char X) { return X == ' ' || X == ','; }, '_');
  D.Fixes.push_back(
      {fmt::format("`{}`", Ours), Sure ? Applicability::Machine : Applicability::Maybe, {{Number, Ours}}, {}});
}

void reportAssignedBlock(TokenContext &C, SourceRange Sign) {
  auto Blank = [&](uint32_t At) { return At < C.Text.size() && C.Text[At] == ' '; };
  Diagnostic &D = C.Diags.report(diag::AssignedBlock, Sign, C.Text.substr(Sign.Begin, Sign.End - Sign.Begin));
  if (Sign.Begin > 0 && Blank(Sign.Begin - 1) && Blank(Sign.End))
    ++Sign.End;
  offer(D, "leave it out", Sign, "");
}

void reportValueOnNextLine(TokenContext &C, uint32_t Behind, const LexToken &Value) {
  Diagnostic &D = C.Diags.report(diag::MissingValue, {C.File, Behind, Behind}, "`=`", "");
  D.CaretText = "a value begins on the line of its `=`";
  if (C.Text.substr(Behind, Value.Begin - Behind).find('#') == std::string_view::npos)
    offer(D, "join the lines", {C.File, Behind, Value.Begin}, " ");
}

bool isQuotedName(const TokenContext &C, size_t I) {
  std::string_view Word = C.text(C.Raw[I]);
  Tok Behind = C.Raw[I + 1].Kind;
  if (C.Raw[I].Kind != Tok::String || Word.size() < 3 || (Behind != Tok::Colon && Behind != Tok::Assign))
    return false;
  return std::ranges::all_of(Word.substr(1, Word.size() - 2), [](char X) {
    return (X >= 'a' && X <= 'z') || (X >= 'A' && X <= 'Z') || (X >= '0' && X <= '9') || X == '_';
  });
}

void reportQuotedNames(TokenContext &C, size_t First) {
  Diagnostic &D = C.Diags.report(diag::QuotedName, C.range(C.Raw[First]));
  std::vector<Edit> Edits;
  unsigned Depth = 0;
  for (size_t I = First; C.Raw[I].Kind != Tok::End; ++I) {
    const LexToken &T = C.Raw[I];
    if (T.Kind == Tok::RBrace && Depth-- == 0)
      break;
    Depth += T.Kind == Tok::LBrace;
    if (Depth == 0 && isQuotedName(C, I))
      Edits.push_back(
          {{C.File, T.Begin, C.Raw[I + 1].End}, fmt::format("{} =", C.Text.substr(T.Begin + 1, T.End - T.Begin - 2))});
  }
  D.Fixes.push_back({"`name = value`", Applicability::Machine, std::move(Edits), {}});
}

} // namespace parlance::syntax
