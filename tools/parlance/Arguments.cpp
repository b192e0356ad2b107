#include "Arguments.h"
#include "Basic/Text.h"
#include <algorithm>
#include <fmt/format.h>

namespace parlance {

static std::nullopt_t usageError(std::string_view Command, std::string_view Message) {
  fmt::print(stderr, "parlance: error: {}; see `parlance {} --help`\n", Message, Command);
  return std::nullopt;
}

std::optional<Arguments> parseArguments(std::span<const std::string> Words, std::span<const OptionSpec> Specs,
                                        std::string_view Command) {
  Arguments Result;
  bool OptionsEnded = false;
  for (size_t I = 0; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    if (OptionsEnded || Word == "-" || !Word.starts_with("-")) {
      Result.Files.push_back(Word);
      continue;
    }
    if (Word == "--") {
      OptionsEnded = true;
      continue;
    }
    size_t Equals = Word.find('=');
    std::string_view Name = std::string_view(Word).substr(0, Equals);
    auto Spec = std::ranges::find(Specs, Name, &OptionSpec::Name);
    if (Spec == Specs.end()) {
      std::vector<std::string_view> Names;
      for (const OptionSpec &S : Specs)
        Names.push_back(S.Name);
      auto Near = nearest(Name, Names);
      return usageError(
          Command, fmt::format("unknown option `{}`{}", Name, Near ? fmt::format(", did you mean `{}`", *Near) : ""));
    }
    std::string Value;
    if (Spec->Flag) {
      if (Equals != std::string::npos)
        return usageError(Command, fmt::format("`{}` takes no value", Name));
    } else if (Equals != std::string::npos) {
      Value = Word.substr(Equals + 1);
    } else if (I + 1 < Words.size()) {
      Value = Words[++I];
    } else {
      return usageError(Command, fmt::format("`{}` needs a value", Name));
    }
    if (!Spec->Values.empty() && std::ranges::find(Spec->Values, Value) == Spec->Values.end())
      return usageError(Command, fmt::format("`{}` takes {}, not `{}`", Name, joinList(Spec->Values), Value));
    Result.Options[Spec->Name] = Value;
    Result.Lists[Spec->Name].push_back(std::move(Value));
  }
  return Result;
}

} // namespace parlance
