// Records against their schemas: unknown, repeated, missing and ill-typed fields; jobs with their statements.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/ItemChecker.h"
#include "Sema/Suggestions.h"
#include <algorithm>

namespace parlance {

using namespace ast;

void ItemChecker::checkRecord(Item &R) {
  const SchemaDecl &Schema = *R.Declared.Schema;
  if (R.Value) { // = import "…": read when the program is evaluated
    if (R.Value->Kind != ExprKind::Import && R.Value->Kind != ExprKind::Error)
      Diags.report(diag::Misplaced, R.Value->Range, "a value", "a field; a record is `{ … }` or `import \"…\"`");
    return;
  }
  bool BaseKnown = checkBase(R, Schema);
  Scope S = fileScope();
  bool IsJob = Schema.Name == "job";
  if (IsJob) {
    auto &Names = P.JobNames[&R];
    for (Item *I : R.Items)
      if (I->Kind == ItemKind::Let && nameIsFree(*I)) {
        auto [It, New] = Names.emplace(I->Id.Text, I);
        if (!New) {
          Diagnostic &D = Diags.report(diag::DuplicateName, I->Id.Range, I->Id.Text);
          D.Notes.push_back({It->second->Id.Range, "declared here first"});
        }
      }
  }
  checkFields(R, Schema, S, IsJob);
  if (BaseKnown && !R.Incomplete)
    checkMissing(R, Schema, given(M, R));
}

/// Whether what a record is made from is known and of its kind; reports it when it is not.
bool ItemChecker::checkBase(Item &R, const SchemaDecl &Schema) {
  if (!R.Base)
    return true;
  FileSymbol Found = lookup(M, Lib, R.Base.Text);
  R.BaseDecl = Found.Item;
  if (Found.Ambiguous) {
    Diags.report(diag::AmbiguousName, R.Base.Range, R.Base.Text);
    return false;
  }
  const SchemaDecl *Kind = Found.LibraryRecord >= 0 ? Lib.Records[Found.LibraryRecord].Schema
                           : Found.Item             ? Found.Item->Declared.Schema
                                                    : nullptr;
  if (Found.Item && Found.Item->Kind == ItemKind::Record && Found.Item->Declared.isError()) {
    return false; // its kind is unknown: reported there
  }
  if (!Kind) {
    if (M.LacksNames)
      return false;
    int InLibrary = Lib.record(R.Base.Text);
    if (InLibrary >= 0 && Found.LibraryRecord < 0 && !Found.Item) {
      std::string_view Module = Lib.Records[InLibrary].Module;
      Diagnostic &D = Diags.report(diag::NeedsUse, R.Base.Range, R.Base.Text, Module);
      D.Fixes.push_back({fmt::format("`use {}`", Module),
                         Applicability::Machine,
                         {{{R.Base.Range.File, 0, 0}, fmt::format("use {}\n", Module)}},
                         {}});
    } else {
      std::vector<std::string_view> Names;
      for (auto &[Name, Item] : M.Names)
        Names.push_back(Name);
      for (const LibraryRecord &L : Lib.Records)
        if (L.Schema == &Schema)
          Names.push_back(L.Name);
      Diagnostic &D = Diags.report(diag::UnknownName, R.Base.Range, Schema.Name, R.Base.Text);
      if (auto Near = nearest(R.Base.Text, Names))
        D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{R.Base.Range, std::string(*Near)}}, {}});
    }
    return false;
  }
  if (Kind != &Schema) {
    Diags.report(diag::WrongBase, R.Base.Range, R.Id.Text, Schema.Name, R.Base.Text, Kind->Name);
    return false;
  }
  return true;
}

/// The field that a name nearly is, of those that are not written if one of them is near.
static std::optional<std::string_view> nearField(std::string_view Wrong, const SchemaDecl &Schema,
                                                 const std::vector<Item *> &Written) {
  std::vector<std::string_view> Names, Free;
  for (const FieldDecl &F : Schema.Fields) {
    if (F.Computed)
      continue;
    Names.push_back(F.Name);
    if (std::ranges::none_of(Written, [&](const Item *I) { return I->Id.Text == F.Name; }))
      Free.push_back(F.Name);
  }
  auto Near = nearest(Wrong, Free);
  return Near ? Near : nearest(Wrong, Names);
}

