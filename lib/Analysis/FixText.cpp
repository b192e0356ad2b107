#include "Analysis/FixText.h"
#include "Analysis/ChangeJudge.h"
#include "Analysis/Neighbourhood.h"
#include "Analysis/OptionEdit.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

namespace {

/// The change of a .parl file.
class FieldFix {
public:
  FieldFix(const Plan &P, Evaluator &E) : P(P), E(E) {}
  /// Adds one change to a fix; false where no edit can make it.
  bool add(const FieldChange &C, Fix &F);
  /// Adds the edits for fields that are not written yet.
  bool insert(Fix &F) const;

private:
  std::string written(const FieldChange &C, const FieldDecl &F) const;
  std::optional<Edit> insertion(SourceRange Name, const std::vector<std::string> &Fields) const;

  /// What is to be written into one block: fields, and blocks that it does not have.
  struct MissingParts {
    std::string_view Name; ///< of the block, unless it stands in the file
    std::vector<std::string> Fields;
    std::vector<MissingParts> Blocks;
    MissingParts &block(std::string_view Name);
    std::vector<std::string> lines() const;
  };
  MissingParts &missing(std::string_view Path);

  const Plan &P;
  Evaluator &E;
  std::vector<std::pair<SourceRange, MissingParts>> Missing; ///< by the names of the blocks
};

} // namespace

static Num quantity(const Plan &P, Quantity What) { return rt::num(P.Context->derived(What)); }

/// "step 4 % slower"; "throughput 3 % lower" where steps train on batches of another size.
static void addSpeed(const Plan &Before, const Plan &After, bool BatchIsSaid,
                     std::vector<std::pair<std::string, std::string>> &Into) {
  using namespace fields;
  auto Sequences = [](const Plan &P) { return P.Job->rec(job::batch)->num(batch::sequences); };
  Num Old = quantity(Before, quantities::time_step), New = quantity(After, quantities::time_step);
  bool Same = equal(Sequences(Before), Sequences(After)) != Truth::False;
  if (!Same) {
    if (!BatchIsSaid)
      Into.emplace_back("batch", fmt::format("{} seq instead of {}", formatNumber(Sequences(After)),
                                             formatNumber(Sequences(Before))));
    Num Rate = Sequences(After) / New, Was = Sequences(Before) / Old;
    Old = Was;
    New = Rate;
  }
  if (!Old.isKnown() || !New.isKnown() || Old.real() <= 0)
    return;
  double Change = New.real() / Old.real() - 1;
  std::string_view Word = Same ? (Change > 0 ? "slower" : "faster") : Change > 0 ? "higher" : "lower";
  if (std::fabs(Change) >= 0.005)
    Into.emplace_back(Same ? "step" : "throughput", fmt::format("{} {}", formatPercent(std::fabs(Change)), Word));
}

/// What a change does to the job. Where the job as it is cannot run, there is no step to compare, and the throughput is
/// given.
static std::vector<std::pair<std::string, std::string>>
effects(const Plan &Before, const Plan &After, std::span<const FieldChange> Changes, FixStanding Standing) {
  std::vector<std::pair<std::string, std::string>> Result;
  if (Standing == FixStanding::BesideMemory)
    return Result;
  Num Peak = quantity(After, quantities::memory_peak), Usable = quantity(After, quantities::memory_usable),
      Speed = quantity(After, quantities::tokens_per_second);
  if (Peak.isKnown() && Usable.isKnown())
    Result.emplace_back("memory", fmt::format("{:.1f} of {}", Peak.real() / (1 << 30), formatGiB(Usable.real())));
  if (Standing == FixStanding::Dear)
    Result.emplace_back("would cost",
                        fmt::format("{:.1f} x the step", timePerSequence(After) / timePerSequence(Before)));
  else if (couldRun(Before) != Truth::False)
    addSpeed(Before, After, std::ranges::find(Changes, "batch.global", &FieldChange::Path) != Changes.end(), Result);
  else if (Speed.isKnown())
    Result.emplace_back("throughput", formatNumber(roundOf(Speed)) + " tok/s");
  return Result;
}

