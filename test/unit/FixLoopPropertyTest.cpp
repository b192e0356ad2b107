// After `--fix` nothing that was judged has become unjudged, and no error is new; no fix of a job that is offered
// leaves it too large or makes it twice as slow: random broken jobs and random files of frameworks, with misspelt
// words, numbers in quotes and names of older releases.
#include "Analysis/ChangeJudge.h"
#include "Analysis/Neighbourhood.h"
#include "Check/CheckRun.h"
#include "Check/FixLoop.h"
#include "Check/UnitCheck.h"
#include "RandomJobs.h"
#include "Support.h"
#include <cmath>
#include <future>

using namespace parlance;

namespace {

/// Files that are one job, with the words of the command line.
struct RandomFiles {
  CheckUnit Unit;
  CheckRequest Request;
};

/// Writes random files. What is wrong in them is what people write.
class Files {
public:
  explicit Files(unsigned Seed) : Random(Seed), Seed(Seed) {}

  RandomFiles make() {
    switch (Seed % 5) {
    case 0:
      return named({{"fix.parl", spoilt(Jobs(Seed).text())}});
    case 1:
      return named({{"ds_config.json", deepSpeed()}, {"config.json", std::string(Model)}});
    case 2:
      return named({{"train.toml", torchtitan()}});
    case 3:
      return named({{"neox.yml", neox()}});
    default:
      return named({{"train.sh", megatron()}});
    }
  }

private:
  static constexpr std::string_view Model =
      R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 32, "vocab_size": 32000, "max_position_embeddings": 4096})";

  RandomFiles named(std::initializer_list<std::pair<std::string, std::string>> Texts) {
    RandomFiles Result;
    for (const auto &[Name, Text] : Texts) {
      Result.Unit.Files.push_back(Name);
      Result.Request.Texts[Name] = Text;
    }
    Result.Request.Foreign.Cluster = word({"h100_sxm*8*1", "a100_80g_sxm*8*2@infiniband_hdr", "rtx_4090*4*1"});
    if (Seed % 5 == 1)
      Result.Request.Foreign.Set = {{"seq_len", "2048"}};
    return Result;
  }
  /// A text of the language with a word that is wrong, sometimes.
  std::string spoilt(std::string Text) {
    static constexpr std::pair<std::string_view, std::string_view> Slips[] = {
        {"micro", "mcro"}, {"layout l {", "layout l {\n  let x = 8"}, {"tok/seq", "tk/seq"}, {"recompute", "recompte"}};
    const auto &[Right, Wrong] = Slips[Random() % std::size(Slips)];
    if (const size_t At = Text.find(Right); Random() % 2 && At != std::string::npos)
      Text.replace(At, Right.size(), Wrong);
    return Text;
  }
  std::string deepSpeed() {
    return fmt::format("{{\n  {}: {},\n  {}: {},\n  {}: {},\n  \"bf16\": {{\"enabled\": {}}},\n  {}: {{{}: {}}}\n}}\n",
                       quoted("train_batch_size"), number({8, 16, 64, 12}), quoted("train_micro_batch_size_per_gpu"),
                       number({1, 2, 4}), quoted("gradient_accumulation_steps"), number({1, 2, 8}),
                       word({"true", "true", "\"true\""}), quoted("zero_optimization"), quoted("stage"),
                       number({0, 1, 2, 3}));
  }
  std::string torchtitan() {
    const bool Old = Random() % 2;
    std::string Sizes = fmt::format("{} = {}\n{} = {}\n", slip("tensor_parallel_degree"), number({1, 2, 8, 3}),
                                    slip("data_parallel_shard_degree"), word({"-1", "1", "4"}));
    return fmt::format("[model]\nname = \"llama3\"\nflavor = \"{}\"\n[training]\n{} = {}\nseq_len = {}\n{}{}{}\n"
                       "[activation_checkpoint]\nmode = \"{}\"\n",
                       word({"8B", "70B", "debugmodel"}), Old ? "batch_size" : slip("local_batch_size"), number({1, 8}),
                       number({2048, 8192}), Old ? Sizes : std::string(), Random() % 2 ? "# the layout\n" : "",
                       Old ? std::string() : "[parallelism]\n" + Sizes, word({"full", "selective", "none", "ful"}));
  }
  std::string neox() {
    return fmt::format("{{\n  \"{}\": {}, \"{}\": {},\n  \"num-layers\": {}, \"hidden-size\": 1024,\n"
                       "  \"num-attention-heads\": 16, \"seq-length\": 2048, \"max-position-embeddings\": 2048,\n"
                       "  \"{}\": 1000, \"train_micro_batch_size_per_gpu\": {}, \"padded_vocab_size\": 50432,\n"
                       "  \"zero_optimization\": {{\"stage\": {}}}\n}}\n",
                       slip("pipe-parallel-size"), number({0, 1, 2, 5}), slip("model-parallel-size"), number({1, 2, 3}),
                       number({12, 24}), word({"save-interval", "checkpoint-factor"}), number({1, 4}),
                       number({0, 1, 2, 3}));
  }
  std::string megatron() {
    return fmt::format("torchrun --nproc_per_node {} --nnodes 1 pretrain_gpt.py --num-layers {} --hidden-size {} \\\n"
                       "  --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 {} {} --bf16 \\\n"
                       "  --global-batch-size {} {} {} --pipeline-model-parallel-size {} {} \\\n"
                       "  --tokenizer-type NullTokenizer --vocab-size 50304\n",
                       word({"8", "4"}), word({"24", "32", "61"}), word({"2048", "4096", "8192"}),
                       word({"--micro-batch-size", "--batch-size", "--micro_batch_size"}), word({"1", "4"}),
                       word({"8", "64", "100"}), word({"--tensor-model-parallel-size", "--model-parallel-size"}),
                       word({"1", "2", "8", "3"}), word({"1", "2"}),
                       word({"", "--sequence-parallel", "--use-distributed-optimizer", "--recompute-activations",
                             "--layernorm-epsilon 1e-5"}));
  }
  std::string word(std::initializer_list<std::string_view> From) {
    return std::string(From.begin()[Random() % From.size()]);
  }
  /// A number, in quotes now and then.
  std::string number(std::initializer_list<int> From) {
    const int N = From.begin()[Random() % From.size()];
    return Random() % 8 ? fmt::format("{}", N) : fmt::format("\"{}\"", N);
  }
  /// A name, with a letter too few now and then.
  std::string slip(std::string Name) {
    if (Random() % 8 == 0)
      Name.erase(Name.size() / 2, 1);
    return Name;
  }
  std::string quoted(std::string Name) { return '"' + slip(std::move(Name)) + '"'; }

  std::mt19937 Random;
  unsigned Seed;
};

