#include "Eval/LibraryBuilder.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

using namespace ast;
namespace fs = std::filesystem;

template <typename Visit> void LibraryBuilder::items(ItemKind Kind, Visit V) {
  for (File &F : Files)
    for (Item *I : F.Tree->Items)
      if (I->Kind == Kind)
        V(*I);
}

LibrarySource LibraryBuilder::source(const Item &I) const {
  const SourceFile &File = Sources.file(I.Range.File);
  return {File.name(), File.position(I.Range.Begin).Line, Sources.text(I.Range)};
}

Scope LibraryBuilder::jobScope() const {
  Scope S;
  S.Self = Lib.schema("job");
  S.Derives = true;
  return S;
}

bool LibraryBuilder::build(const std::vector<std::string> &Paths) {
  if (!read(Paths))
    return false;
  declareEnums();
  declareSchemas();
  declareFunctions();
  declareDerives();
  if (Diags.errors())
    return false;
  checkBodies();
  declareRules();
  Values = std::make_unique<Evaluator>(Sources, Lib, Diags);
  Values->PreferTrees = true;
  declareRecords();
  if (!Diags.errors())
    checkNamedDefaults();
  return !Diags.errors();
}

/// The units come first: what is a unit decides how every other file reads.
bool LibraryBuilder::read(const std::vector<std::string> &Paths) {
  ParseOptions Options;
  Options.Library = true;
  std::vector<std::string> Sorted = Paths;
  std::ranges::stable_sort(Sorted, {}, [](const std::string &P) { return fs::path(P).stem() != "units"; });
  for (const std::string &Path : Sorted) {
    SourceManager::ReadError Error;
    auto Opened = Sources.open(Path, Error);
    if (!Opened) {
      Diags.report(diag::UseNotFound, {}, Path, Error.Reason);
      return false;
    }
    // Derivations and messages name the library's files as users know them.
    fs::path P(Path);
    std::string Module = P.stem().string();
    for (fs::path At = P.parent_path(); At.has_filename() && At.filename() != "std"; At = At.parent_path())
      Module = At.filename().string() + "/" + Module;
    Module = "std/" + Module;
    uint32_t Id = Sources.add(Module + ".parl", std::string(Sources.file(*Opened).text()));
    File &F = Files.emplace_back(File{Id, Module, parse(Sources, Id, Lib.Units, Diags, Options)});
    if (P.stem() == "units")
      declareUnits(F);
  }
  return !Diags.errors();
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

void LibraryBuilder::declareUnits(const File &F) {
  for (const Item *I : F.Tree->Items) {
    if (I->Kind == ItemKind::Unit)
      declareUnit(*I);
    if (I->Kind != ItemKind::Refuse)
      continue;
    auto &Store = Words.emplace_back();
    for (const Name &W : I->Words)
      Store.push_back(W.Text);
    Refused.push_back({I->Id.Text, I->Doc, Store});
  }
  std::ranges::sort(Units, {}, &UnitName::Name);
  std::ranges::sort(Refused, {}, &RefusedUnit::Name);
  for (size_t I = 1; I < Units.size(); ++I)
    if (Units[I].Name == Units[I - 1].Name)
      Diags.report(diag::DuplicateName, {}, Units[I].Name);
  Lib.Units = UnitTable(Units, Refused);
}

void LibraryBuilder::addUnit(std::string_view Name, Dim D, Scale S, std::string_view Doc) {
  Units.push_back({Name, D, S, Doc});
}

/// The exact factor and dimension of `60 s`, `1 FLOP/s` or `1/8 B` over the units declared so far.
static bool scaleBy(Scale &S, Scale Factor, int Exponent) {
  auto Product = multiply(S, Factor, Exponent);
  if (Product)
    S = *Product;
  return Product.has_value();
}

static bool unitValue(const Expr &E, std::span<const UnitName> Known, int Exponent, Dim &D, Scale &S) {
  if (E.Kind == ExprKind::Binary)
    return unitValue(*E.Args[0], Known, Exponent, D, S) &&
           unitValue(*E.Args[1], Known, E.O == Op::Div ? -Exponent : Exponent, D, S);
  if (E.Kind == ExprKind::Number) {
    Num N = literalValue(E.Text, {}, true);
    if (!N.isInt() || !scaleBy(S, Scale{N.integer(), 1, 0}, Exponent))
      return false;
  }
  if (!E.Unit)
    return true;
  for (const UnitTerm &T : E.Unit->Terms) {
    auto It = std::ranges::find(Known, T.Name, &UnitName::Name);
    if (It == Known.end() || !scaleBy(S, It->Factor, T.Exponent * Exponent))
      return false;
    D = D * It->Dimension.power(T.Exponent * Exponent);
  }
  return true;
}

void LibraryBuilder::declareUnit(const Item &I) {
  Dim D;
  Scale S;
  if (I.Value) {
    if (!unitValue(*I.Value, Units, 1, D, S)) {
      Diags.report(diag::UnknownUnit, I.Value->Range, Sources.text(I.Value->Range));
      return;
    }
  } else if (auto B = baseNamed(I.Base.Text)) {
    D = Dim::of(*B);
  } else {
    Diags.report(diag::UnknownType, I.Base.Range, I.Base.Text);
    return;
  }
  addUnit(I.Id.Text, D, S, I.Doc);
  struct Prefix {
    std::string_view Set, Text;
    Scale Factor;
  };
  static const Prefix Prefixes[] = {
      {"decimal", "k", {1, 1, 3}},         {"decimal", "M", {1, 1, 6}},       {"decimal", "G", {1, 1, 9}},
      {"decimal", "T", {1, 1, 12}},        {"decimal", "P", {1, 1, 15}},      {"binary", "Ki", {1 << 10, 1, 0}},
      {"binary", "Mi", {1 << 20, 1, 0}},   {"binary", "Gi", {1 << 30, 1, 0}}, {"binary", "Ti", {1ll << 40, 1, 0}},
      {"binary", "Pi", {1ll << 50, 1, 0}}, {"small", "n", {1, 1, -9}},        {"small", "u", {1, 1, -6}},
      {"small", "m", {1, 1, -3}},
  };
  std::string_view Mode;
  for (const Name &W : I.Words) {
    if (W.Text == "prefixes" || W.Text == "alias") {
      Mode = W.Text;
      continue;
    }
    if (Mode == "alias")
      addUnit(W.Text, D, S, I.Doc);
    for (const Prefix &P : Prefixes)
      if (Mode == "prefixes" && P.Set == W.Text)
        if (auto Factor = multiply(S, P.Factor, 1))
          addUnit(keep(std::string(P.Text) + std::string(I.Id.Text)), D, *Factor, I.Doc);
  }
}

//===----------------------------------------------------------------------===//
// Enumerations and schemas
//===----------------------------------------------------------------------===//

void LibraryBuilder::declareEnums() {
  items(ItemKind::Enum, [&](Item &I) {
    auto &Values = Words.emplace_back();
    for (const TypeExpr::Alternative &A : I.Ty->Alternatives)
      Values.push_back(A.Word.Text);
    Enums.push_back({I.Id.Text, Values, I.Doc});
    EnumList.push_back(&Enums.back());
  });
  Lib.Enums = EnumList;
}

void LibraryBuilder::declareSchemas() {
  std::vector<std::pair<SchemaDecl *, std::vector<const Item *>>> Declared;
  items(ItemKind::Schema, [&](Item &I) {
    // One without a text goes on with the fields of a schema that an earlier file begins.
    auto Begun = std::ranges::find(Declared, I.Id.Text, [](auto &D) { return D.first->Name; });
    if (Begun != Declared.end()) {
      if (!I.Doc.empty())
        Diags.report(diag::DuplicateName, I.Id.Range, I.Id.Text);
      Begun->second.push_back(&I);
      return;
    }
    SchemaDecl &S = Schemas.emplace_back(SchemaDecl{I.Id.Text, I.Doc, {}, false});
    for (const Name &W : I.Words) {
      S.TopLevel |= W.Text == "top";
      if (W.Text == "lenient")
        S.Unknown = UnknownOption::Ignored;
      if (W.Text == "open")
        S.Unknown = UnknownOption::Passed;
    }
    SchemaList.push_back(&S);
    Declared.push_back({&S, {&I}});
  });
  Lib.Schemas = SchemaList;
  for (auto &[S, Parts] : Declared)
    declareFields(*S, Parts);
}

void LibraryBuilder::declareFields(SchemaDecl &S, std::span<const Item *const> Parts) {
  auto &Store = Fields.emplace_back();
  for (const Item *Part : Parts)
    for (const Item *F : Part->Items) {
      if (F->Kind != ItemKind::SchemaField)
        continue;
      if (std::ranges::find(Store, F->Id.Text, &FieldDecl::Name) != Store.end())
        Diags.report(diag::DuplicateField, F->Id.Range, F->Id.Text);
      Store.push_back(field(*F));
    }
  S.Fields = Store;
}

FieldDecl LibraryBuilder::field(const Item &I) {
  TypeResolver Resolver(Lib, Arena, Diags);
  FieldDecl F;
  F.Name = I.Id.Text;
  F.Doc = I.Doc;
  auto All = Resolver.alternatives(*I.Ty);
  F.Ty = All.front();
  if (All.size() > 1)
    F.Alternatives = Types.emplace_back(All.begin() + 1, All.end());
  auto &Old = Words.emplace_back();
  for (size_t W = 0; W < I.Words.size(); ++W) {
    std::string_view Word = I.Words[W].Text;
    F.Required |= Word == "required";
    F.Computed |= Word == "computed";
    F.Optional |= Word == "optional";
    F.List |= Word == "list";
    if (W + 1 == I.Words.size())
      break;
    if (Word == "is")
      F.Counterpart = I.Words[++W].Text;
    else if (Word == "spelt")
      F.Spelling = I.Words[++W].Text;
    else if (Word == "old")
      Old.push_back(I.Words[++W].Text);
  }
  F.Old = Old;
  if (I.Value) {
    F.AllowAuto = I.Value->Kind == ExprKind::Auto;
    F.DefaultExpr = I.Value;
    F.DefaultText = Sources.text(I.Value->Range);
  }
  if (I.Extra) // range A..B or A..
    for (size_t End = 0; End < I.Extra->Args.size() && End < 2; ++End)
      (End ? F.Maximum : F.Minimum) = std::stoll(std::string(I.Extra->Args[End]->Text));
  return F;
}

void LibraryBuilder::checkDefaults(const SchemaDecl &S) {
  ExprChecker Exprs(Sources, Lib, Arena, Diags);
  for (const FieldDecl &F : S.Fields) {
    if (!F.DefaultExpr || F.AllowAuto)
      continue;
    Scope Own;
    Own.Self = &S;
    Expr &E = const_cast<Expr &>(*F.DefaultExpr);
    Type T = Exprs.check(E, Own, &F.Ty);
    // A word stands for the record of that name; that there is one is checked when they are read.
    if (F.Ty.K == Type::Kind::Record && T.K == Type::Kind::Enum)
      continue;
    if (!fitsField(F.Ty, T))
      Exprs.reportMismatch(E, {&F.Ty, 1}, T, {}, fmt::format("default of `{}`", F.Name));
  }
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

std::span<const ParamDecl> LibraryBuilder::params(const Item &I) {
  TypeResolver Resolver(Lib, Arena, Diags);
  auto &Store = Params.emplace_back();
  for (const Param &P : I.Params)
    Store.push_back({P.Id.Text, Resolver.type(*P.Ty)});
  return Store;
}

template <typename Decl> static void sortByName(std::vector<Decl> &Decls, DiagnosticEngine &Diags) {
  std::ranges::sort(Decls, {}, &Decl::Name);
  for (size_t I = 1; I < Decls.size(); ++I)
    if (Decls[I].Name == Decls[I - 1].Name)
      Diags.report(diag::DuplicateName, Decls[I].Tree->Id.Range, Decls[I].Name);
}

void LibraryBuilder::declareFunctions() {
  TypeResolver Resolver(Lib, Arena, Diags);
  items(ItemKind::Fn, [&](Item &I) {
    if (I.Ty && I.Value)
      Functions.push_back({I.Id.Text, params(I), Resolver.type(*I.Ty), I.Doc, source(I), nullptr, &I});
  });
  sortByName(Functions, Diags);
  int Constants = 0;
  for (FunctionDecl &F : Functions)
    if (F.Source.File == "std/calibration.parl" && F.Params.empty() && F.Result.isQuantity() &&
        Constants < MaxConstants)
      F.Constant = Constants++;
  Lib.Functions = Functions;
}

void LibraryBuilder::declareDerives() {
  TypeResolver Resolver(Lib, Arena, Diags);
  items(ItemKind::Derive, [&](Item &I) {
    if (I.Ty && I.Value)
      Derives.push_back(
          {I.Id.Text, params(I), Resolver.type(*I.Ty), I.Doc, source(I), {}, nullptr, &I, quantityGroup(I.Id.Text)});
  });
  sortByName(Derives, Diags);
  Lib.Derives = Derives;
}

/// The fields of a job that an expression names, each once, outermost paths only.
void LibraryBuilder::fieldsNamed(const Expr &E, std::vector<std::string_view> &Into) {
  if (E.Target.K == Ref::Kind::Field || E.Target.K == Ref::Kind::JobField) {
    std::string_view Path = Sources.text(E.Range);
    if (std::ranges::find(Into, Path) == Into.end())
      Into.push_back(Path);
    return;
  }
  for (const Expr *A : E.Args)
    fieldsNamed(*A, Into);
}

void LibraryBuilder::checkBodies() {
  for (const SchemaDecl &S : Schemas)
    checkDefaults(S);
  ExprChecker Exprs(Sources, Lib, Arena, Diags);
  for (const FunctionDecl &F : Functions) {
    Scope S;
    for (const ParamDecl &P : F.Params)
      S.push(P.Name, P.Ty);
    Exprs.checkAgainst(*F.Tree->Value, S, F.Result, F.Tree->Ty->Range, "");
    F.Tree->FrameSize = S.FrameSize;
  }
  for (const DeriveDecl &D : Derives) {
    Scope S = jobScope();
    for (const ParamDecl &P : D.Params)
      S.push(P.Name, P.Ty);
    if (D.Tree->Extra)
      Exprs.checkCondition(*D.Tree->Extra, S, "`when`");
    Exprs.checkAgainst(*D.Tree->Value, S, D.Result, D.Tree->Ty->Range, "");
    D.Tree->FrameSize = S.FrameSize;
  }
  for (DeriveDecl &D : Derives)
    if (D.Name.starts_with("read.")) {
      auto &Named = Words.emplace_back();
      for (const Expr *E : {D.Tree->Extra, D.Tree->Value})
        if (E)
          fieldsNamed(*E, Named);
      D.Reads = Named;
    }
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Files read as one: a `let` of any of them names a text for the rules of all.
void LibraryBuilder::declareTexts() {
  items(ItemKind::Let, [&](Item &I) {
    if (!NamedTexts.emplace(I.Id.Text, &I).second)
      Diags.report(diag::DuplicateName, I.Id.Range, I.Id.Text);
  });
}

void LibraryBuilder::declareRules() {
  declareTexts();
  auto Named = [this](std::string_view Name) -> Item * {
    auto It = NamedTexts.find(Name);
    return It == NamedTexts.end() ? nullptr : It->second;
  };
  items(ItemKind::Rule, [&](Item &I) {
    SyntaxTree &Tree = *Scratch.emplace_back(std::make_unique<SyntaxTree>());
    Tree.File = I.Range.File;
    Scope S = jobScope();
    auto Form = RuleChecker(Sources, Lib, Arena, Diags, Tree, Named).check(I, S);
    if (!Form)
      return;
    RuleDecl R = DeclaredRules.emplace_back(I, *Form, Sources).Decl;
    std::string Kebab(I.Id.Text);
    std::ranges::replace(Kebab, '_', '-');
    R.Name = keep(std::move(Kebab));
    DiagnosticEngine Reported; // by the checker
    RuleTexts OfPage(*Form, Named, Reported);
    R.Example = keep(OfPage.example());
    R.Fixed = keep(OfPage.fixed());
    R.Source = source(I);
    R.Tree = &I;
    Rules.push_back(R);
  });
  std::ranges::sort(Rules, {}, &RuleDecl::Code);
  for (size_t I = 1; I < Rules.size(); ++I)
    if (Rules[I].Code == Rules[I - 1].Code)
      Diags.report(diag::DuplicateName, Rules[I].Tree->Id2.Range, Rules[I].Code);
  Lib.Rules = Rules;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// The comment lines right above a declaration, without their marks.
static std::string commentAbove(const SourceFile &File, uint32_t Line) {
  std::string Doc;
  while (Line > 1) {
    std::string_view Text = File.line(--Line);
    if (!Text.starts_with("# ") || Text.starts_with("# ---"))
      break;
    Doc = std::string(Text.substr(2)) + (Doc.empty() ? "" : " ") + Doc;
  }
  return Doc;
}

/// From "given here" to "given in std/models.parl:31": a user cannot change the library's lines.
static void markOrigins(Record &R, const SourceManager &Sources, std::deque<std::string> &Texts) {
  for (Origin &O : R.Origins)
    if (O.K == Origin::Kind::Given && O.Range) {
      Texts.push_back(fmt::format("{}:{}", Sources.file(O.Range.File).name(), Sources.begin(O.Range).Line));
      O = {Origin::Kind::Library, {}, Texts.back()};
    }
  R.NameRange = {};
  for (Value &V : R.Values)
    if (V.K == Value::Kind::Record && !V.Rec->Schema->TopLevel)
      markOrigins(const_cast<Record &>(*V.Rec), Sources, Texts);
}

/// What a user writes behind `use` for the records of a file. Those in the folders of frameworks are one module.
static std::string_view moduleOf(std::string_view Path) {
  return Path.starts_with("std/frameworks/") ? std::string_view("std/stacks") : Path;
}

/// A default that is a word names a record: each word has one.
void LibraryBuilder::checkNamedDefaults() {
  for (const SchemaDecl *S : Lib.Schemas)
    for (const FieldDecl &F : S->Fields) {
      if (F.Ty.K != Type::Kind::Record || !F.DefaultExpr)
        continue;
      for (std::string_view Word : F.DefaultExpr->Ty.Enum->Values)
        if (int Found = Lib.record(Word); Found < 0 || Lib.Records[Found].Schema != F.Ty.Schema)
          Diags.report(diag::UnknownName, F.DefaultExpr->Range, F.Ty.Schema->Name, Word);
    }
}

/// Records are read as a user's files would be, one module after the other in the order of their `use`s.
void LibraryBuilder::declareRecords() {
  RecordFiles = std::make_unique<Program>(Sources, Lib, Diags);
  std::vector<File *> Order;
  for (File &F : Files)
    if (std::ranges::any_of(F.Tree->Items, [](Item *I) { return I->Kind == ItemKind::Record; }))
      Order.push_back(&F);
  std::ranges::stable_sort(Order, {}, [](File *F) {
    auto Uses = std::ranges::count_if(F->Tree->Items, [](Item *I) { return I->Kind == ItemKind::Use; });
    return std::pair(Uses, moduleOf(F->Module) != F->Module);
  });
  for (File *F : Order) {
    Module &M = RecordFiles->add(F->Id);
    if (Diags.errors())
      return;
    for (Item *I : M.Tree->Items) {
      if (I->Kind != ItemKind::Record)
        continue;
      Record *R = Values->explicitRecord(M, *I);
      if (!R)
        continue;
      markOrigins(*R, Sources, Texts);
      LibraryRecord L{I->Id.Text, R->Schema, moduleOf(F->Module), {}, source(*I)};
      L.Doc = keep(commentAbove(Sources.file(I->Range.File), L.Source.Line));
      L.Built = R;
      Records.push_back(L);
    }
    std::ranges::sort(Records, {}, &LibraryRecord::Name);
    if (std::string_view Own = moduleOf(F->Module); std::ranges::find(Modules, Own) == Modules.end())
      Modules.push_back(Own);
    Lib.Records = Records;
    Lib.Modules = Modules;
  }
}

} // namespace parlance
