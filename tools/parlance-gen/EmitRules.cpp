// The rules as predicates and tables.
#include "Emitter.h"
#include "Sema/ItemChecker.h"
#include <fmt/format.h>

namespace parlance {

namespace {

std::string_view severity(Severity S) {
  return S == Severity::Error ? "Severity::Error" : S == Severity::Warning ? "Severity::Warning" : "Severity::Hint";
}

} // namespace

std::string Emitter::rules() {
  Self = "&C.job()";
  Constants = "C.calibration()";
  std::string Out = "// Made by parlance-gen from lib/std; do not edit.\n#include "
                    "\"std/Std.h\"\n\nnamespace parlance "
                    "{\nnamespace {\n";
  std::string Table;
  for (size_t I = 0; I < Lib.Rules.size(); ++I) {
    const RuleDecl &R = Lib.Rules[I];
    DiagnosticEngine Ignored;
    auto Form = ruleForm(*R.Tree, Ignored);
    std::string Condition = Form->When ? expr(*Form->When) : "Truth::True";
    if (Form->Unless)
      Condition = fmt::format("rt::both({}, [&] {{ return !{}; }})", Condition, expr(*Form->Unless));
    Out += fmt::format("Truth violated{}([[maybe_unused]] const JobContext &C) {{ return {}; }}\n", I, Condition);
    if (!R.Notes.empty()) {
      Out += fmt::format("constexpr RuleNoteDecl Notes{}[] = {{", I);
      for (const RuleNoteDecl &N : R.Notes)
        Out += fmt::format("{{{}, {}}}, ", cppString(N.Field), cppString(N.Message));
      Out += "};\n";
    }
    if (!R.Fixes.empty()) {
      Out += fmt::format("constexpr RuleFixDecl Fixes{}[] = {{", I);
      for (const RuleFixDecl &F : R.Fixes)
        Out += fmt::format("{{{}, {}}}, ", cppString(F.Field), cppString(F.Candidates));
      Out += "};\n";
    }
    if (!R.Frameworks.empty()) {
      Out += fmt::format("constexpr std::string_view Frameworks{}[] = {{", I);
      for (std::string_view F : R.Frameworks)
        Out += cppString(F) + ", ";
      Out += "};\n";
    }
    auto Span = [&](std::string_view Name, bool Empty) { return Empty ? "{}" : fmt::format("{}{}", Name, I); };
    Table += fmt::format("  {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {{{}, {}, {}}}, "
                         "violated{}, nullptr, {}}},\n",
                         cppString(R.Code), cppString(R.Name), severity(R.Level), cppString(R.Field),
                         cppString(R.Message), cppString(R.Why), cppString(R.Example), cppString(R.Fixed),
                         cppString(R.Caret), cppString(R.Raises), cppString(R.Explains), Span("Notes", R.Notes.empty()),
                         Span("Fixes", R.Fixes.empty()), Span("Frameworks", R.Frameworks.empty()),
                         cppString(R.Source.File), R.Source.Line, cppString(R.Source.Text), I, R.AboutOptions);
  }
  return Out + "} // namespace\n\nnamespace tables {\nconst RuleDecl Rules[] = {\n" + Table +
         "};\n} // namespace tables\n} // namespace parlance\n";
}

} // namespace parlance
