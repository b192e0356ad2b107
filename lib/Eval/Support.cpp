#include "Eval/Support.h"

namespace parlance::rt {

Record makeRecord(const SchemaDecl &Schema, std::string_view Name,
                  std::initializer_list<FieldInit> Fields) {
  Record R{&Schema,
           Name,
           {},
           std::vector<Value>(Schema.Fields.size()),
           std::vector<Origin>(Schema.Fields.size())};
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