/// What is judged of a job.
struct Judged {
  bool Resolved = false, Memory = false, Step = false;
  Truth Fits = Truth::Unknown;
  double Time = INFINITY; ///< of a sequence
  std::set<std::string_view> Errors, Open;
};

Judged judged(const AnalyzedJob &Job, Session &S) {
  Judged Result;
  if (!Job.Resolved)
    return Result;
  const Plan &P = *Job.Resolved;
  Result.Resolved = true;
  Result.Fits = fits(P);
  Result.Time = timePerSequence(P);
  Result.Memory =
      rt::flag(P.Context->derived(quantities::valid_memory)) == Truth::True && Result.Fits != Truth::Unknown;
  Result.Step = couldRun(P) == Truth::True && std::isfinite(stepOf(P));
  std::vector<uint32_t> Open;
  for (uint32_t Rule : RuleRunner(S.Lib, S.Values, S.Trees).violations(P, &Open))
    if (S.Lib.Rules[Rule].Level == Severity::Error)
      Result.Errors.insert(S.Lib.Rules[Rule].Code);
  for (uint32_t Rule : Open)
    Result.Open.insert(S.Lib.Rules[Rule].Code);
  return Result;
}

std::vector<Judged> judgedIn(const CheckUnit &Unit, const CheckRequest &Request) {
  std::vector<Judged> Result;
  const UnitCheck Check(Unit, Request);
  for (const auto &S : Check.sessions())
    for (const AnalyzedJob &Job : S->Analysis.jobs())
      Result.push_back(judged(Job, *S));
  return Result;
}

void compare(const Judged &Before, const Judged &After) {
  if (!Before.Resolved)
    return;
  EXPECT_TRUE(After.Resolved);
  EXPECT_TRUE(After.Memory || !Before.Memory);
  EXPECT_TRUE(After.Step || !Before.Step);
  for (std::string_view Code : After.Open) // of a job that cannot run some rules are not asked
    EXPECT_TRUE(Before.Open.contains(Code) || !Before.Step) << Code << " is not decided any more";
  for (std::string_view Code : After.Errors) // what was not decided before may turn out as an error
    EXPECT_TRUE(Before.Errors.contains(Code) || Before.Open.contains(Code)) << Code << " is new";
}

