#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/Types.h"
#include <algorithm>

namespace parlance {

namespace {

/// One report of a word that is not a unit.
class UnknownUnitReport {
public:
  UnknownUnitReport(Diagnostic &D, const UnitTable &Units, const ast::Name &Word, const NumberBefore &Number)
      : D(D), Units(Units), Word(Word), Number(Number) {}

  void run() {
    if (bareMagnitude() || prefixed() || ofTime())
      return;
    std::vector<std::string_view> Candidates;
    for (const UnitName &U : Units.names())
      if (keepsValue(U.Name))
        Candidates.push_back(U.Name);
    if (auto Near = nearest(Word.Text, Candidates))
      D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{Word.Range, std::string(*Near)}}, {}});
  }

private:
  /// Replaces number and unit together.
  void offer(std::string Text, Applicability Trust) {
    SourceRange Both{Word.Range.File, Number.Range.Begin, Word.Range.End};
    D.Fixes.push_back({fmt::format("`{}`", Text), Trust, {{Both, std::move(Text)}}, {}});
  }
  bool scalable() const {
    return Number.Range && Number.Magnitude.empty() && Number.Digits.find_first_of("eE") == std::string_view::npos;
  }
  /// `80 Gi`
  bool bareMagnitude() {
    if (!magnitude(Word.Text))
      return false;
    D.Notes.push_back(
        {{}, fmt::format("`{}` is a magnitude: it is attached to its number, and a unit follows", Word.Text)});
    if (scalable())
      offer(fmt::format("{}{}", Number.Digits, Word.Text), Applicability::Maybe);
    return true;
  }
  /// `4 Mtok`, `1 EFLOP`: a unit that takes no such prefix.
  bool prefixed() {
    if (Word.Text.starts_with('K') && Units.find(Word.Text.substr(1))) {
      for (std::string_view M : {"k", "Ki"})
        if (scalable())
          offer(fmt::format("{}{} {}", Number.Digits, M, Word.Text.substr(1)), Applicability::Maybe);
      return true;
    }
    static constexpr std::pair<std::string_view, unsigned> Prefixes[] = {
        {"Ki", 0}, {"Mi", 0}, {"Gi", 0}, {"Ti", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}};
    for (auto [Prefix, Power] : Prefixes) {
      if (!Word.Text.starts_with(Prefix))
        continue;
      std::string_view Unit = Word.Text.substr(Prefix.size());
      if (!Units.find(Unit))
        continue;
      if (!scalable())
        return true;
      offer(magnitude(Prefix) ? fmt::format("{}{} {}", Number.Digits, Prefix, Unit)
                              : fmt::format("{}e{} {}", Number.Digits, Power, Unit),
            Applicability::Machine);
      return true;
    }
    return false;
  }
  /// `5 min`
  bool ofTime() {
    struct Row {
      std::string_view Word, Unit;
      int64_t Seconds;
    };
    static constexpr Row Table[] = {{"min", "minutes", 60}, {"mins", "minutes", 60}, {"h", "hours", 3600},
                                    {"hr", "hours", 3600},  {"hrs", "hours", 3600},  {"d", "days", 86400},
                                    {"week", "", 604800},   {"weeks", "", 604800}};
    const auto *It = std::ranges::find(Table, Word.Text, &Row::Word);
    if (It == std::end(Table))
      return false;
    if (!scalable())
      return true;
    Num Seconds = literalValue(Number.Digits, {It->Seconds, 1, 0}, true);
    if (Seconds.isInt())
      offer(fmt::format("{} s", Seconds.integer()), Applicability::Machine);
    if (!It->Unit.empty())
      offer(fmt::format("{} {}", Number.Digits, It->Unit), Applicability::Maybe);
    return true;
  }
  /// A unit that is spelt like the word without its first letter may be a thousandth of what is meant.
  bool keepsValue(std::string_view Unit) const {
    auto Lower = [](char C) { return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C; };
    return Unit.size() >= Word.Text.size() || Lower(Unit.front()) == Lower(Word.Text.front());
  }

  Diagnostic &D;
  const UnitTable &Units;
  const ast::Name &Word;
  const NumberBefore &Number;
};

} // namespace

void reportUnknownUnit(DiagnosticEngine &Diags, const UnitTable &Units, const ast::Name &Word,
                       const NumberBefore &Number) {
  UnknownUnitReport(Diags.report(diag::UnknownUnit, Word.Range, Word.Text), Units, Word, Number).run();
}

} // namespace parlance
