// What was judged of a job, what was not, and what it lacks for that.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// What was not judged, and what would decide it.
struct OpenPart {
  std::string What;               ///< "memory", "step time"
  std::vector<std::string> Needs; ///< "`--set model.vocab=…`"
};

struct JobVerdict {
  std::string Name;
  uint32_t File = 0;      ///< in which it is declared, or the first of its files
  std::string Memory;     ///< "56.3 of 79.6 GiB"; empty where it is not known
  std::string Step;       ///< "74 s"; likewise
  unsigned Rules = 0;     ///< that were decided
  unsigned OpenRules = 0; ///< that something unknown leaves undecided
  std::vector<OpenPart> Open;
  std::vector<std::string> Options; ///< options that are not understood and may be about any of it
  bool Resolved = false;            ///< false: it has an error, or is a search space; nothing was judged
};

/// Names, the last of them counted where there are too many.
std::string listOf(const std::vector<std::string> &Names, size_t Most);
/// Why a part was not judged: "it needs `--set model.vocab=…`".
std::string whyOpen(const JobVerdict &V, std::string_view What);
/// On one line: "pretrain: memory 56.3 of 79.6 GiB, step 74 s, 382 rules; not judged: …". Of what it needs at most so
/// many are named.
std::string verdictLine(const JobVerdict &V, size_t Most = 6);

} // namespace parlance
