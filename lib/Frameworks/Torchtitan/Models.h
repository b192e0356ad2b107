// The models that torchtitan knows by name and flavor. Their shapes are in its code, here in lib/std.
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
  /// What layouts are held against, of models without a record.
  struct {
    int64_t Layers = 0, Heads = 0, KvHeads = 0, Experts = 0, TopK = 0;
  } Partly = {};
};

/// A record of schema `model`: whole, or with what is known of it; null where nothing is.
const Record *torchtitanModel(const TorchtitanModel &M, Evaluator &E, SourceRange At);

std::span<const TorchtitanModel> torchtitanModels();

/// A name without the experiment in front: `simple_fsdp.llama3` trains llama3's flavors.
std::string_view torchtitanFamily(std::string_view Name);

/// The first flavor whose shape is that of a model; null when there is none.
const TorchtitanModel *torchtitanModelFor(const Record &Model, bool Main, Evaluator &E);

} // namespace parlance
