// What the command line or an editor adds to the files of frameworks.
#pragma once
#include "Eval/Evaluator.h"
#include <map>

namespace parlance {

struct ForeignRequest {
  /// "h100_sxm*8*16@infiniband_ndr": device, GPUs per node, nodes, network.
  std::string Cluster;
  /// Values of variables that a script leaves open, and of fields of the job.
  std::map<std::string, std::string> Set;
};

/// Gives a cluster the GPUs and the network that are asked for. What is wrong with the words is reported.
void setCluster(Record &Cluster, const ForeignRequest &Request, Evaluator &E);

/// Gives a job the fields that are asked for: `seq_len=4096`. Values that are none are reported;
/// other names are those of variables.
void setFields(Record &Job, const ForeignRequest &Request, Evaluator &E);

/// Reports what is wrong with a request, whatever the files are.
void checkRequest(const ForeignRequest &Request, Evaluator &E);

/// A name that neither a job nor a script has.
struct UnknownSetting {
  std::string Name;
  std::optional<std::string> Nearest;
};
std::optional<UnknownSetting> unknownSetting(const ForeignRequest &Request, std::span<const std::string_view> Scripts,
                                             const Library &Lib);

} // namespace parlance
