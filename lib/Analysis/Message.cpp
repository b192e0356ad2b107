#include "Analysis/Message.h"
#include "Basic/Text.h"
#include "Eval/Support.h"
#include "Sema/ItemChecker.h"
#include "Units/Format.h"

namespace parlance {

static std::string printed(const Value &V, const Type &T, std::string_view Format) {
  if (V.K == Value::Kind::Enum)
    return T.Enum && V.Index < T.Enum->Values.size() ? std::string(T.Enum->Values[V.Index]) : "unknown";
  if (V.K == Value::Kind::Record)
    return std::string(V.Rec->Name);
  if (V.K == Value::Kind::String)
    return std::string(V.Text);
  if (V.K == Value::Kind::Bool)
    return V.Flag == Truth::True ? "true" : "false";
  if (V.K != Value::Kind::Quantity)
    return "unknown";
  if (Format == "%")
    return formatPercent(V.Number.real());
  if (Format == "GiB")
    return formatGiB(V.Number.real());
  Dim D = T.isQuantity() ? T.Dimension : Dim();
  // A count of GPUs, layers or stages reads as a number in a sentence; a sequence or byte keeps its unit.
  Dim Shown = D.withoutPopulations();
  // Batches that do not come out even are shown to the last digit: 976.5625 sequences.
  bool Counted = !Shown.isNone() && !Shown.isMeasured() && !Shown[Base::Information] && !Shown[Base::Elements];
  if (Counted || (D.isPopulation() && !V.Number.isIntegral()))
    return formatNumber(V.Number, 12) + (Shown.isNone() ? "" : " " + Shown.str());
  return formatQuantity(V.Number, Shown);
}

std::string interpolate(std::string_view Text, Evaluator &E, Evaluator::Frame &F, const ExpressionParser &Parse) {
  std::string Result;
  for (const MessagePart &Part : messageParts(Text)) {
    const ast::Expr *X = Part.IsExpression ? Parse(Part.Text) : nullptr;
    if (!X) {
      Result += unescape(Part.Text);
      continue;
    }
    if (readsOutside(*X, E, F)) {
      Result += NotShown;
      continue;
    }
    Value V = E.eval(*X, F);
    bool Unknown = V.isAbsent() || (V.K == Value::Kind::Quantity && V.Number.isUnknown());
    size_t Colon = Unknown ? Result.rfind(": ") : std::string::npos;
    if (Colon != std::string::npos) {
      Result.resize(Colon);
      break;
    }
    Result += printed(V, X->Ty, Part.Format);
  }
  return Result;
}

} // namespace parlance
