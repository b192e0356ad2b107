#include "Plan/Options.h"
#include "Eval/Support.h"
#include "Units/Format.h"
#include "std/Std.h"
#include <algorithm>
#include <cctype>
#include <cfloat>
#include <charconv>
#include <map>

namespace parlance {

OptionsBlock optionsBlock(const Library &Lib, std::string_view Framework) {
  const SchemaDecl *Job = Lib.schema("job");
  int Field = Job->find(Framework);
  if (Field < 0 || !Job->Fields[Field].Optional)
    return {};
  return {Job->Fields[Field].Ty.Schema, static_cast<unsigned>(Field)};
}

static std::string_view targetOf(const Record &Job) {
  int Target = Job.enumerator(fields::job::target);
  return Target < 0 ? std::string_view() : Job.Schema->Fields[fields::job::target].Ty.Enum->Values[Target];
}

/// The framework whose options a job has: its target, or the version of it whose block is given.
static std::string_view frameworkOf(const Record &Job) {
  std::string_view Target = targetOf(Job);
  for (unsigned I = 0; I < Job.Values.size(); ++I) {
    const FieldDecl &F = Job.Schema->Fields[I];
    if (F.Optional && Job.rec(I) && F.Name.size() > Target.size() && F.Name.starts_with(Target) &&
        F.Name[Target.size()] == '_')
      return F.Name;
  }
  return Target;
}

/// The target that a framework, or a version of it, stands for.
static uint32_t targetFor(const Library &Lib, std::string_view Framework) {
  const EnumDecl &Targets = *Lib.schema("job")->Fields[fields::job::target].Ty.Enum;
  int Target = Targets.find(Framework);
  return static_cast<uint32_t>(Target < 0 ? Targets.find(Framework.substr(0, Framework.rfind('_'))) : Target);
}

const Record *optionsOf(const Record &Job) {
  int Field = Job.Schema->find(frameworkOf(Job));
  return Field < 0 ? nullptr : Job.rec(Field);
}

//===----------------------------------------------------------------------===//
// Values on both sides
//===----------------------------------------------------------------------===//

namespace {

/// A value of one side as the other side's type has it: choices go by their word, numbers into the alternative of their
/// dimension. Absent where the other side does not have it.
Value convert(const Value &V, const Type &From, const FieldDecl &To) {
  if (V.isAbsent())
    return V;
  if (!rt::knownValue(V))
    return rt::unknownValue(To.Ty);
  if (To.Ty.K == Type::Kind::Enum) {
    std::string_view Word = V.K == Value::Kind::Enum ? From.Enum->Values[V.Index] : rt::text(V);
    int Index = To.Ty.Enum->find(Word);
    if (Index < 0)
      return Word == "unknown" ? rt::unknownValue(To.Ty) : Value();
    return Value::enumerator(static_cast<uint32_t>(Index));
  }
  if (To.Ty.K == Type::Kind::String && V.K == Value::Kind::Enum)
    return Value::string(From.Enum->Values[V.Index]);
  Value Result = V;
  for (size_t A = 0; A < To.Alternatives.size(); ++A)
    if (!fitsField(To.Ty, From) && fitsField(To.Alternatives[A], From))
      Result.Alternative = static_cast<uint8_t>(A + 1);
  return Result;
}

/// Visits the options of a schema, nested ones by their path ("zero_optimization.stage").
template <typename Visit>
void eachOption(const SchemaDecl &S, const std::string &Prefix, const Visit &V, bool WithCounterpart = false) {
  for (const FieldDecl &F : S.Fields) {
    bool Section = F.Ty.K == Type::Kind::Record;
    if (WithCounterpart && !Section && F.Counterpart.empty())
      continue;
    std::string Path = Prefix + std::string(F.Name);
    if (Section)
      eachOption(*F.Ty.Schema, Path + ".", V, WithCounterpart);
    else
      V(Path, F);
  }
}

/// The derived quantities whose names start with a prefix.
std::span<const DeriveDecl> derivesUnder(const Library &Lib, std::string_view Prefix) {
  auto Begin = std::ranges::lower_bound(Lib.Derives, Prefix, {}, &DeriveDecl::Name);
  auto End = std::ranges::find_if_not(Begin, Lib.Derives.end(),
                                      [&](const DeriveDecl &D) { return D.Name.starts_with(Prefix); });
  return {Begin, End};
}

/// Fills in a record and the blocks in it by path; blocks are made when first needed.
class RecordFiller {
public:
  RecordFiller(Record &Root, Evaluator &E) : Root(Root), E(E) {}
  /// The record and the position that a path names; null for a path that the schema does not have.
  std::pair<Record *, unsigned> at(std::string_view Path) {
    Record *R = &Root;
    for (;;) {
      size_t Dot = Path.find('.');
      int Index = R->Schema->find(Path.substr(0, Dot));
      if (Index < 0)
        return {nullptr, 0};
      if (Dot == std::string_view::npos)
        return {R, static_cast<unsigned>(Index)};
      R = block(*R, static_cast<unsigned>(Index));
      if (!R)
        return {nullptr, 0};
      Path.remove_prefix(Dot + 1);
    }
  }
  bool isGiven(std::string_view Path) const {
    FieldPath At = fieldAt(Root, Path);
    return At.Owner && At.Owner->Origins[At.Index].K == Origin::Kind::Given;
  }
  void set(std::string_view Path, const Value &V, const Type &From, const Origin &O) {
    if (V.isAbsent()) // before blocks are made for it
      return;
    auto [R, Index] = at(Path);
    if (!R)
      return;
    Value Converted = convert(V, From, R->Schema->Fields[Index]);
    if (Converted.isAbsent())
      return;
    R->Values[Index] = Converted;
    R->Origins[Index] = O;
  }

private:
  Record *block(Record &R, unsigned Index) {
    const FieldDecl &F = R.Schema->Fields[Index];
    if (F.Ty.K != Type::Kind::Record)
      return nullptr;
    if (auto It = Made.find({&R, Index}); It != Made.end())
      return It->second;
    const Record *Old = R.rec(Index);
    Record *New = E.own(Old ? *Old : emptyRecord(*F.Ty.Schema, F.Name, R.NameRange));
    R.Values[Index] = Value::record(New);
    if (!Old)
      R.Origins[Index] = {Origin::Kind::Default, R.NameRange, {}};
    return Made[{&R, Index}] = New;
  }
  Record &Root;
  Evaluator &E;
  std::map<std::pair<const Record *, unsigned>, Record *> Made;
};

/// What set a field that follows from several options: the first of them that was written.
Origin originOf(std::span<const std::string_view> Paths, const Record &Job, const Origin &Else) {
  for (std::string_view Path : Paths)
    if (FieldPath At = fieldAt(Job, Path); At.Owner)
      if (const Origin &O = At.Owner->Origins[At.Index]; O.K == Origin::Kind::Given)
        return O;
  return Else;
}

/// Whether a field, or one of the block that it holds, was written with a value that is not known.
bool isOpen(const Record &R, unsigned Index) {
  if (R.Origins[Index].K != Origin::Kind::Given)
    return false;
  const Record *Inner = R.rec(Index);
  if (!Inner)
    return !rt::knownValue(R.at(Index));
  for (unsigned I = 0; I < Inner->Values.size(); ++I)
    if (isOpen(*Inner, I))
      return true;
  return false;
}

/// Whether one of the named options was written with a value that is not known.
bool readsUnknown(std::span<const std::string_view> Paths, const Record &Job) {
  return std::ranges::any_of(Paths, [&](std::string_view Path) {
    FieldPath At = fieldAt(Job, Path);
    return At.Owner && isOpen(*At.Owner, At.Index);
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Options to fields
//===----------------------------------------------------------------------===//

Record *readOptions(const Library &Lib, std::string_view Framework, const Record &Options, Evaluator &E,
                    const Record *Beside) {
  OptionsBlock Block = optionsBlock(Lib, Framework);
  Record *Job = E.own(emptyRecord(*Lib.schema("job"), Options.Name, Options.NameRange));
  Job->Values[Block.Field] = Value::record(E.complete(Options));
  Job->Origins[Block.Field] = {Origin::Kind::Given, Options.NameRange, {}};
  Record *Source = E.own(*Job);
  if (Beside)
    for (unsigned Field : {fields::job::model, fields::job::cluster, fields::job::gpus_per_node})
      Source->Values[Field] = Beside->Values[Field];
  JobContext Context(Lib, *Source);

  RecordFiller Fill(*Job, E);
  Origin ByDefault{Origin::Kind::Default, Options.NameRange, {}};
  eachOption(
      *Block.Schema, std::string(Framework) + ".",
      [&](const std::string &Path, const FieldDecl &F) {
        FieldPath At = fieldAt(*Source, Path);
        if (At.Owner)
          Fill.set(F.Counterpart, At.Owner->at(At.Index), F.Ty,
                   At.Owner->Origins[At.Index].K == Origin::Kind::Given ? At.Owner->Origins[At.Index] : ByDefault);
      },
      true);
  std::string Prefix = fmt::format("read.{}.", Framework);
  for (const DeriveDecl &D : derivesUnder(Lib, Prefix)) {
    Value V = Context.derived(static_cast<uint32_t>(&D - Lib.Derives.data()));
    bool DoesNotApply = V.isAbsent() && D.Result.isQuantity();
    if (!rt::knownValue(V) && !DoesNotApply && readsUnknown(D.Reads, *Source))
      V = rt::unknownValue(D.Result);
    Fill.set(D.Name.substr(Prefix.size()), V, D.Result, originOf(D.Reads, *Source, ByDefault));
  }
  Job->Values[fields::job::target] = Value::enumerator(targetFor(Lib, Framework));
  Job->Origins[fields::job::target] = ByDefault;
  return Job;
}

//===----------------------------------------------------------------------===//
// Fields to options
//===----------------------------------------------------------------------===//

Record *writeOptions(const Plan &P, std::string_view Framework, Evaluator &E) {
  const Library &Lib = E.Lib;
  OptionsBlock Block = optionsBlock(Lib, Framework);
  const Record *Own = P.Job->rec(Block.Field);
  Record *Options = E.own(Own ? *Own : emptyRecord(*Block.Schema, Framework));
  RecordFiller Fill(*Options, E);
  auto Write = [&](const std::string &Path, const FieldDecl &F) {
    if (FieldPath At = fieldAt(*P.Job, F.Counterpart); At.Owner)
      Fill.set(Path, At.Owner->at(At.Index), At.decl().Ty, At.Owner->Origins[At.Index]);
  };
  eachOption(*Block.Schema, {}, Write, true);
  for (std::string_view Kind : {"write", "suggest"}) {
    std::string Prefix = fmt::format("{}.{}.", Kind, Framework);
    for (const DeriveDecl &D : derivesUnder(Lib, Prefix)) {
      std::string_view Path = D.Name.substr(Prefix.size());
      if (Kind == "suggest" && Fill.isGiven(Path))
        continue;
      Value V = P.Context->derived(static_cast<uint32_t>(&D - Lib.Derives.data()));
      Fill.set(Path, V, D.Result, {Origin::Kind::Deduced, {}, D.Name});
    }
  }
  return Options;
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

bool setField(Record &Job, std::string_view Path, std::string_view Text, const Origin &From, Evaluator &E) {
  auto [R, Index] = RecordFiller(Job, E).at(Path);
  if (!R || R->Schema->Fields[Index].Computed)
    return false;
  const FieldDecl &F = R->Schema->Fields[Index];
  const Type &T = F.Ty;
  Value V;
  if (T.K == Type::Kind::Quantity) {
    double Number = 0;
    auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Number);
    const auto Least = static_cast<double>(F.Minimum.value_or(0)),
               Most = F.Maximum ? static_cast<double>(*F.Maximum) : DBL_MAX;
    if (Error != std::errc() || End != Text.data() + Text.size() || !(Number >= Least && Number <= Most))
      return false;
    V = Value::of(Num(Number));
    if (V.Number.isIntegral())
      V.Number = Num(V.Number.toInteger());
    if (T.isCount() && !V.Number.isInt())
      return false;
  } else if (T.K == Type::Kind::Bool) {
    V = Text == "true" || Text == "false" ? Value::of(truth(Text == "true")) : Value();
  } else if (T.K == Type::Kind::Enum) {
    int Word = T.Enum->find(Text);
    V = Word < 0 ? Value() : Value::enumerator(static_cast<uint32_t>(Word));
  } else if (namesRecord(F)) {
    int Named = E.Lib.record(Text);
    if (Named >= 0 && E.Lib.Records[Named].Schema == T.Schema)
      V = Value::record(E.libraryInstance(static_cast<uint32_t>(Named)));
  }
  if (V.isAbsent())
    return false;
  R->Values[Index] = V;
  R->Origins[Index] = From;
  return true;
}

/// A copy without the values that nobody gave and the schema's default gives back. What a framework does by default is
/// no default of the schema, and stays.
static Record *withoutDefaults(const Record &R, Evaluator &E) {
  Record *Copy = E.own(R);
  for (size_t I = 0; I < R.Values.size(); ++I) {
    const FieldDecl &F = R.Schema->Fields[I];
    Value &V = Copy->Values[I];
    if (V.K == Value::Kind::Record && F.Ty.K == Type::Kind::Record && !F.Ty.Schema->TopLevel)
      V = Value::record(withoutDefaults(*V.Rec, E));
    else if (rt::leftToDefault(R, static_cast<unsigned>(I)))
      V = {};
  }
  return Copy;
}

std::optional<Plan> retarget(const Plan &P, std::string_view Framework, Evaluator &E) {
  using namespace fields;
  Record *Job = withoutDefaults(*P.Written, E);
  if (const Record *Layout = Job->rec(job::layout))
    Job->Values[job::layout] = Value::record(withoutDefaults(*Layout, E));
  int Target = Job->Schema->Fields[job::target].Ty.Enum->find(Framework);
  if (Target < 0)
    return std::nullopt;
  Job->Values[job::target] = Value::enumerator(static_cast<uint32_t>(Target));
  return resolve(*E.complete(*Job), E);
}

static void compareRecords(const Record &A, const Record &B, const std::string &Prefix,
                           std::span<const std::string_view> Skip, std::vector<LostField> &Into) {
  for (size_t I = 0; I < A.Values.size(); ++I) {
    const FieldDecl &F = A.Schema->Fields[I];
    std::string Path = Prefix + std::string(F.Name);
    if (F.Computed || F.Optional || std::ranges::find(Skip, Path) != Skip.end())
      continue;
    const Record *RA = A.rec(I), *RB = B.rec(I);
    if (RA && RB)
      compareRecords(*RA, *RB, Path + ".", Skip, Into);
    else if (!rt::sameValue(A.at(I), B.at(I)))
      Into.push_back({Path, A.at(I), B.at(I)});
  }
}

std::vector<LostField> differences(const Plan &Wanted, const Plan &Got, std::span<const std::string_view> Skip) {
  std::vector<std::string_view> All{"cluster", "measured", "target", "stack", "convention", "model.params"};
  All.insert(All.end(), Skip.begin(), Skip.end());
  std::vector<LostField> Result;
  compareRecords(*Wanted.Job, *Got.Job, {}, All, Result);
  std::erase_if(Result, [&](const LostField &L) {
    int Index = Wanted.Context->library().derive("matters." + L.Path);
    Value Matters = Index < 0 ? Value() : Wanted.Context->derived(static_cast<uint32_t>(Index));
    return Matters.K == Value::Kind::Bool && Matters.Flag == Truth::False;
  });
  return Result;
}

std::vector<LostField> notExpressed(const Plan &P, std::string_view Framework, const Record &Options,
                                    std::span<const std::string_view> Elsewhere, Evaluator &E) {
  using namespace fields;
  Record *Job = readOptions(E.Lib, Framework, Options, E, P.Job);
  // What its files leave to others is as it was.
  for (auto [Field, Name] :
       {std::pair{job::cluster, "cluster"}, {job::model, "model"}, {job::seq_len, "seq_len"}, {job::layout, "layout"}})
    if (Field == job::cluster || !Job->rec(Field) || std::ranges::find(Elsewhere, Name) != Elsewhere.end())
      if (Field != job::layout && (Field != job::seq_len || Job->num(Field).isUnknown())) {
        Job->Values[Field] = P.Job->Values[Field];
        Job->Origins[Field] = P.Job->Origins[Field];
      }
  if (!Job->rec(job::layout))
    Job->Values[job::layout] = Value::record(E.own(emptyRecord(*E.Lib.schema("layout"))));
  auto Back = resolve(*E.complete(*Job), E);
  if (!Back)
    return {};
  auto Lost = differences(P, *Back, Elsewhere);
  // What was deduced follows from fields that are compared.
  std::erase_if(Lost, [&](const LostField &L) {
    FieldPath At = fieldAt(*P.Job, L.Path);
    return At.Owner->Origins[At.Index].K == Origin::Kind::Deduced;
  });
  return Lost;
}

std::vector<LostField> notExpressed(const Plan &P, Evaluator &E) {
  std::string_view Framework = targetOf(*P.Job);
  if (Framework.empty() || !optionsBlock(E.Lib, Framework).Schema)
    return {};
  return notExpressed(P, Framework, *writeOptions(P, Framework, E), {}, E);
}

bool expressible(const Plan &P, std::span<const FieldChange> Fields, Evaluator &E) {
  auto Lost = notExpressed(P, E);
  return std::ranges::none_of(
      Lost, [&](const LostField &L) { return std::ranges::find(Fields, L.Path, &FieldChange::Path) != Fields.end(); });
}

std::string asFlag(std::string_view Option) {
  std::string Result = fmt::format("--{}", Option);
  std::ranges::replace(Result, '_', '-');
  return Result;
}

bool isVariableName(std::string_view Key) {
  return !Key.empty() && std::isupper(static_cast<unsigned char>(Key[0])) != 0;
}

std::string fileText(const Value &V, const FieldDecl &F) {
  if (V.K == Value::Kind::String)
    return std::string(V.Text);
  return V.K == Value::Kind::Quantity ? formatExact(V.Number) : rt::sourceText(V, F);
}

std::vector<OptionChange> optionChanges(const Plan &Before, const Plan &After, Evaluator &E) {
  std::string_view Framework = targetOf(*Before.Job);
  OptionsBlock Block = optionsBlock(E.Lib, Framework);
  std::vector<OptionChange> Result;
  if (Framework.empty() || !Block.Schema)
    return Result;
  // Both as they would be written, so that two ways to say the same do not count.
  const Record *Given = Before.Job->rec(Block.Field), *Old = E.complete(*writeOptions(Before, Framework, E)),
               *New = E.complete(*writeOptions(After, Framework, E));
  eachOption(*Block.Schema, {}, [&](const std::string &Path, const FieldDecl &F) {
    FieldPath A = fieldAt(*Old, Path), B = fieldAt(*New, Path);
    FieldPath Was = Given ? fieldAt(*Given, Path) : FieldPath();
    Value None;
    const Value &From = A.Owner ? A.Owner->at(A.Index) : None, &To = B.Owner ? B.Owner->at(B.Index) : None;
    Origin Place = Was.Owner ? Was.Owner->Origins[Was.Index] : Origin();
    // What the file says, or leaves to the default, may suit the changed job: `-1` for as many as there are.
    bool Stays = Was.Owner && rt::knownValue(To) && rt::sameValue(Was.Owner->at(Was.Index), To);
    if (!Stays && !rt::sameValue(From, To))
      Result.push_back({Path, &F, Place, To});
  });
  return Result;
}

Plan withOptions(const Plan &P, Evaluator &E) {
  std::string_view Framework = frameworkOf(*P.Job);
  OptionsBlock Block = optionsBlock(E.Lib, Framework);
  if (Framework.empty() || !Block.Schema)
    return P;
  Record *Job = E.own(*P.Job);
  Job->Values[Block.Field] = Value::record(E.complete(*writeOptions(P, Framework, E)));
  return Plan{P.Written, Job, std::make_shared<JobContext>(E.Lib, *Job), true, P.Foreign};
}

} // namespace parlance
