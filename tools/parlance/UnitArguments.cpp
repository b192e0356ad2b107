#include "UnitArguments.h"
#include "ForeignArguments.h"
#include "PathArguments.h"

namespace parlance {

std::optional<CheckRequest> unitRequest(const Arguments &Args, std::span<const std::string> Files) {
  auto Foreign = foreignRequest(Args, Files);
  if (!Foreign)
    return std::nullopt;
  auto Access = fileAccess(Args, Files);
  if (!Access)
    return std::nullopt;
  return CheckRequest{.Foreign = std::move(*Foreign), .Access = std::move(Access)};
}

} // namespace parlance
