// torchtitan's job files and command lines: what each option means, older spellings, models by flavor.
#include "Config/Json.h"
#include "ForeignSupport.h"
#include "Frameworks/Torchtitan/Models.h"
#include "Frameworks/Torchtitan/Read.h"
#include "Frameworks/Torchtitan/Write.h"

using namespace parlance;

namespace {

constexpr const char *Cluster = "h100_sxm*8*4";

struct Titan : ForeignRead {
  explicit Titan(std::string Text, std::string Cluster = {})
      : ForeignRead("train.toml", std::move(Text), std::move(Cluster)) {}
};

TEST(Torchtitan, DefaultsAreThoseOfTheClasses) {
  Titan T("[training]\nsteps = 10\n", Cluster);
  EXPECT_EQ(T.said(), "");
  EXPECT_EQ(T.field("target"), "torchtitan");
  EXPECT_EQ(T.field("seq_len"), "2048");
  EXPECT_EQ(T.field("batch.micro"), "8");
  EXPECT_EQ(T.field("batch.accum"), "1");
  EXPECT_EQ(T.field("layout.dp"), "auto");
  EXPECT_EQ(T.field("layout.zero"), "3");
  EXPECT_EQ(T.field("layout.recompute"), "unknown");
  EXPECT_EQ(T.field("precision.compute"), "bf16");
  EXPECT_EQ(T.field("precision.master"), "fp32");
  EXPECT_EQ(T.field("kernels"), "pytorch");
  EXPECT_EQ(T.field("cross_entropy"), "unfused");
  EXPECT_EQ(T.field("optimizer"), "adamw");
  EXPECT_EQ(T.field("model.layers"), "6"); // llama3 debugmodel
}

TEST(Torchtitan, DegreesAreTheLayout) {
  Titan T(R"([model]
name = "llama3"
flavor = "70B"
[training]
local_batch_size = 4
seq_len = 8192
[parallelism]
data_parallel_replicate_degree = 2
data_parallel_shard_degree = 4
tensor_parallel_degree = 2
context_parallel_degree = 2
enable_async_tensor_parallel = true
[compile]
enable = true
[activation_checkpoint]
mode = "full"
)",
          Cluster);
  EXPECT_EQ(T.said(), "");
  EXPECT_EQ(T.field("layout.dp"), "8");
  EXPECT_EQ(T.field("layout.shard"), "4");
  EXPECT_EQ(T.from("layout.dp"), "4");
  EXPECT_EQ(T.field("layout.tp"), "2");
  EXPECT_EQ(T.from("layout.tp"), "2");
  EXPECT_EQ(T.field("layout.cp"), "2");
  EXPECT_EQ(T.field("layout.sequence_parallel"), "true");
  EXPECT_EQ(T.field("layout.tp_overlap"), "true");
  EXPECT_EQ(T.field("layout.recompute"), "full");
  EXPECT_EQ(T.from("layout.recompute"), "\"full\"");
  EXPECT_EQ(T.field("kernels"), "fused");
  EXPECT_EQ(T.field("cross_entropy"), "compiled");
  EXPECT_EQ(T.field("model.hidden"), "8192");
  auto P = T.plan();
  ASSERT_TRUE(P);
  EXPECT_EQ(P->Job->rec(fields::job::batch)->num(fields::batch::sequences).toInteger(), 32);
}

TEST(Torchtitan, ShardsThatAreLeftFollowFromTheCluster) {
  const std::string Text = "[parallelism]\ndata_parallel_replicate_degree = 2\n"
                           "tensor_parallel_degree = 4\n";
  Titan Known(Text, Cluster);
  EXPECT_EQ(Known.field("layout.shard"), "4"); // 32 GPUs / 2 copies / 4
  Titan Unknown(Text);
  EXPECT_EQ(Unknown.field("layout.shard"), "unknown");
}

TEST(Torchtitan, WithoutShardsNothingIsSharded) {
  Titan T("[parallelism]\ndata_parallel_replicate_degree = 8\ndata_parallel_shard_degree = 1\n");
  EXPECT_EQ(T.field("layout.zero"), "0");
  EXPECT_EQ(T.field("layout.dp"), "8");
  EXPECT_EQ(T.field("precision.compute"), "bf16"); // autocast
  EXPECT_EQ(T.field("precision.weights"), "fp32");
  Titan Tp("[parallelism]\ntensor_parallel_degree = 8\ndata_parallel_shard_degree = 1\n");
  EXPECT_EQ(Tp.field("precision.compute"), "fp32"); // neither FSDP nor autocast
  Titan Cp("[parallelism]\ncontext_parallel_degree = 2\ndata_parallel_shard_degree = 1\n");
  EXPECT_EQ(Cp.field("layout.zero"), "3"); // FSDP over the context-parallel ranks
  Titan Never("[parallelism]\nfsdp_reshard_after_forward = \"never\"\n");
  EXPECT_EQ(Never.field("layout.zero"), "2");
  EXPECT_EQ(Never.from("layout.zero"), "\"never\"");
}

