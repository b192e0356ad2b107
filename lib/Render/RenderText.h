// What the text renderers share: heads of diagnostics. Internal to Render.
#pragma once
#include "Render/Frame.h"
#include "Render/Render.h"

namespace parlance {

/// Whether a range lies in a file of this run.
bool isPlaced(SourceRange Range, const SourceManager &Sources);
/// `FILE:LINE:COL`, or `parlance` for nowhere.
std::string placeName(SourceRange Range, const SourceManager &Sources);
/// The first line of a diagnostic, without a line break.
std::string headLine(const Diagnostic &D, const SourceManager &Sources, Painter Paint);
std::string renderConcise(const std::vector<Diagnostic> &Diagnostics, const SourceManager &Sources,
                          const RenderOptions &Options);
/// `and 23 more errors` with a line break, or nothing.
std::string suppressedLine(unsigned SuppressedErrors);

/// A derivation below a diagnostic: two levels of terms, long formulas only with their numbers.
/// `Cut` is set when something was left out.
std::string renderBriefDerivation(const Derivation &D, const SourceManager &Sources, unsigned Indent, bool &Cut);

} // namespace parlance