/// Which fields a record and its bases give, also under a wrong name; everything, where that cannot be known.
const std::vector<bool> &ItemChecker::given(Module &Owner, const Item &R) {
  auto [It, New] = Given.try_emplace(&R, R.Declared.Schema->Fields.size());
  if (!New)
    return It->second;
  std::vector<bool> Result = It->second;
  if (R.Value || R.Incomplete)
    Result.assign(Result.size(), true);
  if (R.Base) {
    FileSymbol Found = lookup(Owner, Lib, R.Base.Text);
    if (Found.LibraryRecord >= 0) {
      const Record *Base = Lib.Records[Found.LibraryRecord].instance();
      for (size_t I = 0; I < Result.size() && I < Base->Values.size(); ++I)
        Result[I] = Result[I] || !Base->at(I).isAbsent();
    } else if (Found.Item && Found.Item->Declared.Schema == R.Declared.Schema) {
      const std::vector<bool> &Base = given(*Found.Owner, *Found.Item);
      for (size_t I = 0; I < Result.size(); ++I)
        Result[I] = Result[I] || Base[I];
    }
  }
  for (const Item *I : R.Items)
    if (I->Kind == ItemKind::Field || I->Kind == ItemKind::Block) {
      const SchemaDecl &Schema = *R.Declared.Schema;
      int F = Schema.find(I->Id.Text);
      if (auto Near = F < 0 ? nearField(I->Id.Text, Schema, R.Items) : std::nullopt)
        F = Schema.find(*Near);
      if (F >= 0)
        Result[F] = true;
    }
  return Given[&R] = Result;
}

void ItemChecker::checkMissing(const Item &R, const SchemaDecl &Schema, const std::vector<bool> &Given) {
  // A model that gives only its parameter count is enough wherever no shape is needed.
  if (int Params = Schema.find("params"); Params >= 0 && Given[Params])
    return;
  std::vector<std::string> Missing;
  for (size_t I = 0; I < Given.size(); ++I)
    if (Schema.Fields[I].Required && !Given[I])
      Missing.push_back(fmt::format("`{}`", Schema.Fields[I].Name));
  if (Missing.empty())
    return;
  std::vector<std::string_view> Views(Missing.begin(), Missing.end());
  Diags.report(diag::MissingField, R.Id.Range, Schema.Name, R.Id.Text, joinList(Views, "and"));
}

void ItemChecker::checkFields(Item &Owner, const SchemaDecl &Schema, Scope &S, bool IsJob) {
  std::map<std::string_view, const Item *> Seen;
  for (Item *I : Owner.Items) {
    if (I->Kind != ItemKind::Field && I->Kind != ItemKind::Block) {
      if (IsJob)
        checkJobItem(*I, Owner, S);
      else
        misplacedIn(Owner, *I);
      continue;
    }
    int Field = Schema.find(I->Id.Text);
    if (Field < 0) {
      Owner.Flawed = Owner.Incomplete = true;
      unknownField(*I, Schema, Owner);
      continue;
    }
    auto [It, New] = Seen.emplace(I->Id.Text, I);
    if (!New) {
      Owner.Flawed = true;
      Diagnostic &D = Diags.report(diag::DuplicateField, I->Id.Range, I->Id.Text);
      D.Notes.push_back({It->second->Id.Range, fmt::format("`{}` is first given here", I->Id.Text)});
      continue;
    }
    const FieldDecl &F = Schema.Fields[Field];
    if (F.Computed) {
      Diags.report(diag::ComputedField, I->Id.Range, F.Name);
      continue;
    }
    if (std::string_view Means = meaningOf(Schema, F); !Means.empty()) {
      Diags.report(diag::OptionHasField, I->Id.Range, F.Name, Means);
      continue;
    }
    if (I->Kind == ItemKind::Field) {
      checkFieldValue(*I, F, S);
      continue;
    }
    if (F.Ty.K != Type::Kind::Record) {
      // `micro = { … }`, whose `=` was reported, is one mistake.
      SourceRange Behind{I->Id.Range.File, I->Id.Range.End, I->Range.End};
      Behind.End = Behind.Begin + static_cast<uint32_t>(P.Sources.text(Behind).find('{'));
      Owner.Flawed = true;
      if (!Diags.errorWithin(Behind))
        Diags.report(diag::NotABlock, I->Id.Range, F.Name, typeName(F.Ty));
      continue;
    }
    checkFields(*I, *F.Ty.Schema, S, false);
  }
}

/// The field of a job that an option of a framework means, which is where it is written; empty for other fields.
std::string_view ItemChecker::meaningOf(const SchemaDecl &Schema, const FieldDecl &F) const {
  if (!F.Counterpart.empty() || F.Ty.K == Type::Kind::Record) // sections hold all kinds of options
    return F.Counterpart;
  // Only options of the outermost section are translated by name alone.
  const SchemaDecl *Job = Lib.schema("job");
  int Block = Job->find(Schema.Name);
  if (Block < 0 || !Job->Fields[Block].Optional)
    return {};
  std::string Prefix = fmt::format("read.{}.", Schema.Name), Path = fmt::format("{}.{}", Schema.Name, F.Name);
  for (const DeriveDecl &D : Lib.Derives)
    if (D.Name.starts_with(Prefix) && !D.Reads.empty() && D.Reads.front() == Path)
      return D.Name.substr(Prefix.size());
  return {};
}

