#include "Frameworks/Megatron/Read.h"
#include "Basic/Diagnostics.h"
#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Options/Members.h"
#include "Plan/Options.h"
#include <algorithm>

namespace parlance {

using megatron::Dialect;

void megatron::addVariable(ConfigValue &Tree, std::string_view Name, SourceRange NameRange, const CommandWord &Value,
                           JobSink &Job) {
  const SchemaDecl &Schema = *optionsBlock(Job.E.Lib, "megatron").Schema;
  if (std::ranges::find(Schema.Fields, Name, &FieldDecl::Spelling) == Schema.Fields.end())
    return;
  // The last value of a variable counts.
  std::erase_if(Tree.Items, [&](const ConfigValue &M) { return M.Key == Name; });
  Tree.Items.push_back(makeMember(std::string(Name), NameRange,
                                  Value.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::String, Value.Text,
                                  Value.Range));
}

/// A flag and its value behind `=` are two words.
static void addWord(std::vector<CommandWord> &Words, const ConfigValue &V) {
  size_t Equals = V.Text.find('=');
  if (!V.Text.starts_with("--") || Equals == std::string::npos) {
    Words.push_back({V.Text, V.Range, V.isSymbolic(), false});
    return;
  }
  Words.push_back({V.Text.substr(0, Equals), V.Range, false, false});
  Words.push_back({V.Text.substr(Equals + 1), V.Range, V.isSymbolic(), true});
}

static SourceRange startOf(const ConfigValue &V) { return {V.Range.File, V.Range.Begin, V.Range.Begin + 1}; }

static void addVariables(ConfigValue &Options, const ConfigValue *Variables, JobSink &Job) {
  if (Variables && Variables->isObject())
    for (const ConfigValue &V : Variables->Items)
      megatron::addVariable(Options, V.Key, V.KeyRange, {V.Text, V.Range, V.isSymbolic(), false}, Job);
}

/// As many full nodes of eight as that makes; a smaller number is one node.
static void addWorldSize(JobSink &Job, const ConfigValue *Size) {
  auto N = Size ? Size->integer() : std::nullopt;
  if (!N || *N < 1)
    return;
  bool Whole = *N % 8 == 0;
  Job.addWorld({Whole ? 8 : *N, Whole ? *N / 8 : 1, Size->Range, Size->Range});
}

void readMegatronArguments(JobSink &Job, const ConfigValue &Tree) {
  const ConfigValue *Arguments = Tree.isObject() ? Tree.find("args") : &Tree;
  if (!Arguments)
    return;
  std::vector<CommandWord> Words;
  for (const ConfigValue &V : Arguments->Items)
    addWord(Words, V);
  SourceRange At = startOf(*Arguments);
  ConfigValue Options = megatron::FlagReader(Job, Dialect::Megatron).read(Words);
  Options.Range = Arguments->Range;
  if (Tree.isObject()) {
    addVariables(Options, Tree.find("env"), Job);
    addWorldSize(Job, Tree.find("world_size"));
  }
  megatron::addOptions(Job, std::move(Options), {}, At);
}

static void addWords(std::vector<CommandWord> &Words, const ConfigValue &V, bool Split) {
  // `[a b]` in quotes stands for a and b.
  std::string_view Text = V.Text;
  if (Text.size() > 2 && Text.starts_with('[') && Text.find(']') + 1 == Text.size()) {
    Text = Text.substr(1, Text.size() - 2);
    Split = true;
  }
  if (!Split) {
    Words.push_back({V.Text, V.Range, V.isSymbolic(), false});
    return;
  }
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find(' ', Begin), Text.size());
    if (End > Begin)
      Words.push_back({std::string(Text.substr(Begin, End - Begin)), V.Range, V.isSymbolic(), false});
    Begin = End + 1;
  }
}

/// The words that the test's shell script makes of a member: `true` is a flag without value,
/// `false` is none, and the text of a flag with several values is split at blanks.
static void addFlag(std::vector<CommandWord> &Words, const ConfigValue &Member, const SchemaDecl &Schema) {
  bool Truth = Member.K == ConfigValue::Kind::Bool;
  if (Member.isNull() || (Truth && !Member.isTrue()))
    return;
  Words.push_back({Member.Key, Member.KeyRange, false, false});
  if (Truth)
    return;
  std::string Name = Member.Key.substr(std::min<size_t>(2, Member.Key.size()));
  std::ranges::replace(Name, '-', '_');
  const FieldDecl *Option = megatron::findFlag(Schema, Name);
  bool Split = Option && Option->List;
  if (Member.K == ConfigValue::Kind::Array)
    for (const ConfigValue &V : Member.Items)
      addWords(Words, V, Split);
  else
    addWords(Words, Member, Split);
}

void readMegatronRecipe(JobSink &Job, const ConfigValue &Tree) {
  const ConfigValue *Arguments = Tree.find("MODEL_ARGS");
  if (!Arguments || !Arguments->isObject())
    return;
  const SchemaDecl &Schema = *optionsBlock(Job.E.Lib, "megatron").Schema;
  std::vector<CommandWord> Words;
  for (const ConfigValue &Member : Arguments->Items)
    if (Arguments->find(Member.Key) == &Member)
      addFlag(Words, Member, Schema);
  SourceRange At = startOf(*Arguments);
  if (!Words.empty() && !Words.front().Text.starts_with('-')) {
    Diagnostic &D = Job.Diags.report(diag::UnknownForeign, Words.front().Range, Job.Sources.file(At.File).name());
    D.Notes.push_back({{}, "its MODEL_ARGS are not flags: NeMo's recipes are written so"});
    return;
  }
  // Recipes of inference start other programs, which have flags of their own.
  const ConfigValue *Mode = Tree.find("MODE");
  Dialect D = Mode && Mode->Text != "pretraining" ? Dialect::Fork : Dialect::Megatron;
  ConfigValue Options = megatron::FlagReader(Job, D).read(Words);
  Options.Range = Arguments->Range;
  addVariables(Options, Tree.find("ENV_VARS"), Job);
  megatron::addOptions(Job, std::move(Options), {}, At);
}

} // namespace parlance
