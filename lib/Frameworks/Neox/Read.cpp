#include "Frameworks/Neox/Read.h"
#include "Frameworks/Neox/Neox.h"
#include "Frameworks/Options/Members.h"
#include <algorithm>

namespace parlance {

/// Keys may have dashes.
static const ConfigValue *given(const ConfigValue &Tree, std::string_view Name) {
  const ConfigValue *Last = nullptr;
  for (const ConfigValue &Member : Tree.Items) {
    std::string Key = Member.Key;
    std::ranges::replace(Key, '-', '_');
    if (Key == Name && !Member.isNull())
      Last = &Member;
  }
  return Last;
}

static void words(const ConfigValue &V, std::vector<std::string_view> &Into) {
  if (V.K == ConfigValue::Kind::String)
    Into.push_back(V.Text);
  for (const ConfigValue &Item : V.Items)
    words(Item, Into);
}

/// `[[["flash"], 12]]`, or a word for each layer.
static void readAttention(const ConfigValue &Tree, ConfigValue &Facts) {
  const ConfigValue *Attention = given(Tree, "attention_config");
  if (!Attention)
    return;
  std::vector<std::string_view> Kinds;
  words(*Attention, Kinds);
  bool Flash = !Kinds.empty() && std::ranges::all_of(Kinds, [](std::string_view K) { return K == "flash"; });
  Facts.Items.push_back(madeFrom(*Attention, "flash_layers", ConfigValue::Kind::Bool, Flash ? "true" : "false"));
}

/// The vocabulary is the tokenizer's, which is not in the files.
static void readTokenizer(const ConfigValue &Tree, ConfigValue &Facts) {
  const ConfigValue *From = given(Tree, "num_layers");
  if (!From || given(Tree, "padded_vocab_size"))
    return;
  for (const char *Key : {"vocab_file", "tokenizer_type"})
    if (const ConfigValue *Named = given(Tree, Key))
      From = Named;
  Facts.Items.push_back(madeFrom(*From, "vocab", ConfigValue::Kind::Symbolic, "the tokenizer"));
}

/// Older configurations offload by `cpu_offload`, and autotuning tries several stages.
static void readZero(ConfigValue &Tree) {
  ConfigValue *Zero = member(Tree, "zero_optimization");
  if (!Zero)
    Zero = member(Tree, "zero-optimization");
  if (!Zero || !Zero->isObject())
    return;
  if (ConfigValue *Stage = member(*Zero, "stage"); Stage && Stage->K == ConfigValue::Kind::Array) {
    Stage->Items.clear();
    Stage->K = ConfigValue::Kind::Symbolic;
    Stage->Text = "autotuning";
  }
  ConfigValue *Old = member(*Zero, "cpu_offload");
  if (!Old)
    return;
  ConfigValue Offload = madeFrom(*Old, "offload_optimizer", ConfigValue::Kind::Object);
  Offload.Items.push_back(madeFrom(*Old, "device", ConfigValue::Kind::String, "cpu"));
  bool On = Old->isTrue();
  eraseMember(*Zero, "cpu_offload");
  if (On)
    Zero->Items.push_back(std::move(Offload));
}

static void readWorld(JobSink &Job, const ConfigValue &Tree) {
  World W;
  auto Take = [&](std::string_view Key, std::optional<int64_t> &N, SourceRange &At) {
    if (const ConfigValue *V = given(Tree, Key))
      if (auto Count = V->integer(); Count && *Count > 0) {
        N = Count;
        At = V->Range;
      }
  };
  Take("num_nodes", W.Nodes, W.NodesAt);
  Take("num_gpus", W.PerNode, W.PerNodeAt);
  Job.addWorld(W);
}

void readNeox(JobSink &Job, const ConfigValue &Tree) {
  ConfigValue Options = Tree;
  ConfigValue Facts;
  readAttention(Tree, Facts);
  readTokenizer(Tree, Facts);
  readZero(Options);
  readWorld(Job, Tree);
  Job.addOptions(framework::Neox, Options, {Tree.Range.File, Tree.Range.Begin, Tree.Range.Begin + 1});
  Job.addFacts(framework::Neox, Facts);
}

} // namespace parlance
