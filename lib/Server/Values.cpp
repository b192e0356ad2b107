#include "Server/Values.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

std::string shownValue(Snapshot &S, const Value &V, const Type &T) {
  if (V.K == Value::Kind::Record || V.K == Value::Kind::Scaled) {
    std::string Name(V.Rec ? V.Rec->Name : "");
    return V.K == Value::Kind::Scaled ? fmt::format("{} * {}", formatNumber(V.Number), Name) : Name;
  }
  if (V.isAbsent() || V.K == Value::Kind::Auto || V.K == Value::Kind::Any)
    return "";
  return DerivationBuilder(S.Run.Values, S.Run.Trees).shown(V, T);
}

std::string shownOrigin(Snapshot &S, const Origin &O) {
  switch (O.K) {
  case Origin::Kind::Given:
    if (!O.Range)
      return "";
    return O.Range.File == S.file()
               ? fmt::format("line {}", S.Sources.begin(O.Range).Line)
               : fmt::format("{}:{}", S.Sources.file(O.Range.File).name(), S.Sources.begin(O.Range).Line);
  case Origin::Kind::Default:
    return "default";
  case Origin::Kind::Deduced:
    return O.Where.empty() ? "deduced" : fmt::format("deduced: {}", O.Where);
  case Origin::Kind::Library:
    return std::string(O.Where);
  case Origin::Kind::Open:
    return "not known";
  case Origin::Kind::None:
    break;
  }
  return "";
}

std::string mfuTitle(const JobContext &C) {
  return rt::num(C.derived(quantities::measured_mfu_from_step_time)).isKnown() ? "measured MFU" : "MFU";
}

/// Whether a job is made with a record that the document declares.
static bool isPartOf(const Record &Job, const SchemaDecl &Kind, const Item &R) {
  int Field = Job.Schema->find(Kind.Name);
  const Record *Part = Field < 0 ? nullptr : Job.rec(static_cast<unsigned>(Field));
  return Part && Part->NameRange == R.Id.Range;
}

std::vector<FieldInJob> fieldInJobs(Snapshot &S, std::span<Item *const> Path) {
  std::vector<FieldInJob> Result;
  if (Path.size() < 2 || Path[0]->Kind != ItemKind::Record || !Path[0]->Declared.Schema)
    return Result;
  const SchemaDecl &Kind = *Path[0]->Declared.Schema;
  bool IsJob = Kind.Name == "job";
  std::string Name(IsJob ? "" : Kind.Name);
  for (Item *I : Path.subspan(1))
    Name += (Name.empty() ? "" : ".") + std::string(I->Id.Text);
  for (const AnalyzedJob &J : S.jobs()) {
    if (!J.Resolved || (IsJob ? J.Item != Path[0] : !isPartOf(*J.Resolved->Job, Kind, *Path[0])))
      continue;
    if (FieldPath At = fieldAt(*J.Resolved->Job, Name); At.Owner)
      Result.push_back({&J, At});
  }
  return Result;
}

} // namespace parlance::server
