#include "Basic/Diagnostics.h"
#include "Eval/Evaluator.h"
#include "Frameworks/HuggingFace/Families.h"
#include "Frameworks/HuggingFace/Import.h"
#include "std/Std.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <unistd.h>

using namespace parlance;

namespace {

/// One text and what came of it.
struct Imported {
  explicit Imported(const std::string &Text) : File(Sources.add("config.json", Text)) {
    Model = Importer.read(*standardLibrary().schema("model"), File, "m");
    if (Model)
      Complete = Values.complete(*Model);
    Said = Diags.take();
  }
  int64_t total() const { return Complete ? functions::params_total(Complete).toInteger() : -1; }
  int64_t active() const { return Complete ? functions::params_active(Complete).toInteger() : -1; }
  int64_t number(unsigned Field) const { return Complete ? Complete->num(Field).toInteger() : -1; }
  std::string word(unsigned Field) const {
    const EnumDecl *Enum = Complete->Schema->Fields[Field].Ty.Enum;
    return std::string(Enum->Values[static_cast<size_t>(Complete->enumerator(Field))]);
  }
  std::string textOf(SourceRange Range) const { return std::string(Sources.text(Range)); }
  /// "CODE `text under the carets` message", one a line.
  std::string said() const {
    std::string Result;
    for (const Diagnostic &D : Said)
      Result += fmt::format("{}{} {}: {}", Result.empty() ? "" : "\n", D.Code, textOf(D.Range), D.Message);
    return Result;
  }

  SourceManager Sources;
  DiagnosticEngine Diags;
  HuggingFaceImporter Importer{Sources, Diags};
  Evaluator Values{Sources, standardLibrary(), Diags};
  uint32_t File;
  const Record *Model = nullptr;
  const Record *Complete = nullptr;
  std::vector<Diagnostic> Said;
};

/// Totals of test/data/models.csv by name: all, and of one token.
std::map<std::string, std::pair<int64_t, int64_t>> publishedTotals() {
  std::map<std::string, std::pair<int64_t, int64_t>> Result;
  std::ifstream File(PARLANCE_SOURCE_DIR "/test/data/models.csv");
  std::string Line;
  std::getline(File, Line);
  while (std::getline(File, Line)) {
    std::istringstream Cells(Line);
    std::string Name, Total, Active;
    std::getline(Cells, Name, ',');
    std::getline(Cells, Total, ',');
    std::getline(Cells, Active, ',');
    Result[Name] = {std::stoll(Total), Active.empty() ? -1 : std::stoll(Active)};
  }
  return Result;
}

/// A config with the seven numbers that most families share: layers, hidden, heads, kv heads, ffn, vocab.
std::string config(const std::string &Family, int Layers, int Hidden, int Heads, int Kv, int Ffn, int Vocab,
                   const std::string &More = "") {
  return fmt::format(
      R"({{"model_type": "{}", "num_hidden_layers": {}, "hidden_size": {}, "num_attention_heads": {},
 "num_key_value_heads": {}, "intermediate_size": {}, "vocab_size": {}{}{}}})",
      Family, Layers, Hidden, Heads, Kv, Ffn, Vocab, More.empty() ? "" : ", ", More);
}

const std::string DeepSeekV2Moe =
    R"("n_routed_experts": 160, "num_experts_per_tok": 6, "moe_intermediate_size": 1536, "n_shared_experts": 2,
 "first_k_dense_replace": 1, "topk_method": "group_limited_greedy", "moe_layer_freq": 1)";

