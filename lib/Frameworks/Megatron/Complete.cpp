#include "Frameworks/Megatron/Complete.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/Megatron/Flags.h"
#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Megatron/Patterns.h"
#include "Frameworks/Options/Members.h"
#include "Plan/Options.h"
#include <algorithm>

namespace parlance::megatron {

/// Texts that mean more than a place or a name. Of the others it does not matter when a part of them is not known.
static constexpr std::string_view Telling[] = {"moe_layer_freq",
                                               "window_size",
                                               "window_attn_skip_freq",
                                               "cp_comm_type",
                                               "recompute_modules",
                                               "hybrid_layer_pattern",
                                               "hierarchical_context_parallel_sizes",
                                               "no_rope_freq",
                                               "pipeline_model_parallel_layout",
                                               "step_batch_size_schedule"};

/// Options beyond those that are required which say what a model is: a checkpoint says them too.
static bool isShape(std::string_view Option) {
  static constexpr std::string_view Shape[] = {"ffn_hidden_size",
                                               "group_query_attention",
                                               "num_query_groups",
                                               "kv_channels",
                                               "position_embedding_type",
                                               "untie_embeddings_and_output_weights",
                                               "swiglu",
                                               "normalization",
                                               "qk_layernorm",
                                               "disable_bias_linear",
                                               "add_qkv_bias",
                                               "hidden_dropout",
                                               "attention_dropout",
                                               "multi_latent_attention",
                                               "num_experts",
                                               "moe_ffn_hidden_size",
                                               "moe_shared_expert_intermediate_size",
                                               "moe_router_enable_expert_bias",
                                               "mtp_num_layers"};
  return std::ranges::find(Shape, Option) != std::end(Shape);
}

namespace {

class Completer {
public:
  Completer(ConfigValue &Tree, SourceRange At, JobSink &Job)
      : Tree(Tree), At(At), Job(Job), Schema(*optionsBlock(Job.E.Lib, "megatron").Schema) {}

  ConfigValue Facts; ///< that readPatterns finds

  void dropNothings();
  void readPatterns();
  void hint();
  void fillUnknown(const Completion &How);

private:
  std::string shown(std::string_view Key) const { return framework::Megatron.spelled(Key); }
  const ConfigValue *given(std::string_view Key) const { return Tree.find(Key); }
  void addUnknown(std::string_view Key, std::string Why, SourceRange Range);
  void addFact(std::string_view Key, const ConfigValue &From, std::optional<int64_t> Count);
  std::optional<int64_t> number(std::string_view Key) const;
  const ConfigValue *pattern(std::string_view Key, LayerPattern &Into);
  void readExpertLayers();
  void readWindow();
  void readLayout();
  void readLevels();
  void readSchedule();
  void readPositions();

