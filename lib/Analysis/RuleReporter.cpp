#include "Analysis/RuleReporter.h"
#include "Analysis/FixFinder.h"
#include "Analysis/MemoryBars.h"
#include "Analysis/Message.h"
#include <algorithm>

namespace parlance {

std::string RuleReporter::text(std::string_view Text) {
  Evaluator::Frame F = Rule.frame(P);
  return interpolate(Text, E, F, [&](std::string_view Part) { return Rule.expression(Part); });
}

const ast::Expr *RuleReporter::explained() { return R.Explains.empty() ? nullptr : Rule.expression(R.Explains); }

bool RuleReporter::isAboutMemory() {
  const ast::Expr *X = explained();
  return X && X->Target.K == ast::Ref::Kind::Derive &&
         P.Context->library().Derives[X->Target.Index].Group == QuantityGroup::Memory;
}

/// Whether a derivation has a number to show: that fields are not given is what the message says.
static bool tells(const Derivation &D) {
  return D.Terms.empty() ? D.Value != "unknown" : std::ranges::any_of(D.Terms, tells);
}

std::vector<Derivation> RuleReporter::derivations() {
  const ast::Expr *Shown = explained();
  if (!Shown)
    Shown = Rule.condition();
  if (!Shown)
    return {};
  Evaluator::Frame F = Rule.frame(P);
  Derivation D = DerivationBuilder(E, Trees).of(*Shown, F);
  return tells(D) ? std::vector{std::move(D)} : std::vector<Derivation>();
}

Diagnostic RuleReporter::report(FixFinder &Fixes) {
  Diagnostic D;
  D.Code = R.Code;
  D.Name = R.Name;
  D.Level = R.Level;
  D.Message = message();
  D.Quotes = Rule.place().File; // the library's texts quote no file: `text` leaves out what is not to be shown
  D.Range = placeOf(*P.Job, R.Field);
  D.CaretText = text(R.Caret);
  if (isAboutMemory())
    D.Body = memoryBars(*P.Context);
  for (const RuleNoteDecl &N : R.Notes) {
    SourceRange At = placeOf(*P.Job, N.Field);
    D.Notes.push_back({At == D.Range ? SourceRange() : At, text(N.Message)});
  }
  if (SourceRange Place = Rule.place())
    D.Notes.push_back({Place, fmt::format("rule `{}` is declared here", R.Name)});
  D.Derivations = derivations();
  D.Fixes = fixes(Fixes);
  return D;
}

std::vector<Fix> RuleReporter::fixes(FixFinder &Fixes) {
  std::vector<FixFinder::Proposal> Proposals;
  for (const RuleFixDecl &F : R.Fixes) {
    FieldPath At = fieldAt(*P.Job, F.Field);
    const Type *Wanted = At.Owner && At.decl().Ty.K == Type::Kind::Enum ? &At.decl().Ty : nullptr;
    if (const ast::Expr *Candidates = Rule.expression(F.Candidates, Wanted))
      Proposals.push_back({F.Field, Candidates});
  }
  const bool Search = isAboutSpread(*P.Job, R.Field) && !(R.AboutOptions && P.Foreign);
  return Fixes.find({R.Level, [&](const Plan &Changed) { return Rule.violated(Changed); }, Search, isAboutMemory()},
                    Proposals);
}

} // namespace parlance