TEST(HuggingFace, TotalsOfPublishedModels) {
  const std::pair<const char *, std::string> Models[] = {
      {"llama2_7b", config("llama", 32, 4096, 32, 32, 11008, 32000)},
      {"llama31_405b",
       config("llama", 126, 16384, 128, 8, 53248, 128256, R"("rope_parameters": {}, "dtype": "bfloat16")")},
      {"llama32_1b", config("llama", 16, 2048, 32, 8, 8192, 128256, R"("tie_word_embeddings": true, "head_dim": 64)")},
      {"mistral_7b", config("mistral", 32, 4096, 32, 8, 14336, 32000, R"("sliding_window": 4096)")},
      {"mistral_nemo_12b",
       config("mistral", 40, 5120, 32, 8, 14336, 131072, R"("head_dim": 128, "sliding_window": null)")},
      {"mixtral_8x7b",
       config("mixtral", 32, 4096, 32, 8, 14336, 32000, R"("num_local_experts": 8, "num_experts_per_tok": 2)")},
      {"qwen25_7b", config("qwen2", 28, 3584, 28, 4, 18944, 152064, R"("torch_dtype": "bfloat16")")},
      {"qwen2_0_5b", config("qwen2", 24, 896, 14, 2, 4864, 151936, R"("tie_word_embeddings": true)")},
      {"qwen15_moe_a2_7b", config("qwen2_moe", 24, 2048, 16, 16, 5632, 151936,
                                  R"("num_experts": 60, "num_experts_per_tok": 4, "moe_intermediate_size": 1408,
 "shared_expert_intermediate_size": 5632, "decoder_sparse_step": 1)")},
      {"qwen3_8b", config("qwen3", 36, 4096, 32, 8, 12288, 151936, R"("head_dim": 128)")},
      {"qwen3_30b_a3b", config("qwen3_moe", 48, 2048, 32, 4, 6144, 151936,
                               R"("head_dim": 128, "num_experts": 128, "num_experts_per_tok": 8,
 "moe_intermediate_size": 768, "mlp_only_layers": [])")},
      {"deepseek_v2", config("deepseek_v2", 60, 5120, 128, 128, 12288, 102400, DeepSeekV2Moe)},
      {"deepseek_v2_lite",
       config("deepseek_v2", 27, 2048, 16, 16, 10944, 102400,
              R"("q_lora_rank": null, "n_routed_experts": 64, "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
 "n_shared_experts": 2, "first_k_dense_replace": 1)")},
      {"deepseek_v3", config("deepseek_v3", 61, 7168, 128, 128, 18432, 129280, R"("num_nextn_predict_layers": 1)")},
      {"kimi_k2",
       config("kimi_k2", 61, 7168, 64, 64, 18432, 163840, R"("n_routed_experts": 384, "first_k_dense_replace": 1)")},
      {"glm45_air", config("glm4_moe", 46, 4096, 96, 8, 10944, 151552,
                           R"("head_dim": 128, "attention_bias": true, "use_qk_norm": false, "n_routed_experts": 128,
 "num_experts_per_tok": 8, "moe_intermediate_size": 1408, "n_shared_experts": 1, "first_k_dense_replace": 1)")},
      {"gpt2", R"({"model_type": "gpt2"})"},
      {"gpt2_xl",
       R"({"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25, "vocab_size": 50257,
 "n_positions": 1024, "n_ctx": 1024, "activation_function": "gelu_new"})"},
      {"gpt_neox_20b", R"({"model_type": "gpt_neox", "hidden_size": 6144, "num_hidden_layers": 44,
 "num_attention_heads": 64, "intermediate_size": 24576, "vocab_size": 50432, "hidden_act": "gelu_fast"})"},
      {"pythia_1b", R"({"model_type": "gpt_neox", "hidden_size": 2048, "num_hidden_layers": 16,
 "num_attention_heads": 8, "intermediate_size": 8192, "vocab_size": 50304, "hidden_act": "gelu"})"},
      {"phi3_mini", config("phi3", 32, 3072, 32, 32, 8192, 32064, R"("sliding_window": 2047)")},
      {"gemma_7b", config("gemma", 28, 3072, 16, 16, 24576, 256000, R"("head_dim": 256, "hidden_act": "gelu")")},
      {"gemma2_9b", config("gemma2", 42, 3584, 16, 8, 14336, 256000, R"("hidden_activation": "gelu_pytorch_tanh")")},
      {"gemma3_1b", config("gemma3_text", 26, 1152, 4, 1, 6912, 262144)},
      {"opt_125m",
       R"({"model_type": "opt", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
 "ffn_dim": 3072, "vocab_size": 50272, "max_position_embeddings": 2048, "word_embed_proj_dim": 768})"},
      {"smollm3_3b", config("smollm3", 36, 2048, 16, 4, 11008, 128256)},
  };
  const auto Published = publishedTotals();
  for (const auto &[Name, Text] : Models) {
    Imported I(Text);
    ASSERT_TRUE(Published.contains(Name)) << Name;
    EXPECT_EQ(I.total(), Published.at(Name).first) << Name << '\n' << I.said();
    if (Published.at(Name).second > 0) {
      EXPECT_EQ(I.active(), Published.at(Name).second) << Name;
    }
  }
}