  ConfigValue &Tree;
  SourceRange At;
  JobSink &Job;
  const SchemaDecl &Schema;
};

} // namespace

//===----------------------------------------------------------------------===//
// What says nothing
//===----------------------------------------------------------------------===//

/// `auto` where it is what happens without the option, and parts of paths that are not known.
void Completer::dropNothings() {
  auto SaysNothing = [&](ConfigValue &Member) {
    const FieldDecl *Option = findFlag(Schema, Member.Key);
    if (!Option)
      return false;
    if (Option->Ty.K == Type::Kind::Enum)
      return Member.Text == "auto" && Option->Ty.Enum->find("unset") >= 0;
    bool Text = Option->Ty.K == Type::Kind::String;
    if (Text && std::ranges::find(Telling, Member.Key) == std::end(Telling)) {
      if (Member.isSymbolic())
        Member.K = ConfigValue::Kind::String;
    } else if (Option->List && std::ranges::any_of(Member.Items, &ConfigValue::isSymbolic)) {
      Member.Text = std::ranges::find_if(Member.Items, &ConfigValue::isSymbolic)->Text;
      Member.K = ConfigValue::Kind::Symbolic;
    }
    return false;
  };
  std::erase_if(Tree.Items, SaysNothing);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void Completer::addFact(std::string_view Key, const ConfigValue &From, std::optional<int64_t> Count) {
  ConfigValue Member = From;
  Member.Key = Key;
  Member.Items.clear();
  Member.K = Count ? ConfigValue::Kind::Number : ConfigValue::Kind::Symbolic;
  if (Count)
    Member.Text = std::to_string(*Count);
  Facts.Items.push_back(std::move(Member));
}

std::optional<int64_t> Completer::number(std::string_view Key) const {
  const ConfigValue *V = given(Key);
  if (!V || V->isSymbolic())
    return std::nullopt;
  int64_t Result = 0;
  for (char C : V->Text) {
    if (C < '0' || C > '9')
      return std::nullopt;
    Result = Result * 10 + (C - '0');
    if (Result > 1'000'000)
      return std::nullopt;
  }
  return Result;
}

/// The pattern that an option holds; null when it is not given, not known or wrong, which is reported. A list has an
/// entry for each layer, 0 or 1.
const ConfigValue *Completer::pattern(std::string_view Key, LayerPattern &Into) {
  const ConfigValue *V = given(Key);
  if (!V || V->isSymbolic())
    return nullptr;
  auto Pattern = parseLayerPattern(V->Text);
  if (!Pattern) {
    Job.Diags.report(diag::OptionType, V->Range, shown(Key), "a whole number or a list such as `([0]*3+[1]*58)`",
                     V->brief());
    return nullptr;
  }
  auto Layers = number("num_layers");
  auto Entries = static_cast<int64_t>(Pattern->Entries.size());
  if (!Pattern->Every && Layers && Entries != *Layers) {
    Diagnostic &D =
        Job.Diags.report(diag::ForeignOutOfRange, V->Range, shown(Key), fmt::format("a list of {}", Entries),
                         fmt::format("have an entry for each of {}", plural(*Layers, "layer")));
    D.Labels.push_back({given("num_layers")->Range, plural(*Layers, "layer")});
    return nullptr;
  }
  auto Odd = std::ranges::find_if(Pattern->Entries, [](int64_t E) { return E != 0 && E != 1; });
  if (Odd != Pattern->Entries.end()) {
    Job.Diags.report(diag::ForeignOutOfRange, V->Range, shown(Key), fmt::format("a list with {}", *Odd),
                     "be made of 0 and 1");
    return nullptr;
  }
  Into = std::move(*Pattern);
  return V;
}

/// Layer i has experts when N divides i, or when the list has a 1 for it.
void Completer::readExpertLayers() {
  LayerPattern Pattern;
  const ConfigValue *V = pattern("moe_layer_freq", Pattern);
  if (!V || !given("num_experts"))
    return;
  std::optional<int64_t> Dense;
  bool Leading = true;
  if (!Pattern.Every) {
    Dense = std::ranges::count(Pattern.Entries, 0);
    Leading = std::ranges::is_sorted(Pattern.Entries);
  } else if (auto Layers = number("num_layers")) {
    Dense = *Layers - (*Layers + *Pattern.Every - 1) / *Pattern.Every;
    Leading = *Dense == 0;
  }
  if (!Leading)
    Job.Diags.report(diag::NotRepresented, V->Range, shown("moe_layer_freq"),
                     "the layers without experts count as the first ones");
  addFact("dense_layers", *V, Dense);
}

/// A query sees `left` keys before it and itself. Layer i (from 1) has no window when N divides i, or when the list has
/// a 0 for it.
void Completer::readWindow() {
  const ConfigValue *Size = given("window_size");
  if (!Size || Size->isSymbolic())
    return;
  auto Window = parseTuple(Size->Text);
  if (!Window || Window->size() != 2) {
    Job.Diags.report(diag::OptionType, Size->Range, shown("window_size"), "two whole numbers such as `4096,0`",
                     Size->brief());
    return;
  }
  if (Window->front() < 0)
    return;
  addFact("window_keys", *Size, Window->front() + 1);
  LayerPattern Pattern;
  const ConfigValue *V = pattern("window_attn_skip_freq", Pattern);
  if (!V)
    return;
  std::optional<int64_t> Windowed;
  if (!Pattern.Every)
    Windowed = std::ranges::count(Pattern.Entries, 1);
  else if (auto Layers = number("num_layers"))
    Windowed = *Layers - *Layers / *Pattern.Every;
  addFact("window_layers", *V, Windowed);
}

void Completer::readLayout() {
  const ConfigValue *Layout = given("pipeline_model_parallel_layout");
  if (!Layout || Layout->isSymbolic())
    return;
  auto Expanded = expandLayout(Layout->Text);
  if (!Expanded) {
    Job.Diags.report(diag::OptionType, Layout->Range, shown(Layout->Key), "stages such as `E|(t|)*3,m|m||L`",
                     Layout->brief());
    return;
  }
  const ConfigValue *Predictors = given("mtp_num_layers");
  auto Modules = Predictors ? number("mtp_num_layers") : 0;
  if (auto Fault = layoutFault(*Expanded, number("num_layers"), Modules))
    Job.Diags.report(diag::ForeignOutOfRange, Layout->Range, shown(Layout->Key), Fault->Has, Fault->Must);
  addFact("layout_stages", *Layout, countStages(*Expanded));
}

/// The sizes of the levels multiply to the context-parallel size.
void Completer::readLevels() {
  const ConfigValue *Levels = given("hierarchical_context_parallel_sizes");
  if (!Levels || Levels->isSymbolic() || Levels->Items.empty())
    return;
  int64_t Product = 1;
  for (const ConfigValue &Level : Levels->Items)
    if (auto N = parseTuple(Level.Text);
        N && N->size() == 1 && N->front() > 0 && N->front() < (1 << 20) && Product < (1 << 20))
      Product *= N->front();
    else
      return;
  addFact("hierarchical_cp", *Levels, Product);
}

void Completer::readSchedule() {
  const ConfigValue *Schedule = given("step_batch_size_schedule");
  if (!Schedule || Schedule->isSymbolic())
    return;
  if (std::string Fault = scheduleFault(Schedule->Text); !Fault.empty())
    Job.Diags.report(diag::ForeignOutOfRange, Schedule->Range, shown(Schedule->Key), Fault,
                     "be made of `TOKENS:BATCH`");
}

/// Every N-th layer has no rotary embedding: N divides the layers.
void Completer::readPositions() {
  LayerPattern Pattern;
  const ConfigValue *V = pattern("no_rope_freq", Pattern);
  auto Layers = number("num_layers");
  if (V && Pattern.Every && Layers && *Layers % *Pattern.Every)
    Job.Diags.report(diag::ForeignOutOfRange, V->Range, shown(V->Key), std::to_string(*Pattern.Every),
                     fmt::format("divide {}", plural(*Layers, "layer")));
}

void Completer::readPatterns() {
  readExpertLayers();
  readWindow();
  readLayout();
  readLevels();
  readSchedule();
  readPositions();
}

//===----------------------------------------------------------------------===//
// What is not in the options
//===----------------------------------------------------------------------===//

/// Models that a `model` block cannot describe.
void Completer::hint() {
  static constexpr std::pair<std::string_view, std::string_view> Beyond[] = {
      {"hybrid_layer_pattern", "layers of other kinds than attention are not described"},
      {"hybrid_override_pattern", "layers of other kinds than attention are not described"},
      {"experimental_attention_variant", "estimates take full attention"},
      {"heterogeneous_layers_config_path", "layers count as equal"},
      {"moe_latent_size", "experts count as working on the full width"},
      {"encoder_num_layers", "an encoder is not described"}};
  for (const auto &[Key, Why] : Beyond)
    if (const ConfigValue *V = given(Key))
      Job.Diags.report(diag::NotRepresented, V->Range, shown(Key), Why);
  if (const ConfigValue *V = given("optimizer"); V && V->Text == "soap")
    Job.Diags.report(diag::NotRepresented, V->Range, shown("optimizer"), "its states count as those of AdamW");
}

void Completer::addUnknown(std::string_view Key, std::string Why, SourceRange Range) {
  Tree.Items.push_back(makeMember(std::string(Key), Range, ConfigValue::Kind::Symbolic, std::move(Why), Range));
}

void Completer::fillUnknown(const Completion &How) {
  // Where lengths of encoder and decoder are given, the encoder's is the length.
  if (const ConfigValue *Length = given("encoder_seq_length"); Length && !given("seq_length")) {
    ConfigValue Copy = *Length;
    Copy.Key = "seq_length";
    Tree.Items.push_back(std::move(Copy));
  }
  // The same of layers.
  if (const ConfigValue *Layers = given("encoder_num_layers"); Layers && !given("num_layers")) {
    ConfigValue Copy = *Layers;
    Copy.Key = "num_layers";
    Tree.Items.push_back(std::move(Copy));
  }
  std::string From = How.ModelFrom;
  SourceRange Range = At;
  for (std::string_view Key : {"yaml_cfg", "use_checkpoint_args"})
    if (const ConfigValue *V = given(Key)) {
      From = shown(Key);
      Range = V->Range;
    }
  if (!From.empty())
    for (const FieldDecl &Option : Schema.Fields)
      if ((Option.Required || isShape(Option.Name)) && !given(Option.Name))
        addUnknown(Option.Name, From, Range);
  for (std::string_view Key : {"hybrid_layer_pattern", "hybrid_override_pattern"})
    if (const ConfigValue *V = given(Key))
      if (std::erase_if(Tree.Items, [](const ConfigValue &M) { return M.Key == "num_layers"; }) || !given("num_layers"))
        addUnknown("num_layers", shown(Key), V->Range);
  if (!given("vocab_size") && !given("padded_vocab_size")) {
    const ConfigValue *Tokenizer = given("tokenizer_type");
    addUnknown("vocab_size", "the tokenizer", Tokenizer ? Tokenizer->Range : At);
  }
}

void addOptions(JobSink &Job, ConfigValue Tree, const Completion &How, SourceRange At) {
  Completer C(Tree, At, Job);
  C.dropNothings();
  C.readPatterns();
  C.hint();
  C.fillUnknown(How);
  Job.addOptions(framework::Megatron, Tree, At);
  Job.addFacts(framework::Megatron, C.Facts);
}

} // namespace parlance::megatron
