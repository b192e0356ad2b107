#include "Server/Completion.h"
#include "Basic/Diagnostics.h"
#include "Policy/Selection.h"
#include "Sema/Builtin.h"
#include "Server/Hover.h"
#include "Server/Index.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;
using Kind = lsp::CompletionItemKind;

namespace {

class Completer {
public:
  Completer(Snapshot &S, uint32_t Offset, bool Snippets)
      : S(S), Lib(S.Run.Lib), At(S, Offset), Offset(Offset), Snippets(Snippets) {}
  json::Value run();

private:
  lsp::CompletionItem &add(std::string_view Label, Kind K, std::string_view Detail = {}, std::string_view Doc = {},
                           char Rank = '5');
  static void inserts(lsp::CompletionItem &Item, std::string Text, bool Snippet = false);
  void comment();
  void itemStart();
  void blockSnippet(const SchemaDecl &Kind);
  void fields(const SchemaDecl &Block);
  void statements(bool InJob);
  void value(const FieldDecl &F);
  void valueOf(const Type &T);
  void records(const SchemaDecl &Kind, std::string_view Before = {});
  void useOf(std::string_view Module, lsp::CompletionItem &Item);
  void units(std::span<const Type> Expected);
  void unitsOf(const Type &T);
  void expression();
  void functions();
  void quantities();
  void members();
  const SchemaDecl *schemaOf(std::string_view Chain);
  std::vector<Type> expected();
  /// Whether the first letters of a name are written.
  bool isBegun(std::string_view Name) const { return !At.Word.empty() && Name.starts_with(At.Word); }
  bool isContinued() const;
  bool uses(std::string_view Module) const {
    const auto &Used = S.main()->LibraryModules;
    return std::ranges::find(Used, Module) != Used.end();
  }

