// What a framework is to Parlance. Its options are declared in lib/std/frameworks; this is what the declarations do not
// say. Each framework exports one `Framework` from its own folder; All.cpp lists them.
#pragma once
#include "Config/ConfigTree.h"
#include "Frameworks/Options/CommandWord.h"
#include "Frameworks/Options/FileKind.h"
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace parlance {

class Evaluator;
class JobSink;
class TargetWriter;
struct Library;
struct Record;
namespace shell {
struct ShellScript;
struct TrainingCommand;
} // namespace shell

/// Where a framework takes a value of another type for the one that an option wants: "3" and 3.0 for a whole number,
/// 2e8, "true" or 1 for a truth value.
enum class Conversion : uint8_t {
  Nowhere,
  Models, ///< where unknown keys are refused, which is pydantic's doing; types elsewhere are not checked
  Everywhere,
};

/// How options are written.
enum class OptionForm : uint8_t {
  Sections, ///< keys of nested sections
  Flags,    ///< words of a command line, `--like-this`
};

/// What of a job a framework decides where several have files for it. Of two, the earlier here counts.
enum class Standing : uint8_t {
  Trainer,  ///< its program trains
  Launcher, ///< it starts the program that trains
  Library,  ///< the program that trains calls it
};

/// A field of a framework's schema that stands in no file: what an option comes to, such as how many layers a pattern
/// names.
struct Fact {
  std::string_view Name; ///< "window_keys"
  std::string_view Of;   ///< "window_size"
};

struct Framework {
  std::string_view Name;  ///< "megatron": of `job.target`, of the block in a job and of its schema
  std::string_view Title; ///< "Megatron-LM"
  OptionForm Form = OptionForm::Sections;
  Standing Stands = Standing::Trainer;
  /// `-` and `_` in keys are the same.
  bool DashesAreUnderscores = false;
  /// `"auto"` stands for a value that a caller fills in.
  bool AutoIsUnknown = false;
  Conversion Converts = Conversion::Nowhere;
  /// Fields of a job that its files leave to the program that is launched: what is missing there is no fault of a file.
  std::span<const std::string_view> Elsewhere = {};
  std::span<const Fact> Facts = {};

  /// The kinds of files that it reads.
  std::span<const FileKind> Files = {};
  /// Words of its command line. Two of them make it certain that a script or a list of words trains with it.
  std::span<const std::string_view> Words = {};
  /// Whether a list of words is its command line; null where it takes those that no other framework does.
  bool (*TakesCommand)(std::span<const CommandWord> Words, const Library &Lib) = nullptr;
  /// Reads such a list: the array in a file, or the object that holds it. Null where it has no command line.
  void (*ReadCommand)(JobSink &Job, const FileInput &In) = nullptr;
  /// Reads what a script's training command says to it; nothing where the command is not for it.
  void (*ReadTraining)(JobSink &Job, const shell::ShellScript &Script, const shell::TrainingCommand &Command,
                       uint32_t File) = nullptr;

  /// What it writes, in a few words, for the help: "launch.sh, args.json, env.json".
  std::string_view Written = {};
  /// Completes the options that a job is written as; false where they cannot say which model it trains.
  bool (*NameModel)(Record &Options, const Record &Model, Evaluator &E) = nullptr;
  /// Writes as options what the facts among them say; null where there is nothing to do.
  void (*FromFacts)(Record &Options, Evaluator &E) = nullptr;
  /// Adds the files of a job; null for a framework that is read only.
  void (*Write)(TargetWriter &To) = nullptr;

  bool flags() const { return Form == OptionForm::Flags; }
  /// The fact of a name; null for an option.
  const Fact *fact(std::string_view Name) const;
  /// How users of the framework write an option: `--num-layers`, `zero_optimization.stage`.
  std::string spelled(std::string_view Path) const;
};

/// All frameworks, in the order of the documentation.
std::span<const Framework *const> frameworks();
/// One more that is not among them from the start; it must live as long as the program. To be called before any file
/// is read.
void addFramework(const Framework &F);
const Framework *frameworkNamed(std::string_view Name);

} // namespace parlance
