#include "Sema/Soundness.h"
#include <algorithm>
#include <span>

namespace parlance {

using namespace ast;

bool isSound(const Expr &E) {
  bool Respelt = E.Kind == ExprKind::Binary && E.Flag;
  if (E.Ty.isError() || Respelt || (E.Target.Decl && !isSound(*E.Target.Decl)))
    return false;
  // The callee of a call has no type of its own.
  auto Parts = std::span(E.Args).subspan(E.Kind == ExprKind::Call ? 1 : 0);
  return std::ranges::all_of(Parts, [](const Expr *Part) { return isSound(*Part); });
}

/// `auto` and `import` have no type of their own.
static bool isTyped(const Expr &Value) { return Value.Kind != ExprKind::Auto && Value.Kind != ExprKind::Import; }

static bool judge(const Item &I) {
  switch (I.Kind) {
  case ItemKind::Record:
    if (I.Declared.isError() || (I.BaseDecl && !isSound(*I.BaseDecl)))
      return false;
    [[fallthrough]];
  case ItemKind::Block:
    return !I.Incomplete && !I.Flawed && std::ranges::all_of(I.Items, [](const Item *Part) {
      bool Gives = Part->Kind == ItemKind::Field || Part->Kind == ItemKind::Block;
      return !Gives || isSound(*Part);
    });
  case ItemKind::Let:
  case ItemKind::Fn:
    return !I.Declared.isError() && I.Value && isSound(*I.Value);
  default:
    return !I.Flawed && (!I.Value || !isTyped(*I.Value) || isSound(*I.Value));
  }
}

bool isSound(const Item &I) {
  if (I.Judged == Item::Judgement::None) {
    I.Judged = Item::Judgement::Sound; // a circle, which is reported, must end
    I.Judged = judge(I) ? Item::Judgement::Sound : Item::Judgement::Unsound;
  }
  return I.Judged == Item::Judgement::Sound;
}

} // namespace parlance
