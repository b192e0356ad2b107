// What is left of a variable after branches or a loop: what they agree on, then a symbol.
#include "Frameworks/Shell/Evaluator.h"
#include <algorithm>

namespace parlance::shell {

static bool sameVariable(const Variable &A, const Variable &B) {
  return A.Array == B.Array && A.Exported == B.Exported && A.Scalar.same(B.Scalar) &&
         std::ranges::equal(A.Elements, B.Elements, [](const ShellText &X, const ShellText &Y) { return X.same(Y); });
}

/// What they begin with together, up to where each has a blank or ends; then the symbol. `TP=1` and
/// `TP=16` do not begin together.
ShellText Evaluator::mergeText(const std::vector<const ShellText *> &Texts, const Piece &Rest) const {
  std::vector<std::string> Flat;
  for (const ShellText *T : Texts)
    Flat.push_back(T->flat());
  size_t Common = Flat[0].size();
  for (const std::string &F : Flat)
    Common = std::min<size_t>(Common, std::ranges::mismatch(Flat[0], F).in1 - Flat[0].begin());
  auto Ends = [&](const std::string &F) {
    return Common == F.size() || F[Common] == ' ' || F[Common] == '\n' || F[Common] == '\0';
  };
  while (Common > 0 && !std::ranges::all_of(Flat, Ends))
    --Common;
  ShellText Head = Texts[0]->slice(0, Common);
  for (const ShellText *T : Texts)
    if (!Head.same(T->slice(0, Common)))
      Head = {};
  // The blank stays out of the symbol, which would otherwise be glued to the word before it.
  auto BeginsApart = [&](const std::string &F) { return Common == F.size() || F[Common] == ' ' || F[Common] == '\n'; };
  if (!Head.empty() && std::ranges::all_of(Flat, BeginsApart))
    Head.append(computed(" ", Rest.Range));
  Head.append(Rest);
  return Head;
}

std::shared_ptr<const Variable> Evaluator::mergeVariable(const std::string &Name,
                                                         const std::vector<const Variable *> &Values,
                                                         const std::string &LoopReason) {
  std::vector<SourceRange> Places;
  const Variable *Some = nullptr;
  bool Everywhere = true, Arrays = true;
  for (const Variable *V : Values) {
    Everywhere &= V != nullptr;
    if (!V)
      continue;
    Some = Some ? Some : V;
    Arrays &= V->Array;
    if (std::ranges::find(Places, V->At) == Places.end())
      Places.push_back(V->At);
    charge(V->Scalar.weight());
  }
  std::string At = lines(Places);
  std::string Reason = !LoopReason.empty() ? LoopReason
                       : Everywhere        ? "is set differently at " + At
                                           : "is set at " + At + " only under a condition that is not known";
  Piece Rest = symbol("$" + Name, std::move(Reason), Some->At, std::move(Places));
  Rest.MaySplit = true;
  auto Result = std::make_shared<Variable>();
  Result->At = Some->At;
  Result->Exported = Some->Exported;
  Result->Array = Everywhere && Arrays;
  if (Result->Array) {
    size_t Common = Some->Elements.size();
    for (const Variable *V : Values) {
      size_t I = 0;
      while (I < Common && I < V->Elements.size() && V->Elements[I].same(Some->Elements[I]))
        ++I;
      Common = I;
    }
    Result->Elements.assign(Some->Elements.begin(), Some->Elements.begin() + static_cast<ptrdiff_t>(Common));
    Result->Elements.emplace_back().append(Rest);
    return Result;
  }
  std::vector<const ShellText *> Texts;
  for (const Variable *V : Values)
    if (V && !V->Array)
      Texts.push_back(&V->Scalar);
  if (Everywhere && Texts.size() == Values.size())
    Result->Scalar = mergeText(Texts, Rest);
  else
    Result->Scalar.append(Rest);
  Result->Scalar = overrideOr(Name, std::move(Result->Scalar), Result->At);
  return Result;
}

void Evaluator::merge(std::vector<State> Ends, const std::string &LoopReason) {
  std::erase_if(Ends, [](const State &E) { return E.Dead; });
  if (Ends.empty()) {
    S.Dead = true;
    return;
  }
  S = std::move(Ends[0]);
  if (Ends.size() == 1)
    return;
  std::set<std::string> Names;
  for (const auto &[Name, V] : S.Variables)
    Names.insert(Name);
  for (size_t I = 1; I < Ends.size(); ++I)
    for (const auto &[Name, V] : Ends[I].Variables)
      Names.insert(Name);
  if (!charge(Names.size() * Ends.size() * 32))
    return;
  for (const std::string &Name : Names) {
    std::vector<const Variable *> Values{find(Name)};
    bool Same = true;
    for (size_t I = 1; I < Ends.size(); ++I) {
      auto Found = Ends[I].Variables.find(Name);
      Values.push_back(Found == Ends[I].Variables.end() ? nullptr : Found->second.get());
      const Variable *A = Values[0], *B = Values.back();
      Same &= A == B || (A && B && sameVariable(*A, *B));
    }
    if (!Same)
      S.Variables[Name] = mergeVariable(Name, Values, LoopReason);
  }
}

namespace {

/// The variables that statements assign, and whether they only ever append.
struct Assigned {
  std::map<std::string, bool> OnlyAppended;
  size_t Nodes = 0;

