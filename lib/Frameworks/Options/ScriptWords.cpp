#include "Frameworks/Options/ScriptWords.h"
#include <algorithm>

namespace parlance {

using namespace shell;

CommandWord commandWord(const ShellWord &W, bool Attached) {
  return {W.Text.shown(), W.value(), W.Text.symbolic(), Attached};
}

std::vector<CommandWord> commandWords(std::span<const ShellWord> Arguments) {
  std::vector<CommandWord> Words;
  for (const ShellWord &W : Arguments) {
    std::string Flat = W.Text.flat(); // a symbol is one NUL byte
    size_t Equals = Flat.find('=');
    bool Joined = Flat.starts_with("--") && Equals != std::string::npos && Flat.find('\0') >= Equals;
    if (Joined) {
      Words.push_back(commandWord({W.Text.slice(0, Equals), W.Written}));
      Words.push_back(commandWord(W.from(Equals + 1), true));
    } else {
      Words.push_back(commandWord(W));
    }
  }
  return Words;
}

bool hasFlag(const TrainingCommand &C, std::string_view Name) {
  return std::ranges::any_of(C.Arguments, [&](const ShellWord &W) {
    std::string Flat = W.Text.flat();
    std::ranges::replace(Flat, '_', '-');
    return Flat == Name || Flat.starts_with(std::string(Name) + "=");
  });
}

} // namespace parlance
