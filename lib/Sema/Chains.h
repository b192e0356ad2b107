// Declarations that lead to each other: circles, and chains that are too long to follow.
#pragma once
#include "Sema/ExprChecker.h"

namespace parlance {

/// Declarations that may stand behind one another: far more than people write, and few enough for any stack.
inline constexpr unsigned MaxChain = 400;

/// Cuts `from` chains of a file that are circles (reported at their first block) or too long, so that bases can be
/// followed by recursion. Blocks that are cut are marked incomplete.
void cutBaseChains(Module &File, const Library &Lib, DiagnosticEngine &Diags);

/// Reports functions that reach themselves and chains of calls that are too long; their type becomes an error, which
/// stops evaluation. To be called when the file's expressions are checked.
void checkCallChains(Module &File, DiagnosticEngine &Diags);

} // namespace parlance
