// DeepSpeed's JSON: what its options mean, what is refused, what older forms become.
#include "FrameworkFiles.h"
#include <filesystem>

using namespace parlance;

namespace {

/// A configuration on two nodes of eight GPUs.
class Config : public ReadFiles {
public:
  explicit Config(std::string Text) : ReadFiles({{"ds_config.json", std::move(Text)}}) {}
};

std::string said(std::string Text) { return Config(std::move(Text)).said(); }

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

TEST(DeepSpeed, BatchTriple) {
  struct Case {
    std::string_view Text, Global, Micro, Accum;
  };
  for (auto [Text, Sequences, Micro, Accum] : {
           // All three, each two of them, and each of the two that may stand alone.
           Case{R"({"train_batch_size": 128, "train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4})",
                "128", "2", "4"},
           Case{R"({"train_batch_size": 128, "train_micro_batch_size_per_gpu": 2})", "128", "2", "4"},
           Case{R"({"train_batch_size": 128, "gradient_accumulation_steps": 4})", "128", "2", "4"},
           Case{R"({"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4})", "128", "2", "4"},
           Case{R"({"train_batch_size": 128})", "128", "8", "1"},
           Case{R"({"train_micro_batch_size_per_gpu": 2})", "32", "2", "1"},
       }) {
    Config C{std::string(Text)};
    EXPECT_EQ(C.at("batch.sequences"), Sequences) << Text;
    EXPECT_EQ(C.at("batch.micro"), Micro) << Text;
    EXPECT_EQ(C.at("batch.accum"), Accum) << Text;
    EXPECT_EQ(C.said(), "") << Text;
  }
}

TEST(DeepSpeed, BatchOfSequenceAndTensorParallelRanks) {
  Config Ulysses(R"({"train_micro_batch_size_per_gpu": 2, "sequence_parallel_size": 4})");
  EXPECT_EQ(Ulysses.at("layout.cp"), "4");
  EXPECT_EQ(Ulysses.at("layout.dp"), "4");
  EXPECT_EQ(Ulysses.at("batch.sequences"), "8");
  // DeepSpeed counts all 16 ranks, of which two work on the same sequences.
  Config AutoTp(R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 1, "tensor_parallel": {"autotp_size": 2}})");
  EXPECT_EQ(AutoTp.at("layout.tp"), "2");
  EXPECT_EQ(AutoTp.at("layout.dp"), "8");
  EXPECT_EQ(AutoTp.at("batch.sequences"), "32");
  Config Off(R"({"train_batch_size": 64, "tensor_parallel": {"autotp_size": 0}})");
  EXPECT_EQ(Off.at("layout.tp"), "1");
}

TEST(DeepSpeed, ElasticityTakesTheBatch) {
  Config C(R"({"train_batch_size": 64, "elasticity": {"enabled": true, "max_train_batch_size": 2000,
    "micro_batch_sizes": [2, 4], "ignore_non_elastic_batch_info": true}})");
  EXPECT_EQ(C.option("deepspeed", "elasticity.micro_batch_sizes"), "2 4");
  EXPECT_EQ(C.at("batch.sequences"), "?");
}

TEST(DeepSpeed, Precision) {
  struct Case {
    std::string_view Options, Compute, Weights, Grads, Master, Moments;
  };
  for (auto [Options, Compute, Weights, Grads, Master, Moments] : {
           Case{"", "fp32", "fp32", "fp32", "fp32", "fp32"},
           Case{R"(, "bf16": {"enabled": true})", "bf16", "bf16", "bf16", "fp32", "fp32"},
           Case{R"(, "bfloat16": {"enabled": true})", "bf16", "bf16", "bf16", "fp32", "fp32"},
           Case{R"(, "fp16": {"enabled": "on"})", "fp16", "fp16", "fp16", "fp32", "fp32"},
           Case{R"(, "bf16": {"enabled": false})", "fp32", "fp32", "fp32", "fp32", "fp32"},
           Case{R"(, "bf16": {"enabled": true}, "data_types": {"grad_accum_dtype": "float32"})", "bf16", "bf16", "fp32",
                "fp32", "fp32"},
           Case{R"(, "bf16": {"enabled": true, "bf16_master_weights_and_grads": true})", "bf16", "bf16", "bf16", "bf16",
                "fp32"},
           Case{R"(, "bf16": {"enabled": true, "bf16_master_weights_and_grads": true,
                "bf16_optimizer_states": true})",
                "bf16", "bf16", "bf16", "bf16", "bf16"},
           Case{R"(, "fp16": {"enabled": true, "fp16_master_weights_and_grads": true})", "fp16", "fp16", "fp16", "fp16",
                "fp32"},
           Case{R"(, "torch_autocast": {"enabled": true, "dtype": "torch.float16"})", "fp16", "fp32", "fp32", "fp32",
                "fp32"},
           Case{R"(, "torch_autocast": {"enabled": true})", "bf16", "fp32", "fp32", "fp32", "fp32"},
           Case{R"(, "amp": {"enabled": true, "opt_level": "O1"})", "fp16", "fp32", "fp32", "fp32", "fp32"},
       }) {
    Config C(fmt::format(R"({{"train_batch_size": 16, "zero_optimization": {{"stage": 1}}{}}})", Options));
    EXPECT_EQ(C.at("precision.compute"), Compute) << Options;
    EXPECT_EQ(C.at("precision.weights"), Weights) << Options;
    EXPECT_EQ(C.at("precision.grads"), Grads) << Options;
    EXPECT_EQ(C.at("precision.master"), Master) << Options;
    EXPECT_EQ(C.at("precision.moments"), Moments) << Options;
  }
}

