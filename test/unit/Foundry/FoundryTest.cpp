// A framework is one folder of C++, one of declarations and one line: a made-up one is added, and its files are told,
// read, checked, written and read back.
#include "Foundry.h"
#include "../Support.h"
#include "Eval/LibraryBuilder.h"
#include "Frameworks/Job/ForeignJob.h"
#include "Frameworks/Lower/Lower.h"
#include "Plan/Options.h"
#include <filesystem>

using namespace parlance;
namespace fs = std::filesystem;

namespace {

/// The library that was compiled in, with Foundry among the targets and a block for its options.
class WithFoundry {
public:
  WithFoundry() {
    std::vector<std::string> Paths = {PARLANCE_SOURCE_DIR "/test/unit/Foundry/foundry.parl",
                                      PARLANCE_SOURCE_DIR "/test/unit/Foundry/stack.parl"};
    for (const auto &Entry : fs::recursive_directory_iterator(PARLANCE_SOURCE_DIR "/lib/std"))
      if (Entry.path().extension() == ".parl")
        Paths.push_back(Entry.path().string());
    std::ranges::sort(Paths);
    Ok = Builder.build(Paths);
    const Library &Standard = standardLibrary();
    const SchemaDecl &Known = *Standard.schema("job");
    Fields.assign(Known.Fields.begin(), Known.Fields.end());
    const EnumDecl &Targets = *Fields[fields::job::target].Ty.Enum;
    Names.assign(Targets.Values.begin(), Targets.Values.end());
    Names.emplace_back("foundry");
    Target = Targets;
    Target.Values = Names;
    Fields[fields::job::target].Ty.Enum = &Target;
    if (!Ok)
      return;
    const Library &Built = Builder.library();
    Stack = Built.Records[static_cast<size_t>(Built.record("foundry"))].instance();
    Fields[fields::job::stack].Default = [](const Record &) { return Value::record(Stack); };
    FieldDecl &Block = Fields.emplace_back();
    Block.Name = "foundry";
    Block.Ty.K = Type::Kind::Record;
    Block.Ty.Schema = Builder.library().schema("foundry");
    Block.Optional = true;
    Job = Known;
    Job.Fields = Fields;
    for (const SchemaDecl *S : Standard.Schemas)
      Schemas.push_back(S == &Known ? &Job : S);
    for (std::string_view Name : {"foundry", "foundry_model"})
      Schemas.push_back(Builder.library().schema(Name));
    Lib = Standard;
    Lib.Schemas = Schemas;
    addFramework(framework::Foundry);
  }

  bool Ok = false;
  Library Lib;

private:
  static inline const Record *Stack = nullptr;
  SourceManager Sources;
  DiagnosticEngine Diags;
  LibraryBuilder Builder{Sources, Diags};
  std::vector<FieldDecl> Fields;
  std::vector<std::string_view> Names;
  EnumDecl Target;
  SchemaDecl Job;
  std::vector<const SchemaDecl *> Schemas;
};

const WithFoundry &foundry() {
  static const WithFoundry With;
  return With;
}

class Foundry : public testing::Test {
protected:
  std::optional<Plan> read(std::string Text) {
    File = openForeign(Sources.add("train.yaml", std::move(Text)), Sources, Diags);
    if (!File.Kind)
      return std::nullopt;
    ForeignRequest Request;
    Request.Cluster = "h100_sxm*8*2@infiniband_ndr";
    HuggingFaceImporter Models(Sources, Diags);
    ForeignReader Reader(Values, Models, Request);
    const ForeignFile *Files[] = {&File};
    auto Read = Reader.read(Files);
    return Read ? resolve(*Read->Job, Values) : std::nullopt;
  }
  std::string said() {
    std::string Out;
    for (const Diagnostic &D : Diags.take())
      Out += fmt::format("{} {}\n", D.Code, Sources.text(D.Range));
    return Out;
  }

  const Library &Lib = foundry().Lib;
  SourceManager Sources;
  DiagnosticEngine Diags;
  Evaluator Values{Sources, Lib, Diags};
  ForeignFile File;
};

constexpr const char *Text = R"(max_seq_len: 4096
accumulation: 8
device_train_microbatch_size: 1
tensor_parallel: 2
pipeline_stages: 1
shard_stage: 3
model:
  n_layers: 32
  d_model: 4096
  n_heads: 32
  n_kv_heads: 8
  d_ffn: 14336
  vocab_size: 128256
)";

TEST_F(Foundry, IsReadAndWrittenAndReadBack) {
  ASSERT_TRUE(foundry().Ok);
  auto P = read(Text);
  ASSERT_TRUE(P) << said();
  EXPECT_EQ(File.Kind, framework::Foundry.Files.data());
  EXPECT_EQ(P->Job->rec(fields::job::layout)->num(fields::layout::tp).toInteger(), 2);
  EXPECT_EQ(said(), "");
  auto Files = lower(*P, {"foundry", Launcher::Slurm, "parlance", "train.yaml"}, Values);
  ASSERT_TRUE(Files) << said();
  ASSERT_EQ(Files->Files.size(), 2U);
  EXPECT_EQ(Files->Files[0].Name, "foundry.yaml");
  EXPECT_NE(Files->Files[1].Text.find("train.py"), std::string::npos);
  auto Again = read(Files->Files[0].Text);
  ASSERT_TRUE(Again) << said();
  std::string Lost;
  for (const LostField &L : differences(*P, *Again, {}))
    Lost += L.Path + " ";
  EXPECT_EQ(Lost, "");
}

TEST_F(Foundry, IsChecked) {
  std::string Wrong = Text;
  Wrong.replace(Wrong.find("tensor_parallel"), 15, "tensor_paralel");
  Wrong.replace(Wrong.find("shard_stage: 3"), 14, "shard_stage: 4");
  read(Wrong);
  EXPECT_EQ(said(), "PL7030 tensor_paralel\nPL7034 4\n");
}

/// The rules find what is wrong with the job, at the option that says it.
TEST_F(Foundry, IsJudgedByTheRules) {
  std::string Wrong = Text;
  Wrong.replace(Wrong.find("tensor_parallel: 2"), 18, "tensor_parallel: 3");
  auto P = read(Wrong);
  ASSERT_TRUE(P) << said();
  Program Files{Sources, Lib, Diags};
  LibraryTrees Trees{Sources, Lib};
  Analyzer(Files, Values, Trees).runForeign(*P->Written);
  std::string Said = said();
  EXPECT_NE(Said.find("PL2003 3\n"), std::string::npos) << Said;
}

/// What it says is written for another framework as well.
TEST_F(Foundry, BecomesAnother) {
  auto P = read(Text);
  ASSERT_TRUE(P) << said();
  auto Files = lower(*P, {"deepspeed", Launcher::None, "parlance", "train.yaml"}, Values);
  ASSERT_TRUE(Files) << said();
  EXPECT_NE(Files->Files[0].Text.find("\"stage\": 3"), std::string::npos);
}

/// Its marks are found in a folder, too.
TEST_F(Foundry, IsCertain) {
  foundry();
  auto Found = openIfCertain(Sources.add("a.yaml", Text), Sources, Diags);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Kind, framework::Foundry.Files.data());
}

} // namespace