void ItemChecker::checkFieldValue(Item &I, const FieldDecl &F, Scope &S) {
  if (!I.Value || I.Value->Kind == ExprKind::Error)
    return;
  Expr &V = *I.Value;
  if (V.Kind == ExprKind::Auto) {
    I.Flawed = !F.AllowAuto;
    if (!F.AllowAuto)
      Diags.report(diag::AutoMisplaced, V.Range);
    return;
  }
  std::vector<Type> Wanted{F.Ty};
  Wanted.insert(Wanted.end(), F.Alternatives.begin(), F.Alternatives.end());
  Type Actual = Exprs.check(V, S, &F.Ty);
  I.FrameSize = S.FrameSize;
  if (Actual.isError())
    return;
  if (std::ranges::any_of(Wanted, [&](const Type &T) { return fitsField(T, Actual); }))
    return;
  Exprs.reportMismatch(V, Wanted, Actual, {}, fmt::format("`{}`", F.Name));
  V.Ty = Type(); // no field gets it
}

/// What belongs elsewhere may stand where a field should: none is missing then.
void ItemChecker::misplacedIn(Item &Owner, const Item &I) {
  Owner.Incomplete = true;
  SourceRange At = I.KeyRange ? I.KeyRange : I.Range;
  Diags.report(diag::Misplaced, At, fmt::format("`{}`", P.Sources.text(At)),
               I.Kind == ItemKind::Assume ? "a job, outside of its blocks" : "a file or a job");
}

/// The required field that a block lacks, where it is one: an unknown field may be it.
static std::optional<std::string_view> onlyMissing(const SchemaDecl &Schema, const Item &Owner) {
  std::optional<std::string_view> Only;
  for (const FieldDecl &F : Schema.Fields) {
    bool Written = std::ranges::any_of(Owner.Items, [&](const Item *I) { return I->Id.Text == F.Name; });
    if (!F.Required || Written)
      continue;
    if (Only)
      return std::nullopt;
    Only = F.Name;
  }
  return Owner.Base ? std::nullopt : Only;
}

/// A field that the block does not have: a misspelt one, one of another block, or a framework's option that means one.
void ItemChecker::unknownField(const Item &I, const SchemaDecl &Schema, const Item &Owner) {
  const Name &Id = I.Id;
  Diagnostic &D = Diags.report(diag::UnknownField, Id.Range, Schema.Name, Id.Text);
  auto Near = nearField(Id.Text, Schema, Owner.Items);
  std::string Path = ownerOf(Lib, Schema, Id.Text);
  if (Near && Path.empty()) {
    D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Machine, {{Id.Range, std::string(*Near)}}, {}});
    return;
  }
  if (!Path.empty())
    return namedField(D, I, Schema, Owner, Path);
  if (auto Missing = onlyMissing(Schema, Owner)) {
    D.Notes.push_back({{}, fmt::format("`{}` is missing", *Missing)});
    D.Fixes.push_back({fmt::format("`{}`", *Missing), Applicability::Maybe, {{Id.Range, std::string(*Missing)}}, {}});
    return;
  }
  for (const SchemaDecl *Other : Lib.Schemas)
    if (int F = Other->find(Id.Text); F >= 0 && !Other->Fields[F].Computed) {
      D.Notes.push_back({{}, fmt::format("`{}` is a field of `{}`", Id.Text, Other->Name)});
      return;
    }
  std::vector<std::string_view> Names;
  for (const FieldDecl &F : Schema.Fields)
    if (!F.Computed)
      Names.push_back(F.Name);
  D.Notes.push_back({{}, fmt::format("`{}` has {}", Schema.Name, joinList(Names, "and"))});
}

