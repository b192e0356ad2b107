#include "Syntax/AstBuilder.h"
#include "Basic/Diagnostics.h"
#include "Syntax/AntlrToken.h"
#include "Syntax/Operators.h"
#include <algorithm>
#include <typeinfo>

namespace parlance::syntax {

namespace {

using antlr4::ParserRuleContext;
using antlr4::tree::ParseTree;
using Rules = ParlanceParser;

/// A leaf's token; null for an inner node.
const LexToken *leaf(const ParseTree *T) {
  if (typeid(*T) != typeid(antlr4::tree::TerminalNodeImpl))
    return nullptr;
  const auto *Node = dynamic_cast<const antlr4::tree::TerminalNodeImpl *>(T); // a virtual base bars static_cast
  return &static_cast<const AntlrToken *>(Node->symbol)->T;
}
ParserRuleContext *inner(ParseTree *T) { return dynamic_cast<ParserRuleContext *>(T); }
bool failed(const ParserRuleContext *C) { return C->exception != nullptr; }
/// Whether the braces at the end of an item are missing.
bool lacksBody(const ParserRuleContext *C) {
  ParserRuleContext *Body = C->children.empty() ? nullptr : inner(C->children.back());
  return failed(C) || !Body || Body->children.empty();
}

class Builder {
public:
  explicit Builder(const BuildContext &C) : C(C) {}

  void items(ParserRuleContext *Parent, std::vector<ast::Item *> &Into) {
    for (ParseTree *Child : Parent->children)
      if (ParserRuleContext *Item = inner(Child); Item && Item->getRuleIndex() == Rules::RuleItem)
        for (ParseTree *Which : Item->children)
          if (ParserRuleContext *Rule = inner(Which)) {
            if (ast::Item *Made = item(Rule))
              Into.push_back(Made);
            else
              Lost = true;
          }
  }
  /// Whether the file has the `}` of a body: one put in for it is empty, and where it belongs is a guess.
  static bool closed(const ParserRuleContext *Body) {
    const LexToken *Closer = Body->children.empty() ? nullptr : leaf(Body->children.back());
    return Closer && Closer->Begin < Closer->End;
  }
  /// A field at file level means nothing; one that failed to parse was reported already.
  void dropBrokenFields(std::vector<ast::Item *> &Items) {
    std::erase_if(Items, [](const ast::Item *I) {
      return I->Kind == ast::ItemKind::Field && I->Value->Kind == ast::ExprKind::Error;
    });
  }

  ast::Expr *expr(ParserRuleContext *E);

private:
  // --- ranges, names, strings

  SourceRange range(const LexToken &T) const { return {C.File, T.Begin, T.End}; }
  SourceRange range(const ParserRuleContext *X) const {
    if (!X->start)
      return {};
    const LexToken &First = static_cast<const AntlrToken *>(X->start)->T;
    SourceRange R{C.File, First.Begin, First.Begin};
    if (X->stop) {
      uint32_t End = static_cast<const AntlrToken *>(X->stop)->T.End;
      R.End = End < R.Begin ? R.Begin : End;
    }
    return R;
  }
  std::string_view text(SourceRange R) const { return C.Text.substr(R.Begin, R.End - R.Begin); }
  ast::Name name(const LexToken &T) const { return {text(range(T)), range(T)}; }
  ast::Name name(const ParserRuleContext *X) const {
    return failed(X) || X->children.empty() ? ast::Name() : name(*leaf(X->children[0]));
  }
  /// `std/hardware`, `memory.peak`: the text from first to last part, with the range of the last
  /// part.
  ast::Name compound(const ParserRuleContext *X) const {
    if (failed(X) || X->children.empty())
      return {};
    SourceRange Last;
    for (ParseTree *Child : X->children) {
      const LexToken *T = leaf(Child);
      if (!T && failed(inner(Child)))
        return {};
      Last = T ? range(*T) : range(inner(Child));
    }
    return {text(range(X)), Last};
  }
  std::string_view contents(const LexToken &T) const {
    std::string_view S = text(range(T));
    // Typographic quotes are three bytes long, as `"""` is.
    bool Long = S.starts_with("\"\"\"") || static_cast<unsigned char>(S[0]) >= 0x80;
    size_t Quote = Long ? 3 : 1;
    S.remove_prefix(Quote);
    if (!(T.Flags & LexToken::Open))
      S.remove_suffix(Quote);
    return S;
  }

  // --- nodes