TEST(Torchtitan, BatchesOfPipelines) {
  Titan T(R"([model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 16
[parallelism]
pipeline_parallel_degree = 4
pipeline_parallel_microbatch_size = 2
pipeline_parallel_schedule = "interleaved1f1b"
pipeline_parallel_layers_per_stage = 3
)",
          Cluster);
  EXPECT_EQ(T.said(), "");
  EXPECT_EQ(T.field("batch.micro"), "2");
  EXPECT_EQ(T.field("batch.accum"), "8");
  EXPECT_EQ(T.from("batch.micro"), "16");
  EXPECT_EQ(T.field("layout.schedule"), "interleaved");
  EXPECT_EQ(T.field("layout.virtual_stages"), "3"); // ceil((32 + 2) / 3) chunks over 4 stages
  Titan Two("[parallelism]\npipeline_parallel_degree = 2\npipeline_parallel_schedule = "
            "\"Interleaved1F1B\"\n");
  EXPECT_EQ(Two.field("layout.virtual_stages"), "2");
  Titan Global("[training]\nlocal_batch_size = 2\nglobal_batch_size = 64\n", Cluster);
  EXPECT_EQ(Global.field("batch.global"), "64");
  EXPECT_EQ(Global.plan()->Job->rec(fields::job::batch)->num(fields::batch::accum).toInteger(), 1);
}

TEST(Torchtitan, SchedulesOfPyTorch) {
  for (auto [Word, Field] : {std::pair{"GPipe", "gpipe"},
                             {"1f1b", "1f1b"},
                             {"ZBVZeroBubble", "zero_bubble"},
                             {"InterleavedZeroBubble", "zero_bubble"},
                             {"DualPipeV", "dualpipe"},
                             {"LoopedBFS", "unknown"}}) {
    Titan T(fmt::format("[parallelism]\npipeline_parallel_degree = 2\n"
                        "pipeline_parallel_schedule = \"{}\"\n",
                        Word));
    EXPECT_EQ(T.said(), "");
    EXPECT_EQ(T.field("layout.schedule"), Field) << Word;
  }
  Titan Wrong("[parallelism]\npipeline_parallel_degree = 2\npipeline_parallel_schedule = \"zb\"\n");
  EXPECT_TRUE(Wrong.said().starts_with("PL7033 `\"zb\"` `parallelism.pipeline_parallel_schedule` "
                                       "cannot be `zb`"))
      << Wrong.said();
  // Nobody looks at the schedule of one stage.
  EXPECT_EQ(Titan("[parallelism]\npipeline_parallel_schedule = \"zb\"\n").said(), "");
}

TEST(Torchtitan, Recompute) {
  for (auto [Text, Field] : {std::pair{"mode = \"none\"", "none"},
                             {"mode = \"full\"", "full"},
                             {"mode = \"selective\"\nselective_ac_option = \"op\"", "op"},
                             {"mode = \"selective\"\nselective_ac_option = \"1\"", "full"},
                             {"mode = \"selective\"\nselective_ac_option = \"2\"", "unknown"},
                             {"mode = \"memory_budget\"", "unknown"}}) {
    Titan T(fmt::format("[activation_checkpoint]\n{}\n", Text));
    EXPECT_EQ(T.said(), "");
    EXPECT_EQ(T.field("layout.recompute"), Field) << Text;
    EXPECT_EQ(T.said(Severity::Hint).starts_with("PL7041"), std::string_view(Field) == "unknown");
  }
}

TEST(Torchtitan, SelectiveIsByOperatorOrNumber) {
  EXPECT_EQ(Titan("[activation_checkpoint]\nselective_ac_option = \"ops\"\n").said(),
            "PL7033 `\"ops\"` `activation_checkpoint.selective_ac_option` cannot be `ops`; "
            "torchtitan knows `op` or a number");
}