TEST(HuggingFace, FalconGenerations) {
  // The weights of tiiuae/falcon-7b and falcon-40b on the hub, heads tied.
  EXPECT_EQ(Imported(R"({"model_type": "falcon"})").total(), 6'921'720'704);
  EXPECT_EQ(Imported(R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60,
 "num_attention_heads": 128, "num_kv_heads": 8, "new_decoder_architecture": true})")
                .total(),
            41'303'293'952);
}

TEST(HuggingFace, ValuesPointIntoTheFile) {
  Imported I(config("llama", 32, 4096, 32, 8, 14336, 128256));
  ASSERT_TRUE(I.Model);
  namespace M = fields::model;
  const Origin &Kv = I.Complete->Origins[M::kv_heads];
  EXPECT_EQ(Kv.K, Origin::Kind::Given);
  EXPECT_EQ(I.textOf(Kv.Range), "8");
  EXPECT_EQ(I.Sources.begin(Kv.Range).Line, 2u);
  const Origin &Tied = I.Complete->Origins[M::tied_embeddings];
  EXPECT_EQ(Tied.K, Origin::Kind::Default);
  EXPECT_EQ(I.textOf(Tied.Range), "\"llama\"");
  EXPECT_EQ(Tied.Where, "default of llama");
  EXPECT_EQ(I.textOf(I.Complete->Origins[M::head_dim].Range), "\"llama\"");
  EXPECT_EQ(I.number(M::head_dim), 128);
  EXPECT_EQ(I.word(M::activation), "swiglu");
  EXPECT_EQ(I.word(M::bias), "none");
  EXPECT_EQ(I.Complete->Name, "m");
}

TEST(HuggingFace, AbsentAndNullDiffer) {
  namespace M = fields::model;
  const std::string Shape =
      R"("num_hidden_layers": 2, "hidden_size": 4096, "num_attention_heads": 32,
 "intermediate_size": 64, "vocab_size": 100)";
  EXPECT_EQ(Imported(R"({"model_type": "mistral", )" + Shape + "}").number(M::kv_heads), 8);
  EXPECT_EQ(Imported(R"({"model_type": "mistral", "num_key_value_heads": null, )" + Shape + "}").number(M::kv_heads),
            32);
  EXPECT_EQ(Imported(R"({"model_type": "qwen3", "num_key_value_heads": 8, )" + Shape + "}").number(M::head_dim), 128);
  const auto Window = [](const Imported &I) {
    const Record *A = I.Complete->rec(M::attention);
    return A->Values[fields::attention::window].isAbsent() ? -1 : A->num(fields::attention::window).toInteger();
  };
  EXPECT_EQ(Window(Imported(R"({"model_type": "mistral", )" + Shape + "}")), 4096);
  EXPECT_EQ(Window(Imported(R"({"model_type": "mistral", "sliding_window": null, )" + Shape + "}")), -1);
  EXPECT_EQ(Window(Imported(R"({"model_type": "mistral", "sliding_window": 64, )" + Shape + "}")), 64);
  EXPECT_EQ(Window(Imported(R"({"model_type": "llama", "sliding_window": 64, )" + Shape + "}")), -1);
}

