// How estimates go with the size of a cluster: every jump between neighbouring sizes, and what causes it.
#pragma once
#include <string>
#include <vector>

namespace parlance::validate {

/// Time per token and GPU on `Nodes` and on one node more.
struct Jump {
  std::string Job; ///< model, layout, link and stack
  int Nodes = 0;
  double Before = 0, After = 0; ///< seconds
  /// What moved: a group whose members sit elsewhere, or a count that is rounded. Empty where nothing did: a fault.
  std::string Cause;
  double change() const { return After / Before - 1; }
};

/// All changes of more than `Least` between 1 and `Most` nodes, over the stacks of the library, dense models and one
/// with experts, on two networks. The batch of a replica is fixed.
std::vector<Jump> sweep(double Least, int Most);
std::string sweepText(const std::vector<Jump> &Jumps);

} // namespace parlance::validate