  ast::Expr *make(ast::ExprKind Kind, SourceRange Range) { return makeExpr(C, Kind, Range); }
  ast::Expr *error(SourceRange Range) { return make(ast::ExprKind::Error, Range); }
  ast::Expr *orError(ast::Expr *E, SourceRange Range) { return E ? E : error({Range.File, Range.End, Range.End}); }

  // --- units and types

  std::unique_ptr<UnitExpr> unit(const LexToken &T) const { return readUnit(C.Text, range(T)); }
  ast::TypeExpr *type(ParserRuleContext *X);
  ast::TypeExpr::Alternative alternative(ParserRuleContext *X, ast::TypeExpr &Ty);
  void params(ParserRuleContext *X, std::vector<ast::Param> &Into);

  // --- expressions

  bool swallows(const LexToken &T);
  void flatten(ParserRuleContext *Operand, FlatExpr &F);
  ast::Expr *primary(ParserRuleContext *Atom);
  ast::Expr *postfix(ParserRuleContext *X, ast::Expr *Base);
  ast::Expr *number(ParserRuleContext *Atom, const LexToken &T);
  ast::Expr *single(const LexToken &T);
  ast::Expr *special(ParserRuleContext *E, const LexToken &Keyword);
  ast::Expr *reduction(ParserRuleContext *X);
  ast::Expr *import(ParserRuleContext *X);
  ast::Expr *path(ParserRuleContext *X);
  void args(ParserRuleContext *X, std::vector<ast::Expr *> &Into);

  // --- items

  ast::Item *item(ParserRuleContext *X);
  void named(ParserRuleContext *X, ast::Item &I);
  void part(ParserRuleContext *X, ast::Item &I);
  void token(const LexToken &T, ast::Item &I);
  void attribute(ParserRuleContext *X, ast::Item &I);
  ast::ItemKind kindOf(ParserRuleContext *X) const;
  void exactFactor(ast::Item &I);
  void complete(ast::Item &I);
  void losses(ast::Item &I);

