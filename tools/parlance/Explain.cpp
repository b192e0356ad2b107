#include "Arguments.h"
#include "Basic/Render.h"
#include "Commands.h"
#include "Report/Pages.h"
#include "Session.h"
#include "std/Std.h"
#include <algorithm>
#include <charconv>

namespace parlance {

namespace {

constexpr std::string_view Help = R"(usage: parlance explain CODE | FILE:LINE[:COLUMN]

Of a diagnostic (by code or name): why it exists, a file that triggers it, and the corrected file.
Of a place in a file: the violations there with their derivations and fixes, or how the value there came about.

  parlance explain PL2003
  parlance explain tp-divides-heads
  parlance explain train.parl:31:13
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
  return P.Column >= Begin &&
         (P.Column < End || P.Column == Begin || Sources.end(D.Range).Line > P.Line);
}

class PlaceExplainer {
public:
  PlaceExplainer(Session &S, const Place &P) : S(S), P(P) {}
  std::string run() {
    for (ast::Item *I : S.Main->Tree->Items)
      visit(*I, {{}, nullptr, nullptr, S.Main});
    return Out;
  }

private:
  bool onLine(SourceRange R) const {
    return S.Sources.begin(R).Line <= P.Line && P.Line <= S.Sources.end(R).Line;
  }
  void visit(ast::Item &I, Evaluator::Frame F) {
    if (!onLine(I.Range) || I.Kind == ast::ItemKind::Rule)
      return;
    if (I.Kind == ast::ItemKind::Record)
      for (const AnalyzedJob &J : S.Analysis.jobs())
        if (J.Item == &I && J.Resolved)
          F = J.Resolved->frame(S.Main);
    for (ast::Item *Inner : I.Items)
      visit(*Inner, F);
    bool HasValue = I.Kind == ast::ItemKind::Let || I.Kind == ast::ItemKind::Require ||
                    I.Kind == ast::ItemKind::Warn || I.Kind == ast::ItemKind::Field ||
                    I.Kind == ast::ItemKind::Assume;
    if (!HasValue || !I.Value || I.Value->Ty.isError() || I.Value->Kind == ast::ExprKind::Auto)
      return;
    F.Locals.resize(I.FrameSize);
    DerivationBuilder Builder(S.Values, S.Trees);
    Derivation D = Builder.of(*I.Value, F, std::string(I.Id.Text));
    Out += renderDerivation(D, S.Sources);
  }
  Session &S;
  const Place &P;
  std::string Out;
};

int explainPlace(const Place &P) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  Session S(Sources, Diags);
  if (!S.load(P.File)) {
    auto Found = Diags.take();
    fmt::print(stderr, "{}", renderText(Found, Sources, {}));
    return Unusable;
  }
  S.analyze();
  std::string Out;
  auto Found = Diags.take();
  uint32_t File = S.Main->Tree->File;
  std::vector<const Diagnostic *> Here;
  for (const Diagnostic &D : Found)
    if (at(D, Sources, File, P))
      Here.push_back(&D);
  for (const Diagnostic *D : Here) {
    Diagnostic Frame = *D;
    Frame.Derivations.clear();
    Out += renderText(Frame, Sources, {});
    for (const Derivation &Tree : D->Derivations)
      Out += "\n" + renderDerivation(Tree, Sources);
    if (auto Page = explanationPage(S.Lib, D->Code))
      Out += "\n" + *Page + "\n";
  }
  if (Here.empty())
    Out = PlaceExplainer(S, P).run();
  if (!Out.empty())
    return writeOut(Out) ? Clean : Unusable;
  fmt::print(stderr, "parlance: nothing to explain at {}:{}{}\n", P.File, P.Line,
             P.Column ? fmt::format(":{}", P.Column) : "");
  for (const Diagnostic &D : Found)
    if (D.Range.File == File) {
      LineColumn Begin = Sources.begin(D.Range);
      fmt::print(stderr, "  there is {} at {}:{}:{}\n", D.Code, P.File, Begin.Line, Begin.Column);
    }
  return Findings;
}

} // namespace

int explain(std::span<const std::string> Words) {
  static const OptionSpec Options[] = {{"--help", {}, true}};
  auto Args = parseArguments(Words, Options, "explain");
  if (!Args)
    return Unusable;
  if (Args->has("--help"))
    return writeOut(std::string(Help)) ? Clean : Unusable;
  if (Args->Files.size() != 1) {
    fmt::print(stderr, "parlance: error: `explain` takes a code or a place\n\n{}", Help);
    return Unusable;
  }
  const std::string &What = Args->Files[0];
  if (auto Page = explanationPage(standardLibrary(), What))
    return writeOut(*Page) ? Clean : Unusable;
  if (auto P = parsePlace(What))
    return explainPlace(*P);
  auto Near = nearestCode(standardLibrary(), What);
  fmt::print(stderr, "parlance: error: `{}` is no diagnostic and no FILE:LINE{}\n", What,
             Near ? fmt::format("; did you mean `{}`", *Near) : "");
  return Unusable;
}

} // namespace parlance
