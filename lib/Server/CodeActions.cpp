#include "Server/CodeActions.h"
#include "Basic/Diff.h"
#include "Frameworks/Lower/Lower.h"
#include "Policy/Selection.h"
#include "Server/Index.h"
#include <algorithm>

namespace parlance::server {

using namespace ast;

json::Value workspaceEdit(std::span<const Edit> Edits, Snapshot &S, const Workspace &W) {
  lsp::WorkspaceEdit Result;
  for (const Edit &E : Edits) {
    std::string Path = S.pathOf(E.Range.File);
    if (!Path.empty())
      Result.changes[W.uriOf(Path).uri().str()].push_back({S.range(E.Range), validUtf8(E.NewText)});
  }
  return Result;
}

namespace {

class ActionFinder {
public:
  ActionFinder(Document &D, const CodeActionParams &P, bool Resolves, Workspace &W)
      : D(D), S(W.snapshot(D)), W(W), P(P), Resolves(Resolves) {}
  json::Array find();

private:
  bool wanted(llvm::StringRef Kind) const;
  void add(llvm::StringRef Kind, const std::string &Title, json::Object Rest);
  void command(llvm::StringRef Kind, const std::string &Title, llvm::StringRef Name, json::Array Arguments);
  void fixes(const Diagnostic &F);
  void allow(const Diagnostic &F);
  void fixAll();
  void writeUnit();
  void ofJob();