  const BuildContext &C;
  unsigned Depth = 0; ///< of bodies
  bool Lost = false;  ///< a part of the item at hand could not be read
};

// --- units and types

ast::TypeExpr::Alternative Builder::alternative(ParserRuleContext *X, ast::TypeExpr &Ty) {
  ast::TypeExpr::Alternative A;
  for (ParseTree *Child : X->children) {
    const LexToken *T = leaf(Child);
    if (!T) {
      // `int * device`: a count of records; the record is what matters.
      A.Word = name(inner(Child));
      Ty.Scaled = true;
    } else if (T->Kind == Tok::Unit || T->Kind == Tok::UnitExpr) {
      A.Unit = unit(*T);
    } else if (T->Kind == Tok::Name || T->Kind == Tok::Number) {
      A.Word = name(*T);
    }
  }
  return A;
}

ast::TypeExpr *Builder::type(ParserRuleContext *X) {
  ast::TypeExpr *Ty = C.Tree.type();
  for (ParseTree *Child : X->children) {
    if (ParserRuleContext *R = inner(Child)) {
      if (R->getRuleIndex() == Rules::RuleType) {
        Ty = type(R);
        Ty->List = true;
      } else if (!failed(R)) {
        Ty->Alternatives.push_back(alternative(R, *Ty));
      }
    }
  }
  Ty->Range = range(X);
  return Ty;
}

void Builder::params(ParserRuleContext *X, std::vector<ast::Param> &Into) {
  for (ParseTree *Child : X->children) {
    ParserRuleContext *P = inner(Child);
    if (!P)
      continue;
    ast::Param Made;
    for (ParseTree *Part : P->children)
      if (ParserRuleContext *R = inner(Part)) {
        if (R->getRuleIndex() == Rules::RuleName)
          Made.Id = name(R);
        else
          Made.Ty = type(R);
      }
    if (!Made.Ty)
      Made.Ty = C.Tree.type();
    if (Made.Id)
      Into.push_back(Made);
  }
}

// --- expressions

ast::Expr *Builder::expr(ParserRuleContext *E) {
  if (E->children.empty())
    return error(range(E));
  if (const LexToken *Keyword = leaf(E->children[0]))
    return special(E, *Keyword);
  FlatExpr F;
  for (ParseTree *Child : E->children)
    if (const LexToken *Op = leaf(Child))
      F.push_back({nullptr, Op, false});
    else
      flatten(inner(Child), F);
  return applyPrecedence(C, F);
}

void Builder::flatten(ParserRuleContext *Operand, FlatExpr &F) {
  ast::Expr *E = nullptr;
  for (ParseTree *Child : Operand->children) {
    if (const LexToken *Sign = leaf(Child)) {
      F.push_back({nullptr, Sign, true});
      continue;
    }
    ParserRuleContext *R = inner(Child);
    E = R->getRuleIndex() == Rules::RuleAtom ? primary(R) : postfix(R, E);
  }
  F.push_back({orError(E, range(Operand)), nullptr, false});
}

/// A string that is never closed and has an `=` in it may hold a field.
bool Builder::swallows(const LexToken &T) {
  bool Swallows =
      T.Kind == Tok::String && (T.Flags & LexToken::Open) && contents(T).find('=') != std::string_view::npos;
  Lost |= Swallows;
  return Swallows;
}

ast::Expr *Builder::single(const LexToken &T) {
  ast::Expr *E = make(ast::ExprKind::Error, range(T));
  if (swallows(T))
    return E;
  switch (T.Kind) {
  case Tok::Unit:
    E->Kind = ast::ExprKind::Unit;
    E->Unit = unit(T);
    return E;
  case Tok::String:
    E->Kind = ast::ExprKind::String;
    E->Text = contents(T);
    return E;
  case Tok::True:
  case Tok::False:
    E->Kind = ast::ExprKind::Bool;
    E->Flag = T.Kind == Tok::True;
    return E;
  case Tok::Auto:
    E->Kind = ast::ExprKind::Auto;
    return E;
  case Tok::Name:
    if (T.Flags & LexToken::Reported) // letters that are not ours: no such name is declared
      return E;
    E->Kind = ast::ExprKind::Name;
    E->Text = text(range(T));
    return E;
  default:
    return E;
  }
}

ast::Expr *Builder::number(ParserRuleContext *Atom, const LexToken &T) {
  if (T.Flags & LexToken::Reported)
    return error(range(Atom));
  ast::Expr *E = make(ast::ExprKind::Number, range(Atom));
  E->AtRange = range(T);
  E->Text = text(range(T));
  if (Atom->children.size() > 1)
    E->Unit = unit(*leaf(Atom->children[1]));
  return E;
}

ast::Expr *Builder::primary(ParserRuleContext *Atom) {
  if (failed(Atom) || Atom->children.empty())
    return error(range(Atom));
  if (const LexToken *T = leaf(Atom->children[0]))
    return T->Kind == Tok::Number ? number(Atom, *T) : single(*T);
  ParserRuleContext *X = inner(Atom->children[0]);
  if (failed(X))
    return error(range(X));
  switch (X->getRuleIndex()) {
  case Rules::RuleGroup: {
    ast::Expr *E = expr(inner(X->children[1]));
    E->Range = range(X);
    return E;
  }
  case Rules::RuleList: {
    ast::Expr *E = make(ast::ExprKind::List, range(X));
    args(inner(X->children[1]), E->Args);
    return E;
  }
  case Rules::RuleImport_:
    return import(X);
  default:
    return reduction(X);
  }
}

void Builder::args(ParserRuleContext *X, std::vector<ast::Expr *> &Into) {
  for (ParseTree *Child : X->children)
    if (ParserRuleContext *E = inner(Child))
      Into.push_back(expr(E));
}

ast::Expr *Builder::postfix(ParserRuleContext *X, ast::Expr *Base) {
  if (failed(X) || !Base || X->children.size() < 2)
    return error(range(X));
  ast::Expr *E = make(ast::ExprKind::Field, Base->Range.to(range(X)));
  E->Args = {Base};
  if (leaf(X->children[0])->Kind == Tok::Dot) {
    const LexToken &Field = *leaf(X->children[1]);
    E->AtRange = range(Field);
    E->Text = text(range(Field));
    return E;
  }
  E->Kind = ast::ExprKind::Call;
  E->AtRange = Base->AtRange;
  args(inner(X->children[1]), E->Args);
  return E;
}

/// `if …` and `any …`.
ast::Expr *Builder::special(ParserRuleContext *E, const LexToken &Keyword) {
  bool Conditional = Keyword.Kind == Tok::If;
  ast::Expr *Made = make(Conditional ? ast::ExprKind::If : ast::ExprKind::Any, range(E));
  Made->AtRange = range(Keyword);
  for (ParseTree *Child : E->children) {
    if (const LexToken *T = leaf(Child)) {
      Made->Flag |= T->Kind == Tok::DotDot;
      continue;
    }
    ParserRuleContext *X = inner(Child);
    if (X->getRuleIndex() == Rules::RuleArgs)
      args(X, Made->Args);
    else
      Made->Args.push_back(expr(X));
  }
  size_t Wanted = Conditional ? 3 : Made->Flag ? 2 : Made->Args.size();
  if (failed(E) || Made->Args.size() != Wanted)
    Made->Kind = ast::ExprKind::Error;
  return Made;
}

ast::Expr *Builder::reduction(ParserRuleContext *X) {
  ast::Expr *E = make(ast::ExprKind::Reduce, range(X));
  std::string_view Word = text(range(*leaf(X->children[0])));
  E->O = Word == "sum" ? ast::Op::Add : Word == "min" ? ast::Op::Lt : ast::Op::Gt;
  for (ParseTree *Child : X->children) {
    ParserRuleContext *R = inner(Child);
    if (!R)
      continue;
    if (R->getRuleIndex() != Rules::RuleName) {
      E->Args.push_back(expr(R));
      continue;
    }
    ast::Name Variable = name(R);
    E->Text = Variable.Text;
    E->AtRange = Variable.Range;
  }
  if (E->Args.size() != 3 || E->Text.empty())
    E->Kind = ast::ExprKind::Error;
  return E;
}

ast::Expr *Builder::import(ParserRuleContext *X) {
  if (failed(X) || X->children.size() != 2)
    return error(range(X));
  ast::Expr *E = make(ast::ExprKind::Import, range(X));
  const LexToken &Path = *leaf(X->children[1]);
  E->AtRange = range(Path);
  E->Text = contents(Path);
  return E;
}

/// A dotted name as field accesses.
ast::Expr *Builder::path(ParserRuleContext *X) {
  ast::Expr *E = nullptr;
  for (ParseTree *Child : X->children) {
    const LexToken *T = leaf(Child);
    if (T && T->Kind == Tok::Dot)
      continue;
    ast::Name N = T ? name(*T) : name(inner(Child));
    if (!N)
      return error(range(X));
    ast::Expr *Next = make(E ? ast::ExprKind::Field : ast::ExprKind::Name, E ? E->Range.to(N.Range) : N.Range);
    Next->Text = N.Text;
    Next->AtRange = N.Range;
    if (E)
      Next->Args = {E};
    E = Next;
  }
  return failed(X) ? error(range(X)) : orError(E, range(X));
}

// --- items

ast::ItemKind Builder::kindOf(ParserRuleContext *X) const {
  const Tok First = static_cast<const AntlrToken *>(X->start)->T.Kind;
  using K = ast::ItemKind;
  switch (X->getRuleIndex()) {
  case Rules::RuleUse:
    return K::Use;
  case Rules::RuleLet:
    return K::Let;
  case Rules::RuleFunction:
    return K::Fn;
  case Rules::RuleClaim:
    return First == Tok::Require ? K::Require : K::Warn;
  case Rules::RuleObjective:
    return First == Tok::Maximize ? K::Maximize : K::Minimize;
  case Rules::RuleAssumption:
    return K::Assume;
  case Rules::RuleLintRule:
    return K::Rule;
  case Rules::RuleNote:
    return K::RuleNote;
  case Rules::RuleFix:
    return K::RuleFix;
  case Rules::RuleUnitDecl:
    return K::Unit;
  case Rules::RuleRefusal:
    return K::Refuse;
  case Rules::RuleEnumeration:
    return K::Enum;
  case Rules::RuleSchema:
    return K::Schema;
  case Rules::RuleDerivation:
    return K::Derive;
  default:
    return K::Field;
  }
}

ast::Item *Builder::item(ParserRuleContext *X) {
  // Without its body a rule says nothing that could be checked, and a name alone is not a field.
  size_t Which = X->getRuleIndex();
  if ((Which == Rules::RuleLintRule && lacksBody(X)) || (Which == Rules::RuleNamed && X->children.size() < 2))
    return nullptr;
  bool Outer = std::exchange(Lost, false);
  ast::Item *I = C.Tree.item();
  I->Kind = kindOf(X);
  I->Range = range(X);
  I->KeyRange = range(static_cast<const AntlrToken *>(X->start)->T);
  if (Which == Rules::RuleNamed)
    named(X, *I);
  else
    for (ParseTree *Child : X->children)
      if (const LexToken *T = leaf(Child))
        token(*T, *I);
      else
        part(inner(Child), *I);
  if (I->Kind == ast::ItemKind::Unit)
    exactFactor(*I);
  complete(*I);
  losses(*I);
  Lost |= Outer;
  // A record in a block is `node node = 8`, for example.
  bool Strange = Depth > 0 && I->Kind == ast::ItemKind::Record && I->Value && I->Value->Kind == ast::ExprKind::Error;
  bool Nameless = I->Kind != ast::ItemKind::Require && I->Kind != ast::ItemKind::Warn &&
                  I->Kind != ast::ItemKind::Maximize && I->Kind != ast::ItemKind::Minimize &&
                  I->Kind != ast::ItemKind::RuleNote && I->Kind != ast::ItemKind::RuleFix;
  return Strange || (Nameless && !I->Id) ? nullptr : I;
}

/// A field, a block, a field of a schema, a record, a test or a case of one: told apart by the name and what follows
/// it.
void Builder::named(ParserRuleContext *X, ast::Item &I) {
  for (ParseTree *Child : X->children) {
    ParserRuleContext *R = inner(Child);
    switch (R->getRuleIndex()) {
    case Rules::RuleName:
      I.Id = name(R);
      continue;
    case Rules::RuleBody:
      I.Kind = ast::isCaseWord(I.Id.Text) ? ast::ItemKind::Case : ast::ItemKind::Block;
      part(R, I);
      continue;
    case Rules::RuleUnnamedCase:
      I.Kind = ast::ItemKind::Case;
      if (lacksBody(R))
        I.Value = error(range(R));
      break;
    case Rules::RuleSchemaField:
      I.Kind = ast::ItemKind::SchemaField;
      break;
    case Rules::RuleRecord:
      I.Kind = ast::isCaseWord(I.Id.Text) ? ast::ItemKind::Case
               : I.Id.Text == "test"      ? ast::ItemKind::Test
                                          : ast::ItemKind::Record;
      I.Id2 = std::exchange(I.Id, {});
      if (lacksBody(R))
        I.Value = error(range(R));
      break;
    default:
      break;
    }
    for (ParseTree *Part : R->children)
      if (const LexToken *T = leaf(Part))
        token(*T, I);
      else
        part(inner(Part), I);
  }
  if (I.Kind == ast::ItemKind::Case && !I.Id2)
    I.Id2 = I.Id;
}

/// A part of an item, by its rule. Names go where the item's kind wants them, in order.
void Builder::part(ParserRuleContext *X, ast::Item &I) {
  switch (X->getRuleIndex()) {
  case Rules::RuleName: {
    ast::Name N = name(X);
    bool Words = I.Kind == ast::ItemKind::Unit || I.Kind == ast::ItemKind::Schema;
    if (!I.Id)
      I.Id = N;
    else if (I.Kind == ast::ItemKind::Unit && !I.Base && !I.Value)
      I.Base = N; // the base dimension of `unit B : information`
    else if (Words)
      I.Words.push_back(N);
    else if (I.Kind == ast::ItemKind::Rule)
      I.Id2 = N;
    else
      I.Base = N;
    return;
  }
  case Rules::RuleModule:
    if (I.Kind == ast::ItemKind::Use)
      I.Id = compound(X);
    else
      I.Words.push_back(compound(X));
    return;
  case Rules::RulePath:
    if (I.Kind == ast::ItemKind::Derive) {
      I.Id = compound(X);
      return;
    }
    I.Value = path(X);
    if (I.Kind == ast::ItemKind::Rule)
      I.Base = compound(X);
    return;
  case Rules::RuleParams:
    return params(X, I.Params);
  case Rules::RuleType:
    I.Ty = type(X);
    return;
  case Rules::RuleBody:
    ++Depth;
    items(X, I.Items);
    --Depth;
    Lost |= !closed(X);
    return;
  case Rules::RuleImport_:
    I.Value = import(X);
    return;
  case Rules::RuleAttribute:
    return attribute(X, I);
  case Rules::RuleExpr: {
    // `Flag` marks a `when` that was just read: its condition comes before the value.
    bool Extra = I.Kind == ast::ItemKind::RuleFix || (I.Kind == ast::ItemKind::Derive && I.Flag);
    I.Flag &= I.Kind != ast::ItemKind::Derive;
    (Extra ? I.Extra : I.Value) = expr(X);
    return;
  }
  default:
    return;
  }
}

void Builder::token(const LexToken &T, ast::Item &I) {
  if (T.Kind == Tok::When)
    I.Flag = true;
  if (T.Kind == Tok::Nearest)
    I.Words.push_back(name(T));
  if (T.Kind == Tok::In)
    I.Flag = true;
  if (T.Kind != Tok::String)
    return;
  swallows(T);
  if (I.Kind == ast::ItemKind::Use) {
    I.Flag = true;
    I.Id = {contents(T), range(T)};
    return;
  }
  I.Doc = contents(T);
  I.DocRange = range(T);
}

/// A word with what it is about behind it, or `range A..[B]`, whose ends go to Extra.
void Builder::attribute(ParserRuleContext *X, ast::Item &I) {
  for (ParseTree *Child : X->children) {
    if (const LexToken *T = leaf(Child)) {
      if (T->Kind == Tok::Attribute || T->Kind == Tok::Range)
        I.Words.push_back(name(*T));
      else if (T->Kind == Tok::String)
        I.Words.push_back({contents(*T), range(*T)});
    } else if (inner(Child)->getRuleIndex() == Rules::RulePath) {
      I.Words.push_back(compound(inner(Child)));
    } else {
      ast::Expr *Bound = expr(inner(Child));
      if (!I.Extra) {
        I.Extra = make(ast::ExprKind::List, Bound->Range);
        I.Extra->AtRange = range(X);
      }
      I.Extra->Range = I.Extra->Range.to(Bound->Range);
      I.Extra->Args.push_back(Bound);
    }
  }
}

/// In `unit bit = 1/8 B` the unit belongs to the whole factor, not to its denominator.
void Builder::exactFactor(ast::Item &I) {
  ast::Expr *V = I.Value;
  if (!V || V->Kind != ast::ExprKind::Binary || V->O != ast::Op::Div)
    return;
  ast::Expr *Denominator = V->Args[1];
  if (Denominator->Kind != ast::ExprKind::Number || !Denominator->Unit)
    return;
  ast::Expr *U = make(ast::ExprKind::Unit, Denominator->Unit->Range);
  U->Unit = std::move(Denominator->Unit);
  Denominator->Range = Denominator->AtRange;
  ast::Expr *Product = make(ast::ExprKind::Binary, V->Range);
  V->Range.End = Denominator->Range.End;
  Product->O = ast::Op::Mul;
  Product->Args = {V, U};
  I.Value = Product;
}

/// Puts Error expressions and empty types where parsing failed, so that nobody needs to ask for null.
void Builder::complete(ast::Item &I) {
  using K = ast::ItemKind;
  bool NeedsValue = I.Kind == K::Field || I.Kind == K::Let || I.Kind == K::Fn || I.Kind == K::Require ||
                    I.Kind == K::Warn || I.Kind == K::Maximize || I.Kind == K::Minimize || I.Kind == K::Assume ||
                    I.Kind == K::RuleNote || I.Kind == K::RuleFix || I.Kind == K::Derive || I.Kind == K::Rule;
  if (NeedsValue)
    I.Value = orError(I.Value, I.Range);
  if (I.Kind == K::RuleFix)
    I.Extra = orError(I.Extra, I.Range);
  bool NeedsType = I.Kind == K::Fn || I.Kind == K::Derive || I.Kind == K::SchemaField || I.Kind == K::Enum;
  if (NeedsType && !I.Ty)
    I.Ty = C.Tree.type();
}

/// Takes account of what the parser passed over in the item and behind it.
void Builder::losses(ast::Item &I) {
  auto Skipped = std::ranges::lower_bound(C.Skipped, I.Range.Begin);
  Lost |= Skipped != C.Skipped.end() && *Skipped < I.Range.End;
  bool Cut = std::ranges::binary_search(C.CutOff, I.Range.End);
  I.Incomplete = Lost || Cut;
  // In `node = 8 8 * h100` the value that was read is not the one that was meant.
  if (I.Value && Cut)
    I.Value = error(I.Value->Range);
}

} // namespace

void buildFile(const BuildContext &C, ParserRuleContext *File) {
  Builder B(C);
  B.items(File, C.Tree.Items);
  B.dropBrokenFields(C.Tree.Items);
}
ast::Expr *buildExpr(const BuildContext &C, ParserRuleContext *Expr) { return Builder(C).expr(Expr); }

} // namespace parlance::syntax
