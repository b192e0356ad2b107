#include "Frameworks/Options/Influence.h"
#include "Eval/Support.h"
#include "Plan/Options.h"
#include <algorithm>
#include <cctype>

namespace parlance {

namespace {

struct Words {
  unsigned About;
  std::string_view List; ///< between blanks, without a plural's s
};

constexpr Words Table[] = {
    {Shape, " hidden layer head ffn intermediate expert moe vocab dim embd width depth kv "},
    {Layout,
     " parallel parallelism tp pp cp ep etp dp sp tensor pipeline stage shard sharded sharding zero fsdp replica "
     "replicate degree "},
    {Batch, " batch micro microbatch seq sequence length accumulation accum gas mbs gbs "},
    {Memory, " recompute recomputation remat offload checkpointing "},
    {Precision, " precision fp4 fp8 fp16 fp32 bf16 float8 mxfp8 dtype quant quantize quantization amp "},
    {Adapter, " lora qlora dora adapter peft "},
};
/// A word that many sizes have: it tells only where no other word does.
constexpr unsigned OfSize = Shape | Layout | Batch;

unsigned subjectsOfWord(const std::string &Word) {
  auto Find = [](const std::string &W) {
    for (const Words &Row : Table)
      if (Row.List.find(' ' + W + ' ') != std::string_view::npos)
        return Row.About;
    return 0u;
  };
  if (const unsigned About = Find(Word))
    return About;
  return Word.size() > 4 && Word.ends_with('s') ? Find(Word.substr(0, Word.size() - 1)) : 0;
}

/// Letters and digits in lower case.
std::string bare(std::string_view Text) {
  std::string Result;
  for (const char C : Text)
    if (std::isalnum(static_cast<unsigned char>(C)))
      Result += static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
  return Result;
}

bool namesModel(std::string_view Value, const Library &Lib) {
  const std::string Name = bare(Value.substr(Value.rfind('/') + 1));
  return Name.size() > 3 && std::ranges::any_of(Lib.Records, [&](const LibraryRecord &R) {
           return R.Schema->Name == "model" && Name.find(bare(R.Name)) != std::string::npos;
         });
}

} // namespace

unsigned subjectsOf(std::string_view Name) {
  unsigned About = 0;
  bool IsSize = false;
  std::string Word;
  auto End = [&] {
    About |= subjectsOfWord(Word);
    IsSize |= Word == "size";
    Word.clear();
  };
  for (const char C : Name)
    if (std::isalnum(static_cast<unsigned char>(C)))
      Word += static_cast<char>(std::tolower(static_cast<unsigned char>(C)));
    else
      End();
  End();
  return About ? About : IsSize ? OfSize : 0;
}

unsigned subjectsOf(std::string_view Name, std::string_view Value, const Library &Lib) {
  return subjectsOf(Name) | (namesModel(Value, Lib) ? Shape : 0u);
}

/// Whether something became unknown. `Path`: the names of the sections around, whose words count too.
static bool open(Record &R, const UnreadOption &For, std::span<const std::string_view> Facts, const std::string &Path,
                 Evaluator &E) {
  bool Opened = false;
  for (unsigned I = 0; I < R.Values.size(); ++I) {
    const FieldDecl &Option = R.Schema->Fields[I];
    if (Option.Computed || std::ranges::find(Facts, Option.Name) != Facts.end())
      continue;
    const std::string Own = fmt::format("{}{}", Path, keyOf(Option));
    if (Option.Ty.K == Type::Kind::Record) {
      Record *Inner =
          E.own(R.Values[I].Rec ? *R.Values[I].Rec : emptyRecord(*Option.Ty.Schema, Option.Name, For.Range));
      if (!open(*Inner, For, Facts, Own + ".", E))
        continue;
      R.Values[I] = Value::record(Inner);
    } else if (R.Values[I].isAbsent() && Option.Ty.K != Type::Kind::String &&
               (For.About == Everything || (subjectsOf(Own) & For.About))) {
      R.Values[I] = rt::unknownValue(Option.Ty);
    } else {
      continue;
    }
    if (R.Origins[I].K != Origin::Kind::Given)
      R.Origins[I] = {Origin::Kind::Open, For.Range, {}};
    Opened = true;
  }
  return Opened;
}

void openDefaults(Record &Options, const UnreadOption &For, std::span<const std::string_view> Facts, Evaluator &E) {
  open(Options, For, Facts, "", E);
}

} // namespace parlance
