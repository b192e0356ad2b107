// The models that torchtitan knows by name and flavor. Their shapes are in its code, here in
// lib/std.
#pragma once
#include "Eval/Evaluator.h"
#include <span>

namespace parlance {

struct TorchtitanModel {
  std::string_view Name, Flavor; ///< `model.name` and `model.flavor`
  std::string_view Record;       ///< of the library; empty when a `model` block cannot describe it
  /// The function of the main branch that trains it in 16 bits (`--config`), of the module `Name`.
  std::string_view Config;
  /// Versions that know the flavor.
  bool InToml = true, OnMain = true;
};

std::span<const TorchtitanModel> torchtitanModels();

/// A name without the experiment in front: `simple_fsdp.llama3` trains llama3's flavors.
std::string_view torchtitanFamily(std::string_view Name);

/// The first flavor whose shape is that of a model; null when there is none.
const TorchtitanModel *torchtitanModelFor(const Record &Model, bool Main, Evaluator &E);

} // namespace parlance
