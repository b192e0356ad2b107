#include "Server/Index.h"
#include "Sema/Builtin.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

namespace {

class Indexer {
public:
  Indexer(Snapshot &S, Module &M) : S(S), M(M), Lib(S.Run.Lib) {}
  std::vector<Occurrence> run() {
    for (Item *I : M.Tree->Items) {
      Top = I;
      item(*I, nullptr);
    }
    std::ranges::stable_sort(All, {}, [](const Occurrence &O) { return O.Range.Begin; });
    return std::move(All);
  }

private:
  void add(SourceRange Range, Symbol What, bool Declares = false, const Expr *Value = nullptr) {
    if (Range && What)
      All.push_back({Range, What, Declares, Value, Statement, Top});
  }
  static Symbol itemSymbol(Item *I) {
    Symbol W{Symbol::Kind::Item};
    W.Decl = I;
    return W;
  }
  static Symbol indexed(Symbol::Kind K, size_t Index) { return {K, static_cast<uint32_t>(Index)}; }
  static Symbol field(const SchemaDecl &Schema, size_t Index) {
    Symbol W = indexed(Symbol::Kind::Field, Index);
    W.Schema = &Schema;
    return W;
  }

  void item(Item &I, const SchemaDecl *Block);
  void record(Item &I);
  void rule(Item &I);
  void message(std::string_view Text, SourceRange At);
  void use(Item &I);
  void type(const TypeExpr &T);
  void unit(const UnitExpr &U);
  void expr(Expr &E);
  void callee(Expr &E, Symbol What, const Expr &Whole);
  Symbol named(std::string_view Name);
  Symbol local(const Expr &E);
  Symbol target(const Expr &E);