  void add(const std::string &Name, bool Append) {
    auto [At, New] = OnlyAppended.emplace(Name, Append);
    if (!New)
      At->second &= Append;
  }
  void simple(const Node &N) {
    if (N.Arguments.empty())
      for (const Assignment &A : N.Assignments)
        add(A.Name, A.Append);
    for (const Argument &A : N.Arguments)
      if (A.Assign)
        add(A.Assign->Name, A.Assign->Append);
  }
  void expression(std::string_view Text) {
    for (size_t I = 0; I < Text.size(); ++I) {
      size_t Begin = I;
      while (I < Text.size() && (isalnum(static_cast<unsigned char>(Text[I])) || Text[I] == '_'))
        ++I;
      std::string_view Rest = Text.substr(std::min(Text.find_first_not_of(' ', I), Text.size()));
      bool Sets = (Rest.starts_with("=") && !Rest.starts_with("==")) || Rest.starts_with("++") ||
                  Rest.starts_with("--") ||
                  (Rest.size() > 1 && Rest[1] == '=' && std::string_view("+-*/%").find(Rest[0]) != Rest.npos);
      if (I > Begin && Sets)
        add(std::string(Text.substr(Begin, I - Begin)), false);
    }
  }
  void list(const List &L, const Unit &U) {
    for (const auto &N : L)
      node(*N, U);
  }
  void node(const Node &N, const Unit &U) {
    ++Nodes;
    if (N.K == Node::Kind::Simple)
      simple(N);
    if (N.K == Node::Kind::For)
      add(N.Name, false);
    if (N.K == Node::Kind::Arithmetic || N.K == Node::Kind::For)
      expression(U.text().substr(N.Expression.At.Begin, N.Expression.At.End - N.Expression.At.Begin));
    list(N.Children, U);
    for (const Node::Arm &A : N.Arms) {
      list(A.Condition, U);
      list(A.Body, U);
    }
  }
};

} // namespace

/// Before a loop's body is read: what it assigns has another value the second time.
void Evaluator::markAssigned(const List &Body, Span Loop) {
  Assigned A;
  A.list(Body, *U);
  charge(A.Nodes);
  for (const auto &[Name, OnlyAppended] : A.OnlyAppended) {
    const Variable *Old = find(Name);
    if (!Old || Stopped)
      continue;
    Variable New = *Old;
    charge(New.Scalar.weight() + New.Elements.size() * 16);
    SourceRange At = U->range({Loop.Begin, std::min(Loop.Begin + 3, Loop.End)});
    Piece P = symbol("$" + Name, "changes in the loop at line " + std::to_string(line(At)), At);
    P.MaySplit = true;
    if (!OnlyAppended) {
      New.Scalar = {};
      New.Elements.clear();
    }
    if (New.Array)
      New.Elements.emplace_back().append(P);
    else
      New.Scalar.append(P);
    S.Variables[Name] = std::make_shared<const Variable>(std::move(New));
  }
}

} // namespace parlance::shell
