// Makes a Library from the sources in lib/std at run time: for parlance-gen, and for tests that hold the generated
// library against its sources.
#pragma once
#include "Eval/Evaluator.h"
#include "Sema/ItemChecker.h"

namespace parlance {

class LibraryBuilder {
public:
  explicit LibraryBuilder(SourceManager &Sources, DiagnosticEngine &Diags) : Sources(Sources), Diags(Diags) {}

  /// Reads all files, in any order. False when anything was reported. A file NAME.parl becomes module std/NAME when it
  /// declares records; those in frameworks/ are of module std/stacks. Rules stand in rules/*.parl and
  /// frameworks/*/rules*.parl.
  bool build(const std::vector<std::string> &Paths);
  const Library &library() const { return Lib; }
  const TypeArena &types() const { return Arena; }
  Evaluator &evaluator() { return *Values; }

private:
  struct File {
    uint32_t Id;
    std::string Module; ///< "std/memory"
    std::unique_ptr<SyntaxTree> Tree;
  };
  bool read(const std::vector<std::string> &Paths);
  void declareUnits(const File &F);
  void declareUnit(const ast::Item &I);
  void addUnit(std::string_view Name, Dim D, Scale S, std::string_view Doc);
  void declareEnums();
  void declareSchemas();
  void declareFields(SchemaDecl &S, std::span<const ast::Item *const> Parts);
  FieldDecl field(const ast::Item &I);
  void checkDefaults(const SchemaDecl &S);
  void declareFunctions();
  void declareDerives();
  void checkBodies();
  void fieldsNamed(const ast::Expr &E, std::vector<std::string_view> &Into);
  void declareTexts();
  void declareRules();
  void declareRecords();
  void checkNamedDefaults();
  std::span<const ParamDecl> params(const ast::Item &I);
  LibrarySource source(const ast::Item &I) const;
  std::string_view keep(std::string Text) { return Texts.emplace_back(std::move(Text)); }
  Scope jobScope() const;
  template <typename Visit> void items(ast::ItemKind Kind, Visit V);

  SourceManager &Sources;
  DiagnosticEngine &Diags;
  Library Lib;
  TypeArena Arena;
  std::vector<File> Files;
  std::vector<std::unique_ptr<SyntaxTree>> Scratch;
  std::deque<std::string> Texts;
  std::vector<UnitName> Units;
  std::vector<RefusedUnit> Refused;
  std::deque<EnumDecl> Enums;
  std::deque<SchemaDecl> Schemas;
  std::vector<const EnumDecl *> EnumList;
  std::vector<const SchemaDecl *> SchemaList;
  std::deque<std::vector<FieldDecl>> Fields;
  std::deque<std::vector<Type>> Types;
  std::deque<std::vector<ParamDecl>> Params;
  std::deque<std::vector<std::string_view>> Words;
  std::map<std::string_view, ast::Item *> NamedTexts;
  std::deque<DeclaredRule> DeclaredRules;
  std::vector<FunctionDecl> Functions;
  std::vector<DeriveDecl> Derives;
  std::vector<RuleDecl> Rules;
  std::vector<LibraryRecord> Records;
  std::vector<std::string_view> Modules;
  std::unique_ptr<Program> RecordFiles;
  std::unique_ptr<Evaluator> Values;
};

} // namespace parlance
