#include "Arguments.h"
#include "Check/UnitCheck.h"
#include "Commands.h"
#include "PathArguments.h"
#include "Render/Render.h"
#include "Report/Pages.h"
#include "UnitArguments.h"
#include "std/Std.h"
#include <algorithm>
#include <charconv>

namespace parlance {

namespace {

constexpr std::string_view Help =
    R"(usage: parlance explain [CODE | FILE:LINE[:COLUMN] [FILE...] | WORDS...] [options]

Of a diagnostic (by code or name): why it exists, what the framework says, a file that triggers it, and the corrected
file. Words list the diagnostics that have all of them on their page; nothing lists the groups.
Of a place in a file: the violations there with their derivations and fixes, the page of a rule that is declared there,
or how the value there came about. A place in a framework's file may need the other files of its job, and the options
that `check` takes for them.

  --cluster DEVICE*G*N@LINK what a framework's own files run on
  --set NAME=VALUE          a value for a variable that a script leaves open
  --allow-outside DIR       files in DIR may be named too; others outside of the project are read, but never shown
  --strict-paths            read nothing outside of the project (as where CI is set)
  --color auto|always|never

  parlance explain PL2003
  parlance explain tp-divides-heads
  parlance explain recompute fp8
  parlance explain train.parl:31:13
  parlance explain ds_config.json:4:12 config.json --cluster 'h100_sxm*8*2@infiniband_ndr'
)";

struct Place {
  std::string File;
  uint32_t Line = 0, Column = 0;
};

/// Splits off a number behind the last colon.
std::optional<uint32_t> lastNumber(std::string &Text) {
  size_t Colon = Text.rfind(':');
  if (Colon == std::string::npos)
    return std::nullopt;
  uint32_t Value = 0;
  const char *Begin = Text.data() + Colon + 1, *End = Text.data() + Text.size();
  auto [Stop, Error] = std::from_chars(Begin, End, Value);
  if (Begin == End || Stop != End || Error != std::errc())
    return std::nullopt;
  Text.resize(Colon);
  return Value;
}

std::optional<Place> parsePlace(std::string Text) {
  auto Last = lastNumber(Text);
  if (!Last)
    return std::nullopt;
  if (auto Line = lastNumber(Text))
    return Place{Text, *Line, *Last};
  return Place{Text, *Last, 0};
}

/// Whether a diagnostic is at a place: on its line, and over the column when one was given.
bool at(const Diagnostic &D, const SourceManager &Sources, uint32_t File, const Place &P) {
  if (D.Range.File != File || Sources.begin(D.Range).Line != P.Line)
    return false;
  if (!P.Column)
    return true;
  uint32_t Begin = Sources.begin(D.Range).Column, End = Sources.end(D.Range).Column;
  return P.Column >= Begin && (P.Column < End || P.Column == Begin || Sources.end(D.Range).Line > P.Line);
}

class PlaceExplainer {
public:
  PlaceExplainer(Session &S, const Place &P, PageStyle Layout) : S(S), P(P), Layout(Layout) {}
  std::string run() {
    for (ast::Item *I : S.Main->Tree->Items)
      visit(*I, {{}, nullptr, nullptr, S.Main});
    return Out;
  }

private:
  bool onLine(SourceRange R) const { return S.Sources.begin(R).Line <= P.Line && P.Line <= S.Sources.end(R).Line; }
  void visit(ast::Item &I, Evaluator::Frame F) {
    if (!onLine(I.Range))
      return;
    if (I.Kind == ast::ItemKind::Rule) {
      Out += rulePage(S.Sources, *S.Main, I, Layout);
      return;
    }
    if (I.Kind == ast::ItemKind::Record)
      for (const AnalyzedJob &J : S.Analysis.jobs())
        if (J.Item == &I && J.Resolved)
          F = J.Resolved->frame(S.Main);
    for (ast::Item *Inner : I.Items)
      visit(*Inner, F);
    bool HasValue = I.Kind == ast::ItemKind::Let || I.Kind == ast::ItemKind::Require || I.Kind == ast::ItemKind::Warn ||
                    I.Kind == ast::ItemKind::Field || I.Kind == ast::ItemKind::Assume;
    if (!HasValue || !I.Value || I.Value->Ty.isError() || I.Value->Kind == ast::ExprKind::Auto)
      return;
    F.Locals.resize(I.FrameSize);
    DerivationBuilder Builder(S.Values, S.Trees);
    Derivation D = Builder.of(*I.Value, F, std::string(I.Id.Text));
    Out += renderDerivation(D, S.Sources);
  }
  Session &S;
  const Place &P;
  PageStyle Layout;
  std::string Out;
};

/// The page of a rule of the files that reported something; empty when it is none of theirs.
std::optional<std::string> pageOfUserRule(const Session &S, const Diagnostic &D, PageStyle Layout) {
  auto Is = [&](const ast::Item &I) {
    return I.Kind == ast::ItemKind::Rule && I.Id.Text == D.Name && userCode(I) == D.Code;
  };
  for (const auto &File : S.Files.modules())
    for (const ast::Item *I : File->Tree->Items) {
      if (Is(*I))
        return rulePage(S.Sources, *File, *I, Layout);
      for (const ast::Item *Inner : I->Items)
        if (Is(*Inner))
          return rulePage(S.Sources, *File, *Inner, Layout);
    }
  return std::nullopt;
}

/// The session that a file was judged in; null for one that nothing judges.
Session *sessionOf(uint32_t File, const UnitCheck &Check) {
  for (const auto &S : Check.sessions())
    if (std::ranges::count(S->judgement().Checked, File))
      return S.get();
  return nullptr;
}

/// A diagnostic in full: its frame, its derivations, its page.
std::string explainFinding(const Diagnostic &D, const UnitCheck &Check, const Session *S, PageStyle Layout) {
  const SourceManager &Sources = Check.Report.Sources;
  Diagnostic Frame = D;
  Frame.Derivations.clear();
  std::string Out = renderText(Frame, Sources, {});
  for (const Derivation &Tree : D.Derivations)
    Out += "\n" + renderDerivation(Tree, Sources);
  auto Page = S ? pageOfUserRule(*S, D, Layout) : std::nullopt;
  if (!Page)
    Page = explanationPage(standardLibrary(), D.Code, Layout);
  return Page ? Out + "\n" + *Page + "\n" : Out;
}

/// Says that nothing is at a place, and what else is in its file.
int nothingAt(const Place &P, uint32_t File, const CheckReport &Report) {
  fmt::print(stderr, "parlance: nothing to explain at {}:{}{}\n", P.File, P.Line,
             P.Column ? fmt::format(":{}", P.Column) : "");
  for (const Diagnostic &D : Report.Found)
    if (D.Range.File == File) {
      LineColumn Begin = Report.Sources.begin(D.Range);
      fmt::print(stderr, "  there is {} at {}:{}:{}\n", D.Code, P.File, Begin.Line, Begin.Column);
    }
  return Findings;
}

int explainPlace(const Place &P, const Arguments &Args, PageStyle Layout) {
  CheckUnit Unit{Args.Files};
  Unit.Files[0] = P.File;
  const auto Request = unitRequest(Args, Unit.Files);
  if (!Request)
    return Unusable;
  UnitCheck Check(Unit, *Request);
  CheckReport &Report = Check.Report;
  applyPolicy(Report, Request->Policy);
  if (!Report.Readable) {
    fmt::print(stderr, "{}", renderText(Report.Found, Report.Sources, {}));
    return Unusable;
  }
  const uint32_t File = Check.file(0);
  Session *S = sessionOf(File, Check);
  std::string Out;
  for (const Diagnostic &D : Report.Found)
    if (at(D, Report.Sources, File, P))
      Out += explainFinding(D, Check, S, Layout);
  if (Out.empty() && S && S->Main)
    Out = PlaceExplainer(*S, P, Layout).run();
  if (Out.empty())
    return nothingAt(P, File, Report);
  return writeOut(Out) ? Clean : Unusable;
}

} // namespace

