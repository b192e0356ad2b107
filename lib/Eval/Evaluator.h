// The tree-walking evaluator: values of checked expressions, and records with their defaults and origins.
#pragma once
#include "Eval/JobContext.h"
#include "Sema/Program.h"
#include <deque>
#include <functional>
#include <set>
#include <unordered_map>

namespace parlance {

/// Reads a foreign file into a record of a schema; reports into the file. Null when nothing can be used.
using RecordImporter = std::function<const Record *(const SchemaDecl &Schema, const std::string &Path,
                                                    std::string_view Name, SourceRange At)>;

class Evaluator {
public:
  Evaluator(SourceManager &Sources, const Library &Lib, DiagnosticEngine &Diags, RecordImporter Importer = {})
      : Sources(Sources), Lib(Lib), Diags(Diags), Importer(std::move(Importer)) {}

  /// What an expression runs in.
  struct Frame {
    std::vector<Value> Locals;
    const JobContext *Job = nullptr; ///< derived quantities
    const Record *Self = nullptr;    ///< fields by bare name
    /// Where relative imports start; null in the library.
    const Module *File = nullptr;
  };

  /// The value of an expression; Absent after an error or where something unknown decides. Overflow and division by
  /// zero are reported at the innermost expression, once.
  Value eval(const ast::Expr &E, Frame &F);
  Truth condition(const ast::Expr &E, Frame &F);
  /// Whether something was reported in an expression, or in a `let` or `fn` that it reads: an overflow, a division by
  /// zero, a circle.
  bool wasReported(const ast::Expr &E) const;

  /// A user's record with defaults filled in; null after an error. The same item gives the same record.
  const Record *instance(const Module &File, ast::Item &R);
  /// The fields that a record and its bases write, without defaults; null after an error.
  Record *explicitRecord(const Module &File, ast::Item &R);
  /// A library record with defaults filled in.
  const Record *libraryInstance(uint32_t Index);
  /// A copy of a record whose absent fields are filled with defaults, nested blocks included.
  Record *complete(const Record &Explicit);
  /// A field's default over the fields of a record so far, from the tree of its expression.
  Value treeDefault(const Record &R, const FieldDecl &F);
  /// A record that lives as long as the evaluator.
  Record *own(Record R) { return &Owned.emplace_back(std::move(R)); }
  std::string_view keep(std::string Text) { return Texts.emplace_back(std::move(Text)); }

  /// The value of a `let` in a frame (its own file's or job's).
  Value letValue(ast::Item &Let, Frame &F);
  /// Forgets the values of a job's lets: the same job is evaluated again with other fields.
  void forgetLets() { Lets.clear(); }
  /// Evaluate bodies of library functions and derived quantities from their trees where they have one, instead of the
  /// generated code (for tests that compare the two).
  bool PreferTrees = false;
  /// Faults are not reported: a value is only looked at again.
  bool Silent = false;

  SourceManager &Sources;
  const Library &Lib;
  DiagnosticEngine &Diags;

private:
  Value evalName(const ast::Expr &E, Frame &F);
  Value evalCall(const ast::Expr &E, Frame &F);
  Value evalBuiltin(const ast::Expr &E, Frame &F);
  Truth given(const ast::Expr &Field, Frame &F);
  Value evalUnary(const ast::Expr &E, Frame &F);
  Value evalBinary(const ast::Expr &E, Frame &F);
  Value evalComparison(const ast::Expr &E, const Value &A, const Value &B);
  Value tooManySteps(const ast::Expr &E);
  Value evalReduce(const ast::Expr &E, Frame &F);
  Value evalFunction(const FunctionDecl &Fn, const std::vector<Value> &Args, Frame &F);
  Value rawDerive(uint32_t Index, const std::vector<Value> &Args, Frame &F);
  Value rawDerive(const ast::Expr &E, Frame &F);
  Value evalDerive(uint32_t Index, const std::vector<Value> &Args, Frame &F);
  Value evalList(const ast::Expr &E, Frame &F);
  Value checked(const ast::Expr &E, Num Result, std::initializer_list<Num> Operands);
  bool reportFraction(const ast::Expr &Remainder, std::initializer_list<Num> Operands);
  Value whole(Value V, const Type &Declared, std::string_view Name, const ast::Expr &At);
  Value argument(const ast::Expr &Call, size_t I, Frame &F);

  void fill(const Module &File, Record &R, const std::vector<ast::Item *> &Items);
  void setField(const Module &File, Record &R, unsigned Index, ast::Item &I);
  void setBlock(const Module &File, Record &R, unsigned Index, ast::Item &I);
  void assume(const Module &File, Record &R, const std::vector<ast::Item *> &Items);
  bool checkBounds(const FieldDecl &F, Value &V, SourceRange Range);
  const Record *import(const Module &File, ast::Item &R);

  RecordImporter Importer;
  std::deque<Record> Owned;
  std::deque<std::string> Texts;
  std::deque<std::vector<Value>> Lists;
  std::deque<Assumptions> Assumed;
  Calibration Uncalibrated; ///< outside of jobs
  std::unordered_map<const ast::Item *, Value> Lets;
  std::unordered_map<const ast::Item *, Record *> Explicit;
  std::unordered_map<const ast::Item *, const Record *> Instances;
  std::unordered_map<const Record *, Record *> Completed;
  std::set<const ast::Item *> Building;
  std::set<const ast::Expr *> Reported;
  uint64_t Steps = 0;    ///< of the outermost reduction
  unsigned Reducing = 0; ///< reductions around this one
};

} // namespace parlance