  Document &D;
  Snapshot &S;
  Workspace &W;
  const CodeActionParams &P;
  bool Resolves;
  uint32_t Begin = 0, End = 0;
  json::Array Result;
};

/// Whether a kind ("quickfix.x") is asked for: a client asks for kinds and all below them.
bool ActionFinder::wanted(llvm::StringRef Kind) const {
  return P.Only.empty() || std::ranges::any_of(P.Only, [&](llvm::StringRef Asked) {
           return Kind == Asked || Kind.starts_with((Asked + ".").str());
         });
}

void ActionFinder::add(llvm::StringRef Kind, const std::string &Title, json::Object Rest) {
  if (!wanted(Kind))
    return;
  Rest["title"] = text(Title);
  Rest["kind"] = Kind;
  Result.push_back(std::move(Rest));
}

void ActionFinder::command(llvm::StringRef Kind, const std::string &Title, llvm::StringRef Name,
                           json::Array Arguments) {
  json::Object Command{{"title", text(Title)}, {"command", Name}, {"arguments", std::move(Arguments)}};
  add(Kind, Title, json::Object{{"command", std::move(Command)}});
}

/// The fixes that can be applied, each with what it does to the job.
void ActionFinder::fixes(const Diagnostic &F) {
  bool First = true;
  for (const Fix &Offered : F.Fixes) {
    if (Offered.Edits.empty())
      continue;
    std::string Title = Offered.Title;
    std::erase(Title, '`');
    for (size_t I = 0; I < Offered.Effect.size(); ++I)
      Title += fmt::format("{}{} {}", I ? ", " : " (", Offered.Effect[I].first, Offered.Effect[I].second);
    if (!Offered.Effect.empty())
      Title += ')';
    json::Object Action{{"edit", workspaceEdit(Offered.Edits, S, W)}};
    // What a machine may apply is what an editor's "auto fix" takes.
    if (First && Offered.Trust == Applicability::Machine)
      Action["isPreferred"] = true;
    First = false;
    add("quickfix", "Fix: " + Title, std::move(Action));
  }
}

/// A comment above the line that declares the finding right; the reason is for the user to write. JSON has no comments.
void ActionFinder::allow(const Diagnostic &F) {
  if (whyHard(F.Code, F.Level) || D.Path.ends_with(".json"))
    return;
  std::string_view Text = S.text();
  size_t Line = F.Range.Begin ? Text.rfind('\n', F.Range.Begin - 1) + 1 : 0;
  // In a script, a line may go on in the next one: the comment stands above all of them.
  while (!S.main() && Line >= 2 && Text[Line - 2] == '\\')
    Line = Line == 2 ? 0 : Text.rfind('\n', Line - 2) + 1;
  std::string_view Indent = Text.substr(Line, Text.find_first_not_of(" \t", Line) - Line);
  auto At = static_cast<uint32_t>(Line);
  Edit Insertion{{S.file(), At, At}, fmt::format("{}# parlance: allow({}) reason\n", Indent, F.Code)};
  add("quickfix", fmt::format("Allow {} here, with a reason", F.Code),
      json::Object{{"edit", workspaceEdit({&Insertion, 1}, S, W)}});
}

/// What `check --fix` would make of the document, found once for each of its states.
json::Value allFixed(const Document &D, Workspace &W, Snapshot &S) {
  if (!S.AllFixed)
    S.AllFixed = W.fixed(D).value_or(std::string(S.text()));
  return workspaceEdit(lineEdits(S.file(), S.text(), *S.AllFixed), S, W);
}

/// Editors ask whenever the cursor moves, and fixing takes many checks: where the client can, it asks again when
/// someone chooses the action.
void ActionFinder::fixAll() {
  constexpr llvm::StringLiteral Kind = "source.fixAll.parlance";
  bool Any = std::ranges::any_of(S.found(), [](const Diagnostic &F) {
    return std::ranges::any_of(
        F.Fixes, [](const Fix &Offered) { return Offered.Trust == Applicability::Machine && !Offered.Edits.empty(); });
  });
  if (!Any || !wanted(Kind))
    return;
  bool Later = Resolves && P.Only.empty();
  json::Object Action;
  if (Later)
    Action["data"] = json::Object{{"uri", text(D.Uri.uri())}};
  else
    Action["edit"] = allFixed(D, W, S);
  if (Later || *S.AllFixed != S.text())
    add(Kind, "Apply all safe fixes", std::move(Action));
}

/// A `let` whose unit was inferred gets it written.
void ActionFinder::writeUnit() {
  std::vector<Item *> Path = itemsAt(*S.main(), Begin);
  if (Path.empty() || Path.back()->Kind != ItemKind::Let)
    return;
  const Item &Let = *Path.back();
  if (Let.Ty || !Let.Declared.isQuantity())
    return;
  std::string Unit = typeName(Let.Declared);
  Edit Insertion{{S.file(), Let.Id.Range.End, Let.Id.Range.End}, ": " + Unit};
  add("refactor.rewrite", fmt::format("Write the unit: {}", Unit),
      json::Object{{"edit", workspaceEdit({&Insertion, 1}, S, W)}});
}

void ActionFinder::ofJob() {
  std::vector<Item *> Path = itemsAt(*S.main(), Begin);
  const AnalyzedJob *Job = Path.empty() ? nullptr : S.jobAround(*Path[0]);
  if (!Job)
    return;
  json::Array Arguments{text(D.Uri.uri()), text(Job->Name)};
  command("source.estimate", fmt::format("Show the estimate of {}", Job->Name), "parlance.estimate", Arguments);
  for (std::string_view Target : loweringTargets()) {
    json::Array WithTarget = Arguments;
    WithTarget.push_back(text(Target));
    command("source.lower", fmt::format("Lower {} to {}", Job->Name, Target), "parlance.lower", std::move(WithTarget));
  }
}

json::Array ActionFinder::find() {
  if (!S.file())
    return {};
  const LineTable &Lines = S.lines(S.file());
  Begin = Lines.offset(P.Range.start);
  End = Lines.offset(P.Range.end);
  std::set<std::string_view> Explained;
  for (const Diagnostic &F : S.found()) {
    if (F.Range.File != S.file() || F.Range.Begin > End || F.Range.End < Begin)
      continue;
    fixes(F);
    allow(F);
    if (Explained.insert(F.Code).second)
      command("quickfix", fmt::format("Explain {} ({})", F.Code, F.Name), "parlance.explain",
              json::Array{text(F.Code)});
  }
  fixAll();
  if (S.main()) {
    writeUnit();
    ofJob();
  }
  return std::move(Result);
}

} // namespace

json::Value codeActions(Document &D, const CodeActionParams &P, bool Resolves, Workspace &W) {
  return ActionFinder(D, P, Resolves, W).find();
}

json::Value resolved(Document &D, json::Object Action, Workspace &W) {
  Action["edit"] = allFixed(D, W, W.snapshot(D));
  return Action;
}

} // namespace parlance::server
