#include "Sema/Chains.h"
#include "Basic/Diagnostics.h"
#include <algorithm>
#include <unordered_map>

namespace parlance {

using namespace ast;

//===----------------------------------------------------------------------===//
// Bases
//===----------------------------------------------------------------------===//

static Item *baseOf(Module &File, const Library &Lib, const Item &R) {
  if (!R.Base)
    return nullptr;
  FileSymbol Found = lookup(File, Lib, R.Base.Text);
  return Found.Item && Found.Item->Kind == ItemKind::Record ? Found.Item : nullptr;
}

static void cut(Item &R) {
  R.Base = {};
  R.Incomplete = true;
}

void cutBaseChains(Module &File, const Library &Lib, DiagnosticEngine &Diags) {
  std::unordered_map<const Item *, unsigned> Depth; // of what is behind a record; absent while unknown
  bool TooLong = false;
  for (Item *Start : File.Tree->Items) {
    if (Start->Kind != ItemKind::Record)
      continue;
    std::vector<Item *> Chain;
    for (Item *R = Start; R && !Depth.contains(R); R = baseOf(File, Lib, *R)) {
      auto Again = std::ranges::find(Chain, R);
      if (Again == Chain.end()) {
        Chain.push_back(R);
        continue;
      }
      Item *First = *std::ranges::min_element(Again, Chain.end(), {}, [](Item *I) { return I->Id.Range.Begin; });
      Diags.report(diag::DependsOnItself, First->Id.Range, First->Id.Text);
      for (auto It = Again; It != Chain.end(); ++It)
        cut(**It);
      break;
    }
    while (!Chain.empty()) {
      Item *R = Chain.back(), *Base = baseOf(File, Lib, *R);
      Chain.pop_back();
      unsigned D = Base ? Depth[Base] + 1 : 0;
      if (D > MaxChain) {
        if (!TooLong)
          Diags.report(diag::ChainTooLong, R->Id.Range, R->Id.Text, MaxChain);
        TooLong = true;
        cut(*R);
      }
      Depth[R] = D;
    }
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

void calls(const Expr &E, std::vector<Item *> &Out) {
  if (E.Target.K == Ref::Kind::UserFunction || E.Target.K == Ref::Kind::Let)
    Out.push_back(E.Target.Decl);
  for (const Expr *A : E.Args)
    if (A)
      calls(*A, Out);
}

/// Depth-first over functions and lets with a stack of its own: the files decide how deep it goes.
class CallWalk {
public:
  explicit CallWalk(DiagnosticEngine &Diags) : Diags(Diags) {}

  void walk(Item &Start) {
    if (!States.contains(&Start))
      enter(Start);
    while (!Stack.empty()) {
      Frame &Top = Stack.back();
      if (Top.Next == Top.Out.size()) {
        leave();
        continue;
      }
      Item &Callee = *Top.Out[Top.Next++];
      auto It = States.find(&Callee);
      if (It == States.end())
        enter(Callee);
      else if (It->second.Active)
        circle(Callee);
      else
        Top.Depth = std::max(Top.Depth, It->second.Depth + 1);
    }
  }

private:
  struct State {
    bool Active;
    unsigned Depth;
  };
  struct Frame {
    Item *Fn;
    std::vector<Item *> Out;
    size_t Next = 0;
    unsigned Depth = 0;
  };

  void enter(Item &I) {
    States[&I] = {true, 0};
    Frame F{&I, {}};
    if (I.Value)
      calls(*I.Value, F.Out);
    Stack.push_back(std::move(F));
  }
  void leave() {
    Frame Done = std::move(Stack.back());
    Stack.pop_back();
    if (Done.Depth > MaxChain) {
      if (!TooLong)
        Diags.report(diag::ChainTooLong, Done.Fn->Id.Range, Done.Fn->Id.Text, MaxChain);
      TooLong = true;
      Done.Fn->Declared = Type();
    }
    States[Done.Fn] = {false, Done.Depth};
    if (!Stack.empty())
      Stack.back().Depth = std::max(Stack.back().Depth, Done.Depth + 1);
  }
  void circle(Item &Callee) {
    if (Callee.Declared.isError())
      return;
    if (Callee.Kind == ItemKind::Fn)
      Diags.report(diag::Recursion, Callee.Id.Range, Callee.Id.Text);
    else
      Diags.report(diag::DependsOnItself, Callee.Id.Range, Callee.Id.Text);
    Callee.Declared = Type();
  }

  DiagnosticEngine &Diags;
  std::unordered_map<const Item *, State> States;
  std::vector<Frame> Stack;
  bool TooLong = false;
};

} // namespace

void checkCallChains(Module &File, DiagnosticEngine &Diags) {
  CallWalk Walk(Diags);
  for (Item *I : File.Tree->Items)
    if (I->Kind == ItemKind::Fn)
      Walk.walk(*I);
}

} // namespace parlance
