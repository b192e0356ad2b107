// A checked program: the file, the files that it uses, their names, and everything that has a type.
#pragma once
#include "Sema/Library.h"
#include "Sema/Types.h"
#include "Syntax/Parser.h"
#include <map>
#include <memory>

namespace parlance {

/// One user file with the names that it declares and the files and library modules that it uses.
struct Module {
  std::unique_ptr<SyntaxTree> Tree;
  std::string Path;
  std::map<std::string_view, ast::Item *> Names;
  std::vector<Module *> Uses;
  std::vector<std::string_view> LibraryModules;
  std::set<std::string_view> RefusedNames; ///< of lets that have names of units, which was reported
  /// A file or module that it uses cannot be read, which was reported: a name that is not known may stand there.
  bool LacksNames = false;
};

/// The rules of a file that have codes, by these.
std::map<std::string_view, const ast::Item *> rulesByCode(const Module &M);

/// The path of the file that a `use "…"` names.
std::string usedPath(const Module &From, const ast::Item &Use);

/// Loads and checks files. Everything is reported to the engine; a program with errors can still be used for what is
/// right in it: an expression with an error has `Type::Kind::Error`.
class Program {
public:
  Program(SourceManager &Sources, const Library &Lib, DiagnosticEngine &Diags)
      : Sources(Sources), Lib(Lib), Diags(Diags) {}

  /// Parses and checks a file that was opened before, and all that it uses.
  Module &add(uint32_t File);
  const std::vector<std::unique_ptr<Module>> &modules() const { return Modules; }

  /// The lets of a job by name.
  const std::map<std::string_view, ast::Item *> &jobNames(const ast::Item &Job) { return JobNames[&Job]; }

  SourceManager &Sources;
  const Library &Lib;
  DiagnosticEngine &Diags;
  TypeArena Arena;

private:
  std::unique_ptr<SyntaxTree> parseOutside(uint32_t File);
  Module &load(uint32_t File, std::string Path, std::vector<std::string> &Open);
  bool useModule(Module &From, std::string_view Name);
  void use(Module &From, ast::Item &Use, std::vector<std::string> &Open);
  friend class ItemChecker;
  std::vector<std::unique_ptr<Module>> Modules;
  std::map<const ast::Item *, std::map<std::string_view, ast::Item *>> JobNames;
};

} // namespace parlance
