// Which of a script's commands train, and what stands in front of the program: launchers and their options.
#pragma once
#include "Frameworks/Shell/Shell.h"

namespace parlance::shell {

struct LauncherOption {
  std::string Launcher;           ///< "torchrun", "srun", "deepspeed"
  std::string Name;               ///< in one spelling: "nproc-per-node", "nodes"
  std::optional<ShellWord> Value; ///< none for a flag
  SourceRange Written;            ///< the option in the command
};

struct TrainingCommand {
  size_t Command = 0;                 ///< index into ShellScript::Commands
  std::vector<std::string> Launchers; ///< outermost first: "srun", "torchrun"
  std::vector<LauncherOption> Options;
  ShellWord Program;                      ///< the script's path, or the module after `-m`
  bool Module = false;                    ///< the program is a module
  std::vector<ShellWord> Arguments;       ///< of the program
  std::vector<ShellVariable> Environment; ///< exports before it, then what stands in front of it
  bool Distributed = false;               ///< a launcher starts several processes

  /// The last value that a launcher was given for an option, by the spelling above.
  const LauncherOption *option(std::string_view Name) const;
};

/// The commands that run a Python program or a training tool through a distributed launcher; if there are none, those
/// that run one with options. In the order of the script.
std::vector<TrainingCommand> findTraining(const ShellScript &Script);

} // namespace parlance::shell