//===----------------------------------------------------------------------===//
// Fields of a .parl file
//===----------------------------------------------------------------------===//

/// A value as it is written in a file; a global batch in the unit in which it was written before.
std::string FieldFix::written(const FieldChange &C, const FieldDecl &F) const {
  Value V = C.To;
  FieldPath Source = fieldAt(*P.Written, C.Path);
  if (Source.Owner && Source.Owner->at(Source.Index).Alternative) {
    V.Alternative = Source.Owner->at(Source.Index).Alternative;
    V.Number = V.Number / P.Job->num(fields::job::seq_len);
  }
  return rt::sourceText(V, F);
}

bool FieldFix::add(const FieldChange &C, Fix &F) {
  FieldPath At = fieldAt(*P.Job, C.Path);
  std::string Text = written(C, At.decl());
  std::string Whole = fmt::format("{} = {}", At.decl().Name, Text);
  // In a section of a framework's options a name alone may be anyone's.
  const size_t Block = C.Path.find('.'), Inner = C.Path.rfind('.');
  const std::string_view Section = Block == Inner ? std::string_view() : C.Path.substr(Block + 1, Inner - Block);
  F.Title += fmt::format("{}`{}{}`", F.Title.empty() ? "" : ", ", Section, Whole);
  const Origin &O = At.Owner->Origins[At.Index];
  // What was deduced has the place of the `auto`, or of the block that leaves the field out.
  if (O.K == Origin::Kind::Given || (O.K == Origin::Kind::Deduced && O.Range && O.Range != At.Owner->NameRange)) {
    F.Edits.push_back({O.Range, Text});
    return static_cast<bool>(O.Range);
  }
  missing(C.Path).Fields.push_back(std::move(Whole));
  return true;
}

/// The blanks before what a block has on lines of its own, from At on.
static std::string indentWithin(std::string_view Text, size_t At) {
  size_t First = std::min(Text.find_first_not_of(" \t\r\n", At), Text.size());
  size_t Line = Text.rfind('\n', First) + 1;
  std::string Indent(Text.substr(Line, First - Line));
  return First < Text.size() && Text[First] == '}' ? Indent + "  " : Indent;
}

/// The edit that writes fields into the block of a name; none for a block of the library.
std::optional<Edit> FieldFix::insertion(SourceRange Name, const std::vector<std::string> &Fields) const {
  if (!Name)
    return std::nullopt;
  std::string_view Text = E.Sources.file(Name.File).text();
  size_t Brace = Text.find_first_of("{\n", Name.End);
  if (Brace == std::string_view::npos || Text[Brace] != '{')
    return std::nullopt;
  auto At = static_cast<uint32_t>(Brace + 1);
  size_t Next = Text.find_first_not_of(" \t\r", At);
  if (Next != std::string_view::npos && Text[Next] == '#') { // it stays behind the brace
    Next = std::min(Text.find('\n', Next), Text.size() - 1);
    At = static_cast<uint32_t>(Next - (Text[Next - 1] == '\r'));
  }
  std::string New;
  if (Next == std::string_view::npos || Text[Next] != '\n') {
    for (const std::string &Field : Fields)
      New += fmt::format(" {},", Field);
  } else {
    std::string_view Break = Text.substr(Next - (Text[Next - 1] == '\r'), Text[Next - 1] == '\r' ? 2 : 1);
    for (const std::string &Field : Fields)
      New += fmt::format("{}{}{}", Break, indentWithin(Text, Next + 1), Field);
  }
  return Edit{{Name.File, At, At}, std::move(New)};
}

FieldFix::MissingParts &FieldFix::MissingParts::block(std::string_view Name) {
  auto It = std::ranges::find(Blocks, Name, &MissingParts::Name);
  return It == Blocks.end() ? Blocks.emplace_back(MissingParts{Name, {}, {}}) : *It;
}

