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

struct Word {
  std::string Text;
  SourceRange Range;
  bool Symbolic = false; ///< not known: Text is how the script writes it
  bool Attached = false; ///< the value of the flag before it, behind `=`
};

class FlagReader {
public:
  FlagReader(JobSink &Job, Dialect D);
  /// An object whose keys are names of options. Words that fit nowhere are reported.
  ConfigValue read(std::span<const Word> Words);

private:
  void readFlag(const Word &Flag);
  void known(const FieldDecl &Option, ConfigValue Member);
  void unknown(const Word &Flag, ConfigValue Member);
  void misspelt(const Word &Flag, const FieldDecl &Meant, ConfigValue Member);
  void leftover(const Word &W);
  std::vector<Word> takeValues();
  bool translated(const Word &Flag, const std::string &Key);
  bool translatedValue(const Word &Flag, const std::string &Key, const Word &W);
  void add(std::string_view Name, const Word &Flag, ConfigValue::Kind K, std::string_view Text, SourceRange Range);
  void addForkDefaults();

  JobSink &Job;
  Dialect D;
  const SchemaDecl &Schema;
  std::span<const Word> Words;
  size_t At = 0;
  bool HasExpertRanks = false; ///< by a flag that only Megatron-DeepSpeed has
  ConfigValue Tree;
};

/// The option that a flag names, with underscores and without its dashes; null for none.
/// `--disable-x` is another spelling of `--no-x`.
const FieldDecl *findFlag(const SchemaDecl &Schema, std::string_view Name);

/// A member of a tree from a word; `Range` of the key.
ConfigValue member(std::string Key, SourceRange KeyRange, ConfigValue::Kind K, std::string Text, SourceRange Range);

} // namespace parlance::megatron
