#include "Frameworks/DeepSpeed/Read.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/DeepSpeed/Batch.h"
#include "Frameworks/DeepSpeed/DeepSpeed.h"
#include "Frameworks/DeepSpeed/Elasticity.h"
#include "Frameworks/Options/Members.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace parlance {

namespace {

using Kind = ConfigValue::Kind;

/// Rewrites a copy of the tree into the form that the declarations of the options have.
class Translator {
public:
  Translator(JobSink &Job, ConfigValue Tree) : Job(Job), Diags(Job.Diags), Root(std::move(Tree)) {}
  const ConfigValue &run();

private:
  void refuseDuplicates(const ConfigValue &Object);
  void checkBatch();
  void translateZero();
  void translateOffload(ConfigValue &Zero, std::string_view Old, std::string_view New);
  void checkLossScale();
  void checkLossScaleWhileDynamic(const ConfigValue &Fp16);
  void spellWords();
  void checkPasses();
  void checkBalance();

  ConfigValue *section(std::string_view Path);
  void wrongType(std::string_view Path, std::string_view Wanted, const ConfigValue &V);

  JobSink &Job;
  DiagnosticEngine &Diags;
  ConfigValue Root;
};

} // namespace

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static constexpr std::string_view WholeNumber = "a whole number";

static std::string described(const ConfigValue &V) {
  return V.K == Kind::Number || V.K == Kind::String ? V.brief() : std::string(V.kindName());
}

ConfigValue *Translator::section(std::string_view Path) {
  ConfigValue *At = &Root;
  while (At && !Path.empty()) {
    size_t Dot = std::min(Path.find('.'), Path.size());
    At = member(*At, Path.substr(0, Dot));
    Path.remove_prefix(std::min(Dot + 1, Path.size()));
  }
  return At && At->isObject() ? At : nullptr;
}

void Translator::wrongType(std::string_view Path, std::string_view Wanted, const ConfigValue &V) {
  Diagnostic &D = Diags.report(diag::OptionType, V.Range, std::string(Path), std::string(Wanted), described(V));
  addFix(D, Wanted == WholeNumber ? withoutQuotes(V) : std::nullopt);
}

//===----------------------------------------------------------------------===//
// Checks of DeepSpeed's own
//===----------------------------------------------------------------------===//

void Translator::refuseDuplicates(const ConfigValue &Object) {
  std::map<std::string_view, unsigned> Count;
  for (const ConfigValue &M : Object.Items) {
    if (Object.isObject() && ++Count[M.Key] == 2)
      Diags.report(diag::RefusedDuplicate, M.KeyRange, "DeepSpeed", M.Key);
    refuseDuplicates(M);
  }
}

/// The batch keys are compared with numbers as they are.
void Translator::checkBatch() {
  for (std::string_view Key : {"train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps"}) {
    ConfigValue *V = member(Root, Key);
    if (V && V->K == Kind::Number && !V->integer()) { // taken as it is, for what it leads to
      Diags.report(diag::UncheckedOption, V->Range, std::string(Key), "a whole number", V->brief(), "DeepSpeed");
      if (double N = V->number().value_or(0.5); std::floor(N) == N && std::abs(N) < 1e15)
        V->Text = std::to_string(static_cast<int64_t>(N));
      else
        V->K = Kind::Symbolic;
    }
    bool Text = V && V->K == Kind::String && V->Text != "auto";
    if (!V || !(Text || V->isObject() || V->K == Kind::Array))
      continue;
    wrongType(Key, WholeNumber, *V);
    V->K = Kind::Symbolic; // nobody wants the default
  }
}

/// A value that pydantic takes for true or false; none for others.
static std::optional<bool> truthIn(const ConfigValue &V) {
  static constexpr std::string_view True[] = {"true", "True", "1"}, False[] = {"false", "False", "0"};
  if (std::ranges::find(True, V.Text) != std::end(True))
    return true;
  return std::ranges::find(False, V.Text) != std::end(False) ? std::optional(false) : std::nullopt;
}

void Translator::checkLossScale() {
  ConfigValue *Fp16 = section("fp16");
  if (!Fp16)
    return;
  for (std::string_view Key : {"loss_scale", "loss_scale_window", "min_loss_scale"}) {
    ConfigValue *V = member(*Fp16, Key);
    auto N = V ? V->number() : std::nullopt;
    if (!V || !(V->K == Kind::Bool || (N && !std::isfinite(*N))))
      continue;
    Diags.report(diag::LossScale, V->Range, "fp16." + std::string(Key),
                 V->K == Kind::Bool ? "a truth value" : V->brief(),
                 Key == "loss_scale" ? "a finite number" : "a whole number");
    eraseMember(*Fp16, Key);
  }
  checkLossScaleWhileDynamic(*Fp16);
}

