#include "Basic/Text.h"
#include "Basic/Utf8.h"
#include "Render/Render.h"
#include "Server/Hover.h"

namespace parlance::server {

std::string codeBlock(std::string_view Code) { return fmt::format("```parlance\n{}\n```\n", Code); }

/// A derivation goes down to every literal: beside a mouse its first levels are enough.
static Derivation pruned(const Derivation &D, unsigned Depth, unsigned &Budget) {
  Derivation Result = D;
  Result.Terms.clear();
  for (const Derivation &Term : D.Terms) {
    if (!Depth || !Budget)
      break;
    --Budget;
    Result.Terms.push_back(pruned(Term, Depth - 1, Budget));
  }
  return Result;
}

std::string derivationMarkdown(const Derivation &D, const SourceManager &Sources) {
  constexpr unsigned Levels = 3;
  unsigned Lines = 24;
  return fmt::format("```text\n{}```\n", renderDerivation(pruned(D, Levels, Lines), Sources));
}

std::string findingMarkdown(const Diagnostic &D, const SourceManager &Sources) {
  std::string Out = fmt::format("**{}** {} `{} {}`\n", severityName(D.Level), printable(D.Message), D.Code, D.Name);
  if (!D.CaretText.empty())
    Out += fmt::format("\n{}\n", printable(D.CaretText));
  if (!D.Body.empty()) {
    Out += "\n```text\n";
    for (const std::string &Line : D.Body)
      Out += Line + "\n";
    Out += "```\n";
  }
  for (const Note &N : D.Notes)
    Out += fmt::format("\n- {}{}", printable(N.Message),
                       N.Range ? fmt::format(" (line {})", Sources.begin(N.Range).Line) : "");
  if (!D.Notes.empty())
    Out += '\n';
  for (const Derivation &Tree : D.Derivations)
    Out += "\n" + derivationMarkdown(Tree, Sources);
  if (!D.Fixes.empty())
    Out += "\nFixes, each tried:\n";
  for (const Fix &F : D.Fixes) {
    Out += "- " + printable(F.Title);
    for (size_t I = 0; I < F.Effect.size(); ++I)
      Out += fmt::format("{}{} {}", I ? ", " : ": ", F.Effect[I].first, F.Effect[I].second);
    Out += '\n';
  }
  return Out;
}

std::string docMarkdown(std::string_view Doc) {
  std::string Text = unescape(Doc), Out;
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    size_t Begin = std::min(Text.find_first_not_of(" \t", At), End);
    Out += Text.substr(Begin, End - Begin) + "\n";
    At = End + 1;
  }
  Out.erase(Out.find_last_not_of(" \t\n") + 1);
  return Out.erase(0, std::min(Out.find_first_not_of('\n'), Out.size()));
}

std::string signature(std::string_view Word, std::string_view Name, std::span<const ParamDecl> Params,
                      const Type &Result) {
  std::string Out = fmt::format("{} {}", Word, Name);
  if (!Params.empty() || Word == "fn") {
    Out += '(';
    for (size_t I = 0; I < Params.size(); ++I)
      Out += fmt::format("{}{}: {}", I ? ", " : "", Params[I].Name, typeName(Params[I].Ty));
    Out += ')';
  }
  return Out + (Word == "fn" ? " -> " : ": ") + typeName(Result);
}

std::string signature(const ast::Item &Fn, const SourceManager &Sources) {
  std::string Out = fmt::format("fn {}(", Fn.Id.Text);
  for (size_t I = 0; I < Fn.Params.size(); ++I)
    Out += fmt::format("{}{}: {}", I ? ", " : "", Fn.Params[I].Id.Text,
                       Fn.Params[I].Ty ? Sources.text(Fn.Params[I].Ty->Range) : "?");
  return Out + ") -> " + (Fn.Ty ? std::string(Sources.text(Fn.Ty->Range)) : "?");
}

std::string fieldHead(const SchemaDecl &Schema, const FieldDecl &F) {
  std::string Out = fmt::format("{}.{}: {}", Schema.Name, F.Name, typeName(F.Ty));
  for (const Type &Alternative : F.Alternatives)
    Out += " | " + typeName(Alternative);
  if (!F.DefaultText.empty())
    Out += fmt::format(" = {}", F.DefaultText);
  return Out;
}

} // namespace parlance::server
