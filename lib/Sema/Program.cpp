// Loading of files: `use`, cycles, and the order in which files are checked.
#include "Sema/Program.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Sema/ItemChecker.h"
#include <algorithm>
#include <filesystem>

namespace parlance {

using namespace ast;

std::map<std::string_view, const ast::Item *> rulesByCode(const Module &M) {
  std::map<std::string_view, const ast::Item *> Result;
  for (const ast::Item *I : M.Tree->Items)
    if (I->Kind == ast::ItemKind::Rule && I->Id2)
      Result.emplace(I->Id2.Text, I);
  return Result;
}

/// A code that two files give to rules of theirs would stand for both. The error is at the `use` of the second one, or
/// at its rule where a project adds the file.
static void reportSharedCodes(const Module &First, const Module &Second, const ast::Item *Use,
                              DiagnosticEngine &Diags) {
  const auto Taken = rulesByCode(First);
  for (const auto &[Code, Rule] : rulesByCode(Second)) {
    auto It = Taken.find(Code);
    if (It == Taken.end())
      continue;
    Diagnostic &D = Diags.report(diag::DuplicateName, Use ? Use->Id.Range : Rule->Id2.Range, Code);
    D.Notes.push_back({It->second->Id2.Range, "declared here first"});
    if (Use)
      D.Notes.push_back({Rule->Id2.Range, "and here"});
  }
}

Module &Program::add(uint32_t File) {
  const size_t Before = Modules.size();
  std::vector<std::string> Open;
  Module &Added = load(File, Sources.file(File).name(), Open);
  for (size_t I = Before; I < Modules.size(); ++I)
    for (size_t Earlier = 0; Earlier < Before; ++Earlier)
      reportSharedCodes(*Modules[Earlier], *Modules[I], nullptr, Diags);
  return Added;
}

/// A file that may not be shown is used whole or not at all: it may be no .parl file.
std::unique_ptr<SyntaxTree> Program::parseOutside(uint32_t File) {
  DiagnosticEngine Own;
  auto Tree = parse(Sources, File, Lib.Units, Own);
  if (Own.errors()) {
    Tree->Items.clear();
    Diags.add(std::move(Own.take().front()));
  }
  return Tree;
}

Module &Program::load(uint32_t File, std::string Path, std::vector<std::string> &Open) {
  for (auto &M : Modules)
    if (M->Tree->File == File)
      return *M;
  Module &M = *Modules.emplace_back(std::make_unique<Module>());
  M.Path = std::move(Path);
  if (Sources.isOutside(File))
    M.Tree = parseOutside(File);
  else
    M.Tree = parse(Sources, File, Lib.Units, Diags);
  Open.push_back(M.Path);
  for (Item *I : M.Tree->Items)
    if (I->Kind == ItemKind::Use)
      use(M, *I, Open);
  Open.pop_back();
  ItemChecker(*this, M).check();
  return M;
}

std::string usedPath(const Module &From, const Item &Use) {
  namespace fs = std::filesystem;
  return (fs::path(From.Path).parent_path() / fs::path(unescape(Use.Id.Text))).lexically_normal().string();
}

/// "std/hardware" for the ways in which other languages name it: `std.hardware`, `./std/hardware.parl`.
static std::string moduleName(std::string Text) {
  if (Text.ends_with(".parl"))
    Text.resize(Text.size() - 5);
  if (Text.starts_with("./"))
    Text.erase(0, 2);
  std::ranges::replace(Text, '.', '/');
  return Text;
}

/// Brings a module of the library in. Returns whether there is one of that name.
bool Program::useModule(Module &From, std::string_view Name) {
  auto It = std::ranges::find(Lib.Modules, moduleName(std::string(Name)));
  if (It == Lib.Modules.end())
    return false;
  if (std::ranges::find(From.LibraryModules, *It) == From.LibraryModules.end())
    From.LibraryModules.push_back(*It);
  return true;
}

void Program::use(Module &From, Item &Use, std::vector<std::string> &Open) {
  if (!Use.Flag) {
    if (useModule(From, Use.Id.Text))
      return;
    From.LacksNames = true;
    std::vector<std::string_view> Names(Lib.Modules.begin(), Lib.Modules.end());
    Diagnostic &D = Diags.report(diag::UseNotFound, Use.Id.Range, std::string(Use.Id.Text),
                                 fmt::format("the library has {}", joinList(Names, "and")));
    if (auto Near = nearest(Use.Id.Text, Names))
      D.Fixes.push_back(
          {fmt::format("`use {}`", *Near), Applicability::Maybe, {{Use.Id.Range, std::string(*Near)}}, {}});
    return;
  }
  std::string Path = usedPath(From, Use);
  if (auto It = std::ranges::find(Open, Path); It != Open.end()) {
    std::string Cycle;
    for (auto I = It; I != Open.end(); ++I)
      Cycle += *I + " uses ";
    Diags.report(diag::UseCycle, Use.Id.Range, Cycle + Path);
    From.LacksNames = true;
    return;
  }
  SourceManager::ReadError Error;
  auto File = Sources.openNamed(Path, Use.Id.Range, Error);
  if (!File) {
    Diagnostic &D = Diags.report(diag::UseNotFound, Use.Id.Range, Path, Error.Reason);
    std::string Module = moduleName(unescape(Use.Id.Text));
    if (useModule(From, Module)) {
      D.Notes.push_back({{}, "a module of the library is named without quotes"});
      D.Fixes.push_back({fmt::format("`{}`", Module), Applicability::Machine, {{Use.Id.Range, Module}}, {}});
    } else {
      From.LacksNames = true;
    }
    return;
  }
  Module &Used = load(*File, Path, Open);
  From.LacksNames |= Sources.isOutside(*File) && Used.Tree->Items.empty();
  if (std::ranges::find(From.Uses, &Used) != From.Uses.end())
    return;
  for (const Module *Other : From.Uses)
    reportSharedCodes(*Other, Used, &Use, Diags);
  From.Uses.push_back(&Used);
}

} // namespace parlance
