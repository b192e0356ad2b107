// Shell scripts: torchrun by hand, and under Slurm. Rendezvous as torchrun documents it; under Slurm one task per node,
// as the multi-node example of torchtitan (multinode_trainer.slurm) has it.
#include "Basic/Text.h"
#include "Frameworks/Launch/Launch.h"
#include <fmt/format.h>

namespace parlance {

/// The words of the program, an option with its values on each line.
static std::string programLines(const Launch &L, std::string_view Indent) {
  std::string Result;
  for (const std::string &Word : L.Program)
    Result += fmt::format(" \\\n{}{}", Indent, Word.starts_with('-') ? Word : "\"" + Word + "\"");
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    bool StartsLine = L.Arguments[I].starts_with("--") || I == 0;
    Result += StartsLine ? fmt::format(" \\\n{}", Indent) : " ";
    Result += shellWord(L.Arguments[I]);
  }
  return Result + fmt::format(" \\\n{}\"$@\"\n", Indent);
}

static std::string exports(const Launch &L) {
  std::string Result;
  for (const auto &[Name, Value] : L.Environment)
    Result += fmt::format("export {}={}\n", Name, shellWord(Value));
  return Result;
}

static std::string starterLine(const Launch &L) {
  std::string Result = "exec";
  for (const std::string &Word : L.Starter)
    Result += " " + Word;
  return Result;
}

std::string torchrunScript(const Launch &L) {
  std::string Result = fmt::format("#!/usr/bin/env bash\n# {}\n", L.Header);
  Result += L.Nodes == 1 ? "# Starts the job on this machine.\n"
                         : fmt::format("# Run it on each of the {} nodes, with NODE_RANK (0 to {}) "
                                       "and MASTER_ADDR (the node of rank 0) set.\n",
                                       L.Nodes, L.Nodes - 1);
  Result += "set -euo pipefail\n\n" + exports(L);
  if (L.Nodes > 1)
    Result += ": \"${MASTER_ADDR:?the address of the first node}\" \"${NODE_RANK:?the rank of this "
              "node}\"\n";
  if (!L.Starter.empty())
    return Result + starterLine(L) + programLines(L, "  ");
  Result += fmt::format("exec torchrun --nproc-per-node={}", L.PerNode);
  Result += L.Nodes == 1 ? std::string(" --standalone")
                         : fmt::format(" --nnodes={} --node-rank=\"$NODE_RANK\" \\\n"
                                       "  --master-addr=\"$MASTER_ADDR\" "
                                       "--master-port=\"${{MASTER_PORT:-29500}}\"",
                                       L.Nodes);
  return Result + programLines(L, "  ");
}

std::string slurmScript(const Launch &L) {
  std::string Result = fmt::format("#!/usr/bin/env bash\n# {}\n", L.Header);
  Result += fmt::format("#SBATCH --job-name={}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n"
                        "#SBATCH --gpus-per-node={}\n#SBATCH --exclusive\n\nset -euo pipefail\n\n",
                        L.Name, L.Nodes, L.PerNode);
  Result += exports(L);
  Result += "Hosts=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\n"
            "MASTER_ADDR=${Hosts%%$'\\n'*}\n"
            "export MASTER_ADDR MASTER_PORT=\"${MASTER_PORT:-29500}\"\n\n"
            "# One task per node; each starts the processes of its node.\n"
            "# shellcheck disable=SC2016 # expanded in the tasks\n";
  // Under srun the node's number is known only inside the task.
  std::string Inner = "exec srun --kill-on-bad-exit=1 bash -c '\n  export "
                      "NODE_RANK=$SLURM_NODEID\n  ";
  if (!L.Starter.empty()) {
    Inner += starterLine(L) + " \"$@\"' _";
  } else {
    Inner += fmt::format("exec torchrun --nnodes={} --nproc-per-node={} --node-rank=\"$NODE_RANK\" \\\n"
                         "    --master-addr=\"$MASTER_ADDR\" --master-port=\"$MASTER_PORT\" \"$@\"' _",
                         L.Nodes, L.PerNode);
  }
  return Result + Inner + programLines(L, "  ");
}

} // namespace parlance
