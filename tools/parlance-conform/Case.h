// One configuration that a framework's own validator judged.
#pragma once
#include "Frameworks/Job/ForeignJob.h"

namespace parlance::conform {

/// A line of a file of cases: `{"id", "input", "ok", "error_class", …}`.
struct Case {
  std::string Id, ErrorClass;
  bool Accepted = false; ///< by the framework
  const ConfigValue *Input = nullptr;
};

struct Verdict {
  bool Covered = true;             ///< its input can be given as files, and the validators see what we do
  std::vector<std::string> Errors; ///< codes of what was reported at error level
};

/// What the checker says. `Framework` is the name of the file of cases: "megatron", "torchtitan-main".
Verdict judge(const Case &C, std::string_view Framework);

} // namespace parlance::conform
