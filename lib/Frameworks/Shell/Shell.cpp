#include "Frameworks/Shell/Shell.h"
#include "Frameworks/Shell/Evaluator.h"
#include "Frameworks/Shell/Sbatch.h"
#include <algorithm>

namespace parlance::shell {

SourceRange ShellWord::value() const { return Text.pieces().size() == 1 ? Text.pieces()[0].Range : Written; }

ShellWord ShellWord::from(size_t Offset) const { return {Text.slice(Offset, Text.size()), Written}; }

ShellScript readShell(uint32_t File, std::string_view Text, const Overrides &Given, DiagnosticEngine &Diags) {
  ShellScript Script;
  Piece Whole;
  Whole.Text = Text;
  // In the texts that are read, a NUL byte is a symbol (ShellText::flat).
  std::ranges::replace(Whole.Text, '\0', ' ');
  Whole.Range = {File, 0, static_cast<uint32_t>(Text.size())};
  Whole.Verbatim = true;
  ShellText All;
  All.append(std::move(Whole));
  Script.Sbatch = readSbatch(All);
  Evaluator(File, Text, Given, Diags, Script).run(std::move(All));
  return Script;
}

} // namespace parlance::shell
