// The frameworks whose files are read and written. Their options are declared in lib/std/frameworks; this is what the
// declarations do not say.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace parlance {

/// Where a framework takes a value of another type for the one that an option wants: "3" and 3.0 for a whole number,
/// 2e8, "true" or 1 for a truth value.
enum class Conversion : uint8_t {
  Nowhere,
  Models, ///< where unknown keys are refused, which is pydantic's doing; types elsewhere are not checked
  Everywhere,
};

struct Framework {
  std::string_view Name;  ///< "megatron": of `job.target`, of the block in a job and of its schema
  std::string_view Title; ///< "Megatron-LM"
  /// Options are words of a command line, `--like-this`; otherwise keys of nested sections.
  bool Flags = false;
  /// `-` and `_` in keys are the same.
  bool DashesAreUnderscores = false;
  /// `"auto"` stands for a value that a caller fills in.
  bool AutoIsUnknown = false;
  /// Fields of a job that its files leave to the program that is launched: what is missing there is no fault of a file.
  std::span<const std::string_view> Elsewhere;
  Conversion Converts = Conversion::Nowhere;

  /// How users of the framework write an option: `--num-layers`, `zero_optimization.stage`.
  std::string spelled(std::string_view Path) const;
};

std::span<const Framework> frameworks();
const Framework *frameworkNamed(std::string_view Name);

} // namespace parlance