/// Where a field is to be written. Blocks that the job does not have, or has from a base, are added to it.
FieldFix::MissingParts &FieldFix::missing(std::string_view Path) {
  const SourceRange Job = P.Job->NameRange;
  SourceRange Name = Job;
  std::vector<std::string_view> Added;
  const Record *R = P.Job;
  for (size_t Dot; (Dot = Path.find('.')) != std::string_view::npos; Path.remove_prefix(Dot + 1)) {
    R = R->rec(static_cast<unsigned>(R->Schema->find(Path.substr(0, Dot))));
    const bool IsWritten = R->NameRange && R->NameRange != Job && R->NameRange != Name;
    if (IsWritten || R->Schema->TopLevel) {
      Name = R->NameRange;
      Added.clear();
    } else {
      Added.push_back(Path.substr(0, Dot));
    }
  }
  auto It = std::ranges::find(Missing, Name, &decltype(Missing)::value_type::first);
  MissingParts *Result = It == Missing.end() ? &Missing.emplace_back(Name, MissingParts()).second : &It->second;
  for (std::string_view Block : Added)
    Result = &Result->block(Block);
  return *Result;
}

std::vector<std::string> FieldFix::MissingParts::lines() const {
  std::vector<std::string> Result = Fields;
  for (const MissingParts &B : Blocks)
    Result.push_back(fmt::format("{} {{ {} }}", B.Name, fmt::join(B.lines(), ", ")));
  return Result;
}

bool FieldFix::insert(Fix &F) const {
  for (const auto &[Name, Parts] : Missing) {
    auto Inserted = insertion(Name, Parts.lines());
    if (!Inserted)
      return false;
    F.Edits.push_back(std::move(*Inserted));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Options of a framework's file
//===----------------------------------------------------------------------===//

/// The options that a change is about itself, as they are in the files.
static std::vector<OptionChange> optionsAmong(std::span<const FieldChange> Changes, const Plan &Before) {
  std::vector<OptionChange> Result;
  const Record *Options = optionsOf(*Before.Job);
  if (!Options)
    return Result;
  std::string Block = fmt::format("{}.", Options->Schema->Name);
  for (const FieldChange &C : Changes)
    if (C.Path.starts_with(Block)) {
      FieldPath At = fieldAt(*Before.Job, C.Path);
      Result.push_back({std::string(C.Path.substr(Block.size())), &At.decl(), At.Owner->Origins[At.Index], C.To});
    }
  return Result;
}

/// Adds options that change; false where no edits can make that. One that would have to be taken away is only shown.
static bool addOptions(const std::vector<OptionChange> &Changes, const Plan &Before, Evaluator &E, Fix &F) {
  bool Editable = true;
  for (const OptionChange &C : Changes) {
    F.Title += F.Title.empty() ? "" : ", ";
    if (!rt::knownValue(C.After)) {
      F.Title += fmt::format("without `{}`", keyOf(*C.Option));
      Editable = false;
      continue;
    }
    F.Title += fmt::format("`{}`", optionTitle(C, E));
    auto Changed = optionEdit(C, optionsOf(*Before.Job), E);
    Editable &= Changed.has_value();
    if (Changed)
      F.Edits.push_back(std::move(*Changed));
  }
  return Editable && !F.Edits.empty();
}

Fix describeFix(const Plan &Before, const Plan &After, std::span<const FieldChange> Changes, FixStanding Standing,
                Evaluator &E) {
  Fix F;
  F.Effect = effects(Before, After, Changes, Standing);
  bool Editable = false;
  if (Before.Foreign && Standing != FixStanding::Unsaid) {
    // The same fields may be written in two ways, of which the change asks for one.
    auto Options = optionChanges(Before, After, E);
    if (Options.empty())
      Options = optionsAmong(Changes, Before);
    Editable = addOptions(Options, Before, E, F);
  }
  if (F.Title.empty()) { // also where no option says it: the launcher or the model does
    FieldFix Fields(Before, E);
    Editable = !Before.Foreign;
    for (const FieldChange &C : Changes)
      Editable &= Fields.add(C, F);
    Editable = Editable && Fields.insert(F);
  }
  Editable = Editable && Standing == FixStanding::Sound;
  F.Trust = Editable ? Applicability::Maybe : Applicability::Display;
  if (!Editable)
    F.Edits.clear();
  return F;
}

} // namespace parlance
