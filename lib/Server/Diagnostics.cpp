#include "Server/Diagnostics.h"
#include <algorithm>

namespace parlance::server {

static int severityNumber(Severity S) {
  switch (S) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Note:
    return 3;
  case Severity::Hint:
    return 4;
  }
  return 1;
}

/// What editors draw struck through or faded.
static json::Array tags(std::string_view Name) {
  static constexpr std::string_view Deprecated[] = {"deprecated-option", "old-option", "removed-option",
                                                    "old-and-new-option"};
  static constexpr std::string_view Unnecessary[] = {"ignored-option", "unused-allow"};
  if (std::ranges::find(Deprecated, Name) != std::end(Deprecated))
    return json::Array{2};
  if (std::ranges::find(Unnecessary, Name) != std::end(Unnecessary))
    return json::Array{1};
  return {};
}

/// A place in any file that the editor can open; null for one in a text of the library.
static json::Value location(SourceRange At, Snapshot &S, const Workspace &W) {
  if (!At)
    return nullptr;
  std::string Path = S.pathOf(At.File);
  lsp::URIForFile Uri = Path.empty() ? lsp::URIForFile() : W.uriOf(Path);
  return location(Uri, S.range(At));
}

static std::string pageUri(const Diagnostic &D, Snapshot &S, const Workspace &W, LibraryFolder &Pages) {
  if (!W.Options.RulePages.empty())
    return fmt::format("{}{}.md", W.Options.RulePages, D.Code);
  std::string Path = Pages.page(D.Code, S.Run.Lib);
  return Path.empty() ? "" : W.uriOf(Path).uri().str();
}

json::Value diagnosticJson(const Diagnostic &D, Snapshot &S, const Workspace &W, LibraryFolder &Pages) {
  std::string Message = D.Jobs.empty() ? D.Message : D.Message + ' ' + jobsOf(D);
  if (!D.CaretText.empty())
    Message += "\n" + D.CaretText;
  json::Array Related;
  auto Add = [&](SourceRange At, const std::string &Text) {
    if (json::Value Place = location(At, S, W); Place.getAsObject())
      Related.push_back(json::Object{{"location", std::move(Place)}, {"message", text(Text)}});
    else
      Message += "\n" + Text;
  };
  for (const Label &L : D.Labels)
    Add(L.Range, L.Text);
  for (const Note &N : D.Notes)
    Add(N.Range, N.Message);
  json::Object Result{{"range", D.Range ? S.range(D.Range) : lsp::Range()},
                      {"severity", severityNumber(D.Level)},
                      {"source", "parlance"},
                      {"message", text(Message)}};
  if (!D.Code.empty()) {
    Result["code"] = text(D.Code);
    if (std::string Page = pageUri(D, S, W, Pages); !Page.empty())
      Result["codeDescription"] = json::Object{{"href", Page}};
    Result["data"] = json::Object{{"name", text(D.Name)}};
  }
  if (!Related.empty())
    Result["relatedInformation"] = std::move(Related);
  if (json::Array Tags = tags(D.Name); !Tags.empty())
    Result["tags"] = std::move(Tags);
  return Result;
}

static std::string fileOf(const Diagnostic &D, const Document &Own, Snapshot &S) {
  return D.Range && D.Range.File != S.file() ? S.pathOf(D.Range.File) : Own.Key;
}

json::Array diagnosticsOf(const std::string &Key, Workspace &W, LibraryFolder &Pages) {
  json::Array Result;
  std::set<std::tuple<uint32_t, uint32_t, std::string_view, std::string_view>> Seen;
  for (Document *D : W.documents()) {
    Snapshot &S = W.snapshot(*D);
    if (!D->Recognised || (D->Key != Key && !S.dependsOn(Key)))
      continue;
    for (const Diagnostic &Found : S.found())
      if (fileOf(Found, *D, S) == Key &&
          Seen.emplace(Found.Range.Begin, Found.Range.End, Found.Code, Found.Message).second)
        Result.push_back(diagnosticJson(Found, S, W, Pages));
  }
  return Result;
}

std::set<std::string> filesWithDiagnostics(Workspace &W) {
  std::set<std::string> Result;
  for (Document *D : W.documents()) {
    Result.insert(D->Key);
    Snapshot &S = W.snapshot(*D);
    for (const Diagnostic &Found : S.found())
      if (std::string Key = fileOf(Found, *D, S); !Key.empty())
        Result.insert(Key);
  }
  return Result;
}

} // namespace parlance::server