TEST(HuggingFace, BothSpellings) {
  const std::string Moe = config("qwen3_moe", 4, 256, 4, 4, 64, 100, R"("num_local_experts": 16)");
  Imported I(Moe);
  EXPECT_EQ(I.number(fields::model::experts), 16) << I.said();
  EXPECT_EQ(Imported(config("qwen3_moe", 4, 256, 4, 4, 64, 100, R"("num_experts": 16, "num_local_experts": 8)")).said(),
            "PL7010 8: `num_local_experts` is 8, but `num_experts` is 16; they are two names of "
            "one option");
  EXPECT_EQ(
      Imported(config("qwen3_moe", 4, 256, 4, 4, 64, 100, R"("num_experts": 16, "num_local_experts": 16)")).said(), "");
}

TEST(HuggingFace, LlamaBiases) {
  const auto With = [](const char *More) { return Imported(config("llama", 2, 256, 4, 4, 64, 100, More)).said(); };
  EXPECT_EQ(With(R"("attention_bias": false, "mlp_bias": false)"), "");
  EXPECT_EQ(With(R"("attention_bias": true)"),
            "PL7004 true: `attention_bias` = true is not supported in llama: all four projections "
            "of attention get a "
            "bias, and `bias` knows none, qkv and all");
  EXPECT_NE(With(R"("mlp_bias": true)").find("PL7004 true: `mlp_bias`"), std::string::npos);
  Imported All(config("llama", 2, 256, 4, 4, 64, 100, R"("attention_bias": true, "mlp_bias": true)"));
  EXPECT_EQ(All.word(fields::model::bias), "all");
}

TEST(HuggingFace, TextModelInsideAnother) {
  Imported I(R"({"model_type": "gemma3", "tie_word_embeddings": false,
 "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "intermediate_size": 10240,
 "sliding_window": 1024},
 "vision_config": {"hidden_size": 1152}})");
  ASSERT_TRUE(I.Model) << I.said();
  EXPECT_EQ(I.number(fields::model::hidden), 2560);
  EXPECT_EQ(I.number(fields::model::head_dim), 256);
  EXPECT_EQ(I.Complete->flag(fields::model::tied_embeddings), Truth::False);
  EXPECT_NE(I.said().find("PL7009 \"vision_config\": only the text model of `gemma3` is described"), std::string::npos);
  EXPECT_NE(I.said().find("PL7012 \"gemma3_text\""), std::string::npos);
  EXPECT_NE(I.said().find("PL7011 \"sliding_window\""), std::string::npos);
  // Without a family of its own, the text model is the outer family's.
  EXPECT_EQ(Imported(R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560}})").number(fields::model::norms),
            4);
}