TEST(Torchtitan, ElementTypes) {
  Titan Bf16("[training]\ndtype = \"bfloat16\"\n");
  EXPECT_EQ(Bf16.field("precision.master"), "bf16");
  EXPECT_EQ(Bf16.field("precision.moments"), "bf16");
  Titan Fp32("[training]\nmixed_precision_param = \"float32\"\n");
  EXPECT_EQ(Fp32.field("precision.compute"), "fp32");
  Titan Fp8("[model]\nconverters = [\"quantize.linear.float8\"]\n");
  EXPECT_EQ(Fp8.field("precision.compute"), "fp8");
  EXPECT_EQ(Fp8.field("precision.weights"), "bf16");
  EXPECT_EQ(Titan("[optimizer]\nname = \"Adam\"\n").field("optimizer"), "adam");
}

TEST(Torchtitan, WhatItRefuses) {
  EXPECT_EQ(Titan("[training]\nseq_length = 4096\n").said(),
            "PL7030 `seq_length` `training.seq_length` is not an option of torchtitan, which refuses it");
  EXPECT_EQ(Titan("[trainings]\nseq_len = 4096\n[model]\nname = \"llama3\"\n").said(),
            "PL7030 `trainings` `trainings` is not an option of torchtitan, which refuses it");
  EXPECT_EQ(Titan("[parallelism]\ntensor_parallel_degree = \"8\"\n").said(),
            "PL7032 `\"8\"` `parallelism.tensor_parallel_degree` takes a whole number, not \"8\"");
  EXPECT_EQ(Titan("[optimizer]\nname = \"Lion\"\n").said(),
            "PL7033 `\"Lion\"` `optimizer.name` cannot be `Lion`; torchtitan knows Adam or AdamW");
  EXPECT_EQ(Titan("[activation_checkpoint]\nmode = \"partial\"\n").Errors, 1u);
  EXPECT_EQ(Titan("[parallelism]\nfsdp_reshard_after_forward = \"maybe\"\n").Errors, 1u);
}

TEST(Torchtitan, OlderVersions) {
  Titan T(R"([training]
batch_size = 2
compile = true
seed = 1
[checkpoint]
enable_checkpoint = true
[float8]
recipe_name = "rowwise"
moe_fqns_prototype = ["experts"]
[model]
converters = ["float8"]
[job]
use_for_integration_test = true
)");
  EXPECT_EQ(T.Errors, 0u);
  EXPECT_EQ(T.field("batch.micro"), "2");
  EXPECT_EQ(T.field("kernels"), "fused");
  EXPECT_EQ(T.from("kernels"), "true");
  EXPECT_EQ(T.field("precision.compute"), "fp8");
  EXPECT_EQ(T.field("torchtitan.quantize.linear.float8.recipe_name"), "rowwise");
  EXPECT_EQ(T.field("torchtitan.quantize.grouped_mm.float8.fqns"), "experts");
  EXPECT_EQ(T.field("torchtitan.debug.seed"), "1");
  EXPECT_EQ(T.said(),
            R"(PL7036 `batch_size` `training.batch_size` is what older versions of torchtitan call `local_batch_size`
PL7036 `compile` `training.compile` is what older versions of torchtitan call `compile.enable`
PL7036 `seed` `training.seed` is what older versions of torchtitan call `debug.seed`
PL7036 `enable_checkpoint` `checkpoint.enable_checkpoint` is what older versions of torchtitan call `enable`
PL7036 `recipe_name` `float8.recipe_name` is what older versions of torchtitan call `quantize.linear.float8.recipe_name`
PL7036 `moe_fqns_prototype` `float8.moe_fqns_prototype` is what older versions of torchtitan call `quantize.grouped_mm.float8.fqns`
PL7036 `"float8"` `float8` is what older versions of torchtitan call `quantize.linear.float8`
PL7040 `use_for_integration_test` `job.use_for_integration_test` is an option of older versions of torchtitan: it marked files for tests)");
}

TEST(Torchtitan, ModulesOfTheUserMayHaveOptions) {
  const std::string Extra = "[vision]\npatch = 16\n[training]\nimages = 4\nseq_len = 4096\n";
  EXPECT_EQ(Titan(Extra).Errors, 2u);
  Titan T("[job]\ncustom_config_module = \"mine.config\"\n" + Extra);
  EXPECT_EQ(T.said(), "");
  EXPECT_EQ(T.field("seq_len"), "4096");
}