struct Counts {
  unsigned Files = 0, Changed = 0, Fixed = 0, Offered = 0;
};

FileTexts applied(const CheckReport &In, const Fix &F, FileTexts Texts) {
  std::vector<Edit> Edits = F.Edits;
  std::ranges::stable_sort(Edits, std::greater(), [](const Edit &E) { return E.Range.Begin; });
  for (const Edit &E : Edits)
    Texts.at(In.Sources.file(E.Range.File).name()).replace(E.Range.Begin, E.Range.End - E.Range.Begin, E.NewText);
  return Texts;
}

/// Applies each fix of a job by itself; how many there are.
unsigned checkOffers(const RandomFiles &Of, const std::vector<Judged> &Before) {
  unsigned Count = 0;
  const CheckReport Report = UnitCheck(Of.Unit, Of.Request).take();
  for (const Diagnostic &D : Report.Found)
    for (const Fix &F : D.Fixes) {
      if (F.Edits.empty() || F.Effect.empty())
        continue;
      ++Count;
      CheckRequest Changed = Of.Request;
      Changed.Texts = applied(Report, F, Of.Request.Texts);
      SCOPED_TRACE(D.Message + "\nfix " + F.Title + "\n" + Changed.Texts.at(Of.Unit.Files[0]));
      const auto After = judgedIn(Of.Unit, Changed);
      EXPECT_EQ(After.size(), Before.size());
      for (size_t I = 0; I < std::min(Before.size(), After.size()); ++I) {
        EXPECT_NE(After[I].Fits, Truth::False);
        EXPECT_TRUE(After[I].Memory || !Before[I].Memory);
        if (Before[I].Step)
          EXPECT_LE(After[I].Time, 2.001 * Before[I].Time); // a number in the file is rounded
      }
    }
  return Count;
}

Counts fixOne(unsigned Seed) {
  const RandomFiles Of = Files(Seed).make();
  const auto Before = judgedIn(Of.Unit, Of.Request);
  FileTexts Texts = Of.Request.Texts;
  std::map<std::string, FixedFile> Fixed;
  auto Recheck = [&](const FileTexts &Now) {
    CheckRequest Request = Of.Request;
    Request.Texts = Now;
    DiagnosticEngine Diags;
    return checkUnits({Of.Unit}, Request, Diags);
  };
  fixFiles(Of.Unit.Files, Recheck, Texts, Fixed);
  Counts N{1, !Fixed.empty(), 0, checkOffers(Of, Before)};
  for (const auto &[Path, File] : Fixed)
    N.Fixed += File.Fixed;
  CheckRequest Request = Of.Request;
  Request.Texts = Texts;
  SCOPED_TRACE(
      fmt::format("seed {}\n{}\nfixed\n{}", Seed, Of.Request.Texts.at(Of.Unit.Files[0]), Texts.at(Of.Unit.Files[0])));
  const auto After = judgedIn(Of.Unit, Request);
  EXPECT_GE(After.size(), Before.size());
  for (size_t I = 0; I < std::min(Before.size(), After.size()); ++I)
    compare(Before[I], After[I]);
  return N;
}

TEST(FixProperty, AfterFixingNothingIsUnjudged) {
  const unsigned Tried = randomJobs(300);
  constexpr unsigned Shares = 4;
  std::vector<std::future<Counts>> Parts;
  for (unsigned Share = 0; Share < Shares; ++Share)
    Parts.push_back(std::async(std::launch::async, [Share, Tried] {
      Counts N;
      for (unsigned Seed = Share; Seed < Tried; Seed += Shares) {
        const Counts One = fixOne(Seed);
        N.Files += One.Files, N.Changed += One.Changed, N.Fixed += One.Fixed, N.Offered += One.Offered;
      }
      return N;
    }));
  Counts All;
  for (auto &Part : Parts) {
    const Counts N = Part.get();
    All.Files += N.Files, All.Changed += N.Changed, All.Fixed += N.Fixed, All.Offered += N.Offered;
  }
  fmt::print("{} random files, {} of them changed by {} fixes, {} fixes of jobs offered\n", All.Files, All.Changed,
             All.Fixed, All.Offered);
  EXPECT_GT(All.Changed * 10, All.Files);
}

} // namespace
