// Command lines: options may stand anywhere, `--name value` or `--name=value`, `--` ends them. Written by hand because
// the option library of LLVM registers some hundred options at start-up, which costs more than a whole check.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

struct OptionSpec {
  std::string_view Name;                     ///< "--format"
  std::vector<std::string_view> Values = {}; ///< allowed values; empty: anything
  bool Flag = false;                         ///< takes no value
};

struct Arguments {
  std::vector<std::string> Files;
  std::map<std::string_view, std::string> Options;            ///< the last value of each
  std::map<std::string_view, std::vector<std::string>> Lists; ///< all values of each, in order
  bool has(std::string_view Name) const { return Options.contains(Name); }
  std::string get(std::string_view Name, std::string_view Default) const {
    auto It = Options.find(Name);
    return It == Options.end() ? std::string(Default) : It->second;
  }
};

/// Empty after an error, which is printed to stderr with what would have been right.
std::optional<Arguments> parseArguments(std::span<const std::string> Words, std::span<const OptionSpec> Specs,
                                        std::string_view Command);

} // namespace parlance
