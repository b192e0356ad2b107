#include "Frameworks/Options/OptionTree.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include <algorithm>

namespace parlance {

bool isSaid(const Record &R, unsigned I) {
  const Value &V = R.at(I);
  if (!rt::knownValue(V) || V.K == Value::Kind::Record)
    return false;
  return R.Schema->Fields[I].Required || !rt::hasDefault(R, I);
}

static ConfigValue scalar(const Value &V, const FieldDecl &F) {
  ConfigValue Result;
  Result.K = V.K == Value::Kind::Quantity ? ConfigValue::Kind::Number
             : V.K == Value::Kind::Bool   ? ConfigValue::Kind::Bool
                                          : ConfigValue::Kind::String;
  Result.Text = fileText(V, F);
  return Result;
}

static std::vector<std::string> wordsOf(std::string_view Text) {
  std::vector<std::string> Words;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find(' ', Begin), Text.size());
    if (End > Begin)
      Words.emplace_back(Text.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Words;
}

static ConfigValue listOf(std::string_view Text) {
  ConfigValue Result;
  Result.K = ConfigValue::Kind::Array;
  for (std::string &Word : wordsOf(Text)) {
    bool Number = Word.find_first_not_of("0123456789") == std::string::npos;
    ConfigValue Item;
    Item.K = Number ? ConfigValue::Kind::Number : ConfigValue::Kind::String;
    Item.Text = std::move(Word);
    Result.Items.push_back(std::move(Item));
  }
  return Result;
}

ConfigValue optionTree(const Record &Options) {
  ConfigValue Tree;
  Tree.K = ConfigValue::Kind::Object;
  for (unsigned I = 0; I < Options.Values.size(); ++I) {
    const FieldDecl &F = Options.Schema->Fields[I];
    ConfigValue Member;
    if (const Record *Section = Options.rec(I)) {
      Member = optionTree(*Section);
      if (Member.Items.empty())
        continue;
    } else if (isVariable(F) || !isSaid(Options, I)) {
      continue;
    } else {
      Member = F.List ? listOf(Options.at(I).Text) : scalar(Options.at(I), F);
    }
    Member.Key = keyOf(F);
    Tree.Items.push_back(std::move(Member));
  }
  return Tree;
}

static void listOptions(const Framework &F, const Record &Options, const std::string &Prefix, const std::string &Spelt,
                        std::vector<LoweredOption> &Into) {
  for (unsigned I = 0; I < Options.Values.size(); ++I) {
    const FieldDecl &Option = Options.Schema->Fields[I];
    std::string Path = Prefix + std::string(Option.Name), Name = Spelt + std::string(keyOf(Option));
    if (const Record *Section = Options.rec(I))
      listOptions(F, *Section, Path + ".", Name + ".", Into);
    else if (isSaid(Options, I) && !F.fact(Option.Name))
      Into.push_back(
          {Path, F.spelled(Name), &Option,
           F.flags() && Options.at(I).K == Value::Kind::Bool ? std::string() : fileText(Options.at(I), Option),
           Options.Origins[I]});
  }
}

std::vector<LoweredOption> optionList(const Framework &F, const Record &Options) {
  std::vector<LoweredOption> Result;
  listOptions(F, Options, {}, {}, Result);
  return Result;
}

std::vector<std::string> commandLine(const Framework &F, const Record &Options) {
  std::vector<std::string> Words;
  for (unsigned I = 0; I < Options.Values.size(); ++I) {
    const FieldDecl &Option = Options.Schema->Fields[I];
    if (isVariable(Option) || F.fact(Option.Name) || !isSaid(Options, I))
      continue;
    Words.push_back(F.spelled(keyOf(Option)));
    if (Option.List)
      std::ranges::move(wordsOf(Options.at(I).Text), std::back_inserter(Words));
    else if (Options.at(I).K != Value::Kind::Bool)
      Words.push_back(fileText(Options.at(I), Option));
  }
  return Words;
}

std::vector<std::pair<std::string, std::string>> environment(const Record &Options) {
  std::vector<std::pair<std::string, std::string>> Result;
  for (unsigned I = 0; I < Options.Values.size(); ++I)
    if (const FieldDecl &Option = Options.Schema->Fields[I]; isVariable(Option) && isSaid(Options, I))
      Result.emplace_back(Option.Spelling, fileText(Options.at(I), Option));
  return Result;
}

} // namespace parlance
