// Scripts and manifests that start a program on every GPU of a cluster.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parlance {

/// What is started, and where.
struct Launch {
  std::string Name;               ///< of the job
  std::string Header;             ///< one line that says where the file comes from
  int64_t Nodes = 1, PerNode = 1; ///< nodes, and GPUs of each
  /// A variable and its value; both are words.
  std::vector<std::pair<std::string, std::string>> Environment;
  /// The program and its words, as one process per GPU runs it, without the interpreter: a script
  /// (`${MEGATRON_LM:-.}/pretrain_gpt.py`, expanded by the shell) or `-m` and a module.
  std::vector<std::string> Program;
  std::vector<std::string> Arguments;
  /// The command that starts the processes of a node itself (`accelerate launch …`), instead of torchrun; its words are
  /// expanded by the shell.
  std::vector<std::string> Starter;
};

/// `launch.sh`: torchrun on one node; run it on each with NODE_RANK and MASTER_ADDR set.
std::string torchrunScript(const Launch &L);
/// `job.sbatch`: one task per node that runs torchrun, rendezvous on the first host.
std::string slurmScript(const Launch &L);
/// `job.yaml`: a TrainJob of Kubeflow Trainer v2, or a PyTorchJob of the training operator v1.
std::string trainJob(const Launch &L);
std::string pytorchJob(const Launch &L);

} // namespace parlance
