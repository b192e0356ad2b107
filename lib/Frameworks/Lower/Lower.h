// From a Plan to the files that launch it.
#pragma once
#include "Frameworks/Lower/OptionTree.h"
#include "Plan/Plan.h"

namespace parlance {

struct LoweredFile {
  std::string Name, Text;
  bool Executable = false;
};

struct Lowering {
  std::vector<LoweredFile> Files;
  std::vector<LoweredOption> Options;
};

/// Kubernetes: a TrainJob of Kubeflow Trainer v2; KubernetesV1: a PyTorchJob of the operator before it.
enum class Launcher : uint8_t { None, Torchrun, Slurm, Kubernetes, KubernetesV1 };

struct LowerRequest {
  std::string_view Target; ///< name of a framework
  Launcher Launch = Launcher::None;
  std::string_view Program; ///< "parlance 0.1.0"
  std::string_view Source;  ///< the file that the job is from, for the comment at the head
};

/// The targets that can be written, in the order of the documentation.
std::span<const std::string_view> loweringTargets();

/// All files of a job for a target. Empty after an error, which is reported: a field that the target cannot express, or
/// one whose value is not known.
std::optional<Lowering> lower(const Plan &P, const LowerRequest &Request, Evaluator &E);

} // namespace parlance
