// What a script's training command says to DeepSpeed.
#include "Config/Json.h"
#include "Frameworks/DeepSpeed/Read.h"
#include "Frameworks/Options/Members.h"
#include "Frameworks/Options/ScriptWords.h"
#include <algorithm>

namespace parlance {

using namespace shell;

/// The stage alone; how the batch is cut, other flags say.
static void addStage(JobSink &Job, const CommandWord &Stage, const std::vector<ConfigValue> &Batch) {
  ConfigValue Section = makeMember("zero_optimization", Stage.Range, ConfigValue::Kind::Object, {}, Stage.Range);
  Section.Items.push_back(makeMember("stage", Stage.Range,
                                     Stage.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Number,
                                     Stage.Text, Stage.Range));
  ConfigValue Tree;
  Tree.K = ConfigValue::Kind::Object;
  Tree.Range = Stage.Range;
  Tree.Items = Batch;
  Tree.Items.push_back(std::move(Section));
  readDeepSpeed(Job, Tree, Stage.Range);
}

/// The configuration that the script writes by a here-document; else the flag for its main option.
void readDeepSpeedTraining(JobSink &Job, const ShellScript &Script, const TrainingCommand &C, uint32_t File) {
  std::optional<CommandWord> Stage;
  std::optional<ShellWord> Path;
  std::vector<ConfigValue> Batch;
  for (size_t I = 0; I < C.Arguments.size(); ++I) {
    std::string Flat = C.Arguments[I].Text.flat();
    size_t Equals = Flat.find('=');
    std::string Name = Flat.substr(0, Equals);
    std::ranges::replace(Name, '-', '_');
    bool IsStage = Name == "__zero_stage", IsPath = Name == "__deepspeed_config" || Name == "__deepspeed";
    std::optional<ShellWord> Value;
    if (Equals != std::string::npos)
      Value = C.Arguments[I].from(Equals + 1);
    else if (I + 1 < C.Arguments.size() && !C.Arguments[I + 1].Text.flat().starts_with('-'))
      Value = C.Arguments[I + 1];
    if (Value && IsStage)
      Stage = commandWord(*Value);
    else if (Value && IsPath)
      Path = Value;
    else if (Value && (Name == "__micro_batch_size" || Name == "__global_batch_size"))
      Batch.push_back(makeMember(Name == "__micro_batch_size" ? "train_micro_batch_size_per_gpu" : "train_batch_size",
                                 Value->value(),
                                 Value->Text.symbolic() ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Number,
                                 Value->Text.shown(), Value->value()));
  }
  for (const ShellFile &F : Script.Files) {
    if (!Path || !F.Path.Text.same(Path->Text))
      continue;
    // The text as the script would write it, with positions of its own.
    std::string Name = fmt::format("{}: {}", Job.Sources.file(File).name(), F.Path.Text.shown());
    uint32_t Written = Job.Sources.add(Name, F.Body.shown());
    auto Tree = parseJson(Written, Job.Sources.file(Written).text(), Job.Diags, JsonDialect::Hjson);
    if (Tree && Tree->isObject()) {
      readDeepSpeed(Job, *Tree, {Written, 0, 1});
      return;
    }
  }
  if (Stage)
    addStage(Job, *Stage, Batch);
}

} // namespace parlance