  Snapshot &S;
  Module &M;
  const Library &Lib;
  Item *Top = nullptr, *Statement = nullptr;
  std::vector<const Expr *> Reductions; ///< around the present expression
  std::vector<Occurrence> All;
};

Symbol Indexer::named(std::string_view Name) {
  FileSymbol Found = lookup(M, Lib, Name);
  if (Found.Ambiguous)
    return {};
  if (Found.Item)
    return itemSymbol(Found.Item);
  return Found.LibraryRecord >= 0 ? indexed(Symbol::Kind::LibraryRecord, Found.LibraryRecord) : Symbol();
}

void Indexer::use(Item &I) {
  Symbol W{I.Flag ? Symbol::Kind::File : Symbol::Kind::LibraryModule};
  if (!I.Flag) {
    auto It = std::ranges::find(Lib.Modules, I.Id.Text);
    if (It == Lib.Modules.end())
      return;
    W.Name = *It;
  } else {
    std::string Path = usedPath(M, I);
    for (Module *Used : M.Uses)
      if (Used->Path == Path)
        W.Name = Used->Path;
    if (W.Name.empty())
      return;
  }
  // The range of a dotted name is that of its last part: a module is clicked on anywhere.
  SourceRange Range = I.Id.Range;
  auto Size = static_cast<uint32_t>(I.Id.Text.size());
  if (SourceRange Whole{Range.File, Range.End - std::min(Size, Range.End), Range.End};
      S.Sources.text(Whole) == I.Id.Text)
    Range = Whole;
  add(Range, W);
}

void Indexer::item(Item &I, const SchemaDecl *Block) {
  Item *Outer = std::exchange(Statement, &I);
  switch (I.Kind) {
  case ItemKind::Use:
    use(I);
    break;
  case ItemKind::Record:
    record(I);
    break;
  case ItemKind::Rule:
    rule(I);
    break;
  case ItemKind::Test:
    add(I.Id.Range, named(I.Id.Text));
    for (Item *Case : I.Items)
      item(*Case, Lib.schema("job"));
    break;
  case ItemKind::Case:
    if (I.Base)
      add(I.Base.Range, named(I.Base.Text));
    for (Item *Part : I.Items)
      item(*Part, Block);
    break;
  case ItemKind::Field:
  case ItemKind::Block: {
    int Index = Block ? Block->find(I.Id.Text) : -1;
    const SchemaDecl *Inner = nullptr;
    if (Index >= 0) {
      add(I.Id.Range, field(*Block, Index));
      Inner = Block->Fields[Index].Ty.Schema;
    }
    for (Item *Part : I.Items)
      item(*Part, Inner);
    break;
  }
  case ItemKind::Assume:
    if (int F = Lib.function(I.Id.Text); F >= 0)
      add(I.Id.Range, indexed(Symbol::Kind::Function, F));
    break;
  case ItemKind::Let:
  case ItemKind::Fn:
    add(I.Id.Range, itemSymbol(&I), true);
    for (size_t P = 0; P < I.Params.size(); ++P) {
      Symbol W = indexed(Symbol::Kind::Parameter, P);
      W.Decl = &I;
      add(I.Params[P].Id.Range, W, true);
      if (I.Params[P].Ty)
        type(*I.Params[P].Ty);
    }
    break;
  default:
    break;
  }
  if (I.Ty)
    type(*I.Ty);
  for (Expr *E : {I.Value, I.Extra})
    if (E && I.Kind != ItemKind::Rule)
      expr(*E);
  Statement = Outer;
}

void Indexer::record(Item &I) {
  if (const SchemaDecl *Schema = I.Declared.Schema) {
    Symbol W{Symbol::Kind::Schema};
    W.Schema = Schema;
    add(I.Id2.Range, W);
  }
  add(I.Id.Range, itemSymbol(&I), true);
  if (I.Base)
    add(I.Base.Range, named(I.Base.Text));
  for (Item *Part : I.Items)
    item(*Part, I.Declared.Schema);
}

/// The expressions in a rule's texts are not in the tree: they are read from the text again.
void Indexer::message(std::string_view Text, SourceRange At) {
  DiagnosticEngine Ignored;
  ExprChecker Checker(S.Sources, Lib, S.Run.Files.Arena, Ignored);
  Scope Sight;
  Sight.File = &M;
  Sight.Self = Lib.schema("job");
  Sight.Derives = true;
  for (const MessagePart &Part : messageParts(Text, At))
    if (Part.IsExpression)
      if (Expr *E = parseExpression(*M.Tree, S.Sources, Part.Range, Lib.Units, Ignored)) {
        Checker.check(*E, Sight);
        expr(*E);
      }
}

void Indexer::rule(Item &I) {
  add(I.Id.Range, itemSymbol(&I), true);
  for (Item *Part : I.Items) {
    bool Words = Part->Id.Text == "severity" || Part->Id.Text == "frameworks";
    for (Expr *E : {Part->Value, Part->Extra}) {
      if (!E || Words)
        continue;
      bool HasExpressions = Part->Id.Text == "message" || Part->Id.Text == "caret";
      if (Part->Kind == ItemKind::Field && HasExpressions && E->Kind == ExprKind::String)
        message(E->Text, E->Range);
      else
        expr(*E);
    }
    if (Part->Kind == ItemKind::RuleNote)
      message(Part->Doc, Part->DocRange);
  }
}

void Indexer::type(const TypeExpr &T) {
  for (const TypeExpr::Alternative &A : T.Alternatives) {
    if (A.Unit)
      unit(*A.Unit);
    if (!A.Word)
      continue;
    Symbol W;
    if (const SchemaDecl *Schema = Lib.schema(A.Word.Text)) {
      W.K = Symbol::Kind::Schema;
      W.Schema = Schema;
    } else if (const EnumDecl *Enum = Lib.enumNamed(A.Word.Text)) {
      W.K = Symbol::Kind::Enum;
      W.Enum = Enum;
    }
    add(A.Word.Range, W);
  }
}

void Indexer::unit(const UnitExpr &U) {
  for (const UnitTerm &Term : U.Terms)
    if (const UnitName *Name = Lib.Units.find(Term.Name)) {
      Symbol W{Symbol::Kind::Unit};
      W.Name = Name->Name;
      add(Term.Range, W);
    }
}

/// A local is the variable of the innermost reduction of that name, or a parameter.
Symbol Indexer::local(const Expr &E) {
  for (auto It = Reductions.rbegin(); It != Reductions.rend(); ++It)
    if ((*It)->Text == E.Text) {
      Symbol W{Symbol::Kind::Variable};
      W.Binder = *It;
      W.Name = E.Text;
      return W;
    }
  if (!Statement)
    return {};
  for (size_t P = 0; P < Statement->Params.size(); ++P)
    if (Statement->Params[P].Id.Text == E.Text) {
      Symbol W = indexed(Symbol::Kind::Parameter, P);
      W.Decl = Statement;
      return W;
    }
  return {};
}

Symbol Indexer::target(const Expr &E) {
  switch (E.Target.K) {
  case Ref::Kind::Local:
    return local(E);
  case Ref::Kind::Let:
  case Ref::Kind::UserFunction:
  case Ref::Kind::UserRecord:
    return itemSymbol(E.Target.Decl);
  case Ref::Kind::Function:
    return indexed(Symbol::Kind::Function, E.Target.Index);
  case Ref::Kind::Builtin:
    return indexed(Symbol::Kind::Builtin, E.Target.Index);
  case Ref::Kind::Derive:
    return indexed(Symbol::Kind::Derive, E.Target.Index);
  case Ref::Kind::LibraryRecord:
    return indexed(Symbol::Kind::LibraryRecord, E.Target.Index);
  case Ref::Kind::JobField:
    return field(*Lib.schema("job"), E.Target.Index);
  case Ref::Kind::Field:
    return E.Args[0]->Ty.Schema ? field(*E.Args[0]->Ty.Schema, E.Target.Index) : Symbol();
  case Ref::Kind::Enumerator: {
    if (!E.Ty.Enum)
      return {};
    Symbol W = indexed(Symbol::Kind::Enumerator, E.Target.Index);
    W.Enum = E.Ty.Enum;
    return W;
  }
  case Ref::Kind::None:
    break;
  }
  return {};
}

/// The name of a function or a dotted quantity: `memory.stage.peak` is one name.
void Indexer::callee(Expr &E, Symbol What, const Expr &Whole) {
  SourceRange Range =
      E.Kind == ExprKind::Name || What.K == Symbol::Kind::Derive ? E.Range : (E.AtRange ? E.AtRange : E.Range);
  add(Range, What, false, &Whole);
}

void Indexer::expr(Expr &E) {
  if (E.Unit)
    unit(*E.Unit);
  Symbol What = target(E);
  if (E.Kind == ExprKind::Call) {
    if (What)
      callee(*E.Args[0], What, E);
    else
      expr(*E.Args[0]);
    for (size_t I = 1; I < E.Args.size(); ++I)
      expr(*E.Args[I]);
    return;
  }
  if (What && (E.Kind == ExprKind::Name || E.Kind == ExprKind::Field))
    callee(E, What, E);
  if (What.K == Symbol::Kind::Derive)
    return;
  if (E.Kind == ExprKind::Reduce) {
    Symbol W{Symbol::Kind::Variable};
    W.Binder = &E;
    W.Name = E.Text;
    add(E.AtRange, W, true, &E);
    for (size_t I = 0; I < E.Args.size(); ++I) {
      if (I == 2)
        Reductions.push_back(&E);
      expr(*E.Args[I]);
    }
    if (E.Args.size() > 2)
      Reductions.pop_back();
    return;
  }
  for (Expr *A : E.Args)
    expr(*A);
}

} // namespace