void Translator::checkLossScaleWhileDynamic(const ConfigValue &Fp16) {
  const ConfigValue *Enabled = Fp16.find("enabled"), *Scale = Fp16.find("loss_scale");
  if (!Enabled || truthIn(*Enabled) != true || (Scale && Scale->number() != 0.0))
    return;
  for (std::string_view Key : {"loss_scale_window", "min_loss_scale"}) {
    const ConfigValue *V = Fp16.find(Key);
    if (auto N = V ? V->number() : std::nullopt; N && *N <= 0)
      Diags.report(diag::LossScale, V->Range, "fp16." + std::string(Key), V->brief(),
                   "above 0 while the loss scale is dynamic (`loss_scale` 0)");
  }
}

void Translator::checkPasses() {
  static constexpr std::string_view Known[] = {"z1", "z3", "autosp", "autotp"};
  ConfigValue *Compile = section("compile");
  const ConfigValue *Passes = Compile ? Compile->find("passes") : nullptr;
  if (!Passes || Passes->K != Kind::Array)
    return;
  for (const ConfigValue &P : Passes->Items)
    if (std::ranges::find(Known, P.Text) == std::end(Known))
      Diags.report(diag::OptionChoice, P.Range, "compile.passes", P.Text, "DeepSpeed", joinList(Known));
}

void Translator::checkBalance() {
  ConfigValue *Experts = section("expert_parallel");
  const ConfigValue *V = Experts ? Experts->find("load_balance_coeff") : nullptr;
  if (V && !V->isNull())
    Diags.report(diag::OptionChoice, V->Range, "expert_parallel.load_balance_coeff",
                 std::string(Job.Sources.text(V->Range)), "DeepSpeed", "null");
}

//===----------------------------------------------------------------------===//
// Older forms
//===----------------------------------------------------------------------===//

/// `cpu_offload: true` is `offload_optimizer: {device: cpu}`.
void Translator::translateOffload(ConfigValue &Zero, std::string_view Old, std::string_view New) {
  ConfigValue *V = member(Zero, Old);
  if (!V)
    return;
  std::string OldPath = fmt::format("zero_optimization.{}", Old), NewPath = fmt::format("zero_optimization.{}", New);
  ConfigValue Given = *V;
  eraseMember(Zero, Old);
  auto On = truthIn(Given);
  if (!On && !Given.isNull()) {
    wrongType(OldPath, "true or false", Given);
    return;
  }
  if (member(Zero, New)) {
    Diags.report(diag::OldAndNew, Given.KeyRange, OldPath, NewPath, "DeepSpeed");
    return;
  }
  Diags.report(diag::DeprecatedOption, Given.KeyRange, OldPath,
               fmt::format("write `\"{}\": {{\"device\": \"cpu\"}}`", New));
  if (On != true)
    return;
  ConfigValue Section = madeFrom(Given, New, Kind::Object);
  Section.Items.push_back(madeFrom(Given, "device", Kind::String, "cpu"));
  Zero.Items.push_back(std::move(Section));
}

/// `zero_optimization: true` is stage 1.
void Translator::translateZero() {
  ConfigValue *Zero = member(Root, "zero_optimization");
  if (Zero && Zero->K == Kind::Bool) {
    Diags.report(diag::DeprecatedOption, Zero->Range, fmt::format("zero_optimization: {}", Zero->Text),
                 fmt::format("write `\"zero_optimization\": {{\"stage\": {}}}`", Zero->isTrue() ? 1 : 0));
    ConfigValue Section = madeFrom(*Zero, Zero->Key, Kind::Object);
    Section.Items.push_back(madeFrom(*Zero, "stage", Kind::Number, Zero->isTrue() ? "1" : "0"));
    const ConfigValue *Bucket = Root.find("allgather_size");
    if (Bucket && Zero->isTrue()) {
      Section.Items.push_back(*Bucket);
      Section.Items.back().Key = "allgather_bucket_size";
    }
    *Zero = std::move(Section);
    return;
  }
  if (!Zero || !Zero->isObject())
    return;
  // Names without the prefix do as well, and are no older form.
  static constexpr std::string_view Prefixed[] = {"prefetch_bucket_size",         "param_persistence_threshold",
                                                  "model_persistence_threshold",  "max_live_parameters",
                                                  "max_reuse_distance",           "gather_16bit_weights_on_model_save",
                                                  "module_granularity_threshold", "use_all_reduce_for_fetch_params",
                                                  "allgather_sequential"};
  for (std::string_view Name : Prefixed) {
    ConfigValue *Short = member(*Zero, Name);
    std::string Full = fmt::format("stage3_{}", Name);
    if (Short && Zero->find(Full)) { // beside the full name it is one key too many
      Diags.report(diag::UnknownOption, Short->KeyRange, fmt::format("zero_optimization.{}", Name), "DeepSpeed");
      eraseMember(*Zero, Name);
    } else if (Short) {
      Short->Key = Full;
    }
  }
  translateOffload(*Zero, "cpu_offload", "offload_optimizer");
  translateOffload(*Zero, "cpu_offload_param", "offload_param");
  const ConfigValue *Pinned = Zero->find("cpu_offload_use_pin_memory");
  if (Pinned)
    Diags.report(diag::DeprecatedOption, Pinned->KeyRange, "zero_optimization.cpu_offload_use_pin_memory",
                 "it has no effect; write `pin_memory` in the section of the offload");
  static constexpr std::string_view OldGather = "stage3_gather_fp16_weights_on_model_save",
                                    Gather = "stage3_gather_16bit_weights_on_model_save";
  const ConfigValue *Old = Zero->find(OldGather);
  if (Old && Zero->find(Gather)) {
    Diags.report(diag::OldAndNew, Old->KeyRange, fmt::format("zero_optimization.{}", OldGather),
                 fmt::format("zero_optimization.{}", Gather), "DeepSpeed");
    eraseMember(*Zero, OldGather);
  }
}

