#include "Frameworks/Megatron/Flags.h"
#include "Basic/Diagnostics.h"
#include "Plan/Options.h"
#include <algorithm>
#include <cctype>

namespace parlance::megatron {

static bool isDigit(char C) { return std::isdigit(static_cast<unsigned char>(C)) != 0; }

/// As argparse tells them apart: `-1` and `-0.5` are values, and so is what holds a blank.
static bool isFlag(const Word &W) {
  std::string_view Text = W.Text;
  if (W.Attached || Text.size() < 2 || Text[0] != '-' || Text.find(' ') != Text.npos)
    return false;
  size_t Digits = Text.find_first_not_of("0123456789.", 1);
  return Digits != Text.npos || !std::ranges::any_of(Text, isDigit);
}

static std::string_view keyOf(const FieldDecl &F) {
  return F.Spelling.empty() ? F.Name : F.Spelling;
}

const FieldDecl *findFlag(const SchemaDecl &Schema, std::string_view Name) {
  // The dataclass of training has a second name for this one.
  if (Name == "persistent_save_interval")
    Name = "save_interval";
  std::string Key(Name);
  auto Find = [&] {
    auto It = std::ranges::find_if(Schema.Fields, [&](const FieldDecl &F) {
      return keyOf(F) == Key || std::ranges::find(F.Old, Key) != F.Old.end();
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

ConfigValue member(std::string Key, SourceRange KeyRange, ConfigValue::Kind K, std::string Text,
                   SourceRange Range) {
  ConfigValue Result;
  Result.Key = std::move(Key);
  Result.KeyRange = KeyRange;
  Result.K = K;
  Result.Text = std::move(Text);
  Result.Range = Range;
  return Result;
}

FlagReader::FlagReader(JobSink &Job, Dialect D)
    : Job(Job), D(D), Schema(*optionsBlock(Job.E.Lib, "megatron").Schema) {}

ConfigValue FlagReader::read(std::span<const Word> Given) {
  Words = Given;
  Tree = {};
  Tree.K = ConfigValue::Kind::Object;
  if (!Words.empty())
    Tree.Range = Words.front().Range;
  for (At = 0; At < Words.size();) {
    const Word &W = Words[At++];
    if (isFlag(W) && !W.Symbolic)
      readFlag(W);
    else
      leftover(W);
  }
  return std::move(Tree);
}

/// The words up to the next flag; with `=` the one behind it.
std::vector<Word> FlagReader::takeValues() {
  std::vector<Word> Values;
  bool Attached = At < Words.size() && Words[At].Attached;
  while (At < Words.size() && !isFlag(Words[At]) && (!Attached || Values.empty()))
    Values.push_back(Words[At++]);
  return Values;
}

void FlagReader::readFlag(const Word &Flag) {
  std::string Key = Flag.Text.substr(std::min(Flag.Text.find_first_not_of('-'), Flag.Text.size()));
  bool Underscores = Key.find('_') != std::string::npos;
  std::ranges::replace(Key, '-', '_');
  if (D != Dialect::Megatron && translated(Flag, Key))
    return;
  ConfigValue Member = member(Key, Flag.Range, ConfigValue::Kind::Bool, "true", Flag.Range);
  const FieldDecl *Option = findFlag(Schema, Key);
  // argparse does not take `_` for `-`; two flags have an underscore in one of their spellings.
  bool Misspelt = D == Dialect::Megatron && Underscores &&
                  Flag.Text.find("opt_param-scheduler") == std::string::npos;
  bool TwoDashes = Flag.Text.starts_with("--");
  if (Option && TwoDashes && !Misspelt) {
    Member.Key = keyOf(*Option);
    known(*Option, std::move(Member));
  } else {
    unknown(Flag, std::move(Member));
  }
}

static ConfigValue::Kind kindOf(const Word &W) {
  return W.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::String;
}

/// What Python's int() reads: no fraction and no exponent.
static bool isWhole(std::string_view Text) {
  if (Text.starts_with('-') || Text.starts_with('+'))
    Text.remove_prefix(1);
  return !Text.empty() && std::ranges::all_of(Text, isDigit);
}

void FlagReader::known(const FieldDecl &Option, ConfigValue Member) {
  std::string Shown = frameworkNamed("megatron")->spelled(Member.Key);
  bool Attached = At < Words.size() && Words[At].Attached;
  if (Option.Ty.K == Type::Kind::Bool) {
    bool Takes = D == Dialect::Swift && At < Words.size() && !isFlag(Words[At]);
    if (Takes) {
      const Word &W = Words[At++];
      Member.K = W.Symbolic ? ConfigValue::Kind::Symbolic : ConfigValue::Kind::Bool;
      Member.Text = W.Text;
      Member.Range = W.Range;
    } else if (Attached) {
      const Word &W = Words[At++];
      Job.Diags.report(diag::OptionType, W.Range, Shown, "no value", '"' + W.Text + '"');
      return;
    }
  } else if (Option.List) {
    Member.K = ConfigValue::Kind::Array;
    Member.Text.clear();
    for (const Word &W : takeValues()) {
      if (Member.Items.empty())
        Member.Range = W.Range;
      Member.Items.push_back(member({}, {}, kindOf(W), W.Text, W.Range));
    }
  } else if (At < Words.size() && (Attached || !isFlag(Words[At]))) {
    const Word &W = Words[At++];
    Member.K = kindOf(W);
    Member.Text = W.Text;
    Member.Range = W.Range;
    if (Option.Ty.isCount() && !W.Symbolic) {
      if (!isWhole(W.Text)) {
        Job.Diags.report(diag::OptionType, W.Range, Shown, "a whole number", Member.brief());
        return;
      }
      Member.K = ConfigValue::Kind::Number;
    }
  } else {
    Job.Diags.report(diag::OptionType, Member.KeyRange, Shown, "a value", "nothing");
    return;
  }
  Tree.Items.push_back(std::move(Member));
}

void FlagReader::unknown(const Word &Flag, ConfigValue Member) {
  takeValues();
  if (D == Dialect::Megatron) {
    const FieldDecl *Meant = findFlag(Schema, Member.Key);
    if (!Meant) {
      Tree.Items.push_back(std::move(Member)); // the reader of options reports it
      return;
    }
    std::string Right = frameworkNamed("megatron")->spelled(keyOf(*Meant));
    Diagnostic &Report =
        Job.Diags.report(diag::UnknownOption, Flag.Range, Flag.Text, "Megatron-LM");
    if (Job.Sources.text(Flag.Range) == Flag.Text)
      Report.Fixes.push_back(
          {fmt::format("`{}`", Right), Applicability::Maybe, {{Flag.Range, Right}}, {}});
    return;
  }
  Job.Diags.report(diag::NotRepresented, Flag.Range, Flag.Text,
                   "Megatron-LM has no such option; it is one of the program's own");
}

/// A word that belongs to no flag.
void FlagReader::leftover(const Word &W) {
  if (W.Symbolic) {
    bool Arguments = W.Text == "$@" || W.Text == "${@}" || W.Text == "$*";
    if (!Arguments)
      Job.addSymbol({W.Text, W.Range, "further options"});
    return;
  }
  if (D == Dialect::Megatron)
    Job.Diags.report(diag::UnknownOption, W.Range, W.Text, "Megatron-LM");
}

//===----------------------------------------------------------------------===//
// Flags of forks that mean what Megatron-LM says otherwise
//===----------------------------------------------------------------------===//

/// Megatron-DeepSpeed names heads of keys and values instead of groups and has checkpointing by
/// layers under its first name; ms-swift says the length as its own trainers do.
bool FlagReader::translated(const Word &Flag, const std::string &Key) {
  auto Add = [&](std::string Name, ConfigValue::Kind K, std::string Text, SourceRange Range) {
    Tree.Items.push_back(member(std::move(Name), Flag.Range, K, std::move(Text), Range));
  };
  bool HasValue = At < Words.size() && !isFlag(Words[At]);
  if (Key == "checkpoint_activations" && D == Dialect::Fork) {
    Add("recompute_granularity", ConfigValue::Kind::String, "full", Flag.Range);
    return true;
  }
  static constexpr std::string_view OfDeepSpeed[] = {"deepspeed", "deepspeed_config", "zero_stage"};
  if (D == Dialect::Fork && std::ranges::find(OfDeepSpeed, Key) != std::end(OfDeepSpeed)) {
    takeValues(); // the reader of scripts looks for them
    return true;
  }
  if (!HasValue)
    return false;
  const Word &W = Words[At];
  if (Key == "num_key_value_heads" && D == Dialect::Fork) {
    Add("group_query_attention", ConfigValue::Kind::Bool, "true", Flag.Range);
    Add("num_query_groups", kindOf(W), W.Text, W.Range);
  } else if (Key == "normalization" && D == Dialect::Fork &&
             (W.Text == "rmsnorm" || W.Text == "layernorm")) {
    Add(Key, ConfigValue::Kind::String, W.Text == "rmsnorm" ? "RMSNorm" : "LayerNorm", W.Range);
  } else if (Key == "max_length" && D == Dialect::Swift) {
    Add("seq_length", kindOf(W), W.Text, W.Range);
  } else {
    return false;
  }
  ++At;
  return true;
}

} // namespace parlance::megatron
