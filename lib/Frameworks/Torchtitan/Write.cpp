#include "Frameworks/Torchtitan/Write.h"
#include "Eval/Support.h"
#include "Frameworks/Torchtitan/Models.h"
#include "Plan/Options.h"
#include "std/Std.h"
#include <algorithm>

namespace parlance {

static void setWord(Record &R, std::string_view Option, std::string_view Word) {
  auto Index = static_cast<size_t>(R.Schema->find(Option));
  if (R.Origins[Index].K == Origin::Kind::Given)
    return;
  R.Values[Index] = Value::string(Word);
  R.Origins[Index] = {Origin::Kind::Deduced, {}, "model"};
}

bool nameTorchtitanModel(Record &Options, const Record &Model, Evaluator &E) {
  bool Main = Options.Schema->Name == "torchtitan_main";
  const TorchtitanModel *M = torchtitanModelFor(Model, Main, E);
  if (!M)
    return false;
  if (Main) {
    setWord(Options, "module", M->Name);
    setWord(Options, "config", M->Config);
    return true;
  }
  auto Index = static_cast<unsigned>(Options.Schema->find("model"));
  const Record *Known = Options.rec(Index);
  Record *Section = E.own(Known ? *Known : emptyRecord(*Options.Schema->Fields[Index].Ty.Schema, "model"));
  setWord(*Section, "name", M->Name);
  setWord(*Section, "flavor", M->Flavor);
  Options.Values[Index] = Value::record(Section);
  return true;
}

static std::string wordOf(const Value &V, const FieldDecl &F) {
  std::string Word = fileText(V, F);
  if (F.List)
    std::ranges::replace(Word, ' ', ',');
  return Word;
}

static void addWords(const Record &Options, const std::string &Prefix, std::vector<std::string> &Words) {
  for (unsigned I = 0; I < Options.Values.size(); ++I) {
    const FieldDecl &F = Options.Schema->Fields[I];
    const Value &V = Options.at(I);
    if (const Record *Section = Options.rec(I)) {
      addWords(*Section, Prefix + std::string(F.Name) + ".", Words);
      continue;
    }
    if (Options.Origins[I].K == Origin::Kind::Default || !rt::knownValue(V) || F.Name == "activation_checkpoint")
      continue;
    if (V.K == Value::Kind::Bool) {
      Words.push_back(fmt::format("--{}{}{}", Prefix, V.Flag == Truth::True ? "" : "no-", F.Name));
      continue;
    }
    Words.push_back(fmt::format("--{}{}", Prefix, F.Name));
    Words.push_back(wordOf(V, F));
  }
}

std::vector<std::string> torchtitanArguments(const Record &Options) {
  std::vector<std::string> Words;
  addWords(Options, {}, Words);
  auto Index = static_cast<unsigned>(Options.Schema->find("activation_checkpoint"));
  const Value &V = Options.at(Index);
  if (V.K == Value::Kind::Enum && Options.Origins[Index].K != Origin::Kind::Default) {
    std::string Word = wordOf(V, Options.Schema->Fields[Index]);
    std::ranges::replace(Word, '_', '-');
    Words.push_back("activation-checkpoint:" + Word);
  }
  return Words;
}

void writeTorchtitan(TargetWriter &To) {
  To.addOptions("train.toml", FileSyntax::Toml);
  // The main branch has no file for 8-bit training, and functions for some models alone.
  Record *Main = writeOptions(To.Own, "torchtitan_main", To.E);
  if (nameTorchtitanModel(*Main, *To.Own.Job->rec(fields::job::model), To.E) &&
      notExpressed(To.Own, "torchtitan_main", *Main, {}, To.E).empty())
    To.addWords("args.json", torchtitanArguments(*Main));
  To.launch(LaunchScript::Asked, {"-m", "torchtitan.train"}, {"--job.config_file", "train.toml"});
}

} // namespace parlance