//===----------------------------------------------------------------------===//
// Spellings
//===----------------------------------------------------------------------===//

static std::string folded(std::string Word, int (*Fold)(int)) {
  std::ranges::transform(Word, Word.begin(), [&](unsigned char C) { return Fold(C); });
  return Word;
}

static std::string typeWord(const std::string &Word) {
  static const std::map<std::string_view, std::string_view> Names = {
      {"torch.float16", "fp16"}, {"float16", "fp16"},  {"half", "fp16"},
      {"torch.float32", "fp32"}, {"float32", "fp32"},  {"float", "fp32"},
      {"torch.int8", "int8"},    {"bfloat16", "bf16"}, {"torch.bfloat16", "bf16"}};
  auto It = Names.find(Word);
  return It == Names.end() ? Word : std::string(It->second);
}

/// DeepSpeed's optimizers go by any case, torch's by theirs.
static std::string optimizerWord(const std::string &Word) {
  static constexpr std::string_view Own[] = {"adagrad",     "adam",   "adamw",   "lamb",  "onebitadam", "onebitlamb",
                                             "zerooneadam", "muadam", "muadamw", "musgd", "lion",       "muon"};
  std::string Lower = folded(Word, std::tolower);
  return std::ranges::find(Own, Lower) == std::end(Own) ? Word : Lower;
}

static std::string lower(const std::string &Word) { return folded(Word, std::tolower); }
static std::string upper(const std::string &Word) { return folded(Word, std::toupper); }

void Translator::spellWords() {
  struct Spelling {
    std::string_view Section, Key;
    std::string (*Spell)(const std::string &);
  };
  static constexpr Spelling Spellings[] = {
      {"", "communication_data_type", lower},       {"", "seq_parallel_communication_data_type", lower},
      {"", "gradient_allreduce_op", lower},         {"optimizer", "type", optimizerWord},
      {"torch_autocast", "dtype", typeWord},        {"data_types", "grad_accum_dtype", typeWord},
      {"data_types", "param_dtype", typeWord},      {"data_types", "buffer_dtype", typeWord},
      {"checkpoint", "tag_validation", upper},      {"checkpoint.writer", "type", upper},
      {"checkpoint.writer", "data_parallel", upper}};
  for (const Spelling &S : Spellings) {
    ConfigValue *In = section(S.Section);
    ConfigValue *V = In ? member(*In, S.Key) : nullptr;
    if (V && V->K == Kind::String)
      V->Text = S.Spell(V->Text);
  }
  // Here `auto` is a choice of its own, and what holds where nothing is said.
  for (std::string_view Path : {"zero_optimization.zenflow", "expert_parallel"})
    if (ConfigValue *In = section(Path))
      std::erase_if(In->Items, [](const ConfigValue &M) { return M.K == Kind::String && M.Text == "auto"; });
  // Two names of one section.
  if (ConfigValue *Tensor = section("tensor_parallel"))
    for (ConfigValue &M : Tensor->Items)
      M.Key = M.Key == "tensor_parallel" ? "tp" : M.Key == "kernel_inject" ? "replace_with_kernel_inject" : M.Key;
  // The older name counts only where the other is not there.
  if (const ConfigValue *Bf16 = Root.find("bf16"); Bf16 && !Bf16->isNull())
    eraseMember(Root, "bfloat16");
}

const ConfigValue &Translator::run() {
  refuseDuplicates(Root);
  checkBatch();
  translateZero();
  checkLossScale();
  spellWords();
  checkPasses();
  checkBalance();
  return Root;
}

void readDeepSpeed(JobSink &Job, const ConfigValue &Tree, SourceRange At) {
  checkElasticity(Job, Tree);
  checkFractionalBatch(Job, Tree);
  Job.addOptions(framework::DeepSpeed, Translator(Job, Tree).run(), At);
}

} // namespace parlance
