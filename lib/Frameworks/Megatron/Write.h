// From Megatron-LM's options back to its command line.
#pragma once
#include <string>
#include <vector>

namespace parlance::megatron {

/// In the words that the options make, writes as patterns what stands for patterns: how many layers have no experts, or
/// a window. Where the pattern itself is among them, it stays as it is.
void spellPatterns(std::vector<std::string> &Words);

} // namespace parlance::megatron