TEST(Torchtitan, Flavors) {
  auto Layers = [](const char *Name, const char *Flavor) {
    Titan T(fmt::format("[model]\nname = \"{}\"\nflavor = \"{}\"\n", Name, Flavor));
    EXPECT_EQ(T.said(), "") << Name << Flavor;
    return T.field("model.layers");
  };
  EXPECT_EQ(Layers("llama3", "405B"), "126");
  EXPECT_EQ(Layers("simple_fsdp.llama3", "8B_flex"), "32");
  EXPECT_EQ(Layers("deepseek_v3", "671B"), "61");
  EXPECT_EQ(Layers("qwen3", "0.6B"), "28");
  EXPECT_EQ(Layers("llama4", "17bx16e"), "48");
  EXPECT_EQ(Layers("llama4", "17bx128e"), "48"); // dense layers between those with experts
  EXPECT_EQ(Layers("flux", "flux-dev"), "not given");
  EXPECT_TRUE(Titan("[model]\nname = \"llama3\"\nflavor = \"9B\"\n")
                  .said()
                  .starts_with("PL7033 `\"9B\"` `model.flavor` cannot be `9B`; torchtitan knows "));
  EXPECT_TRUE(Titan("[model]\nname = \"llama\"\nflavor = \"8B\"\n")
                  .said()
                  .starts_with("PL7033 `\"llama\"` `model.name` cannot be `llama`; "));
  EXPECT_EQ(Titan("[model]\nname = \"mine\"\n[experimental]\ncustom_import = \"mine\"\n").said(), "");
}

