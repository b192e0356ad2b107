#include "Frameworks/Megatron/Flags.h"
#include "Basic/Diagnostics.h"
#include "Basic/Text.h"
#include "Frameworks/Megatron/Megatron.h"
#include "Frameworks/Options/Members.h"
#include "Plan/Options.h"
#include <algorithm>
#include <array>
#include <cctype>

namespace parlance::megatron {

static bool isDigit(char C) { return std::isdigit(static_cast<unsigned char>(C)) != 0; }

/// As argparse tells them apart: `-1` and `-0.5` are values, and so is what holds a blank.
static bool isFlag(const CommandWord &W) {
  std::string_view Text = W.Text;
  if (W.Attached || Text.size() < 2 || Text[0] != '-' || Text.find(' ') != Text.npos)
    return false;
  size_t Digits = Text.find_first_not_of("0123456789.", 1);
  return Digits != Text.npos || !std::ranges::any_of(Text, isDigit);
}

const FieldDecl *findFlag(const SchemaDecl &Schema, std::string_view Name) {
  // The dataclass of training has a second name for this one.
  if (Name == "persistent_save_interval")
    Name = "save_interval";
  std::string Key(Name);
  auto Find = [&] {
    auto It = std::ranges::find_if(Schema.Fields, [&](const FieldDecl &F) {
      return !framework::Megatron.fact(F.Name) && (keyOf(F) == Key || std::ranges::find(F.Old, Key) != F.Old.end());
    });
    return It == Schema.Fields.end() ? nullptr : &*It;
  };
  const FieldDecl *Found = Find();
  if (!Found && Name.starts_with("disable_")) {
    Key = "no_" + std::string(Name.substr(std::string_view("disable_").size()));
    Found = Find();
  }
  return Found;
}

/// A placeholder of a template with blanks in it (`<PATH TO DATA>`), which a variable without quotes splits, is one
/// word.
static std::vector<CommandWord> withPlaceholders(std::span<const CommandWord> Words) {
  std::vector<CommandWord> Result;
  for (size_t I = 0; I < Words.size(); ++I) {
    CommandWord W = Words[I];
    size_t End = I;
    if (W.Text.starts_with('<'))
      while (End < Words.size() && !Words[End].Text.ends_with('>') && !isFlag(Words[End]))
        ++End;
    if (End > I && End < Words.size() && Words[End].Text.ends_with('>')) {
      for (++I; I <= End; ++I)
        W.Text += ' ' + Words[I].Text;
      I = End;
      W.Range = W.Range.to(Words[End].Range);
      W.Symbolic = true;
    }
    Result.push_back(std::move(W));
  }
  return Result;
}

FlagReader::FlagReader(JobSink &Job, Dialect D) : Job(Job), D(D), Schema(*optionsBlock(Job.E.Lib, "megatron").Schema) {}

ConfigValue FlagReader::read(std::span<const CommandWord> Given) {
  std::vector<CommandWord> Joined = withPlaceholders(Given);
  Words = Joined;
  Tree = {};
  Tree.K = ConfigValue::Kind::Object;
  if (!Words.empty())
    Tree.Range = Words.front().Range;
  for (At = 0; At < Words.size();) {
    const CommandWord &W = Words[At++];
    if (isFlag(W) && !W.Symbolic)
      readFlag(W);
    else
      leftover(W);
  }
  Words = {};
  if (D == Dialect::Fork)
    addForkDefaults();
  return std::move(Tree);
}

/// The words up to the next flag; with `=` the one behind it. Variables that are not known behind known values
/// (`--recompute-modules mlp $MORE_OPTIONS`) rather hold flags.
std::vector<CommandWord> FlagReader::takeValues() {
  std::vector<CommandWord> Values;
  bool Attached = At < Words.size() && Words[At].Attached;
  while (At < Words.size() && !isFlag(Words[At]) && (!Attached || Values.empty()))
    Values.push_back(Words[At++]);
  while (Values.size() > 1 && Values.back().Symbolic && !Values.front().Symbolic) {
    Values.pop_back();
    --At;
  }
  return Values;
}

void FlagReader::readFlag(const CommandWord &Flag) {
  std::string Key = Flag.Text.substr(std::min(Flag.Text.find_first_not_of('-'), Flag.Text.size()));
  bool Underscores = Key.find('_') != std::string::npos;
  std::ranges::replace(Key, '-', '_');
  if (D != Dialect::Megatron && translated(Flag, Key))
    return;
  ConfigValue Member = makeMember(Key, Flag.Range, ConfigValue::Kind::Bool, "true", Flag.Range);
  const FieldDecl *Option = findFlag(Schema, Key);
  // argparse does not take `_` for `-`; two flags have an underscore in one of their spellings.
  bool Misspelt = D == Dialect::Megatron && Underscores && Flag.Text.find("opt_param-scheduler") == std::string::npos;
  bool TwoDashes = Flag.Text.starts_with("--");
  if (Option && TwoDashes && !Misspelt) {
    if (D == Dialect::Megatron && std::ranges::find(Option->Old, Key) != Option->Old.end())
      reportOld(Flag, *Option);
    Member.Key = keyOf(*Option);
    known(*Option, std::move(Member));
  } else {
    unknown(Flag, std::move(Member));
  }
}

/// A name of releases before, which forks still have: it is refused, and the rest is judged with what it means.
void FlagReader::reportOld(const CommandWord &Flag, const FieldDecl &Option) {
  const std::string Name = framework::Megatron.spelled(keyOf(Option));
  Diagnostic &D = Job.Diags.report(diag::UnknownOption, Flag.Range, Flag.Text, "Megatron-LM");
  D.Notes.push_back({{}, fmt::format("older releases called `{}` so", Name)});
  if (Job.Sources.text(Flag.Range) == Flag.Text)
    D.Fixes.push_back({fmt::format("`{}`", Name), Applicability::Machine, {{Flag.Range, Name}}, {}});
}

static ConfigValue::Kind kindOf(const CommandWord &W) {
  return W.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::String;
}

/// What Python's int() reads: no fraction and no exponent.
static bool isWhole(std::string_view Text) {
  if (Text.starts_with('-') || Text.starts_with('+'))
    Text.remove_prefix(1);
  return !Text.empty() && std::ranges::all_of(Text, isDigit);
}

/// Python reads `220_000_000` as a number: an underscore may stand between two digits.
static std::string withoutSeparators(std::string_view Text) {
  std::string Result;
  for (size_t I = 0; I < Text.size(); ++I) {
    bool Separates = Text[I] == '_' && I > 0 && I + 1 < Text.size() && isDigit(Text[I - 1]) && isDigit(Text[I + 1]);
    if (!Separates)
      Result += Text[I];
  }
  return Result;
}

void FlagReader::known(const FieldDecl &Option, ConfigValue Member) {
  std::string Shown = framework::Megatron.spelled(Member.Key);
  bool Attached = At < Words.size() && Words[At].Attached;
  if (Option.Ty.K == Type::Kind::Bool) {
    bool Takes = D == Dialect::Swift && At < Words.size() && !isFlag(Words[At]);
    if (Takes) {
      const CommandWord &W = Words[At++];
      Member.K = W.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Bool;
      Member.Text = W.Text;
      Member.Range = W.Range;
    } else if (Attached) {
      const CommandWord &W = Words[At++];
      Job.Diags.report(diag::OptionType, W.Range, Shown, "no value", '"' + W.Text + '"');
      Member.K = ConfigValue::Kind::Symbolic;
      Member.Range = W.Range;
    }
  } else if (Option.List) {
    Member.K = ConfigValue::Kind::Array;
    Member.Text.clear();
    for (const CommandWord &W : takeValues()) {
      if (Member.Items.empty())
        Member.Range = W.Range;
      Member.Items.push_back(makeMember({}, {}, kindOf(W), W.Text, W.Range));
    }
  } else if (At < Words.size() && (Attached || !isFlag(Words[At]))) {
    const CommandWord &W = Words[At++];
    Member.K = kindOf(W);
    Member.Text = W.Text;
    Member.Range = W.Range;
    // Forks have tokenizers and kinds of positions of their own.
    if (D == Dialect::Fork && Option.Ty.K == Type::Kind::Enum && Option.Ty.Enum->find(W.Text) < 0)
      Member.K = ConfigValue::Kind::Symbolic;
    if (Option.Ty.K == Type::Kind::Quantity && !W.Symbolic)
      Member.Text = withoutSeparators(W.Text);
    if (Option.Ty.isCount() && !W.Symbolic && isWhole(Member.Text))
      Member.K = ConfigValue::Kind::Number;
  } else {
    Job.Diags.report(diag::OptionType, Member.KeyRange, Shown, "a value", "nothing");
    Member.K = ConfigValue::Kind::Symbolic;
  }
  Tree.Items.push_back(std::move(Member));
}

/// Flags of Megatron-DeepSpeed that say how, not what: the engine without stages, who recomputes.
static constexpr std::string_view WithoutInfluence[] = {"no_pipeline_parallel", "deepspeed_activation_checkpointing",
                                                        "contigious_checkpointing", "synchronize_each_layer"};

void FlagReader::unknown(const CommandWord &Flag, ConfigValue Member) {
  if (D == Dialect::Megatron)
    if (const FieldDecl *Meant = findFlag(Schema, Member.Key))
      return misspelt(Flag, *Meant, std::move(Member));
  const std::vector<CommandWord> Values = takeValues();
  if (D == Dialect::Megatron) {
    Tree.Items.push_back(std::move(Member)); // the reader of options reports it
    return;
  }
  Job.Diags.report(diag::NotRepresented, Flag.Range, Flag.Text,
                   "Megatron-LM has no such option; it is one of the program's own");
  if (std::ranges::find(WithoutInfluence, Member.Key) != std::end(WithoutInfluence))
    return;
  const std::string_view Value = Values.empty() ? std::string_view() : Values.front().Text;
  Job.addUnread(framework::Megatron, {Flag.Text, Flag.Range, subjectsOf(Flag.Text, Value, Job.E.Lib)});
}

/// Wrong in its dashes alone: there is no doubt what it means, and the rest is judged with that.
void FlagReader::misspelt(const CommandWord &Flag, const FieldDecl &Meant, ConfigValue Member) {
  std::string Right = framework::Megatron.spelled(keyOf(Meant));
  Diagnostic &Report = Job.Diags.report(diag::UnknownOption, Flag.Range, Flag.Text, "Megatron-LM");
  if (Job.Sources.text(Flag.Range) == Flag.Text)
    Report.Fixes.push_back({fmt::format("`{}`", Right), Applicability::Machine, {{Flag.Range, Right}}, {}});
  Member.Key = keyOf(Meant);
  known(Meant, std::move(Member));
}

/// A word that belongs to no flag.
void FlagReader::leftover(const CommandWord &W) {
  if (W.Symbolic) {
    bool Arguments = W.Text == "$@" || W.Text == "${@}" || W.Text == "$*";
    if (!Arguments) {
      Job.addSymbol({W.Text, W.Range, "further options"});
      Job.addUnread(framework::Megatron, {W.Text, W.Range, Everything});
    }
    return;
  }
  if (D == Dialect::Megatron && !placeholder(W))
    Job.Diags.report(diag::UnknownOption, W.Range, W.Text, "Megatron-LM");
}

static bool isProse(const CommandWord &W) {
  return !W.Symbolic && std::ranges::all_of(W.Text, [](unsigned char C) { return std::isalpha(C) || C == '\''; });
}

/// `your model save path` without quotes: an unedited template, whose first word was taken for the value. False where
/// the words are not such a text.
bool FlagReader::placeholder(const CommandWord &Second) {
  size_t End = At;
  while (End < Words.size() && !isFlag(Words[End]) && isProse(Words[End]))
    ++End;
  if (End == At || !isProse(Second) || Tree.Items.empty())
    return false;
  ConfigValue &Member = Tree.Items.back();
  const FieldDecl *Option = findFlag(Schema, Member.Key);
  if (!Option || Option->Ty.K != Type::Kind::String || Member.K != ConfigValue::Kind::String)
    return false;
  std::string Text = fmt::format("{} {}", Member.Text, Second.Text);
  for (; At < End; ++At)
    Text += ' ' + Words[At].Text;
  Job.Diags.report(diag::ShellPlaceholder, Member.Range, Text);
  Member.K = ConfigValue::Kind::Symbolic;
  return true;
}

bool isOfFork(std::span<const CommandWord> Words, const SchemaDecl &Schema) {
  constexpr unsigned Enough = 3; // one or two are mistakes
  std::vector<std::string_view> Names;
  for (const FieldDecl &F : Schema.Fields)
    Names.push_back(keyOf(F));
  unsigned Unknown = 0;
  for (const CommandWord &W : Words) {
    if (!isFlag(W) || W.Symbolic || !W.Text.starts_with("--"))
      continue;
    std::string Key = W.Text.substr(2);
    const bool Underscores = Key.find('_') != std::string::npos;
    std::ranges::replace(Key, '-', '_');
    const bool IsKnown = findFlag(Schema, Key) != nullptr;
    Unknown += IsKnown ? Underscores : !nearest(Key, Names).has_value();
  }
  return Unknown >= Enough;
}

//===----------------------------------------------------------------------===//
// Flags of forks that mean what Megatron-LM says otherwise
//===----------------------------------------------------------------------===//

/// Flags of Megatron-DeepSpeed and Pai-Megatron-Patch that mean what an option of another name means. The ranks of
/// Megatron-DeepSpeed's sequence parallelism share a sequence.
static constexpr std::pair<std::string_view, std::string_view> Renamed[] = {
    {"ds_sequence_parallel_size", "context_parallel_size"},
    {"moe_expert_parallel_size", "expert_model_parallel_size"},
    {"topk", "moe_router_topk"},
    {"checkpoint_num_layers", "recompute_num_layers"},
    {"qk_nope_head_dim", "qk_head_dim"},
    {"qk_rope_head_dim", "qk_pos_emb_head_dim"},
    {"expert_interval", "moe_layer_freq"}};

/// Words of forks for choices that have another word here. Biases on attention scores (ALiBi) have no weights.
static constexpr std::array<std::string_view, 3> OtherWords[] = {{"normalization", "rmsnorm", "RMSNorm"},
                                                                 {"normalization", "layernorm", "LayerNorm"},
                                                                 {"position_embedding_type", "alibi", "none"},
                                                                 {"position_embedding_type", "rotary", "rope"}};

void FlagReader::add(std::string_view Name, const CommandWord &Flag, ConfigValue::Kind K, std::string_view Text,
                     SourceRange Range) {
  Tree.Items.push_back(makeMember(std::string(Name), Flag.Range, K, std::string(Text), Range));
}

/// A flag whose value is the word behind it.
bool FlagReader::translatedValue(const CommandWord &Flag, const std::string &Key, const CommandWord &W) {
  if (const auto *R = std::ranges::find(Renamed, Key, [](auto &P) { return P.first; }); R != std::end(Renamed)) {
    HasExpertRanks |= Key == "moe_expert_parallel_size";
    add(R->second, Flag, kindOf(W), W.Text, W.Range);
    return true;
  }
  for (const auto &[Option, Theirs, Ours] : OtherWords)
    if (Key == Option && W.Text == Theirs) {
      add(Option, Flag, ConfigValue::Kind::String, Ours, W.Range);
      return true;
    }
  if (Key == "num_key_value_heads") {
    add("group_query_attention", Flag, ConfigValue::Kind::Bool, "true", Flag.Range);
    add("num_query_groups", Flag, kindOf(W), W.Text, W.Range);
    return true;
  }
  // How layers are cut into stages: by kind, those that match.
  if (Key == "pp_partition_method" && W.Text.find("embedding") != std::string::npos) {
    for (std::string_view Part : {"embedding", "loss"})
      add(fmt::format("account_for_{}_in_pipeline_split", Part), Flag, ConfigValue::Kind::Bool, "true", W.Range);
    return true;
  }
  // Megatron-DeepSpeed's word for a model without experts, and its default.
  return Key == "num_experts" && W.Text == "1";
}

/// Megatron-DeepSpeed names heads of keys and values instead of groups and has checkpointing by layers under its first
/// name; ms-swift says the length as its own trainers do.
bool FlagReader::translated(const CommandWord &Flag, const std::string &Key) {
  if (D == Dialect::Fork && Key == "checkpoint_activations") {
    add("recompute_granularity", Flag, ConfigValue::Kind::String, "full", Flag.Range);
    add("recompute_method", Flag, ConfigValue::Kind::String, "uniform", Flag.Range);
    add("recompute_num_layers", Flag, ConfigValue::Kind::String, "1", Flag.Range);
    return true;
  }
  static constexpr std::string_view OfDeepSpeed[] = {"deepspeed", "deepspeed_config", "zero_stage"};
  if (D == Dialect::Fork && std::ranges::find(OfDeepSpeed, Key) != std::end(OfDeepSpeed)) {
    takeValues(); // the reader of scripts looks for them
    return true;
  }
  if (At >= Words.size() || isFlag(Words[At]))
    return false;
  const CommandWord &W = Words[At];
  bool Done = false;
  if (D == Dialect::Fork) {
    Done = translatedValue(Flag, Key, W);
  } else if (Key == "max_length") {
    add("seq_length", Flag, kindOf(W), W.Text, W.Range);
    Done = true;
  }
  At += Done ? 1 : 0;
  return Done;
}

/// With experts, Megatron-DeepSpeed has them in every second layer and one of them per token, unless told otherwise;
/// its softmax comes before the selection.
void FlagReader::addForkDefaults() {
  const ConfigValue *Experts = Tree.find("num_experts");
  if (!HasExpertRanks || !Experts)
    return;
  SourceRange Range = Experts->KeyRange;
  for (const auto &[Option, Default] :
       {std::pair<std::string, std::string>("moe_router_topk", "1"), {"moe_layer_freq", "2"}})
    if (!Tree.find(Option))
      Tree.Items.push_back(makeMember(Option, Range, ConfigValue::Kind::String, Default, Range));
  Tree.Items.push_back(makeMember("moe_router_pre_softmax", Range, ConfigValue::Kind::Bool, "true", Range));
}

} // namespace parlance::megatron
