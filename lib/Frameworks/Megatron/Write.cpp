#include "Frameworks/Megatron/Write.h"
#include "Eval/Support.h"

namespace parlance {

/// A list with an entry for each layer: `First` for so many of them, then the other.
static std::string layerList(int64_t First, int64_t Count, int64_t Layers) {
  return fmt::format("([{}]*{}+[{}]*{})", First, Count, 1 - First, Layers - Count);
}

void megatron::spellPatterns(Record &Options, Evaluator &E) {
  auto Field = [&](std::string_view Name) { return static_cast<unsigned>(Options.Schema->find(Name)); };
  Num Layers = Options.num(Field("num_layers"));
  int64_t L = Layers.isIntegral() ? Layers.toInteger() : 0;
  auto Spell = [&](std::string_view Fact, std::string_view Option, auto Text) {
    unsigned From = Field(Fact), To = Field(Option);
    if (!isSaid(Options, From) || isSaid(Options, To))
      return;
    Options.Values[To] = Value::string(E.keep(Text(Options.num(From).toInteger())));
    Options.Origins[To] = Options.Origins[From];
  };
  Spell("dense_layers", "moe_layer_freq", [&](int64_t N) { return layerList(0, N, L); });
  // A window is given as the keys before a query and those behind it.
  Spell("window_keys", "window_size", [](int64_t N) { return fmt::format("{},0", N - 1); });
  Spell("window_layers", "window_attn_skip_freq", [&](int64_t N) { return layerList(1, N, L); });
}

void writeMegatron(TargetWriter &To) {
  std::vector<std::string> Words = commandLine(To.F, To.Options);
  To.addWords("args.json", Words);
  To.addVariables("env.json");
  To.launch(LaunchScript::Always, {"${MEGATRON_LM:-.}/pretrain_gpt.py"}, std::move(Words));
}

} // namespace parlance
