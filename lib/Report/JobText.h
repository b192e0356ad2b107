// A job as the text of a .parl file.
#pragma once
#include "Plan/Plan.h"

namespace parlance {

/// A whole file that declares a job of foreign files: its model, cluster, layout, and the options of its framework that
/// no other field means. Values that are not known become comments. The cluster's device must be known.
std::string jobText(const Plan &P, std::string_view Header, Evaluator &E);

/// A name as the language allows it, made from another one.
std::string identifierFrom(std::string_view Name, const Library &Lib);

} // namespace parlance
