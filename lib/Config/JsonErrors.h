// What is said about a text that is not JSON. Internal to Config.
#pragma once
#include "Config/Json.h"

namespace parlance {

/// What the parser ran into. RapidJSON tells more cases apart than are worth different words.
enum class JsonFault : uint8_t {
  NoDocument,
  TrailingText,
  NoValue,
  NoKey,
  NoColon,
  NoComma,
  OpenString,
  Escape,
  Surrogate,
  Number,
  NumberTooLarge,
};

/// Where reading stopped, and what was understood up to there.
struct JsonStop {
  JsonFault Fault;
  uint32_t Offset;                 ///< of the first byte that does not fit
  uint32_t LastEnd;                ///< end of the last bracket, key or value that was understood
  std::optional<SourceRange> Open; ///< the innermost bracket that is open
};

void reportJsonError(uint32_t File, std::string_view Text, const JsonStop &Stop, DiagnosticEngine &Diags);

} // namespace parlance