  Snapshot &S;
  const Library &Lib;
  Cursor At;
  uint32_t Offset;
  bool Snippets;
  std::vector<lsp::CompletionItem> Items;
  bool IsPart = false; ///< there is more, for other letters
};

lsp::CompletionItem &Completer::add(std::string_view Label, Kind K, std::string_view Detail, std::string_view Doc,
                                    char Rank) {
  lsp::CompletionItem &Item = Items.emplace_back(llvm::Twine(llvm::StringRef(Label)), K, std::string(1, Rank));
  Item.sortText += Label;
  Item.detail = validUtf8(Detail);
  if (!Doc.empty())
    Item.documentation = lsp::MarkupContent{lsp::MarkupKind::Markdown, validUtf8(docMarkdown(Doc))};
  // A client replaces the word at the cursor, as most know words: not `80GB`, nor names of rules.
  bool AfterDigit = At.WordBegin && S.text()[At.WordBegin - 1] >= '0' && S.text()[At.WordBegin - 1] <= '9';
  if (AfterDigit || At.InComment)
    Item.textEdit = lsp::TextEdit{S.range({S.file(), At.WordBegin, Offset}), std::string(Label)};
  return Item;
}

/// What is written instead of the label; a snippet has placeholders.
void Completer::inserts(lsp::CompletionItem &Item, std::string Text, bool Snippet) {
  if (Snippet)
    Item.insertTextFormat = lsp::InsertTextFormat::Snippet;
  (Item.textEdit ? Item.textEdit->newText : Item.insertText) = std::move(Text);
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// Whether the item goes on behind the word at the cursor: then the word alone is completed.
bool Completer::isContinued() const {
  std::string_view Rest = S.text().substr(Offset);
  while (!Rest.empty() && (isalnum(static_cast<unsigned char>(Rest[0])) || Rest[0] == '_'))
    Rest.remove_prefix(1);
  size_t Next = Rest.find_first_not_of(" \t\r");
  return Next != std::string_view::npos && std::string_view("\n},#").find(Rest[Next]) == std::string_view::npos;
}

/// "node = ${1:8 * h100_sxm}": what a required field of a new block is begun with.
std::string placeholder(const FieldDecl &F, unsigned Index) {
  if (F.Ty.K == Type::Kind::Record && !F.Ty.Schema->TopLevel)
    return fmt::format("{} {{ ${} }}", F.Name, Index);
  return fmt::format("{} = ${}", F.Name, Index);
}

void Completer::blockSnippet(const SchemaDecl &Schema) {
  lsp::CompletionItem &Item = add(Schema.Name, Kind::Struct, "block", Schema.Doc, '3');
  if (!Snippets || isContinued())
    return;
  std::string Text = fmt::format("{} ${{1:name}} {{\n", Schema.Name);
  unsigned Index = 2;
  for (const FieldDecl &F : Schema.Fields)
    if (F.Required && !F.Computed)
      Text += "  " + placeholder(F, Index++) + "\n";
  inserts(Item, Text + "  $0\n}", true);
}

void Completer::statements(bool InJob) {
  struct Word {
    std::string_view Name, Doc, Snippet;
    bool File, Job;
  };
  static constexpr Word Words[] = {
      {"use", "brings in a module of the library or another file", "use $0", true, false},
      {"let", "names a value; its unit is inferred", "let ${1:name} = $0", true, true},
      {"fn", "declares a formula", "fn ${1:name}(${2:x}: ${3:ratio}) -> ${4:ratio} = $0", true, false},
      {"require", "an error when the condition is false", "require $0", true, true},
      {"warn", "a warning when the condition is false", "warn $0", true, true},
      {"rule", "judges every job",
       "rule ${1:name} PL9001 on ${2:layout.tp} {\n  when    = ${3:layout.tp > 8}\n  message = "
       "\"$0\"\n}",
       true, true},
      {"assume", "a value in place of a calibration constant", "assume ${1:constant} = $0", false, true},
      {"maximize", "an objective", "maximize $0", false, true},
      {"minimize", "an objective", "minimize $0", false, true}};
  for (const Word &W : Words) {
    if (!(InJob ? W.Job : W.File))
      continue;
    lsp::CompletionItem &Item = add(W.Name, Kind::Keyword, {}, W.Doc, '4');
    if (Snippets && !isContinued())
      inserts(Item, std::string(W.Snippet), true);
  }
}

void Completer::fields(const SchemaDecl &Block) {
  std::set<std::string_view> Given;
  std::vector<Item *> Path = itemsAt(*S.main(), Offset);
  for (auto It = Path.rbegin(); It != Path.rend(); ++It)
    if ((*It)->Kind == ItemKind::Record || (*It)->Kind == ItemKind::Block) {
      for (const Item *I : (*It)->Items)
        if (I->Range.Begin != At.WordBegin)
          Given.insert(I->Id.Text);
      break;
    }
  for (const FieldDecl &F : Block.Fields) {
    if (F.Computed || Given.contains(F.Name))
      continue;
    std::string Detail = typeName(F.Ty) + (F.Required              ? ", required"
                                           : F.DefaultText.empty() ? std::string()
                                                                   : fmt::format(" = {}", F.DefaultText));
    lsp::CompletionItem &Item = add(F.Name, Kind::Field, Detail, F.Doc, F.Required ? '0' : '1');
    if (isContinued())
      continue;
    bool Nested = F.Ty.K == Type::Kind::Record && !F.Ty.Schema->TopLevel;
    if (Nested && Snippets)
      inserts(Item, fmt::format("{} {{ $0 }}", F.Name), true);
    else
      inserts(Item, fmt::format("{} {}", F.Name, Nested ? "{" : "= "));
  }
}

void Completer::itemStart() {
  if (const SchemaDecl *Block = At.block(Lib)) {
    fields(*Block);
    if (Block->Name == "job")
      statements(true);
  } else if (At.Brackets.empty()) {
    for (const SchemaDecl *Schema : Lib.Schemas)
      if (Schema->TopLevel)
        blockSnippet(*Schema);
    statements(false);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Adds the `use` that a record of the library needs.
void Completer::useOf(std::string_view Module, lsp::CompletionItem &Item) {
  if (!uses(Module))
    Item.additionalTextEdits.push_back({lsp::Range(), fmt::format("use {}\n", Module)});
}

void Completer::records(const SchemaDecl &Schema, std::string_view Before) {
  auto Add = [&](std::string_view Name, std::string_view Detail, std::string_view Doc,
                 char Rank) -> lsp::CompletionItem & {
    lsp::CompletionItem &Item = add(Name, Kind::Value, Detail, Doc, Rank);
    if (!Before.empty())
      inserts(Item, fmt::format("{}{}", Before, Name));
    return Item;
  };
  auto FromFile = [&](const Module &M) {
    for (const auto &[Name, I] : M.Names)
      if (I->Kind == ItemKind::Record && I->Declared.Schema == &Schema)
        Add(Name, &M == S.main() ? "" : M.Path, {}, '0');
  };
  FromFile(*S.main());
  for (const Module *Used : S.main()->Uses)
    if (!S.Sources.isOutside(Used->Tree->File))
      FromFile(*Used);
  for (const LibraryRecord &R : Lib.Records)
    if (R.Schema == &Schema)
      useOf(R.Module, Add(R.Name, R.Module, R.Doc, uses(R.Module) ? '1' : '2'));
}

void Completer::valueOf(const Type &T) {
  switch (T.K) {
  case Type::Kind::Enum:
    for (std::string_view V : T.Enum->Values)
      add(V, Kind::EnumMember, T.Enum->Name, {}, '0');
    break;
  case Type::Kind::Bool:
    add("true", Kind::Value, {}, {}, '0');
    add("false", Kind::Value, {}, {}, '0');
    break;
  case Type::Kind::Record:
    records(*T.Schema);
    break;
  case Type::Kind::Scaled: {
    bool HasCount = !At.Line.empty() && At.Line.back() == "*";
    records(*T.Schema, HasCount ? "" : "8 * ");
    break;
  }
  default:
    break;
  }
}

void Completer::value(const FieldDecl &F) {
  valueOf(F.Ty);
  for (const Type &T : F.Alternatives)
    valueOf(T);
  if (F.AllowAuto)
    add("auto", Kind::Keyword, {}, "what follows from the other fields", '0');
  if (F.Ty.isQuantity()) {
    if (!F.DefaultText.empty() && At.Line.size() == 2)
      add(F.DefaultText, Kind::Value, "default", {}, '0');
    if (At.Line.size() == 2)
      add("any", Kind::Keyword, {}, "a choice, for a search", '6');
    expression();
  }
}

void Completer::unitsOf(const Type &T) {
  if (!T.isQuantity() || T.Dimension.isNone())
    return;
  Dim Wanted = T.Dimension.withoutPopulations();
  for (const UnitName &U : Lib.Units.names()) {
    std::string Text(U.Name);
    bool Fits = U.Dimension == T.Dimension || U.Dimension == Wanted;
    if (!Fits && !Wanted.isNone() && U.Dimension.size() == 1) {
      // GB for B/s: what is left has to be divided by.
      Dim Rest = Wanted / U.Dimension;
      Fits = std::ranges::all_of(Rest.Exponents, [](int8_t E) { return E <= 0; });
      if (std::string Written = Rest.str(); Fits && Written.starts_with("1/"))
        Text += Written.substr(1);
    }
    if (!Fits || !Text.starts_with(At.UnitBegun))
      continue;
    Text.erase(0, At.UnitBegun.size());
    if (T.Qual == Qualifier::None) {
      add(Text, Kind::Unit, U.Doc, {}, '0');
    } else {
      add(Text + " per direction", Kind::Unit, U.Doc, {}, '0');
      add(Text + " bidirectional", Kind::Unit, U.Doc, {}, '1');
    }
  }
}

void Completer::units(std::span<const Type> Expected) {
  if (std::ranges::none_of(Expected, &Type::isQuantity)) {
    for (const UnitName &U : Lib.Units.names())
      add(U.Name, Kind::Unit, U.Doc);
    return;
  }
  for (const Type &T : Expected)
    unitsOf(T);
}

/// The types that may stand at the cursor, as far as they are known.
std::vector<Type> Completer::expected() {
  std::vector<Type> Result;
  if (const Cursor::Bracket *Call = At.call(); Call && Call->Head.size() == 1) {
    if (int F = Lib.function(Call->Head[0]); F >= 0 && Call->Commas < Lib.Functions[F].Params.size())
      Result.push_back(Lib.Functions[F].Params[Call->Commas].Ty);
    return Result;
  }
  if (const FieldDecl *F = At.field(Lib)) {
    Result.push_back(F->Ty);
    Result.insert(Result.end(), F->Alternatives.begin(), F->Alternatives.end());
  } else if (At.Line.size() >= 3 && At.Line[0] == "assume" && At.Line[2] == "=") {
    if (int F = Lib.function(At.Line[1]); F >= 0)
      Result.push_back(Lib.Functions[F].Result);
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// Names in expressions
//===----------------------------------------------------------------------===//

void Completer::functions() {
  auto Call = [&](lsp::CompletionItem &Item, std::string_view Name) {
    if (Snippets)
      inserts(Item, fmt::format("{}($0)", Name), true);
  };
  for (const BuiltinInfo &B : Builtins)
    Call(add(B.Name, Kind::Function, B.Signature, B.Doc, '6'), B.Name);
  // The library has hundreds: they come with the first letter.
  IsPart = true;
  for (const FunctionDecl &F : Lib.Functions)
    if (isBegun(F.Name))
      Call(add(F.Name, Kind::Function, signature("fn", F.Name, F.Params, F.Result), F.Doc, '7'), F.Name);
}

/// Quantities of the job below what is written already: `memory.` has `peak`. Where nothing is written, their first
/// words.
void Completer::quantities() {
  std::string Prefix = At.Chain.empty() ? "" : At.Chain + ".";
  std::set<std::string_view> Groups;
  for (const DeriveDecl &D : Lib.Derives) {
    if (!D.Name.starts_with(Prefix) || isTranslation(D))
      continue;
    std::string_view Rest = D.Name.substr(Prefix.size()), First = Rest.substr(0, Rest.find('.'));
    if (!Prefix.empty() || isBegun(Rest) || First == Rest)
      add(Rest, Kind::Property, signature("derive", D.Name, D.Params, D.Result), D.Doc, '3');
    else if (At.Word.empty() && Groups.insert(First).second)
      add(First, Kind::Module, "quantities", {}, '3');
  }
}

const SchemaDecl *Completer::schemaOf(std::string_view Chain) {
  const SchemaDecl *Schema = nullptr;
  bool First = true;
  while (!Chain.empty()) {
    std::string_view Part = Chain.substr(0, Chain.find('.'));
    Chain.remove_prefix(std::min(Chain.size(), Part.size() + 1));
    if (First) {
      FileSymbol Found = lookup(*S.main(), Lib, Part);
      const SchemaDecl *Job = Lib.schema("job");
      if (Found.Item)
        Schema = Found.Item->Declared.Schema;
      else if (At.seesJob() && Job->find(Part) >= 0) // before a record of the library with that name
        Schema = Job->Fields[Job->find(Part)].Ty.Schema;
      else if (Found.LibraryRecord >= 0)
        Schema = Lib.Records[Found.LibraryRecord].Schema;
    } else {
      int Field = Schema->find(Part);
      Schema = Field < 0 ? nullptr : Schema->Fields[Field].Ty.Schema;
    }
    if (!Schema)
      return nullptr;
    First = false;
  }
  return Schema;
}

void Completer::members() {
  if (const SchemaDecl *Schema = schemaOf(At.Chain))
    for (const FieldDecl &F : Schema->Fields)
      add(F.Name, Kind::Field, typeName(F.Ty), F.Doc, '1');
  if (At.seesJob())
    quantities();
}

void Completer::expression() {
  if (!At.Chain.empty()) {
    members();
    return;
  }
  auto FromFile = [&](const std::map<std::string_view, Item *> &Names) {
    for (const auto &[Name, I] : Names)
      if (I->Kind == ItemKind::Fn)
        add(Name, Kind::Function, signature(*I, S.Sources), I->Doc, '0');
      else if (I->Kind == ItemKind::Let)
        add(Name, Kind::Variable, typeName(I->Declared), I->Doc, '0');
      else if (I->Kind == ItemKind::Record)
        add(Name, Kind::Value, I->Id2.Text, {}, '4');
  };
  FromFile(S.main()->Names);
  for (const Module *Used : S.main()->Uses)
    if (!S.Sources.isOutside(Used->Tree->File))
      FromFile(Used->Names);
  std::vector<Item *> Path = itemsAt(*S.main(), Offset);
  if (!Path.empty() && At.seesJob())
    FromFile(S.Run.Files.jobNames(*Path[0]));
  if (At.seesJob()) {
    for (const FieldDecl &F : Lib.schema("job")->Fields)
      add(F.Name, Kind::Field, typeName(F.Ty), F.Doc, '2');
    quantities();
  }
  functions();
}

//===----------------------------------------------------------------------===//
// Comments and strings
//===----------------------------------------------------------------------===//

/// Why there is a rule or a diagnostic; nothing for users' rules.
std::string_view whyOf(std::string_view Code) {
  for (const DiagnosticPage &P : diagnosticPages())
    if (P.Code == Code)
      return P.Why;
  for (const RuleDecl &R : standardLibrary().Rules)
    if (R.Code == Code)
      return R.Why;
  return "";
}

/// Behind `allow(`: the rules that can be allowed, by code when one is begun, else by name. Clients look for the word
/// among the labels.
void Completer::comment() {
  size_t Open = At.TokenText.rfind("allow(");
  if (Open == std::string_view::npos || At.TokenText.find(')', Open) != std::string_view::npos)
    return;
  std::string_view Text = S.text();
  while (At.WordBegin > 0 && Text[At.WordBegin - 1] != '(' && Text[At.WordBegin - 1] != ',' &&
         Text[At.WordBegin - 1] != ' ')
    --At.WordBegin;
  IsPart = true;
  bool ByCode = Text.substr(At.WordBegin, Offset - At.WordBegin).starts_with("PL");
  RuleNames Names;
  for (const auto &M : S.Run.Files.modules())
    for (const Item *I : M->Tree->Items)
      if (I->Kind == ItemKind::Rule && !S.Sources.isOutside(M->Tree->File))
        Names.add(I->Id2.Text, I->Id.Text);
  for (const auto &[Code, Name, Level] : Names.all()) {
    std::string_view Label = ByCode ? Code : Name;
    if (!Label.empty() && !whyHard(Code, Level))
      add(Label, Kind::Constant, ByCode ? Name : Code, whyOf(Code));
  }
}

json::Value Completer::run() {
  auto Behind = [&](std::string_view Word) { return !At.Line.empty() && At.Line.back() == Word; };
  if (At.InComment) {
    comment();
  } else if (At.InString) {
    // Texts are the user's own.
  } else if (At.Line.empty()) {
    itemStart();
  } else if (At.Line[0] == "use" && At.Brackets.empty()) {
    std::string Written;
    for (std::string_view Part : std::span(At.Line).subspan(1))
      Written += Part;
    for (std::string_view Module : Lib.Modules)
      if (Module.starts_with(Written))
        add(Module.substr(Written.size()), Kind::Module, Module, {}, '0');
  } else if (Behind("from")) {
    if (const SchemaDecl *Schema = Lib.schema(At.Line[0]))
      records(*Schema);
  } else if (At.BehindNumber || !At.UnitBegun.empty()) {
    units(expected());
    if (!At.BehindNumber)
      expression(); // what is divided by may be no unit
  } else if (At.Line.size() == 1 && At.Line[0] == "assume") {
    for (const FunctionDecl &F : Lib.Functions)
      if (F.Constant >= 0)
        add(F.Name, Kind::Constant, typeName(F.Result), F.Doc, '0');
  } else if (const FieldDecl *F = At.field(Lib); F && !At.call()) {
    value(*F);
  } else if (At.Line.size() > 1 || At.Line[0] == "require" || At.Line[0] == "warn" || At.Line[0] == "maximize" ||
             At.Line[0] == "minimize") {
    for (const Type &T : expected())
      valueOf(T);
    expression();
  } else if (!At.Chain.empty() || !At.Brackets.empty()) {
    expression();
  }
  return lsp::CompletionList{IsPart, std::move(Items)};
}

} // namespace

json::Value completion(Snapshot &S, lsp::Position At, bool Snippets) {
  if (!S.main())
    return lsp::CompletionList();
  return Completer(S, S.lines(S.file()).offset(At), Snippets).run();
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static lsp::SignatureInformation described(std::string Label, std::string_view Doc, std::vector<std::string> Params) {
  lsp::SignatureInformation Result;
  Result.label = std::move(Label);
  Result.documentation = validUtf8(docMarkdown(Doc));
  for (std::string &P : Params) {
    lsp::ParameterInformation &Info = Result.parameters.emplace_back();
    Info.labelString = std::move(P);
  }
  return Result;
}

static std::vector<std::string> parameterLabels(std::span<const ParamDecl> Params) {
  std::vector<std::string> Result;
  for (const ParamDecl &P : Params)
    Result.push_back(fmt::format("{}: {}", P.Name, typeName(P.Ty)));
  return Result;
}

static std::optional<lsp::SignatureInformation> signatureOf(Snapshot &S, const std::string &Name) {
  const Library &Lib = S.Run.Lib;
  if (FileSymbol Found = lookup(*S.main(), Lib, Name); Found.Item && Found.Item->Kind == ItemKind::Fn) {
    if (S.Sources.isOutside(Found.Item->Id.Range.File))
      return std::nullopt;
    std::vector<std::string> Params;
    for (const Param &P : Found.Item->Params)
      Params.push_back(fmt::format("{}: {}", P.Id.Text, P.Ty ? S.Sources.text(P.Ty->Range) : "?"));
    return described(signature(*Found.Item, S.Sources), Found.Item->Doc, std::move(Params));
  }
  if (auto B = builtinNamed(Name)) {
    const BuiltinInfo &Info = Builtins[static_cast<size_t>(*B)];
    std::string_view Inside = Info.Signature.substr(Name.size() + 1);
    Inside.remove_suffix(1);
    std::vector<std::string> Params;
    while (!Inside.empty()) {
      Params.emplace_back(Inside.substr(0, Inside.find(", ")));
      Inside.remove_prefix(std::min(Inside.size(), Params.back().size() + 2));
    }
    return described(std::string(Info.Signature), Info.Doc, std::move(Params));
  }
  if (int F = Lib.function(Name); F >= 0) {
    const FunctionDecl &Fn = Lib.Functions[F];
    return described(signature("fn", Fn.Name, Fn.Params, Fn.Result), Fn.Doc, parameterLabels(Fn.Params));
  }
  if (int D = Lib.derive(Name); D >= 0 && !Lib.Derives[D].Params.empty()) {
    const DeriveDecl &De = Lib.Derives[D];
    return described(signature("derive", De.Name, De.Params, De.Result), De.Doc, parameterLabels(De.Params));
  }
  return std::nullopt;
}

json::Value signatureHelp(Snapshot &S, lsp::Position At) {
  if (!S.main())
    return nullptr;
  Cursor C(S, S.lines(S.file()).offset(At));
  const Cursor::Bracket *Call = C.call();
  if (!Call || C.InComment || C.InString)
    return nullptr;
  std::string Name;
  for (std::string_view Part : Call->Head)
    Name += Part;
  auto Signature = signatureOf(S, Name);
  if (!Signature)
    return nullptr;
  lsp::SignatureHelp Help;
  // `min` and `max` take any number: the last parameter goes on.
  size_t Last = Signature->parameters.empty() ? 0 : Signature->parameters.size() - 1;
  Help.activeParameter = static_cast<int>(std::min<size_t>(Call->Commas, Last));
  Help.signatures.push_back(std::move(*Signature));
  return Help;
}

} // namespace parlance::server
