// Records: explicit fields over their base, bounds, defaults, and where each value came from.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Eval/Evaluator.h"
#include "Eval/Support.h"
#include "Sema/ExprChecker.h"
#include "Sema/Soundness.h"
#include "Units/Format.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

using namespace ast;

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

Value Evaluator::treeDefault(const Record &R, const FieldDecl &F) {
  Frame Own;
  Own.Self = &R;
  Value V = eval(*F.DefaultExpr, Own);
  if (F.Ty.K != Type::Kind::Record || V.K != Value::Kind::Enum)
    return V;
  // A word stands for the record of that name.
  int Named = Lib.record(F.DefaultExpr->Ty.Enum->Values[V.Index]);
  return Named < 0 ? Value() : Value::record(Lib.Records[Named].instance());
}

Record *Evaluator::complete(const Record &From) {
  if (auto It = Completed.find(&From); It != Completed.end())
    return It->second;
  Record *R = own(From);
  Completed[&From] = R;
  Completed[R] = R;
  for (unsigned I = 0; I < R->Values.size(); ++I) {
    const FieldDecl &F = R->Schema->Fields[I];
    Value &V = R->Values[I];
    bool Block = F.Ty.K == Type::Kind::Record;
    if (V.isAbsent() && !F.Computed && !F.Optional) {
      if (Block && !F.Ty.Schema->TopLevel) {
        V = Value::record(own(emptyRecord(*F.Ty.Schema, F.Name, R->NameRange)));
      } else {
        V = PreferTrees && F.DefaultExpr ? treeDefault(*R, F) : rt::defaultOf(*R, I);
        if (V.K == Value::Kind::Quantity && !V.Number.isKnown())
          V = {};
      }
      R->Origins[I] = {Origin::Kind::Default, R->NameRange, {}};
    }
    if ((Block || V.K == Value::Kind::Scaled) && V.Rec)
      V.Rec = complete(*V.Rec);
  }
  return R;
}

const Record *Evaluator::libraryInstance(uint32_t Index) { return complete(*Lib.Records[Index].instance()); }

//===----------------------------------------------------------------------===//
// Explicit fields
//===----------------------------------------------------------------------===//

const Record *Evaluator::instance(const Module &User, Item &R) {
  if (auto It = Instances.find(&R); It != Instances.end())
    return It->second;
  if (R.Declared.isError())
    return nullptr;
  if (!Building.insert(&R).second)
    return nullptr; // a circle of blocks: reported by the checker
  const Module &File = ownerOf(const_cast<Module &>(User), R);
  const Record *Result = nullptr;
  if (R.Value) {
    if (const Record *Imported = import(File, R))
      Result = complete(*Imported);
  } else if (Record *Given = explicitRecord(File, R)) {
    Result = complete(*Given);
  }
  Building.erase(&R);
  Instances[&R] = Result;
  return Result;
}

const Record *Evaluator::import(const Module &File, Item &R) {
  if (R.Value->Kind != ExprKind::Import)
    return nullptr;
  namespace fs = std::filesystem;
  std::string Path =
      (fs::path(File.Path).parent_path() / fs::path(unescape(R.Value->Text))).lexically_normal().string();
  if (!Importer) {
    Diags.report(diag::ImportFailed, R.Value->Range, Path, "no importer is available");
    return nullptr;
  }
  return Importer(*R.Declared.Schema, Path, R.Id.Text, R.Value->Range);
}

Record *Evaluator::explicitRecord(const Module &File, Item &R) {
  if (auto [It, New] = Explicit.emplace(&R, nullptr); !New)
    return It->second; // null within a circle of bases: reported by the checker
  Record Given = emptyRecord(*R.Declared.Schema, R.Id.Text, R.Id.Range);
  if (R.Base) {
    FileSymbol Found = lookup(const_cast<Module &>(File), Lib, R.Base.Text);
    const Record *Base = nullptr;
    if (Found.LibraryRecord >= 0 && Lib.Records[Found.LibraryRecord].Schema == R.Declared.Schema)
      Base = Lib.Records[Found.LibraryRecord].instance();
    else if (Found.Item && Found.Item->Declared.Schema == R.Declared.Schema)
      Base = Found.Item->Value ? import(*Found.Owner, *Found.Item) : explicitRecord(*Found.Owner, *Found.Item);
    if (Base) {
      Given.Values = Base->Values;
      Given.Origins = Base->Origins;
      Given.Assumed = Base->Assumed;
    }
  }
  fill(File, Given, R.Items);
  assume(File, Given, R.Items);
  return Explicit[&R] = own(std::move(Given));
}