TEST(HuggingFace, Refusals) {
  const std::pair<std::string, const char *> Cases[] = {
      {"[]", "PL7007 [: this is not a Hugging Face model config: it is a list, not an object"},
      {"3", "PL7007 3: this is not a Hugging Face model config: it is a number, not an object"},
      {"{}", "PL7007 {: this is not a Hugging Face model config: it has no `model_type`"},
      {R"({"model_type": 3})", "PL7006 3: `model_type` must be the name of a family, not a number"},
      {R"({"model_type": "qwenn3"})", "PL7003 \"qwenn3\": model family `qwenn3` is not supported"},
      {R"({"model_type": "mamba"})", "PL7003 \"mamba\": model family `mamba` is not supported: "
                                     "state-space (Mamba) layers take the place of attention"},
      {R"({"model_type": "llava", "text_config": {"model_type": "mpt"}})",
       "PL7003 \"mpt\": model family `mpt` is not supported: layer norms have no bias"},
      {R"({"model_type": "mimo", "hidden_size": 4096, "vocab_size": 1})",
       "PL7005 \"mimo\": mimo needs `num_hidden_layers`, `num_attention_heads` and "
       "`intermediate_size`, which this config "
       "does not give"},
      {config("llama", 0, 256, 4, 4, 64, 100), "PL7008 0: `num_hidden_layers` is 0; it must be at least 1"},
      {config("llama", 2, 256, -4, 4, 64, 100), "PL7008 -4: `num_attention_heads` is -4; it must be at least 1"},
      {config("llama", 2, 256, 4, 3, 64, 100),
       "PL7008 3: `num_key_value_heads` is 3; it must divide `num_attention_heads`, 4"},
      {config("llama", 2, 250, 4, 4, 64, 100),
       "PL7008 4: `num_attention_heads` is 4; it must divide `hidden_size`, 250"},
      {config("qwen3_moe", 2, 256, 4, 4, 64, 100, R"("num_experts": 4)"),
       "PL7008 4: `num_experts_per_tok` is 8; it must be at most `num_experts`, 4"},
      {config("qwen3_moe", 2, 256, 4, 4, 64, 100, R"("mlp_only_layers": [0, 1, 2])"),
       "PL7008 [0, 1, 2]: `mlp_only_layers` is 3; it must be at most `num_hidden_layers`, 2"},
      {config("qwen3_moe", 2, 256, 4, 4, 64, 100, R"("mlp_only_layers": [1])"),
       "PL7004 \"mlp_only_layers\": `mlp_only_layers` = […] is not supported in qwen3_moe: only "
       "the first layers can be "
       "dense in `dense_layers`"},
      {config("deepseek_v3", 2, 256, 4, 4, 64, 100, R"("moe_layer_freq": 2)"),
       "PL7004 2: `moe_layer_freq` = 2 is not supported in deepseek_v3: layers with and without "
       "experts alternate"},
      {config("llama", 2, 256, 4, 4, 64, 100, R"("head_dim": "64")"),
       "PL7006 \"64\": `head_dim` must be a whole number, not a string"},
      {config("llama", 2, 256, 4, 4, 64, 100, R"("head_dim": 64.0)"),
       "PL7006 64.0: `head_dim` must be a whole number, not `64.0`"},
      {config("llama", 2, 256, 4, 4, 64, 100, R"("head_dim": 99999999999)"),
       "PL7008 99999999999: `head_dim` is 99,999,999,999; it must be at most 2,147,483,647"},
      {config("llama", 2, 256, 4, 4, 64, 100, R"("tie_word_embeddings": 1)"),
       "PL7006 1: `tie_word_embeddings` must be `true` or `false`, not a number"},
      {config("llama", 2, 256, 4, 4, 64, 100, R"("hidden_act": "relu2")"),
       "PL7004 \"relu2\": `hidden_act` = \"relu2\" is not supported in llama: a gated network has "
       "silu or gelu here"},
      {config("smollm3", 2, 256, 4, 4, 64, 100, R"("layer_types": ["full_attention", "linear_attention"])"),
       "PL7004 \"linear_attention\": `layer_types` = \"linear_attention\" is not supported in "
       "smollm3: this kind of layer "
       "has weights of its own"},
      {R"({"model_type": "llama", "num_key_value_heads": [8, 4], "hidden_size": 4096, "num_hidden_layers": 2,
 "num_attention_heads": 32, "intermediate_size": 64, "vocab_size": 64})",
       "PL7004 \"num_key_value_heads\": `num_key_value_heads` = […] is not supported in llama: "
       "every layer has a value of "
       "its own"},
      {R"({"model_type": "opt", "hidden_size": 1024, "word_embed_proj_dim": 512})",
       "PL7004 512: `word_embed_proj_dim` = 512 is not supported in opt: embeddings of another "
       "width are projected in and out"},
  };
  for (const auto &[Text, Wanted] : Cases) {
    Imported I(Text);
    EXPECT_EQ(I.Model, nullptr) << Text;
    EXPECT_EQ(I.said(), Wanted) << Text;
  }
}

TEST(HuggingFace, NearestFamilyIsOffered) {
  Imported I(R"({"model_type": "qwen3-moe"})");
  ASSERT_EQ(I.Said.size(), 1u);
  ASSERT_EQ(I.Said[0].Fixes.size(), 1u);
  EXPECT_EQ(I.Said[0].Fixes[0].Edits[0].NewText, "\"qwen3_moe\"");
}