int explain(std::span<const std::string> Words) {
  static const OptionSpec Options[] = {
      {"--cluster"},       {"--set"}, allowOutside(), strictPaths(), {"--color", {"auto", "always", "never"}},
      {"--help", {}, true}};
  auto Args = parseArguments(Words, Options, "explain");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  const Library &Lib = standardLibrary();
  PageStyle Layout{outputWidth(), useColor(Args->get("--color", "auto"), Stream::Out)};
  std::string Out;
  if (Args->Files.empty()) {
    Out = fmt::format("Diagnostics by the beginning of their code:\n\n{}\n{}", pageGroups(Lib),
                      "`parlance explain CODE` prints a page; `parlance explain PL3` and "
                      "`parlance explain WORDS...` list what has\nthe words.\n");
  } else {
    const std::string &What = Args->Files[0];
    if (Args->Files.size() == 1)
      Out = explanationPage(Lib, What, Layout).value_or("");
    if (auto P = Out.empty() ? parsePlace(What) : std::nullopt)
      return explainPlace(*P, *Args, Layout);
    if (Out.empty())
      Out = findPages(Lib, Args->Files, Layout);
  }
  if (!Out.empty())
    return writeOut(Out) ? Clean : Unusable;
  std::string All = fmt::format("{}", fmt::join(Args->Files, " "));
  auto Near = nearestCode(Lib, All);
  fmt::print(stderr, "parlance: error: `{}` is neither a diagnostic nor FILE:LINE, and on no page{}\n", All,
             Near ? fmt::format("; did you mean `{}`", *Near) : "");
  return Unusable;
}

} // namespace parlance
