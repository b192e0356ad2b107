#include "Frameworks/Nanotron/Read.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/Nanotron/Nanotron.h"
#include "Frameworks/Options/Members.h"
#include "Frameworks/Options/OptionReader.h"
#include <algorithm>
#include <set>

namespace parlance {

namespace {

/// What only Qwen2Config has (src/nanotron/config/models_config.py).
constexpr std::string_view Qwen2Only[] = {
    "flex_attention_mask", "sliding_window_size",      "no_rope_layer",
    "_fused_rotary_emb",   "_fused_rms_norm",          "_use_qkv_packed",
    "_use_doc_masking",    "log_attn_probs",           "moe_config",
    "is_qwen2_config",     "ring_attn_heads_k_stride", "rope_seq_len_interpolation_factor"};

/// Options whose words are looked up in capitals.
constexpr std::pair<std::string_view, std::string_view> InCapitals[] = {{"parallelism", "tp_mode"},
                                                                        {"init_method", "scaling_method"}};

class NanotronReader {
public:
  NanotronReader(JobSink &Job, ConfigValue Tree, SourceRange At)
      : Job(Job), F(framework::Nanotron), Tree(std::move(Tree)), At(At) {}
  void run();

private:
  void capitals(ConfigValue &Section);
  void ownClasses();
  void ownModel(ConfigValue &Model, ConfigValue &Shape, const ConfigValue &Mark);
  void modelClass();
  static void weightedSets(ConfigValue *Sets);
  void dataStages();
  void checkStages(const ConfigValue &Stages);
  void checkDataset(const std::string &Stage, const ConfigValue &Set);
  void decayStyle();
  void optimizer();

