#include "Frameworks/Accelerate/Accelerate.h"
#include "Frameworks/DeepSpeed/DeepSpeed.h"
#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Nanotron/Nanotron.h"
#include "Frameworks/Neox/Neox.h"
#include "Frameworks/Torchtitan/Torchtitan.h"
#include <algorithm>
#include <vector>

namespace parlance {

static constexpr const Framework *All[] = {
    &framework::Megatron, &framework::DeepSpeed,  &framework::Torchtitan, &framework::TorchtitanMain,
    &framework::Nanotron, &framework::Accelerate, &framework::Neox,
};

static std::vector<const Framework *> &list() {
  static std::vector<const Framework *> List(std::begin(All), std::end(All));
  return List;
}

std::span<const Framework *const> frameworks() { return list(); }

void addFramework(const Framework &F) { list().push_back(&F); }

const Framework *frameworkNamed(std::string_view Name) {
  auto It = std::ranges::find(list(), Name, [](const Framework *F) { return F->Name; });
  return It == list().end() ? nullptr : *It;
}

} // namespace parlance