/// The field that was meant is known by its path: `layout.tp`, or `tp` alone where it is one of the block itself.
void ItemChecker::namedField(Diagnostic &D, const Item &I, const SchemaDecl &Schema, const Item &Owner,
                             std::string_view Path) const {
  size_t Dot = Path.find('.');
  std::string_view Field = Path.substr(Dot + 1), Block = Path.substr(0, Dot);
  if (Dot == std::string_view::npos) {
    D.Notes.push_back({{}, fmt::format("`{}` of the frameworks is `{}` here", I.Id.Text, Field)});
    bool Given = std::ranges::any_of(Owner.Items, [&](const Item *Other) { return Other->Id.Text == Field; });
    if (!Given)
      D.Fixes.push_back({fmt::format("`{}`", Field), Applicability::Machine, {{I.Id.Range, std::string(Field)}}, {}});
    return;
  }
  std::string Same = Field == I.Id.Text ? "" : fmt::format(", as `{}`", Field);
  D.Notes.push_back({{}, fmt::format("`{}` is a field of `{}`{}", I.Id.Text, Block, Same)});
  bool Taken = std::ranges::any_of(Owner.Items, [&](const Item *Other) { return Other->Id.Text == Block; });
  if (Schema.Name != "job" || Taken || I.Kind != ItemKind::Field || Field.find('.') != Field.npos)
    return;
  SourceRange Rest{I.Range.File, I.Id.Range.End, I.Range.End};
  std::string Text = fmt::format("{} {{ {}{} }}", Block, Field, P.Sources.text(Rest));
  D.Fixes.push_back({fmt::format("`{}`", Text), Applicability::Maybe, {{I.Range, Text}}, {}});
}

void ItemChecker::checkJobItem(Item &I, const Item &Job, Scope &File) {
  if (Job.Kind == ItemKind::Case && I.Kind != ItemKind::Assume) {
    Diags.report(diag::Misplaced, I.KeyRange, fmt::format("`{}`", P.Sources.text(I.KeyRange)),
                 "a `job`; a case of a test has its fields");
    return;
  }
  Scope S = File;
  S.Self = Lib.schema("job");
  S.Derives = true;
  S.JobNames = &P.JobNames[&Job];
  switch (I.Kind) {
  case ItemKind::Let:
    I.Flag = true;
    Exprs.typeOfLet(I, S);
    break;
  case ItemKind::Assume:
    checkAssume(I, Job, File);
    break;
  case ItemKind::Require:
  case ItemKind::Warn:
    checkStatement(I, S);
    break;
  case ItemKind::Rule:
    checkRule(I, S);
    break;
  case ItemKind::Maximize:
  case ItemKind::Minimize:
    if (I.Value)
      Exprs.check(*I.Value, S);
    I.FrameSize = S.FrameSize;
    break;
  default:
    Diags.report(diag::Misplaced, I.KeyRange ? I.KeyRange : I.Range,
                 fmt::format("`{}`", P.Sources.text(I.KeyRange ? I.KeyRange : I.Range)), "a file, outside of jobs");
  }
}

/// Whether a name is that of a calibration constant; reports it when it is not.
bool ItemChecker::isConstant(const Name &Id) {
  int Index = Lib.function(Id.Text);
  if (Index >= 0 && Lib.Functions[Index].Constant >= 0)
    return true;
  if (Index >= 0) {
    auto Params = static_cast<int64_t>(Lib.Functions[Index].Params.size());
    Diags.report(diag::NotAConstant, Id.Range, Id.Text,
                 Params ? "it takes " + plural(Params, "argument") : "it is a formula");
    return false;
  }
  std::vector<std::string_view> Names;
  for (const FunctionDecl &F : Lib.Functions)
    if (F.Constant >= 0)
      Names.push_back(F.Name);
  Diagnostic &D = Diags.report(diag::UnknownName, Id.Range, "calibration constant", Id.Text);
  if (auto Near = nearest(Id.Text, Names))
    D.Fixes.push_back({fmt::format("`{}`", *Near), Applicability::Maybe, {{Id.Range, std::string(*Near)}}, {}});
  return false;
}

/// `Declared` becomes the type of the constant, or stays an error.
void ItemChecker::checkAssume(Item &I, const Item &Job, Scope &File) {
  if (!isConstant(I.Id))
    return;
  for (const Item *Earlier : Job.Items) {
    if (Earlier == &I)
      break;
    if (Earlier->Kind != ItemKind::Assume || Earlier->Id.Text != I.Id.Text)
      continue;
    Diagnostic &D = Diags.report(diag::DuplicateField, I.Id.Range, I.Id.Text);
    D.Notes.push_back({Earlier->Id.Range, fmt::format("`{}` is first given here", I.Id.Text)});
    return;
  }
  if (I.Value->Kind == ExprKind::Any) {
    Diags.report(diag::Misplaced, I.Value->Range, "`any`", "a field");
    return;
  }
  const FunctionDecl &Constant = Lib.Functions[Lib.function(I.Id.Text)];
  FieldDecl AsField;
  AsField.Name = Constant.Name;
  AsField.Ty = Constant.Result;
  checkFieldValue(I, AsField, File);
  I.Declared = Constant.Result;
}

} // namespace parlance