TEST(DeepSpeed, ShardingAndOptimizer) {
  Config C(R"({"train_batch_size": 16,
  "zero_optimization": {"stage": 3, "reduce_bucket_size": 2e8, "mics_shard_size": 8,
    "stage3_prefetch_bucket_size": 5e7},
  "optimizer": {"type": "Lion", "params": {"lr": 1e-4, "betas": [0.9, 0.95], "own": 1}}})");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("layout.zero"), "3");
  EXPECT_EQ(C.at("layout.shard"), "8");
  EXPECT_EQ(C.at("optimizer"), "lion");
  EXPECT_EQ(C.at("target"), "deepspeed");
  EXPECT_EQ(C.option("deepspeed", "zero_optimization.reduce_bucket_size"), "200000000");
  EXPECT_EQ(C.option("deepspeed", "zero_optimization.allgather_bucket_size"), "500000000");
  EXPECT_EQ(C.option("deepspeed", "optimizer.params.betas"), "0.9 0.95");
  EXPECT_EQ(C.place("layout.zero"), "ds_config.json:2:34");
  Config Hpz(R"({"train_batch_size": 16, "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}})");
  EXPECT_EQ(Hpz.at("layout.shard"), "16") << "hpZ shards optimizer states over all ranks";
}

TEST(DeepSpeed, ExpertsAndRecomputation) {
  Config C(R"({"train_batch_size": 16, "expert_parallel": {"enabled": true, "autoep_size": 4,
    "top_k": "auto"}, "pipeline": {"activation_checkpoint_interval": 1}})");
  EXPECT_EQ(C.at("layout.ep"), "4");
  EXPECT_EQ(C.at("layout.recompute"), "full");
  EXPECT_EQ(C.said(), "");
  Config Off(R"({"train_batch_size": 16, "expert_parallel": {"autoep_size": 4}})");
  EXPECT_EQ(Off.at("layout.ep"), "1");
}

TEST(DeepSpeed, AutoIsUnknown) {
  Config C(R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
    "bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2, "reduce_bucket_size": "auto"}})");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("batch.micro"), "?");
  EXPECT_EQ(C.at("batch.sequences"), "?");
  EXPECT_EQ(C.at("layout.zero"), "2");
  ASSERT_TRUE(C.Read);
  ASSERT_EQ(C.Read->Symbols.size(), 4U);
  EXPECT_EQ(C.Read->Symbols[0].Option, "train_batch_size");
  // With the two others the micro-batch follows.
  Config Two(R"({"train_batch_size": 64, "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": 2})");
  EXPECT_EQ(Two.at("batch.micro"), "2");
}

TEST(DeepSpeed, WrittenAndReadBack) {
  for (std::string_view Fields :
       {"", "layout = l3", "layout = l2", "layout = l3, precision { grads = bf16 }",
        "precision { compute = fp16, grads = fp16 }", "precision { compute = fp32 }",
        "precision { compute = bf16, weights = fp32 }", "precision { master = bf16, moments = bf16 }",
        "batch { global = 96 seq, micro = 2 seq }", "optimizer = lion", "optimizer = sgd", "layout = tensor",
        "layout = ulysses", "layout = mics", "layout = experts", "layout = recomputed"})
    EXPECT_EQ(lostInFile(fmt::format("use std/example\nuse std/models\n"
                                     "cluster c from example_cluster {{ nodes = 2 }}\n"
                                     "layout l1 {{ zero = 1 }}\nlayout l2 {{ zero = 2 }}\nlayout l3 {{ zero = 3 }}\n"
                                     "layout tensor {{ tp = 2, zero = 1 }}\nlayout ulysses {{ cp = 4, zero = 3 }}\n"
                                     "layout mics {{ zero = 3, shard = 8 }}\nlayout experts {{ ep = 4, zero = 1 }}\n"
                                     "layout recomputed {{ zero = 2, recompute = full }}\n"
                                     "job base from example_job {{ model = llama3_8b, cluster = c, layout = l1\n"
                                     "  batch {{ global = 64 seq }} }}\njob j from base {{ {} }}\n",
                                     Fields),
                         "deepspeed", "ds_config.json"),
              "")
        << Fields;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(DeepSpeed, UnknownKeys) {
  // Passed over at the top, refused in pydantic's sections, free where a dictionary is handed on.
  EXPECT_EQ(said(R"({"train_batch_size": 8, "zero_optimisation": {}})"), "PL7031 warning 1:25");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "zero_optimization": {"stages": 3}})"), "PL7030 error 1:47");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "zero_optimization": {"offload_param": {"devices": "cpu"}}})"),
            "PL7030 error 1:65");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "aio": {"thread_count": 1}})"), "PL7031 warning 1:33");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "compression_training": {"weights": 1}})"), "");
}

