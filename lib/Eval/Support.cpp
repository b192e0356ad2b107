#include "Eval/Support.h"
#include "Units/Format.h"

namespace parlance::rt {

Record makeRecord(const SchemaDecl &Schema, std::string_view Name, std::initializer_list<FieldInit> Fields) {
  Record R{&Schema, Name, {}, std::vector<Value>(Schema.Fields.size()), std::vector<Origin>(Schema.Fields.size())};
  for (const FieldInit &F : Fields) {
    R.Values[F.Index] = F.V;
    R.Origins[F.Index] = {Origin::Kind::Library, {}, F.Where};
  }
  return R;
}

Value scaled(Num Count, const Record *R) {
  Value V = Value::record(R);
  V.K = Value::Kind::Scaled;
  V.Number = Count;
  return V;
}

bool sameValue(const Value &A, const Value &B) {
  if (!knownValue(A) || !knownValue(B))
    return !knownValue(A) && !knownValue(B);
  if (A.K != B.K || A.Alternative != B.Alternative)
    return false;
  switch (A.K) {
  case Value::Kind::Quantity:
    return equal(A.Number, B.Number) == Truth::True;
  case Value::Kind::Bool:
    return A.Flag == B.Flag;
  case Value::Kind::Enum:
    return A.Index == B.Index;
  case Value::Kind::String:
    return A.Text == B.Text;
  default:
    return A.Rec == B.Rec && A.Items == B.Items;
  }
}

bool hasDefault(const Record &R, unsigned I) { return sameValue(R.at(I), defaultOf(R, I)); }

bool leftToDefault(const Record &R, unsigned I) {
  if (R.Origins[I].K != Origin::Kind::Default)
    return false;
  return R.at(I).Rec ? namesRecord(R.Schema->Fields[I]) : hasDefault(R, I);
}

static std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  for (char C : Text)
    if (C == '"' || C == '\\')
      Result += std::string("\\") + C;
    else if (C == '\n')
      Result += "\\n";
    else if (C == '\t')
      Result += "\\t";
    else
      Result += C;
  return Result + "\"";
}

std::string sourceText(const Value &V, const FieldDecl &F) {
  switch (V.K) {
  case Value::Kind::Enum:
    return std::string(F.Ty.Enum->Values[V.Index]);
  case Value::Kind::Bool:
    return V.Flag == Truth::True ? "true" : "false";
  case Value::Kind::String:
    return quoted(V.Text);
  case Value::Kind::Auto:
    return "auto";
  default:
    break;
  }
  Dim D = (V.Alternative ? F.Alternatives[V.Alternative - 1] : F.Ty).Dimension.withoutPopulations();
  return D.isNone() ? formatExact(V.Number) : fmt::format("{} {}", formatExact(V.Number), D.str());
}

Value unknownValue(const Type &T) {
  switch (T.K) {
  case Type::Kind::Bool:
    return Value::of(Truth::Unknown);
  case Type::Kind::Enum:
    return Value::enumerator(UnknownEnumerator);
  case Type::Kind::String:
    return Value::string({});
  default:
    return Value::of(Num::unknown());
  }
}

Truth hasWord(std::string_view Text, std::string_view Word) {
  for (size_t At = 0; (At = Text.find(Word, At)) != std::string_view::npos; ++At) {
    size_t End = At + Word.size();
    if ((At == 0 || Text[At - 1] == ' ') && (End == Text.size() || Text[End] == ' '))
      return Truth::True;
  }
  return Truth::False;
}

Num wordCount(std::string_view Text) {
  int64_t Count = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    Count += Text[I] != ' ' && (I == 0 || Text[I - 1] == ' ');
  return Num(Count);
}

Value automatic() {
  Value V;
  V.K = Value::Kind::Auto;
  return V;
}

} // namespace parlance::rt