TEST(HuggingFace, MisspeltKeys) {
  Imported I(
      R"({"model_type": "llama", "num_key_value_head": 8, "num_hidden_layers": 2, "hidden_size": 256,
 "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 100, "rope_thetaa": 3})");
  EXPECT_EQ(I.said(), "PL7013 \"num_key_value_head\": unknown key `num_key_value_head`; "
                      "`num_key_value_heads` keeps its default");
}

TEST(HuggingFace, FilesAreReadOnce) {
  std::string Folder = (std::filesystem::temp_directory_path() / "parlance-hf-XXXXXX").string();
  ASSERT_NE(::mkdtemp(Folder.data()), nullptr);
  std::ofstream(Folder + "/good.json") << R"({"model_type": "gpt2"})";
  std::ofstream(Folder + "/bad.json") << R"({"model_type": "gpt2", "n_layer": 0})";
  SourceManager Sources;
  DiagnosticEngine Diags;
  HuggingFaceImporter Importer(Sources, Diags);
  const Library &Lib = standardLibrary();
  const uint32_t File = Sources.add("a.parl", "model m = import \"x.json\"");
  const SourceRange At{File, 10, 25};
  const Record *First = Importer(*Lib.schema("model"), Folder + "/good.json", "a", At);
  EXPECT_NE(First, nullptr);
  EXPECT_EQ(Importer(*Lib.schema("model"), Folder + "/good.json", "b", At), First);
  EXPECT_EQ(Importer(*Lib.schema("model"), Folder + "/bad.json", "c", At), nullptr);
  EXPECT_EQ(Importer(*Lib.schema("model"), Folder + "/bad.json", "d", At), nullptr);
  EXPECT_EQ(Diags.errors(), 1u);
  EXPECT_EQ(Importer(*Lib.schema("layout"), Folder + "/good.json", "l", At), nullptr);
  EXPECT_EQ(Importer(*Lib.schema("model"), Folder + "/none.json", "n", At), nullptr);
  EXPECT_EQ(Importer(*Lib.schema("model"), Folder, "n", At), nullptr);
  EXPECT_EQ(Diags.errors(), 4u);
  for (const Diagnostic &D : Diags.take())
    if (D.Code == "PL0079") {
      EXPECT_EQ(D.Range, At);
    }
  std::filesystem::remove_all(Folder);
}

TEST(HuggingFace, PagesHaveExamplesThatTrigger) {
  const auto Reports = [](std::string_view Code, std::string_view Example) {
    Imported I(std::string(Example.substr(Example.find('\n') + 1)));
    return std::ranges::any_of(I.Said, [&](const Diagnostic &D) { return D.Code == Code; });
  };
  for (const DiagnosticPage &Page : diagnosticPages()) {
    if (!Page.Example.starts_with("# config.json\n"))
      continue; // of another file; test/tools/coverage.py tries all of them
    EXPECT_TRUE(Reports(Page.Code, Page.Example)) << Page.Code;
    if (!Page.Fixed.empty()) {
      EXPECT_FALSE(Reports(Page.Code, Page.Fixed)) << Page.Code;
    }
  }
}

TEST(HuggingFace, FamiliesAreWellFormed) {
  for (const huggingface::Family &F : huggingface::families()) {
    EXPECT_EQ(huggingface::familyNamed(F.Name), &F);
    EXPECT_EQ(huggingface::unsupportedFamily(F.Name), nullptr) << F.Name;
    // Every word of the tables is one of the schema's: a family with its defaults counts its parameters.
    Imported I(fmt::format(
        R"({{"model_type": "{}", "hidden_size": 1024, "num_hidden_layers": 4, "vocab_size": 10,
 "num_attention_heads": 16, "num_key_value_heads": 4, "intermediate_size": 64, "num_experts_per_tok": 2}})",
        F.Name));
    EXPECT_GT(I.total(), 0) << F.Name << '\n' << I.said();
  }
}

} // namespace
