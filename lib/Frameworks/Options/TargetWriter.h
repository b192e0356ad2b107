// What a framework's writer has at hand: the options to write, the job, and the files so far.
#pragma once
#include "Eval/Evaluator.h"
#include "Frameworks/Launch/Launch.h"
#include "Frameworks/Options/Framework.h"
#include "Frameworks/Options/OptionTree.h"
#include "Plan/Plan.h"

namespace parlance {

struct LoweredFile {
  std::string Name, Text;
  bool Executable = false;
};

/// Kubernetes: a TrainJob of Kubeflow Trainer v2; KubernetesV1: a PyTorchJob of the operator before it.
enum class Launcher : uint8_t { None, Torchrun, Slurm, Kubernetes, KubernetesV1 };

/// When a job gets a launch script.
enum class LaunchScript : uint8_t { Always, Asked };

class TargetWriter {
public:
  TargetWriter(const Framework &F, const Record &Options, const Plan &Given, const Plan &Own, Launcher Asked,
               std::string Header, Evaluator &E)
      : F(F), Options(Options), Own(Own), E(E), Given(Given), Asked(Asked), Header(std::move(Header)) {}

  void add(std::string Name, std::string Text) { Files.push_back({std::move(Name), std::move(Text)}); }
  /// The options as a file of that syntax.
  void addOptions(std::string Name, FileSyntax Syntax);
  void addWords(std::string Name, const std::vector<std::string> &Words);
  void addVariables(std::string Name);
  /// Adds the script or the manifest that starts a program, where nodes and GPUs are known; what is not is reported.
  void launch(LaunchScript When, std::vector<std::string> Program, std::vector<std::string> Arguments,
              std::vector<std::string> (*Starter)(const Launch &) = nullptr);

  const Framework &F;
  const Record &Options; ///< complete
  const Plan &Own;       ///< the job as the target has it
  Evaluator &E;
  std::vector<LoweredFile> Files;
  bool Failed = false; ///< a launcher needs a cluster, and there is none

private:
  void addLauncher(const Launch &L);

  const Plan &Given; ///< as it was written
  Launcher Asked;
  std::string Header;
};

} // namespace parlance