void Evaluator::fill(const Module &File, Record &R, const std::vector<Item *> &Items) {
  for (Item *I : Items) {
    if (I->Kind != ItemKind::Field && I->Kind != ItemKind::Block)
      continue;
    int Index = R.Schema->find(I->Id.Text);
    if (Index < 0 || R.Schema->Fields[Index].Computed)
      continue;
    if (I->Kind == ItemKind::Field)
      setField(File, R, static_cast<unsigned>(Index), *I);
    else
      setBlock(File, R, static_cast<unsigned>(Index), *I);
  }
}

/// What a job assumes, over what its base does.
void Evaluator::assume(const Module &File, Record &R, const std::vector<Item *> &Items) {
  if (std::ranges::none_of(Items, [](const Item *I) { return I->Kind == ItemKind::Assume; }))
    return;
  Assumptions All = R.Assumed ? *R.Assumed : Assumptions(Lib.constants());
  for (const Item *I : Items) {
    if (I->Kind != ItemKind::Assume || I->Declared.isError() || !isSound(*I->Value) ||
        Diags.errorWithin(I->Value->Range))
      continue;
    const FunctionDecl &Constant = Lib.Functions[Lib.function(I->Id.Text)];
    Frame Own;
    Own.File = &File;
    unsigned Before = Diags.errors();
    Value V = eval(*I->Value, Own);
    if (!rt::num(V).isKnown()) {
      if (Diags.errors() == Before && !wasReported(*I->Value))
        Diags.report(diag::UnknownValue, I->Value->Range, Sources.text(I->Value->Range));
      continue;
    }
    FieldDecl Bounds;
    Bounds.Name = Constant.Name;
    Bounds.Ty = Constant.Result;
    if (!checkBounds(Bounds, V, I->Value->Range))
      continue;
    All[Constant.Constant] = {V.Number, I->Value->Range};
  }
  R.Assumed = &Assumed.emplace_back(std::move(All));
}

void Evaluator::setBlock(const Module &File, Record &R, unsigned Index, Item &I) {
  const FieldDecl &F = R.Schema->Fields[Index];
  if (F.Ty.K != Type::Kind::Record)
    return;
  // A block overrides the base's block field by field.
  Record Inner = emptyRecord(*F.Ty.Schema, F.Name, I.Id.Range);
  if (const Record *Base = R.Values[Index].Rec) {
    Inner.Values = Base->Values;
    Inner.Origins = Base->Origins;
  }
  fill(File, Inner, I.Items);
  R.Values[Index] = Value::record(own(std::move(Inner)));
  R.Origins[Index] = {Origin::Kind::Given, I.Id.Range, {}};
}

void Evaluator::setField(const Module &File, Record &R, unsigned Index, Item &I) {
  const FieldDecl &F = R.Schema->Fields[Index];
  if (!I.Value || !isSound(I))
    return;
  Frame Own;
  Own.File = &File;
  Value V = eval(*I.Value, Own);
  for (size_t A = 0; A < F.Alternatives.size(); ++A)
    if (!fitsField(F.Ty, I.Value->Ty) && fitsField(F.Alternatives[A], I.Value->Ty))
      V.Alternative = static_cast<uint8_t>(A + 1);
  if (V.K == Value::Kind::Quantity && !checkBounds(F, V, I.Value->Range))
    return;
  if (V.isAbsent())
    return;
  R.Values[Index] = V;
  R.Origins[Index] = {Origin::Kind::Given, I.Value->Range, {}};
}

/// Counts are whole, and ranges hold. A value that comes out whole is stored as an exact count.
bool Evaluator::checkBounds(const FieldDecl &F, Value &V, SourceRange Range) {
  if (!V.Number.isKnown() || Diags.errorWithin(Range))
    return false;
  const Type &T = V.Alternative ? F.Alternatives[V.Alternative - 1] : F.Ty;
  if (T.isCount()) {
    if (!V.Number.isIntegral()) {
      Diags.report(diag::NotWhole, Range, F.Name, formatQuantity(V.Number, T.Dimension));
      return false;
    }
    V.Number = Num(V.Number.toInteger());
  }
  double N = V.Number.real();
  bool Low = F.Minimum && N < static_cast<double>(*F.Minimum), High = F.Maximum && N > static_cast<double>(*F.Maximum);
  bool Negative = !F.Minimum && N < 0;
  if (!Low && !High && !Negative)
    return true;
  std::string Allowed = F.Maximum ? fmt::format("{} to {}", F.Minimum.value_or(0), *F.Maximum)
                                  : fmt::format("at least {}", F.Minimum.value_or(0));
  Diags.report(diag::OutOfRange, Range, F.Name, formatQuantity(V.Number, T.Dimension), Allowed);
  return false;
}

} // namespace parlance
