// What the tests of checked programs share: a text in memory, checked, evaluated and analysed.
#pragma once
#include "Analysis/Analyzer.h"
#include "Eval/Support.h"
#include "std/Std.h"
#include <cstring>
#include <gtest/gtest.h>

namespace parlance {

/// A derived quantity by a name that a test makes up or lists; a name that there is not fails the test.
inline Quantity quantityNamed(std::string_view Name) {
  int Index = standardLibrary().derive(Name);
  EXPECT_GE(Index, 0) << Name << " is not a quantity";
  return {static_cast<uint32_t>(std::max(Index, 0))};
}

/// One file against the library that was compiled in.
class Checked {
public:
  explicit Checked(std::string Text, std::string Name = "test.parl")
      : Main(Files.add(Sources.add(std::move(Name), std::move(Text)))) {}
  Checked(const Checked &) = delete;

  /// A declaration of the file by name; null if there is none.
  ast::Item *item(std::string_view Name) const {
    auto It = Main.Names.find(Name);
    return It == Main.Names.end() ? nullptr : It->second;
  }
  /// A declaration that a job holds.
  ast::Item *itemOf(std::string_view Job, std::string_view Name) {
    auto *J = item(Job);
    if (!J)
      return nullptr;
    const auto &Names = Files.jobNames(*J);
    auto It = Names.find(Name);
    return It == Names.end() ? nullptr : It->second;
  }
  std::string typeOf(std::string_view Let) const {
    auto *I = item(Let);
    return I ? typeName(I->Declared) : "no such name";
  }

  /// The value of a `let` of the file.
  Value value(std::string_view Let) {
    auto *I = item(Let);
    Evaluator::Frame F;
    F.File = &Main;
    return I ? Values.letValue(*I, F) : Value();
  }
  Num number(std::string_view Let) { return rt::num(value(Let)); }
  /// The value of a `let` of a job.
  Value valueIn(std::string_view Job, std::string_view Let) {
    auto *I = itemOf(Job, Let);
    const Plan *P = plan(Job);
    if (!I || !P)
      return {};
    Evaluator::Frame F = P->frame(&Main);
    return Values.letValue(*I, F);
  }
  Num numberIn(std::string_view Job, std::string_view Let) { return rt::num(valueIn(Job, Let)); }

  /// A record with its defaults.
  const Record *record(std::string_view Name) {
    auto *I = item(Name);
    return I && I->Kind == ast::ItemKind::Record ? Values.instance(Main, *I) : nullptr;
  }
  /// A job, resolved once; null if it cannot be.
  const Plan *plan(std::string_view Job) {
    if (auto It = Plans.find(Job); It != Plans.end())
      return It->second ? &*It->second : nullptr;
    const Record *R = record(Job);
    auto &P = Plans[std::string(Job)];
    P = R ? resolve(*R, Values) : std::nullopt;
    return P ? &*P : nullptr;
  }
  void analyze() { Analyzer(Files, Values, Trees).run(); }

  /// What was reported so far, one "CODE LINE:COLUMN" per line, and forgets it.
  std::string reported() {
    std::string Out;
    for (const Diagnostic &D : take()) {
      LineColumn At = D.Range ? Sources.begin(D.Range) : LineColumn();
      Out += fmt::format("{}{} {}:{}", Out.empty() ? "" : "\n", D.Code, At.Line, At.Column);
    }
    return Out;
  }
  std::vector<Diagnostic> take() { return Diags.take(); }
  /// "test.parl:3:8"
  std::string place(SourceRange Range) const {
    if (!Range)
      return "nowhere";
    LineColumn At = Sources.begin(Range);
    return fmt::format("{}:{}:{}", Sources.file(Range.File).name(), At.Line, At.Column);
  }

  SourceManager Sources;
  DiagnosticEngine Diags;
  const Library &Lib = standardLibrary();
  Program Files{Sources, Lib, Diags};
  Evaluator Values{Sources, Lib, Diags};
  LibraryTrees Trees{Sources, Lib};
  Module &Main;

private:
  std::map<std::string, std::optional<Plan>, std::less<>> Plans;
};

/// The same representation and the same bits.
inline bool identical(Num A, Num B) {
  if (A.rep() != B.rep())
    return false;
  if (A.isInt())
    return A.integer() == B.integer();
  double X = A.real(), Y = B.real();
  return !A.isKnown() || std::memcmp(&X, &Y, sizeof X) == 0;
}

inline std::string shown(Num N) {
  return N.isInt()        ? fmt::format("count {}", N.integer())
         : N.isKnown()    ? fmt::format("{} ({:a})", N.real(), N.real())
         : N.isOverflow() ? "overflow"
                          : "unknown";
}

} // namespace parlance
