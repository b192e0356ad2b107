// Words of a command line to a tree of Megatron-LM's options, as argparse takes them apart.
#pragma once
#include "Frameworks/Options/JobSink.h"
#include <span>

namespace parlance::megatron {

/// Who reads the command line.
enum class Dialect : uint8_t {
  Megatron, ///< one of Megatron-LM's own entry points: it refuses what it does not know
  Fork,     ///< a program built on Megatron-LM (Megatron-DeepSpeed …), which has flags of its own
  Swift     ///< ms-swift's `megatron sft`: underscores, `true` and `false` as words
};

class FlagReader {
public:
  FlagReader(JobSink &Job, Dialect D);
  /// An object whose keys are names of options. Words that fit nowhere are reported.
  ConfigValue read(std::span<const CommandWord> Words);

private:
  void readFlag(const CommandWord &Flag);
  void known(const FieldDecl &Option, ConfigValue Member);
  void unknown(const CommandWord &Flag, ConfigValue Member);
  void reportOld(const CommandWord &Flag, const FieldDecl &Option);
  void misspelt(const CommandWord &Flag, const FieldDecl &Meant, ConfigValue Member);
  bool placeholder(const CommandWord &Second);
  void leftover(const CommandWord &W);
  std::vector<CommandWord> takeValues();
  bool translated(const CommandWord &Flag, const std::string &Key);
  bool translatedValue(const CommandWord &Flag, const std::string &Key, const CommandWord &W);
  void add(std::string_view Name, const CommandWord &Flag, ConfigValue::Kind K, std::string_view Text,
           SourceRange Range);
  void addForkDefaults();

  JobSink &Job;
  Dialect D;
  const SchemaDecl &Schema;
  std::span<const CommandWord> Words;
  size_t At = 0;
  bool HasExpertRanks = false; ///< by a flag that only Megatron-DeepSpeed has
  ConfigValue Tree;
};

/// The option that a flag names, with underscores and without its dashes; null for none.
/// `--disable-x` is another spelling of `--no-x`.
const FieldDecl *findFlag(const SchemaDecl &Schema, std::string_view Name);

/// Whether a command has several flags that Megatron-LM has under no such name: its program is a fork's, whatever it is
/// called.
bool isOfFork(std::span<const CommandWord> Words, const SchemaDecl &Schema);

} // namespace parlance::megatron
