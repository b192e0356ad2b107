// Prints a Library as C++: tables, records, and formulas as functions over the operations of Eval/Support.h.
#pragma once
#include "Sema/Library.h"
#include <map>
#include <string>

namespace parlance {

class Emitter {
public:
  explicit Emitter(const Library &Lib);
  /// File name ("Std.h") and contents, for every file that is made.
  std::map<std::string, std::string> files();

private:
  std::string header();
  std::string tables();
  std::string records();
  std::string functions();
  std::string derives();
  std::string rules();

  void emitUnits(std::string &Out);
  void emitEnums(std::string &Out);
  std::string defaultValue(const FieldDecl &F);
  void emitSchemas(std::string &Out);
  std::string emitRecord(const LibraryRecord &R);
  std::string fieldInits(const Record &R);
  std::string value(const Value &V);
  std::string type(const Type &T);
  std::string typeList(std::span<const Type> Types);
  std::string paramTable(std::string_view Name, std::span<const ParamDecl> Params);
  std::string signature(std::span<const ParamDecl> Params, std::string_view First = {});
  std::string signature(const FunctionDecl &F);
  bool readsConstants(uint32_t Function);
  bool readsConstants(const ast::Expr &E);
  std::string functionBody(const FunctionDecl &F);
  std::string unpack(std::span<const ParamDecl> Params);
  std::string expr(const ast::Expr &E);
  std::string binary(const ast::Expr &E);
  std::string builtin(const ast::Expr &E);
  std::string rawDerive(const ast::Expr &E);
  std::string reference(const ast::Expr &E);
  std::string callArguments(const ast::Expr &E);
  unsigned enumIndex(const EnumDecl *E);
  unsigned schemaIndex(const SchemaDecl *S);

  const Library &Lib;
  std::vector<const EnumDecl *> Enums; ///< named ones and those written in place
  std::string Self;                    ///< C++ expression of the record in scope
  std::string Constants;               ///< C++ expression of the Calibration in scope
  std::map<uint32_t, bool> Readers;    ///< functions that read a constant, others in between
};

// Spellings in C++.
std::string cppString(std::string_view Text);
std::string cppName(std::string_view Dotted); ///< "memory.peak" as memory_peak
std::string cppType(const Type &T);
std::string cppNumber(Num N);

/// The texts of the library's files, which an editor shows, as StdSources.h and StdSources.cpp.
std::map<std::string, std::string> sources(const SourceManager &Sources);

/// Documentation pages by path below docs/: formulas.md, rules/*.md, rules/README.md.
std::map<std::string, std::string> documentation(const Library &Lib);

} // namespace parlance