std::vector<Occurrence> occurrences(Snapshot &S, Module &M) { return Indexer(S, M).run(); }

const Occurrence *occurrenceAt(const std::vector<Occurrence> &All, uint32_t Offset) {
  const Occurrence *Best = nullptr;
  for (const Occurrence &O : All) {
    if (O.Range.Begin > Offset)
      break;
    bool Inside = Offset < O.Range.End, AtEnd = Offset == O.Range.End;
    bool Narrower =
        !Best || O.Range.End - O.Range.Begin <= Best->Range.End - Best->Range.Begin || Best->Range.End == Offset;
    if ((Inside && Narrower) || (AtEnd && !Best))
      Best = &O;
  }
  return Best;
}

SourceRange declaration(const Symbol &S) {
  switch (S.K) {
  case Symbol::Kind::Item:
    return S.Decl->Id.Range;
  case Symbol::Kind::Parameter:
    return S.Decl->Params[S.Index].Id.Range;
  case Symbol::Kind::Variable:
    return S.Binder->AtRange;
  default:
    return {};
  }
}

bool sameSymbol(const Symbol &A, Snapshot &InA, const Symbol &B, Snapshot &InB) {
  if (A.K != B.K)
    return false;
  if (SourceRange AtA = declaration(A)) {
    SourceRange AtB = declaration(B);
    return AtA.Begin == AtB.Begin && AtA.End == AtB.End && InA.pathOf(AtA.File) == InB.pathOf(AtB.File);
  }
  return A.Index == B.Index && A.Schema == B.Schema && A.Enum == B.Enum && A.Name == B.Name;
}

std::vector<Item *> itemsAt(const Module &M, uint32_t Offset) {
  std::vector<Item *> Path;
  const std::vector<Item *> *Level = &M.Tree->Items;
  while (true) {
    auto It =
        std::ranges::find_if(*Level, [&](const Item *I) { return I->Range.Begin <= Offset && Offset <= I->Range.End; });
    if (It == Level->end())
      return Path;
    Path.push_back(*It);
    Level = &(*It)->Items;
  }
}

std::vector<Expr *> expressionsAt(const Item &I, uint32_t Offset) {
  std::vector<Expr *> Path;
  auto Holds = [&](const Expr *E) { return E && E->Range.Begin <= Offset && Offset <= E->Range.End; };
  Expr *Next = Holds(I.Value) ? I.Value : Holds(I.Extra) ? I.Extra : nullptr;
  while (Next) {
    Path.push_back(Next);
    auto It = std::ranges::find_if(Next->Args, Holds);
    Next = It == Path.back()->Args.end() ? nullptr : *It;
  }
  return Path;
}

} // namespace parlance::server