TEST(DeepSpeed, ModelsConvertValues) {
  Config C(R"({"train_batch_size": 8, "zero_optimization": {"stage": "2", "overlap_comm": "Yes",
    "reduce_scatter": 1, "reduce_bucket_size": 200000000.0, "sub_group_size": "1000",
    "offload_optimizer": {"ratio": "0.5"}}})");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("layout.zero"), "2");
  EXPECT_EQ(C.option("deepspeed", "zero_optimization.overlap_comm"), "true");
  EXPECT_EQ(C.option("deepspeed", "zero_optimization.sub_group_size"), "1000");
  EXPECT_EQ(C.option("deepspeed", "zero_optimization.offload_optimizer.ratio"), "0.5");
}

TEST(DeepSpeed, ModelsRefuseValues) {
  for (std::string_view Option :
       {R"("stage": 4)", R"("stage": "three")", R"("stage": null)", R"("overlap_comm": 2)",
        R"("reduce_bucket_size": 2.5)", R"("reduce_bucket_size": "2e8")", R"("reduce_bucket_size": -1)",
        R"("offload_param": true)", R"("offload_param": {"device": "gpu"})", R"("offload_param": {"device": null})",
        R"("offload_param": {"nvme_path": 5})", R"("offload_optimizer": {"ratio": 1.5})",
        R"("leaf_module": {"classes": 5})", R"("zenflow": {"select_interval": "often"})",
        R"("zenflow": {"select_strategy": "always"})"})
    EXPECT_TRUE(
        Config(fmt::format(R"({{"train_batch_size": 8, "zero_optimization": {{{}}}}})", Option)).said().find("error") !=
        std::string::npos)
        << Option;
  // None is the default of these.
  for (std::string_view Option :
       {R"("overlap_comm": null)", R"("offload_param": null)", R"("offload_param": {"nvme_path": null})",
        R"("leaf_module": {"classes": "A"})", R"("zenflow": {"select_interval": "auto"})"})
    EXPECT_EQ(said(fmt::format(R"({{"train_batch_size": 8, "zero_optimization": {{{}}}}})", Option)), "") << Option;
}

TEST(DeepSpeed, DictionariesAreNotChecked) {
  EXPECT_EQ(said(R"({"train_batch_size": 8, "gradient_clipping": "1.0"})"), "PL7070 warning 1:46");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "aio": {"block_size": "big"}})"), "PL7070 warning 1:47");
  // But the batch is compared with numbers, a section is looked into, and some words are looked up.
  for (std::string_view Text :
       {R"("train_batch_size": "8")", R"("train_batch_size": [8])", R"("train_batch_size": 0)",
        R"("train_batch_size": 8, "bf16": true)", R"("train_batch_size": 8, "zero_optimization": [3])",
        R"("train_batch_size": 8, "optimizer": {"type": "Sophia"})",
        R"("train_batch_size": 8, "communication_data_type": "int8")",
        R"("train_batch_size": 8, "gradient_allreduce_op": "avg")",
        R"("train_batch_size": 8, "data_types": {"grad_accum_dtype": "fp64"})",
        R"("train_batch_size": 8, "checkpoint": {"tag_validation": "never"})",
        R"("train_batch_size": 8, "compile": {"passes": ["z1", "z2"]})",
        R"("train_batch_size": 8, "expert_parallel": {"score_func": "tanh"})",
        R"("train_batch_size": 8, "expert_parallel": {"load_balance_coeff": 0.1})"})
    EXPECT_TRUE(said(fmt::format("{{{}}}", Text)).find("error") != std::string::npos) << Text;
  for (std::string_view Text :
       {R"("optimizer": {"type": "ADAMW"})", R"("communication_data_type": "BF16")",
        R"("gradient_allreduce_op": "Sum")", R"("data_types": {"grad_accum_dtype": "torch.bfloat16"})",
        R"("checkpoint": {"tag_validation": "Fail", "writer": {"type": "fast"}})", R"("compile": {"passes": ["z1"]})",
        R"("expert_parallel": {"load_balance_coeff": null})", R"("bf16": null)"})
    EXPECT_EQ(said(fmt::format(R"({{"train_batch_size": 8, {}}})", Text)), "") << Text;
}

