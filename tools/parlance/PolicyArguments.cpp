#include "PolicyArguments.h"
#include "OutputFiles.h"
#include <algorithm>

namespace parlance {

/// The values of an option, each of which may be a list with commas.
static std::vector<std::string> patterns(const Arguments &Args, std::string_view Option) {
  std::vector<std::string> Result;
  auto Given = Args.Lists.find(Option);
  if (Given == Args.Lists.end())
    return Result;
  for (std::string_view Rest : Given->second)
    for (size_t Begin = 0; Begin <= Rest.size();) {
      size_t End = std::min(Rest.find(',', Begin), Rest.size());
      Result.emplace_back(Rest.substr(Begin, End - Begin));
      Begin = End + 1;
    }
  return Result;
}

PolicyRequest policyRequest(const Arguments &Args) {
  PolicyRequest Result;
  Result.Deny = patterns(Args, "--deny");
  std::erase(Result.Deny, DenyWarnings);
  Result.Select = patterns(Args, "--select");
  Result.Ignore = patterns(Args, "--ignore");
  Result.Baseline = Args.get("--baseline", "");
  Result.UpdateBaseline = Args.has("--update-baseline");
  Result.FrozenBaseline = Args.has("--frozen-baseline");
  return Result;
}

bool deniesWarnings(const Arguments &Args) {
  auto Denied = patterns(Args, "--deny");
  return std::ranges::find(Denied, DenyWarnings) != Denied.end();
}

bool writeBaselines(const std::vector<CheckReport::File> &Baselines) {
  for (const CheckReport::File &F : Baselines) {
    if (!writeFile(F.Path, F.Text))
      return false;
    fmt::print(stderr, "parlance: {}\n", F.Message);
  }
  return true;
}

} // namespace parlance
