// Names that there are not: what was meant by them, and one report for each.
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/Builtin.h"
#include "Sema/ExprChecker.h"
#include "Sema/Suggestions.h"
#include <algorithm>

namespace parlance {

using namespace ast;

static void offerName(Diagnostic &D, SourceRange Range, std::string_view Name, Applicability Trust) {
  D.Fixes.push_back({fmt::format("`{}`", Name), Trust, {{Range, std::string(Name)}}, {}});
}

static std::string lowered(std::string_view Text) {
  std::string Result(Text);
  std::ranges::transform(Result, Result.begin(),
                         [](char C) { return C >= 'A' && C <= 'Z' ? static_cast<char>(C - 'A' + 'a') : C; });
  return Result;
}

//===----------------------------------------------------------------------===//
// Quantities
//===----------------------------------------------------------------------===//

/// What stands below a prefix among the derived quantities: "peak" and "stage" below "memory".
static std::vector<std::string_view> wordsBelow(const Library &Lib, std::string_view Prefix) {
  std::vector<std::string_view> Words;
  for (const DeriveDecl &D : Lib.Derives) {
    std::string_view Rest = D.Name;
    if (isTranslation(D) ||
        (!Prefix.empty() && (Rest.size() <= Prefix.size() || !Rest.starts_with(Prefix) || Rest[Prefix.size()] != '.')))
      continue;
    Rest.remove_prefix(Prefix.empty() ? 0 : Prefix.size() + 1);
    std::string_view Word = Rest.substr(0, Rest.find('.'));
    if (std::ranges::find(Words, Word) == Words.end())
      Words.push_back(Word);
  }
  return Words;
}

/// "memory.fits, memory.peak or …": some of the quantities of a group, the shortest names first.
static std::string someBelow(const Library &Lib, std::string_view Prefix) {
  constexpr size_t Shown = 6;
  std::vector<std::string_view> Below;
  for (const DeriveDecl &D : Lib.Derives)
    if (D.Name.size() > Prefix.size() && D.Name.starts_with(Prefix) && D.Name[Prefix.size()] == '.')
      Below.push_back(D.Name);
  std::ranges::stable_sort(Below, {}, &std::string_view::size);
  Below.resize(std::min(Below.size(), Shown));
  return joinList(Below);
}

/// The parts of `memory.stage(0).peek` from left to right.
static std::vector<const Expr *> partsOf(const Expr &E) {
  std::vector<const Expr *> Parts;
  for (const Expr *X = &E;; X = X->Args[0]) {
    if (X->Kind == ExprKind::Field || X->Kind == ExprKind::Name)
      Parts.push_back(X);
    if (X->Kind != ExprKind::Field && X->Kind != ExprKind::Call)
      break;
  }
  std::ranges::reverse(Parts);
  return Parts;
}

bool ExprChecker::isKnown(std::string_view Name, Scope &S) const {
  if (std::ranges::find(S.Locals, Name, &Scope::Local::Name) != S.Locals.end())
    return true;
  if ((S.JobNames && S.JobNames->contains(Name)) || (S.Self && S.Self->find(Name) >= 0))
    return true;
  if (!S.File)
    return false;
  FileSymbol Found = lookup(*S.File, Lib, Name);
  return Found.Item || Found.LibraryRecord >= 0;
}

/// `memory.peek`, `Memory.peak`: reports the word of the path that is wrong. False where the path is none of a
/// quantity.
bool ExprChecker::misspeltQuantity(const Expr &E, Scope &S) {
  std::vector<const Expr *> Parts = partsOf(E);
  if (!S.Derives || Parts.size() < 2 || Parts[0]->Kind != ExprKind::Name || isKnown(Parts[0]->Text, S))
    return false;
  std::string Prefix;
  for (const Expr *Part : Parts) {
    std::vector<std::string_view> Words = wordsBelow(Lib, Prefix);
    if (std::ranges::find(Words, Part->Text) != Words.end()) {
      Prefix += (Prefix.empty() ? "" : ".") + std::string(Part->Text);
      continue;
    }
    if (Prefix.empty() && S.Self)
      for (const FieldDecl &F : S.Self->Fields)
        Words.push_back(F.Name);
    auto Near = likeliest(Part->Text, Words);
    if (Prefix.empty() && !Near)
      return false;
    SourceRange At = Part->AtRange ? Part->AtRange : Part->Range;
    Diagnostic &D = Prefix.empty() ? Diags.report(diag::UnknownName, At, "name", Part->Text)
                                   : Diags.report(diag::UnknownField, At, Prefix, Part->Text);
    if (Near)
      offerName(D, At, *Near, Applicability::Machine);
    else if (std::string Some = someBelow(Lib, Prefix); !Some.empty())
      D.Notes.push_back({{}, fmt::format("there are {}", Some)});
    return true;
  }
  if (Lib.derive(Prefix) >= 0)
    return false;
  Diags.report(diag::GroupOfQuantities, E.Range, Prefix, someBelow(Lib, Prefix));
  return true;
}

//===----------------------------------------------------------------------===//
// Names and fields
//===----------------------------------------------------------------------===//

void ExprChecker::unknownFieldOf(const Expr &E, const SchemaDecl &Schema) {
  std::vector<std::string_view> Names;
  for (const FieldDecl &F : Schema.Fields)
    Names.push_back(F.Name);
  Diagnostic &D = Diags.report(diag::UnknownField, E.AtRange, Schema.Name, E.Text);
  std::string_view Meaning = optionMeaning(Lib, E.Text);
  std::string_view Field = Meaning.substr(Meaning.rfind('.') + 1);
  if (Schema.find(Field) >= 0)
    return offerName(D, E.AtRange, Field, Applicability::Machine);
  if (auto Near = likeliest(E.Text, Names))
    offerName(D, E.AtRange, *Near, Applicability::Maybe);
}

/// All names that an expression could name here.
std::vector<std::string_view> ExprChecker::visibleNames(Scope &S, std::string_view What) const {
  std::vector<std::string_view> Names;
  for (const Scope::Local &L : S.Locals)
    Names.push_back(L.Name);
  if (S.JobNames)
    for (const auto &[Name, Item] : *S.JobNames)
      Names.push_back(Name);
  if (S.File) {
    for (auto &[Name, Item] : S.File->Names)
      Names.push_back(Name);
    for (Module *Used : S.File->Uses)
      for (auto &[Name, Item] : Used->Names)
        if (!Sources.isOutside(Used->Tree->File))
          Names.push_back(Name);
    for (const LibraryRecord &R : Lib.Records)
      if (std::ranges::find(S.File->LibraryModules, R.Module) != S.File->LibraryModules.end())
        Names.push_back(R.Name);
  }
  if (S.Derives)
    for (const DeriveDecl &D : Lib.Derives)
      Names.push_back(D.Name);
  if (S.Self)
    for (const FieldDecl &F : S.Self->Fields)
      Names.push_back(F.Name);
  if (What == "function") {
    for (const FunctionDecl &F : Lib.Functions)
      Names.push_back(F.Name);
    for (const BuiltinInfo &B : Builtins)
      Names.push_back(B.Name);
  }
  return Names;
}

/// What a name that is not visible stands for elsewhere: a truth value of another language, a field of one of the job's
/// blocks, a framework's option, a record of a module that is not used.
bool ExprChecker::offerMeant(Diagnostic &D, const Expr &E, Scope &S) {
  std::string Lower = lowered(E.Text);
  if (Lower == "true" || Lower == "false") {
    offerName(D, E.Range, Lower, Applicability::Machine);
    return true;
  }
  if (S.Derives)
    if (std::string Path = quantityOf(Lib, E.Text); !Path.empty()) {
      bool Field = Path.ends_with(fmt::format(".{}", E.Text));
      offerName(D, E.Range, Path, Field ? Applicability::Machine : Applicability::Maybe);
      return true;
    }
  return false;
}

/// `deepseekv3`, where the module with `deepseek_v3` is not used.
static bool offerRecord(Diagnostic &D, const Expr &E, const Library &Lib) {
  std::vector<std::string_view> Names;
  for (const LibraryRecord &R : Lib.Records)
    Names.push_back(R.Name);
  auto Near = nearest(E.Text, Names);
  if (!Near)
    return false;
  const LibraryRecord &Record = Lib.Records[Lib.record(*Near)];
  D.Fixes.push_back({fmt::format("`{}` of `use {}`", *Near, Record.Module),
                     Applicability::Maybe,
                     {{E.Range, std::string(*Near)}, {{E.Range.File, 0, 0}, fmt::format("use {}\n", Record.Module)}},
                     {}});
  return true;
}

Type ExprChecker::unknownName(Expr &E, Scope &S, std::string_view What) {
  if (S.Derives)
    if (std::string Below = someBelow(Lib, E.Text); !Below.empty()) {
      Diags.report(diag::GroupOfQuantities, E.Range, E.Text, Below);
      return {};
    }
  bool IsFunction = What == "name" && ((S.File && lookup(*S.File, Lib, E.Text).Item) || Lib.function(E.Text) >= 0 ||
                                       builtinNamed(E.Text));
  if (IsFunction) {
    Diags.report(diag::FunctionWithoutCall, E.Range, E.Text);
    return {};
  }
  if (!S.Derives && S.File && (Lib.derive(E.Text) >= 0 || !someBelow(Lib, E.Text).empty())) {
    Diags.report(diag::OnlyInJob, E.Range, E.Text);
    return {};
  }
  if (S.File && S.File->LacksNames)
    return {};
  if (S.File)
    if (int R = Lib.record(E.Text); R >= 0) {
      Diagnostic &D = Diags.report(diag::NeedsUse, E.Range, E.Text, Lib.Records[R].Module);
      D.Fixes.push_back({fmt::format("`use {}`", Lib.Records[R].Module),
                         Applicability::Machine,
                         {{{E.Range.File, 0, 0}, fmt::format("use {}\n", Lib.Records[R].Module)}},
                         {}});
      return {};
    }
  Diagnostic &D = Diags.report(diag::UnknownName, E.Range, What, E.Text);
  if (What == "name" && offerMeant(D, E, S))
    return {};
  if (auto Near = likeliest(E.Text, visibleNames(S, What)))
    offerName(D, E.Range, *Near, Applicability::Maybe);
  else if (S.File && What == "name")
    offerRecord(D, E, Lib);
  return {};
}

/// `llama3-70b`, `megatron-lm`: a name with dashes, which is read as a difference.
std::optional<Type> ExprChecker::dashedName(Expr &E, Scope &S, const Type *Expected) {
  std::string Text(source(E.Range));
  std::erase(Text, ' '); // the formatter puts blanks around the sign
  bool Word = E.O == Op::Sub && Text.find_first_of("\t\n()") == std::string::npos;
  if (!Word || E.Args[0]->Kind != ExprKind::Name)
    return std::nullopt;
  std::string Ours = Text;
  std::ranges::replace_if(Ours, [](char C) { return C == '-' || C == '.'; }, '_');
  if (Expected && Expected->K == Type::Kind::Enum) {
    const auto &Values = Expected->Enum->Values;
    Diagnostic &D = Diags.report(diag::UnknownEnumerator, E.Range, Text, joinList(Values));
    auto Begins = std::ranges::find_if(Values, [&](std::string_view V) { return Ours.starts_with(V); });
    if (auto Near = Begins != Values.end() ? std::optional(*Begins) : nearest(Ours, Values))
      offerName(D, E.Range, *Near, Applicability::Maybe);
    return Type();
  }
  bool Known = isKnown(Ours, S) || Lib.record(Ours) >= 0;
  if (!Known || isKnown(E.Args[0]->Text, S))
    return std::nullopt;
  offerName(Diags.report(diag::UnknownName, E.Range, "name", Text), E.Range, Ours, Applicability::Machine);
  return Type();
}

} // namespace parlance
