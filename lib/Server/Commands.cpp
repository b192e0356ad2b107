#include "Server/Commands.h"
#include "Frameworks/Lower/Conversion.h"
#include "Report/Estimate.h"
#include "Report/Pages.h"
#include "Server/Hover.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance::server {

static llvm::Error refused(const std::string &Why, lsp::ErrorCode Code = lsp::ErrorCode::RequestFailed) {
  return llvm::make_error<lsp::LSPError>(Why, Code);
}

namespace {

class CommandRunner {
public:
  CommandRunner(const ExecuteCommandParams &P, Workspace &W, LibraryFolder &Files, const std::string &Version)
      : P(P), W(W), Files(Files), Version(Version) {}

  llvm::Expected<CommandResult> estimate();
  llvm::Expected<CommandResult> lower();
  llvm::Expected<CommandResult> explain();

private:
  std::string word(size_t I) const {
    auto Text = I < P.Arguments.size() ? P.Arguments[I].getAsString() : std::nullopt;
    return Text ? Text->str() : "";
  }
  /// The open document that the first argument names.
  Document *document() const;
  llvm::Expected<const AnalyzedJob *> job();
  llvm::Expected<CommandResult> explainPlace(Document &D);

  const ExecuteCommandParams &P;
  Workspace &W;
  LibraryFolder &Files;
  const std::string &Version;
};

Document *CommandRunner::document() const {
  auto Uri = lsp::URIForFile::fromURI(word(0));
  if (Uri)
    return W.find(*Uri);
  llvm::consumeError(Uri.takeError());
  return nullptr;
}

/// The job that the second argument names, resolved; the only one where it names none.
llvm::Expected<const AnalyzedJob *> CommandRunner::job() {
  Document *D = document();
  if (!D)
    return refused(fmt::format("`{}` takes the URI of an open document", P.Command), lsp::ErrorCode::InvalidParams);
  const AnalyzedJob *Job = W.snapshot(*D).job(word(1));
  if (!Job)
    return refused(word(1).empty() ? "the document does not have exactly one job"
                                   : fmt::format("the document has no job `{}`", word(1)));
  if (!Job->Resolved || Job->Resolved->Context->derived(quantities::valid_world).Flag == Truth::False)
    return refused(fmt::format("job `{}` cannot be resolved", Job->Name));
  return Job;
}

llvm::Expected<CommandResult> CommandRunner::estimate() {
  auto Job = job();
  if (!Job)
    return Job.takeError();
  const Plan &Resolved = *(*Job)->Resolved;
  std::string Text = estimateText(Resolved, (*Job)->Verdict);
  CommandResult R;
  R.Shown = Files.result(fmt::format("{}-estimate.txt", (*Job)->Name), Text);
  auto Numbers = json::parse(estimateJson(Resolved, (*Job)->Name));
  if (!Numbers)
    return Numbers.takeError();
  R.Answer = json::Object{{"text", text(Text)}, {"estimate", std::move(*Numbers)}};
  return R;
}

llvm::Expected<CommandResult> CommandRunner::lower() {
  auto Job = job();
  if (!Job)
    return Job.takeError();
  std::string Target = word(2), Program = "parlance " + Version;
  if (std::ranges::find(loweringTargets(), Target) == loweringTargets().end())
    return refused(fmt::format("`{}` is not a target", Target), lsp::ErrorCode::InvalidParams);
  Document &D = *document();
  Snapshot &S = W.snapshot(D);
  for (const Diagnostic &Found : S.found())
    if (Found.Level == Severity::Error)
      return refused(fmt::format("the file has an error: {} ({})", Found.Message, Found.Code));
  std::string Source = D.Path.substr(D.Path.rfind('/') + 1);
  const Plan &Resolved = *(*Job)->Resolved;
  auto Lowered = parlance::lower(Resolved, {Target, Launcher::None, Program, Source}, S.Run.Values);
  std::string Why;
  std::vector<Diagnostic> Faults = S.Engine.take();
  hideOutside(Faults, S.Sources);
  for (const Diagnostic &Found : Faults)
    Why += Why.empty() ? Found.Message : "; " + Found.Message;
  if (!Lowered)
    return refused(Why.empty() ? "the job cannot be lowered" : Why);
  CommandResult R;
  json::Array List;
  for (const LoweredFile &F : Lowered->Files) {
    std::string Path = Files.result(fmt::format("{}-{}/{}", (*Job)->Name, Target, F.Name), F.Text);
    if (R.Shown.empty())
      R.Shown = Path;
    List.push_back(json::Object{{"name", text(F.Name)}, {"text", text(F.Text)}});
  }
  R.Answer = json::Object{{"files", std::move(List)},
                          {"report", text(conversionReport(Resolved, Target, *Lowered, S.Run.Values))}};
  return R;
}

/// The same as hovering there: a client that has no mouse can ask for it.
llvm::Expected<CommandResult> CommandRunner::explainPlace(Document &D) {
  lsp::Position At;
  json::Path::Root Root;
  if (P.Arguments.size() < 2 || !fromJSON(P.Arguments[1], At, Root))
    return refused("`parlance.explain` takes a code, or a URI and a position", lsp::ErrorCode::InvalidParams);
  json::Value Shown = hover(W.snapshot(D), At);
  const json::Object *O = Shown.getAsObject();
  if (!O)
    return refused("there is nothing to explain at this place");
  CommandResult R;
  std::string Text = O->getObject("contents")->getString("value")->str();
  R.Shown = Files.result("explanation.md", Text);
  R.Answer = json::Object{{"text", Text}};
  return R;
}

llvm::Expected<CommandResult> CommandRunner::explain() {
  if (Document *D = document())
    return explainPlace(*D);
  const Library &Lib = standardLibrary();
  auto Page = explanationPage(Lib, word(0));
  if (!Page)
    return refused(fmt::format("`{}` is not a diagnostic", word(0)), lsp::ErrorCode::InvalidParams);
  CommandResult R;
  R.Shown = Files.page(word(0), Lib);
  R.Answer = json::Object{{"text", text(*Page)}};
  return R;
}

struct Command {
  std::string_view Name;
  llvm::Expected<CommandResult> (CommandRunner::*Run)();
};
constexpr Command Commands[] = {{"parlance.estimate", &CommandRunner::estimate},
                                {"parlance.lower", &CommandRunner::lower},
                                {"parlance.explain", &CommandRunner::explain}};

} // namespace

json::Array commandNames() {
  json::Array Result;
  for (const Command &C : Commands)
    Result.push_back(text(C.Name));
  return Result;
}

llvm::Expected<CommandResult> execute(const ExecuteCommandParams &P, Workspace &W, LibraryFolder &Files,
                                      const std::string &Version) {
  for (const Command &C : Commands)
    if (C.Name == P.Command)
      return (CommandRunner(P, W, Files, Version).*C.Run)();
  return refused(fmt::format("there is no command `{}`", validUtf8(P.Command)), lsp::ErrorCode::InvalidParams);
}

} // namespace parlance::server
