#include "Analysis/Message.h"
#include "Eval/Support.h"
#include "Units/Format.h"

namespace parlance {

std::string unescape(std::string_view Contents) {
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
    return formatNumber(V.Number, 9) + (Shown.isNone() ? "" : " " + Shown.str());
  return formatQuantity(V.Number, Shown);
}

std::string interpolate(std::string_view Text, Evaluator &E, Evaluator::Frame &F, const ExpressionParser &Parse) {
  std::string Result;
  size_t At = 0;
  while (At < Text.size()) {
    size_t Open = Text.find('{', At);
    size_t Close = Open == std::string_view::npos ? Open : Text.find('}', Open);
    if (Close == std::string_view::npos) {
      Result += Text.substr(At);
      break;
    }
    Result += Text.substr(At, Open - At);
    std::string_view Part = Text.substr(Open + 1, Close - Open - 1), Format;
    for (std::string_view Known : {":%", ":GiB"})
      if (Part.ends_with(Known)) {
        Format = Known.substr(1);
        Part.remove_suffix(Known.size());
      }
    if (const ast::Expr *X = Parse(Part))
      Result += printed(E.eval(*X, F), X->Ty, Format);
    else
      Result += Part;
    At = Close + 1;
  }
  return unescape(Result);
}

} // namespace parlance
