// Pages made from the library and from Diagnostics.def: docs/formulas.md and docs/rules/.
#include "Docs.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Emitter.h"
#include "Sema/ItemChecker.h"
#include "Sema/Types.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance {

namespace {

std::vector<Page> pages(const Library &Lib) {
  std::vector<Page> Result;
  for (const DiagnosticPage &P : diagnosticPages())
    Result.push_back({std::string(P.Code), std::string(P.Name), std::string(severityName(P.Level)),
                      std::string(P.Message), std::string(P.Why), "", std::string(P.Example), std::string(P.Fixed), "",
                      ""});
  for (const RuleDecl &R : Lib.Rules) {
    Page P{std::string(R.Code),
           std::string(R.Name),
           std::string(severityName(R.Level)),
           std::string(R.Message),
           oneLine(R.Why),
           oneLine(R.Raises),
           std::string(R.Example),
           std::string(R.Fixed),
           fmt::format("lib/{}", R.Source.File),
           ""};
    for (std::string_view F : R.Frameworks)
      P.Frameworks += (P.Frameworks.empty() ? "" : ", ") + std::string(F);
    Result.push_back(P);
  }
  std::ranges::sort(Result, {}, &Page::Code);
  return Result;
}

std::string render(const Page &P) {
  std::string Out = fmt::format("{}# {} {}\n\n*{}*: `{}`\n", DocsBanner, P.Code, P.Name, P.Level, P.Message);
  if (!P.Why.empty())
    Out += fmt::format("\n{}\n", P.Why);
  if (!P.Raises.empty())
    Out += fmt::format("\n**In the framework:** {}\n", P.Raises);
  if (!P.Frameworks.empty())
    Out += fmt::format("\nApplies to: {}.\n", P.Frameworks);
  if (!P.Example.empty())
    Out += fmt::format("\n## Triggers it\n```parlance\n{}```\n", P.Example);
  if (!P.Fixed.empty())
    Out += fmt::format("\n## Corrected\n```parlance\n{}```\n", P.Fixed);
  if (!P.Where.empty())
    Out += fmt::format("\nDeclared in `{}`.\n", P.Where);
  return Out;
}

std::string parameters(std::span<const ParamDecl> Params) {
  std::string Out;
  for (const ParamDecl &P : Params)
    Out += fmt::format("{}{}: {}", Out.empty() ? "" : ", ", P.Name, typeName(P.Ty));
  return Out;
}

template <typename Decl> void formula(std::string &Out, const Decl &D, bool Call) {
  Out += fmt::format("### `{}{}` : `{}`\n{}\n", D.Name,
                     Call || !D.Params.empty() ? fmt::format("({})", parameters(D.Params)) : "", typeName(D.Result),
                     oneLine(D.Doc));
  Out += fmt::format("```parlance\n{}\n```\n[{}:{}](../lib/{})\n\n", D.Source.Text, D.Source.File, D.Source.Line,
                     D.Source.File);
}

std::string formulas(const Library &Lib) {
  std::string Out = std::string(DocsBanner) + "# Formulas\n\nEvery number that Parlance prints comes "
                                              "from one of these. Units are checked when the "
                                              "library is built. Bytes are `B`, elements `elem`, "
                                              "tokens `tok`; a figure per GPU is `…/gpu`.\n\n"
                                              "## What a job offers to its expressions\n\n";
  std::vector<const DeriveDecl *> Derives;
  for (const DeriveDecl &D : Lib.Derives)
    if (!isTranslation(D))
      Derives.push_back(&D);
  auto ByFile = [](const auto *A, const auto *B) {
    return std::pair(A->Source.File, A->Source.Line) < std::pair(B->Source.File, B->Source.Line);
  };
  std::ranges::sort(Derives, ByFile);
  for (const DeriveDecl *D : Derives)
    formula(Out, *D, false);
  Out += "## Functions\n\n";
  std::vector<const FunctionDecl *> Functions;
  for (const FunctionDecl &F : Lib.Functions)
    Functions.push_back(&F);
  std::ranges::sort(Functions, ByFile);
  for (const FunctionDecl *F : Functions)
    formula(Out, *F, true);
  return Out;
}

//===----------------------------------------------------------------------===//
// Frameworks
//===----------------------------------------------------------------------===//

std::string cell(std::string_view Text) { return tableCell(oneLine(Text)); }

std::string meaning(const Library &Lib, std::string_view Framework, std::string_view Path, const FieldDecl &F) {
  std::string Out;
  for (std::string_view Field : fieldsMeant(Lib, Framework, Path, F))
    Out += fmt::format("{}`{}`", Out.empty() ? "" : ", ", Field);
  return Out;
}

void optionRows(std::string &Out, const Library &Lib, std::string_view Framework, const SchemaDecl &S,
                const std::string &Prefix) {
  for (const FieldDecl &F : S.Fields) {
    std::string Path = Prefix + std::string(F.Name);
    if (F.Ty.K == Type::Kind::Record) {
      optionRows(Out, Lib, Framework, *F.Ty.Schema, Path + ".");
      continue;
    }
    std::string Name = Prefix + std::string(F.Spelling.empty() ? F.Name : F.Spelling), Old;
    for (std::string_view O : F.Old)
      Old += fmt::format("{}`{}`", Old.empty() ? "; was " : ", ", O);
    Out += fmt::format("| `{}` | {} | {} | {} | {}{}{} |\n", Name, cell(typeName(F.Ty)),
                       F.DefaultText.empty() ? std::string(F.Required ? "required" : "")
                                             : fmt::format("`{}`", cell(F.DefaultText)),
                       meaning(Lib, Framework, Path, F), cell(F.Doc), F.List ? " (a list)" : "", Old);
  }
}

std::string frameworkPage(const Library &Lib, const FieldDecl &Block) {
  const SchemaDecl &S = *Block.Ty.Schema;
  std::string Out =
      fmt::format("{}# {}\n\nThe options that Parlance knows. The fourth column has the fields of a job that "
                  "an "
                  "option means, alone or with others: they are what rules judge, what an import gives and "
                  "what "
                  "lowering is made from. Options without one stay in the block `{}` of a job.\n\n"
                  "| option | type | default | field of a job | meaning |\n| --- | --- | --- | --- | --- |\n",
                  DocsBanner, S.Doc, Block.Name);
  optionRows(Out, Lib, Block.Name, S, {});
  return Out;
}

} // namespace

std::map<std::string, std::string> documentation(const Library &Lib) {
  std::map<std::string, std::string> Files;
  auto Pages = pages(Lib);
  for (const Page &P : Pages)
    Files[fmt::format("rules/{}.md", P.Code)] = render(P);
  Files["rules/README.md"] = ruleIndex(Pages);
  Files["rules/index.html"] = ruleIndexHtml(Pages);
  Files["formulas.md"] = formulas(Lib);
  for (const FieldDecl &F : Lib.schema("job")->Fields)
    if (F.Optional && F.Ty.K == Type::Kind::Record)
      Files[fmt::format("frameworks/{}.md", F.Name)] = frameworkPage(Lib, F);
  return Files;
}

} // namespace parlance
