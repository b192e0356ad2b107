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

Value automatic() {
  Value V;
  V.K = Value::Kind::Auto;
  return V;
}

} // namespace parlance::rt