TEST(DeepSpeed, LossScale) {
  for (std::string_view Option : {R"("loss_scale": true)", R"("loss_scale": Infinity)", R"("loss_scale": -1)",
                                  R"("loss_scale": "big")", R"("loss_scale_window": true)", R"("loss_scale_window": 0)",
                                  R"("min_loss_scale": 1.5)", R"("min_loss_scale": 0)", R"("min_loss_scale": false)"})
    EXPECT_TRUE(
        said(fmt::format(R"({{"train_batch_size": 8, "fp16": {{"enabled": true, {}}}}})", Option)).find("error") !=
        std::string::npos)
        << Option;
  // Window and floor do not matter while the scale is static, or fp16 is off.
  EXPECT_EQ(said(R"({"train_batch_size": 8, "fp16": {"enabled": true, "loss_scale": 128, "min_loss_scale": 0}})"), "");
  EXPECT_EQ(said(R"({"train_batch_size": 8, "fp16": {"loss_scale_window": 0}})"), "");
}

TEST(DeepSpeed, KeysGivenTwice) {
  EXPECT_EQ(said(R"({"train_batch_size": 8, "bf16": {"enabled": true, "enabled": false}})"), "PL7071 error 1:51");
}

//===----------------------------------------------------------------------===//
// Older forms
//===----------------------------------------------------------------------===//

TEST(DeepSpeed, OlderForms) {
  Config Offload(R"({"train_batch_size": 16, "zero_optimization": {"stage": 2, "cpu_offload": true}})");
  EXPECT_EQ(Offload.option("deepspeed", "zero_optimization.offload_optimizer.device"), "cpu");
  EXPECT_EQ(Offload.said(), "PL7072 warning 1:60");
  Config Switch(R"({"train_batch_size": 16, "zero_optimization": true, "allgather_size": 1000})");
  EXPECT_EQ(Switch.at("layout.zero"), "1");
  EXPECT_EQ(Switch.option("deepspeed", "zero_optimization.allgather_bucket_size"), "1000");
  EXPECT_EQ(Switch.said(), "PL7072 warning 1:47");
  Config Off(R"({"train_batch_size": 16, "zero_optimization": false})");
  EXPECT_EQ(Off.at("layout.zero"), "0");
  Config Gather(R"({"train_batch_size": 16,
    "zero_optimization": {"stage3_gather_fp16_weights_on_model_save": true}})");
  EXPECT_EQ(Gather.option("deepspeed", "zero_optimization.stage3_gather_16bit_weights_on_model_save"), "true");
  EXPECT_EQ(Gather.said(), "PL7036 warning 2:27");
  // Names without the prefix are no older ones.
  Config Short(R"({"train_batch_size": 16, "zero_optimization": {"prefetch_bucket_size": 1000}})");
  EXPECT_EQ(Short.option("deepspeed", "zero_optimization.stage3_prefetch_bucket_size"), "1000");
  EXPECT_EQ(Short.said(), "");
}

TEST(DeepSpeed, OldAndNewTogether) {
  EXPECT_EQ(said(R"({"train_batch_size": 16,
    "zero_optimization": {"cpu_offload": false, "offload_optimizer": {"device": "cpu"}}})"),
            "PL7073 error 2:27");
  EXPECT_EQ(said(R"({"train_batch_size": 16, "bf16": {"enabled": true}, "bfloat16": {"enabled": false}})"), "");
}

//===----------------------------------------------------------------------===//
// Real files
//===----------------------------------------------------------------------===//

TEST(DeepSpeed, Corpus) {
  std::filesystem::path Folder = std::filesystem::path(PARLANCE_SOURCE_DIR) / "../shared/corpus/deepspeed";
  if (!std::filesystem::is_directory(Folder))
    GTEST_SKIP() << "no ../shared";
  unsigned Files = 0;
  for (const auto &Entry : std::filesystem::directory_iterator(Folder)) {
    if (Entry.path().extension() != ".json")
      continue;
    ++Files;
    ReadFiles C = ReadFiles::fromDisk(Entry.path().string());
    EXPECT_TRUE(C.Read) << Entry.path();
    EXPECT_EQ(C.Diags.errors(), 0U) << Entry.path() << "\n" << C.said();
  }
  EXPECT_GT(Files, 50U);
}

} // namespace
