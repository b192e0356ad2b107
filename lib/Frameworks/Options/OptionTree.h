// Options as a framework's file has them.
#pragma once
#include "Config/ConfigTree.h"
#include "Frameworks/Options/Framework.h"
#include "Sema/Library.h"
#include <vector>

namespace parlance {

/// An option with its value and the place that set it.
struct LoweredOption {
  std::string Path; ///< "zero_optimization.stage": of the fields of its schema
  std::string Name; ///< as users of the framework write it
  const FieldDecl *Option = nullptr;
  std::string Value; ///< empty for a flag
  Origin From;
};

/// Whether an option says something: the framework would do otherwise without it.
bool isSaid(const Record &Options, unsigned I);

/// The options that differ from the framework's defaults, or have none, as a tree in the order of their declarations.
ConfigValue optionTree(const Record &Options);
/// The same in a list, with where each came from.
std::vector<LoweredOption> optionList(const Framework &F, const Record &Options);

/// The words of a command line: `--num-layers 80 --swiglu`.
std::vector<std::string> commandLine(const Framework &F, const Record &Options);
/// What belongs into the environment of the command line.
std::vector<std::pair<std::string, std::string>> environment(const Record &Options);

} // namespace parlance