TEST(Torchtitan, EveryFlavorThatIsDescribedIsThere) {
  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator E(Sources, standardLibrary(), Diags);
  for (const TorchtitanModel &M : torchtitanModels()) {
    if (M.Record.empty())
      continue;
    int Index = E.Lib.record(M.Record);
    ASSERT_GE(Index, 0) << M.Record;
    const Record *Model = E.libraryInstance(static_cast<uint32_t>(Index));
    for (bool Main : {false, true}) {
      const TorchtitanModel *Found = torchtitanModelFor(*Model, Main, E);
      if (Main ? M.OnMain && !M.Config.empty() : M.InToml) {
        ASSERT_TRUE(Found) << M.Flavor;
        EXPECT_EQ(Found->Record, M.Record);
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Command lines
//===----------------------------------------------------------------------===//

/// Collects what a reader gives to a job.
struct Sink : JobSink {
  explicit Sink(Evaluator &E) : JobSink(E) {}
  void addOptions(const Framework &F, const ConfigValue &Tree, SourceRange At) override {
    Name = F.Name;
    OptionReader Reader(F, E, Diags);
    Options = Reader.read(Tree, *optionsBlock(E.Lib, F.Name).Schema, At);
    Symbols = Reader.symbols();
  }
  void addModel(const Record *M, SourceRange) override { Model = M; }
  void addWorld(const World &) override {}
  void whenGpusKnown(std::function<void(int64_t)>) override {}
  void giveUp() override {}
  void addSymbol(Symbol) override {}
  std::string_view Name;
  const Record *Options = nullptr, *Model = nullptr;
  std::vector<Symbol> Symbols;
};

struct Command {
  explicit Command(const std::string &Line, const char *Toml = nullptr) : Given(E) {
    uint32_t File = Sources.add("line", Line);
    for (size_t Begin = 0; Begin < Line.size();) {
      size_t End = std::min(Line.find(' ', Begin), Line.size());
      std::string Word = Line.substr(Begin, End - Begin);
      bool Known = !Word.starts_with('$');
      Words.push_back({Word, {File, static_cast<uint32_t>(Begin), static_cast<uint32_t>(End)}, !Known});
      Begin = End + 1;
    }
    SourceRange At{File, 0, 1};
    if (Toml) {
      uint32_t TomlFile = Sources.add("train.toml", Toml);
      auto Opened = openForeign(TomlFile, Sources, Diags);
      readTorchtitan(Given, *Opened.Tree, At, Words);
    } else {
      readTorchtitanCommand(Given, Words, At);
    }
    for (const Diagnostic &D : Diags.take())
      if (D.Level <= Severity::Warning)
        Said += fmt::format("{}{} `{}` {}", Said.empty() ? "" : "\n", D.Code, Sources.text(D.Range), D.Message);
  }
  std::string job(std::string_view Path) {
    const Record *Job = readOptions(E.Lib, Given.Name, *Given.Options, E);
    FieldPath At = fieldAt(*Job, Path);
    if (!At.Owner)
      return "no such field";
    const Value &V = At.Owner->at(At.Index);
    return V.isAbsent()               ? "not given"
           : !rt::knownValue(V)       ? "unknown"
           : V.K == Value::Kind::Enum ? std::string(At.decl().Ty.Enum->Values[V.Index])
           : V.K == Value::Kind::Bool ? (V.Flag == Truth::True ? "true" : "false")
                                      : formatExact(V.Number);
  }
  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator E{Sources, standardLibrary(), Diags};
  Sink Given;
  std::vector<CommandWord> Words;
  std::string Said;
};

TEST(Torchtitan, CommandLinesAreTrees) {
  Command C("--parallelism.tensor_parallel_degree 8 --parallelism.context-parallel-degree=2 "
            "--compile.enable --training.seq_len 4096 --model.converters "
            "quantize.linear.float8,quantize.grouped_mm.float8 --checkpoint.no-last_save_model_only");
  EXPECT_EQ(C.Said, "");
  EXPECT_EQ(C.Given.Name, "torchtitan");
  EXPECT_EQ(C.job("layout.tp"), "8");
  EXPECT_EQ(C.job("layout.cp"), "2");
  EXPECT_EQ(C.job("precision.compute"), "fp8");
  EXPECT_EQ(C.job("kernels"), "fused");
  EXPECT_EQ(C.job("torchtitan.checkpoint.last_save_model_only"), "false");
}

TEST(Torchtitan, CommandLinesCountOverFiles) {
  Command C("--job.config_file train.toml --model.flavor 8B --training.local_batch_size 3",
            "[model]\nname = \"llama3\"\nflavor = \"70B\"\n[training]\nseq_len = 1024\n"
            "local_batch_size = 1\n");
  EXPECT_EQ(C.Said, "");
  EXPECT_EQ(C.job("batch.micro"), "3");
  EXPECT_EQ(C.job("seq_len"), "1024");
  ASSERT_TRUE(C.Given.Model);
  EXPECT_EQ(C.Given.Model->num(fields::model::layers).toInteger(), 32);
  EXPECT_EQ(torchtitanConfigFile(C.Words)->Text, "train.toml");
}

TEST(Torchtitan, WhatCommandLinesRefuse) {
  EXPECT_EQ(Command("--training.foo 1").Said,
            "PL7030 `--training.foo` `training.foo` is not an option of torchtitan, which refuses it");
  EXPECT_EQ(Command("--parallelism.tensor_parallel_degree=abc").Said,
            "PL7032 `abc` `parallelism.tensor_parallel_degree` takes a whole number, not \"abc\"");
  EXPECT_EQ(Command("--parallelism.context_parallel_rotate_method ring").Said,
            "PL7033 `ring` `parallelism.context_parallel_rotate_method` cannot be `ring`; "
            "torchtitan knows allgather or alltoall");
  Command Unknown("--parallelism.tensor_parallel_degree $TP");
  EXPECT_EQ(Unknown.job("layout.tp"), "unknown");
  ASSERT_EQ(Unknown.Given.Symbols.size(), 1u);
}

TEST(Torchtitan, MainCountsTokens) {
  Command C("--module llama3 --config llama3_8b --training.max_context_length 8192 "
            "--training.num_tokens_per_microbatch_per_dp_rank 16384 "
            "--training.num_tokens_per_train_step 1048576 --parallelism.pipeline_parallel_degree 2 "
            "--parallelism.num_pp_microbatches 8 --parallelism.tensor_parallel_degree 2 "
            "--parallelism.no-enable_sequence_parallel activation-checkpoint:full");
  EXPECT_EQ(C.Said, "");
  EXPECT_EQ(C.Given.Name, "torchtitan_main");
  EXPECT_EQ(C.job("target"), "torchtitan");
  EXPECT_EQ(C.job("seq_len"), "8192");
  EXPECT_EQ(C.job("batch.micro"), "2");
  EXPECT_EQ(C.job("batch.global"), "1048576");
  EXPECT_EQ(C.job("layout.pp"), "2");
  EXPECT_EQ(C.job("layout.sequence_parallel"), "false");
  EXPECT_EQ(C.job("layout.recompute"), "full");
  // What the function sets is not known: the command does not say it.
  EXPECT_EQ(C.job("layout.cp"), "unknown");
  EXPECT_EQ(C.job("precision.compute"), "unknown");
  ASSERT_TRUE(C.Given.Model);
  EXPECT_EQ(C.Given.Model->num(fields::model::hidden).toInteger(), 4096);
  Command Wrong("--module llama3 --config llama3_8b --parallelism.expert_tensor_parallel_degree 2");
  EXPECT_TRUE(Wrong.Said.starts_with("PL7030")) << Wrong.Said;
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

/// A job that torchtitan can express, from options; written and read again it must be the same.
void expectSame(const std::string &Toml, std::string_view Framework) {
  SCOPED_TRACE(Toml);
  Titan T(Toml, Cluster);
  ASSERT_EQ(T.Errors, 0u) << T.said();
  auto P = T.plan();
  ASSERT_TRUE(P);
  Record *Options = writeOptions(*P, Framework, T.Values);
  EXPECT_TRUE(nameTorchtitanModel(*Options, *P->Job->rec(fields::job::model), T.Values));
  for (const LostField &L : notExpressed(*P, Framework, *Options, {}, T.Values))
    ADD_FAILURE() << L.Path << " is lost";
}

TEST(Torchtitan, WrittenAndReadAgain) {
  const std::string Op = "[activation_checkpoint]\nselective_ac_option = \"op\"\n";
  for (std::string_view Framework : {"torchtitan", "torchtitan_main"}) {
    expectSame(Op, Framework);
    expectSame(Op + "[model]\nflavor = \"8B\"\n[training]\nlocal_batch_size = 2\nseq_len = 8192\n"
                    "[parallelism]\ntensor_parallel_degree = 4\ncontext_parallel_degree = 2\n"
                    "[compile]\nenable = true\n",
               Framework);
    expectSame(Op + "[model]\nflavor = \"70B\"\n[training]\nlocal_batch_size = 8\n"
                    "global_batch_size = 128\n[parallelism]\npipeline_parallel_degree = 4\n"
                    "pipeline_parallel_schedule = \"Interleaved1F1B\"\n",
               Framework);
    expectSame(Op + "[parallelism]\ndata_parallel_replicate_degree = 4\n"
                    "fsdp_reshard_after_forward = \"never\"\n[training]\ndtype = \"bfloat16\"\n",
               Framework);
    expectSame("[activation_checkpoint]\nmode = \"none\"\n[parallelism]\n"
               "data_parallel_replicate_degree = 32\ndata_parallel_shard_degree = 1\n"
               "[compile]\nenable = true\ncomponents = [\"model\"]\n",
               Framework);
  }
  expectSame(Op + "[model]\nconverters = [\"quantize.linear.float8\"]\n", "torchtitan");
}

TEST(Torchtitan, ArgumentsOfMain) {
  Titan T("[activation_checkpoint]\nmode = \"full\"\n[model]\nflavor = \"8B\"\n[training]\n"
          "seq_len = 8192\nlocal_batch_size = 1\n[parallelism]\ntensor_parallel_degree = 8\n",
          Cluster);
  auto P = T.plan();
  ASSERT_TRUE(P);
  Record *Options = writeOptions(*P, "torchtitan_main", T.Values);
  ASSERT_TRUE(nameTorchtitanModel(*Options, *P->Job->rec(fields::job::model), T.Values));
  std::vector<std::string> Words = torchtitanArguments(*Options);
  std::string Line;
  for (const std::string &W : Words)
    Line += (Line.empty() ? "" : " ") + W;
  EXPECT_EQ(Words.back(), "activation-checkpoint:full");
  Command Again(Line);
  EXPECT_EQ(Again.Said, "");
  EXPECT_EQ(Again.job("layout.tp"), "8");
  EXPECT_EQ(Again.job("seq_len"), "8192");
  EXPECT_EQ(Again.job("layout.recompute"), "full");
  ASSERT_TRUE(Again.Given.Model);
  EXPECT_EQ(Again.Given.Model->num(fields::model::layers).toInteger(), 32);
}

//===----------------------------------------------------------------------===//
// Real files
//===----------------------------------------------------------------------===//

TEST(Torchtitan, RealFilesAreRead) {
  unsigned Seen = 0;
  for (const char *Name : {"torchtitan", "torchtitan-v0.1.0"}) {
    const std::filesystem::path Folder = std::filesystem::path(PARLANCE_SOURCE_DIR "/../shared/corpus") / Name;
    if (!std::filesystem::exists(Folder))
      GTEST_SKIP() << "no ../shared";
    for (const auto &Entry : std::filesystem::directory_iterator(Folder)) {
      ++Seen;
      std::string File = Entry.path().filename();
      SCOPED_TRACE(File);
      Titan T(textOfFile(Entry.path()), Cluster);
      EXPECT_EQ(T.said(Severity::Error), "");
      EXPECT_TRUE(T.job());
    }
  }
  EXPECT_EQ(Seen, 20u);
}

} // namespace