  JobSink &Job;
  const Framework &F;
  ConfigValue Tree;
  SourceRange At;
};

void NanotronReader::capitals(ConfigValue &Section) {
  for (ConfigValue &Member : Section.Items) {
    for (const auto &[Parent, Key] : InCapitals)
      if (Section.Key == Parent && Member.Key == Key && Member.K == ConfigValue::Kind::String)
        std::ranges::transform(Member.Text, Member.Text.begin(),
                               [](unsigned char C) { return static_cast<char>(std::toupper(C)); });
    if (Member.isObject())
      capitals(Member);
  }
}

/// Programs beside nanotron's own (examples/mamba, moe, doremi) read files into classes of theirs, which is seen by a
/// mark such as `is_mamba_config`.
void NanotronReader::ownClasses() {
  ConfigValue *Model = member(&Tree, "model"), *Shape = member(Model, "model_config");
  if (Shape && Shape->isObject())
    for (const ConfigValue &Member : Shape->Items)
      if (Member.isTrue() && Member.Key.starts_with("is_") && Member.Key.ends_with("_config") &&
          Member.Key != "is_llama_config" && Member.Key != "is_qwen2_config") {
        ownModel(*Model, *Shape, ConfigValue(Member));
        break;
      }
  const ConfigValue *Weights = Tree.find("doremi");
  if (!Weights)
    return;
  Job.Diags.report(diag::NotDescribed, Weights->KeyRange, "doremi", "…", "a class of the program's own reads the file");
  std::erase_if(Tree.Items, [](const ConfigValue &M) { return M.Key == "doremi" || M.Key == "data"; });
}

/// Nothing of such a model is known.
void NanotronReader::ownModel(ConfigValue &Model, ConfigValue &Shape, const ConfigValue &Mark) {
  Job.Diags.report(diag::NotDescribed, Mark.KeyRange, "model.model_config." + Mark.Key, "true",
                   "a class of the program's own reads the model, so that nothing that depends on "
                   "its shape is checked");
  Shape.Items.clear();
  for (const FieldDecl &Option : Job.E.Lib.schema("nanotron_model_config")->Fields) {
    if (!Option.Required && Option.Counterpart.empty())
      continue;
    ConfigValue Open = Mark;
    Open.Key = Option.Name;
    Open.K = ConfigValue::Kind::Symbolic;
    Open.Text = Mark.Key;
    Shape.Items.push_back(std::move(Open));
  }
  if (ConfigValue *Init = member(&Model, "init_method"); Init && Init->isObject())
    Init->Items.clear();
}

/// A shape is a LlamaConfig if all its keys fit, otherwise a Qwen2Config. A Llama model with an option of Qwen2's is
/// neither.
void NanotronReader::modelClass() {
  ConfigValue *Shape = member(member(&Tree, "model"), "model_config");
  if (!Shape || !Shape->isObject())
    return;
  bool Llama = Shape->find("is_llama_config"), Qwen2 = false;
  std::vector<const ConfigValue *> Wrong;
  for (const ConfigValue &Member : Shape->Items)
    if (std::ranges::find(Qwen2Only, Member.Key) != std::end(Qwen2Only)) {
      Qwen2 = true;
      Wrong.push_back(&Member);
    }
  if (Llama)
    for (const ConfigValue *Member : Wrong) {
      Diagnostic &D =
          Job.Diags.report(diag::UnknownOption, Member->KeyRange, "model.model_config." + Member->Key, F.Title);
      D.Notes.push_back({Shape->find("is_llama_config")->KeyRange, "Qwen2 models have the option, not Llama models"});
    }
  if (!Qwen2 || Llama || Shape->find("is_qwen2_config"))
    return;
  // So that the schema's formulas need to look at one key alone.
  ConfigValue Mark;
  Mark.K = ConfigValue::Kind::Bool;
  Mark.Text = "true";
  Mark.Key = "is_qwen2_config";
  Mark.Range = Mark.KeyRange = Wrong.front()->KeyRange;
  Shape->Items.push_back(std::move(Mark));
}

/// Data sets with their weights are as good as a list of them.
void NanotronReader::weightedSets(ConfigValue *Sets) {
  if (!Sets || !Sets->isObject())
    return;
  Sets->K = ConfigValue::Kind::Array;
  for (ConfigValue &Set : Sets->Items) {
    Set.K = ConfigValue::Kind::String;
    Set.Text = Set.Key;
    Set.Range = Set.KeyRange;
  }
}

/// The stages are a list of sections, each read like a file of its own.
void NanotronReader::dataStages() {
  ConfigValue *Stages = member(&Tree, "data_stages");
  if (!Stages || Stages->K != ConfigValue::Kind::Array)
    return;
  for (ConfigValue &Stage : Stages->Items) {
    if (!Stage.isObject()) {
      Job.Diags.report(diag::OptionType, Stage.Range, "data_stages", "sections", std::string(Stage.kindName()));
      continue;
    }
    weightedSets(member(member(member(&Stage, "data"), "dataset"), "hf_dataset_or_datasets"));
    OptionReader Reader(F, Job.E, Job.Diags);
    Reader.read(Stage, *Job.E.Lib.schema("nanotron_data_stage"),
                {Stage.Range.File, Stage.Range.Begin, Stage.Range.Begin + 1}, "data_stages.");
    for (const Symbol &S : Reader.symbols())
      Job.addSymbol(S);
  }
  checkStages(*Stages);
}

/// What is compared between the stages.
void NanotronReader::checkStages(const ConfigValue &Stages) {
  std::set<std::string> Names;
  std::set<int64_t> Starts;
  bool AllKnown = true;
  for (const ConfigValue &Stage : Stages.Items) {
    const ConfigValue *Name = Stage.find("name"), *Start = Stage.find("start_training_step");
    auto Step = Start ? Start->integer() : std::nullopt;
    AllKnown &= Step.has_value();
    if (Name && !Name->isSymbolic() && !Names.insert(Name->Text).second)
      Job.Diags.report(diag::DataStages, Name->Range, fmt::format("two data stages are called `{}`", Name->Text));
    if (Step && !Starts.insert(*Step).second)
      Job.Diags.report(diag::DataStages, Start->Range, fmt::format("two data stages begin at step {}", *Step));
    const ConfigValue *Data = Stage.find("data");
    if (const ConfigValue *Set = Data ? Data->find("dataset") : nullptr; Set && Set->isObject())
      checkDataset(Name ? Name->Text : "", *Set);
  }
  if (AllKnown && !Stages.Items.empty() && !Starts.contains(1))
    Job.Diags.report(diag::DataStages, Stages.KeyRange, "no data stage begins at step 1");
}

/// A folder of tokens was made with a tokenizer, which has to be the model's.
void NanotronReader::checkDataset(const std::string &Stage, const ConfigValue &Set) {
  const ConfigValue *Folder = Set.find("dataset_folder"), *Weights = Set.find("dataset_weights");
  if (!Folder)
    return;
  if (Folder->K == ConfigValue::Kind::Array && Weights && Weights->K == ConfigValue::Kind::Array &&
      Folder->Items.size() != Weights->Items.size())
    Job.Diags.report(diag::DataStages, Weights->Range,
                     fmt::format("data stage `{}` has {} folders and {} weights", Stage, Folder->Items.size(),
                                 Weights->Items.size()));
  auto Compare = [&](const ConfigValue *Have, const ConfigValue *Want, std::string_view What) {
    if (Have && Want && !Have->isSymbolic() && !Want->isSymbolic() && !Have->isNull() && !Want->isNull() &&
        Have->Text != Want->Text && Want->Text != "-1")
      Job.Diags.report(
          diag::DataStages, Have->Range,
          fmt::format("data stage `{}` has the {} {}, but the model {}", Stage, What, Have->Text, Want->Text));
  };
  Compare(Set.find("vocab_size"), member(member(member(&Tree, "model"), "model_config"), "vocab_size"), "vocabulary");
  Compare(Set.find("tokenizer_name"), member(member(&Tree, "tokenizer"), "tokenizer_name_or_path"), "tokenizer");
}

/// AdamW needs all its options: with some of them a section fits no class.
void NanotronReader::optimizer() {
  static constexpr std::string_view Adam[] = {"adam_eps", "adam_beta1", "adam_beta2", "torch_adam_is_fused"};
  const ConfigValue *Factory = member(member(&Tree, "optimizer"), "optimizer_factory");
  if (!Factory || !Factory->isObject())
    return;
  std::vector<std::string> Missing;
  for (std::string_view Key : Adam)
    if (!Factory->find(Key))
      Missing.push_back(fmt::format("`optimizer.optimizer_factory.{}`", Key));
  if (!Missing.empty() && Missing.size() < std::size(Adam))
    Job.Diags.report(diag::MissingOption, Factory->KeyRange, F.Title,
                     joinList(std::span<const std::string>(Missing), "and"));
}

/// One of its words is not an identifier, so that the schema does not list them.
void NanotronReader::decayStyle() {
  static constexpr std::string_view Styles[] = {"linear", "cosine", "1-sqrt"};
  const ConfigValue *Style = member(member(member(&Tree, "optimizer"), "learning_rate_scheduler"), "lr_decay_style");
  if (Style && Style->K == ConfigValue::Kind::String && std::ranges::find(Styles, Style->Text) == std::end(Styles))
    Job.Diags.report(diag::OptionChoice, Style->Range, "optimizer.learning_rate_scheduler.lr_decay_style", Style->Text,
                     F.Title, joinList(std::span<const std::string_view>(Styles)));
}

void NanotronReader::run() {
  capitals(Tree);
  ownClasses();
  modelClass();
  Job.addOptions(F, Tree, At);
  dataStages();
  optimizer();
  decayStyle();
}

} // namespace

void readNanotron(JobSink &Job, const ConfigValue &Tree, SourceRange At) { NanotronReader(Job, Tree, At).run(); }

} // namespace parlance
