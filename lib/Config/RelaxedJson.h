// Text that is nearly JSON, rewritten as JSON whose bytes know where they come from. Internal to Config.
#pragma once
#include "Config/ConfigTree.h"

namespace parlance {

struct Placeholder {
  uint32_t Begin; ///< in the file
  std::string Text;
};

struct RelaxedJson {
  std::string Text;
  std::vector<uint32_t> Original;        ///< for each byte of Text one of the file
  uint32_t Size = 0;                     ///< of the file
  std::vector<Placeholder> Placeholders; ///< written as strings, in order

  uint32_t begin(uint32_t At) const { return At < Original.size() ? Original[At] : Size; }
  uint32_t end(uint32_t At) const { return At == 0 ? 0 : Original[At - 1] + 1; }
};

/// Turns placeholders into strings, and with `Hjson` everything that only Hjson allows into what JSON has for it. What
/// it does not understand it copies, so that the parser reports it.
RelaxedJson relaxJson(std::string_view Text, bool Hjson);

} // namespace parlance
