// accelerate's configuration file: what its options mean, what is refused, which files it leads to.
#include "FrameworkFiles.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace parlance;

namespace {

/// A configuration; the cluster gives devices and network only, so that the processes count.
class Config : public ReadFiles {
public:
  explicit Config(std::string Text, std::string Cluster = "h100_sxm@infiniband_ndr")
      : ReadFiles({{"accelerate.yaml", std::move(Text)}}, std::move(Cluster)) {}
};

std::string said(std::string Text) { return Config(std::move(Text)).said(); }

/// The same for options of a type, on 16 processes of two machines.
Config with(std::string_view Type, std::string_view Options) {
  return Config(fmt::format("distributed_type: {}\nnum_processes: 16\nnum_machines: 2\n"
                            "mixed_precision: bf16\n{}",
                            Type, Options));
}

//===----------------------------------------------------------------------===//
// Meaning
//===----------------------------------------------------------------------===//

TEST(Accelerate, ProcessesAreThoseOfAllMachines) {
  Config C("distributed_type: MULTI_GPU\nnum_machines: 4\nnum_processes: 32\n");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("gpus_per_node"), "8");
  EXPECT_EQ(C.at("cluster.nodes"), "4");
  EXPECT_EQ(C.at("layout.dp"), "32");
  EXPECT_EQ(C.at("target"), "accelerate");
  EXPECT_EQ(Config("distributed_type: 'NO'\n").at("layout.dp"), "1");
  EXPECT_EQ(Config("distributed_type: NO\n").said(), ""); // a truth value in YAML, a word here
}

TEST(Accelerate, UnevenOrOpenProcesses) {
  Config Uneven("distributed_type: MULTI_GPU\nnum_machines: 4\nnum_processes: 10\n");
  EXPECT_EQ(Uneven.said(), "PL7077 warning 3:16");
  EXPECT_EQ(Uneven.at("gpus_per_node"), "2");
  Config Open("distributed_type: MULTI_GPU\nnum_processes: -1\n");
  EXPECT_EQ(Open.said(), "PL7076 error 2:16");
  EXPECT_EQ(Open.at("layout.dp"), "?");
}

TEST(Accelerate, ShardingOfFsdp) {
  struct Case {
    std::string_view Options, Zero, Shard;
  };
  for (auto [Options, Zero, Shard] : {
           Case{"", "3", "16"},
           Case{"fsdp_sharding_strategy: FULL_SHARD", "3", "16"},
           Case{"fsdp_sharding_strategy: shard_grad_op", "2", "16"},
           Case{"fsdp_sharding_strategy: NO_SHARD", "0", "16"},
           Case{"fsdp_sharding_strategy: HYBRID_SHARD", "3", "8"},
           Case{"fsdp_sharding_strategy: HYBRID_SHARD_ZERO2", "2", "8"},
           Case{"fsdp_sharding_strategy: 2", "2", "16"},
           Case{"sharding_strategy: SHARD_GRAD_OP", "2", "16"},
           // Version 1 passes over what version 2 takes.
           Case{"fsdp_reshard_after_forward: SHARD_GRAD_OP", "3", "16"},
           Case{"fsdp_version: 2, fsdp_reshard_after_forward: true", "3", "16"},
           Case{"fsdp_version: 2, fsdp_reshard_after_forward: false", "2", "16"},
           Case{"fsdp_version: 2, fsdp_reshard_after_forward: 'No'", "2", "16"},
           Case{"fsdp_version: 2, fsdp_sharding_strategy: NO_SHARD", "3", "16"},
       }) {
    Config C = with("FSDP", fmt::format("fsdp_config: {{{}}}\n", Options));
    EXPECT_EQ(C.said(), "") << Options;
    EXPECT_EQ(C.at("layout.zero"), Zero) << Options;
    EXPECT_EQ(C.at("layout.shard"), Shard) << Options;
  }
  EXPECT_EQ(with("FSDP", "fsdp_config: {fsdp_activation_checkpointing: true}\n").at("layout.recompute"), "full");
  EXPECT_EQ(with("FSDP", "").at("layout.recompute"), "none");
  // Options of FSDP count for FSDP alone.
  EXPECT_EQ(with("MULTI_GPU", "fsdp_config: {fsdp_sharding_strategy: FULL_SHARD}\n").at("layout.zero"), "0");
}

TEST(Accelerate, Mesh) {
  Config C = with("FSDP", "fsdp_config: {fsdp_version: 2}\n"
                          "parallelism_config:\n"
                          "  parallelism_config_dp_replicate_size: 2\n"
                          "  parallelism_config_dp_shard_size: 2\n"
                          "  parallelism_config_tp_size: 2\n"
                          "  parallelism_config_cp_size: 2\n");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("layout.tp"), "2");
  EXPECT_EQ(C.at("layout.cp"), "2");
  EXPECT_EQ(C.at("layout.dp"), "4");
  EXPECT_EQ(C.at("layout.shard"), "2");
  EXPECT_EQ(C.place("layout.tp"), "accelerate.yaml:9:31");
  // DeepSpeed's sequence parallelism makes its own groups.
  Config S = with("DEEPSPEED", "parallelism_config: {parallelism_config_sp_size: 4, "
                               "parallelism_config_sp_seq_length: 8192}\n");
  EXPECT_EQ(S.at("layout.cp"), "4");
  EXPECT_EQ(S.at("layout.dp"), "4");
  EXPECT_EQ(S.at("seq_len"), "8192");
}

TEST(Accelerate, Precision) {
  struct Case {
    std::string_view Type, Precision, Compute, Weights, Grads;
  };
  for (auto [Type, Precision, Compute, Weights, Grads] : {
           Case{"MULTI_GPU", "bf16", "bf16", "fp32", "fp32"},
           Case{"MULTI_GPU", "'no'", "fp32", "fp32", "fp32"},
           Case{"MULTI_GPU", "FP16", "fp16", "fp32", "fp32"},
           Case{"FSDP", "bf16", "bf16", "bf16", "bf16"},
           Case{"FSDP", "fp8", "fp8", "bf16", "bf16"},
           Case{"DEEPSPEED", "fp16", "fp16", "fp16", "fp16"},
           Case{"MEGATRON_LM", "bf16", "bf16", "bf16", "fp32"},
       }) {
    Config C(fmt::format("distributed_type: {}\nnum_processes: 8\nmixed_precision: {}\n", Type, Precision));
    EXPECT_EQ(C.at("precision.compute"), Compute) << Type << Precision;
    EXPECT_EQ(C.at("precision.weights"), Weights) << Type << Precision;
    EXPECT_EQ(C.at("precision.grads"), Grads) << Type << Precision;
    EXPECT_EQ(C.at("precision.master"), "fp32") << Type << Precision;
  }
}

TEST(Accelerate, DeepSpeedInTheFile) {
  Config C = with("DEEPSPEED", "deepspeed_config: {zero_stage: 3, gradient_accumulation_steps: 4,\n"
                               "  offload_optimizer_device: CPU}\n");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("layout.zero"), "3");
  EXPECT_EQ(C.at("batch.accum"), "4");
  EXPECT_EQ(C.option("accelerate", "deepspeed_config.offload_optimizer_device"), "cpu");
  EXPECT_EQ(with("DEEPSPEED", "").at("layout.zero"), "2") << "the default";
}

TEST(Accelerate, MegatronDefaultsThatSurprise) {
  Config C = with("MEGATRON_LM", "megatron_lm_config: {megatron_lm_tp_degree: 4}\n");
  EXPECT_EQ(C.said(), "");
  EXPECT_EQ(C.at("layout.tp"), "4");
  EXPECT_EQ(C.at("layout.cp"), "2");
  EXPECT_EQ(C.at("layout.dp"), "2");
  EXPECT_EQ(C.at("layout.recompute"), "full");
  EXPECT_EQ(C.at("layout.zero"), "0");
  Config All = with("MEGATRON_LM", "megatron_lm_config:\n"
                                   "  megatron_lm_tp_degree: 2\n"
                                   "  megatron_lm_pp_degree: 4\n"
                                   "  megatron_lm_context_parallel_size: 1\n"
                                   "  megatron_lm_expert_model_parallel_size: 2\n"
                                   "  megatron_lm_sequence_parallelism: true\n"
                                   "  megatron_lm_use_distributed_optimizer: true\n"
                                   "  megatron_lm_recompute_granularity: selective\n"
                                   "  megatron_lm_num_micro_batches: 8\n");
  EXPECT_EQ(All.at("layout.pp"), "4");
  EXPECT_EQ(All.at("layout.cp"), "1");
  EXPECT_EQ(All.at("layout.ep"), "2");
  EXPECT_EQ(All.at("layout.sequence_parallel"), "true");
  EXPECT_EQ(All.at("layout.zero"), "1");
  EXPECT_EQ(All.at("layout.recompute"), "selective");
  EXPECT_EQ(All.at("batch.accum"), "8");
}

TEST(Accelerate, WrittenAndReadBack) {
  for (std::string_view Fields :
       {"layout = l3", "layout = l2", "layout = l1", "layout = tensor", "layout = context", "layout = hybrid",
        "layout = recomputed", "layout = l0, precision { compute = bf16, weights = fp32, grads = fp32 }",
        "layout = l3, precision { compute = fp16, grads = fp16 }", "layout = megatron, precision { grads = fp32 }"})
    EXPECT_EQ(lostInFile(fmt::format("use std/example\nuse std/models\n"
                                     "cluster c from example_cluster {{ nodes = 2 }}\n"
                                     "layout l0 {{ zero = 0 }}\nlayout l1 {{ zero = 1 }}\nlayout l2 {{ zero = 2 }}\n"
                                     "layout l3 {{ zero = 3 }}\nlayout tensor {{ tp = 2, zero = 3 }}\n"
                                     "layout context {{ cp = 4, zero = 3 }}\nlayout hybrid {{ zero = 2, shard = 8 }}\n"
                                     "layout recomputed {{ zero = 3, recompute = full }}\n"
                                     "layout megatron {{ zero = 1, tp = 4, pp = 2, sequence_parallel = true, "
                                     "recompute = selective }}\n"
                                     "job base from example_job {{ model = llama3_8b, cluster = c\n"
                                     "  batch {{ global = 64 seq }}, precision {{ compute = bf16, grads = bf16 }} }}\n"
                                     "job j from base {{ {} }}\n",
                                     Fields),
                         "accelerate", "accelerate.yaml"),
              "")
        << Fields;
}

//===----------------------------------------------------------------------===//
// Refusals and older forms
//===----------------------------------------------------------------------===//

TEST(Accelerate, UnknownKeys) {
  EXPECT_EQ(said("distributed_type: MULTI_GPU\nnum_processes: 2\nnum_gpus: 2\n"), "PL7030 error 3:1");
  EXPECT_EQ(said("distributed_type: FSDP\nnum_processes: 2\nfsdp_config:\n  fsdp_shard: 1\n"), "PL7031 warning 4:3");
  EXPECT_EQ(said("num_processes: 2\n"), "PL7035 error 1:1");
  // Options of SageMaker, elsewhere and the other way round.
  EXPECT_EQ(said("distributed_type: MULTI_GPU\nnum_processes: 2\nregion: us-east-1\n"), "PL7030 error 3:1");
  EXPECT_EQ(said("compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\n"
                 "iam_role_name: me\nec2_instance_type: ml.p4d\n"),
            "PL7078 warning 1:22");
}

TEST(Accelerate, WrongValues) {
  for (std::string_view Line :
       {"mixed_precision: fp4", "use_cpu: maybe", "num_machines: 0", "fsdp_config: {fsdp_offload_params: cpu}",
        "fsdp_config: {fsdp_auto_wrap_policy: AUTO}", "fsdp_config: {fsdp_version: 3}",
        "fsdp_config: {fsdp_sharding_strategy: HALF}",
        "fsdp_config: {fsdp_version: 2, fsdp_reshard_after_forward: FULL_SHARD}",
        "parallelism_config: {parallelism_config_tp_size: 0}",
        "parallelism_config: {parallelism_config_cp_backend: ring}", "dynamo_config: {dynamo_backend: foo}"})
    EXPECT_TRUE(said(fmt::format("distributed_type: FSDP\nnum_processes: 8\n{}\n", Line)).find("error 3:") !=
                std::string::npos)
        << Line;
  EXPECT_EQ(said("distributed_type: fsdp\nnum_processes: 8\n"), "PL7033 error 1:19");
  for (std::string_view Line : {"downcast_bf16: 'no'", "use_cpu: 'false'", "dynamo_config: {backend: inductor}",
                                "fp8_config: {backend: TE, override_linear_precision: [false, false, false]}",
                                "fsdp_config: {}", "deepspeed_config: {}", "main_process_ip: null"})
    EXPECT_EQ(said(fmt::format("distributed_type: FSDP\nnum_processes: 8\n{}\n", Line)), "") << Line;
}

TEST(Accelerate, OlderForms) {
  Config Half("distributed_type: MULTI_GPU\nnum_processes: 2\nfp16: true\n");
  EXPECT_EQ(Half.at("precision.compute"), "fp16");
  EXPECT_EQ(Half.said(), "PL7072 warning 3:1");
  Config Dynamo("distributed_type: MULTI_GPU\nnum_processes: 2\ndynamo_backend: INDUCTOR\n");
  EXPECT_EQ(Dynamo.option("accelerate", "dynamo_config.dynamo_backend"), "INDUCTOR");
  EXPECT_EQ(Dynamo.said(), "PL7072 warning 3:1");
}

TEST(Accelerate, OtherDevices) {
  EXPECT_EQ(said("distributed_type: MULTI_XPU\nnum_processes: 2\n"), "PL7078 warning 1:19");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

class Folder {
public:
  Folder() : Path(std::filesystem::temp_directory_path() / fmt::format("parlance-{}", getpid())) {
    std::filesystem::create_directories(Path / "sub");
  }
  ~Folder() { std::filesystem::remove_all(Path); }
  std::string write(std::string_view Name, std::string_view Text) const {
    std::ofstream(Path / Name) << Text;
    return (Path / Name).string();
  }
  std::filesystem::path Path;
};

TEST(Accelerate, DeepSpeedInAFileOfItsOwn) {
  Folder F;
  F.write("sub/zero.json",
          R"({"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 3},
    "bf16": {"enabled": true}, "tensor_parallel": {"autotp": 2}})");
  std::string Yaml = F.write("a.yaml", "distributed_type: DEEPSPEED\nnum_processes: 8\n"
                                       "deepspeed_config: {deepspeed_config_file: sub/zero.json}\n");
  ReadFiles C = ReadFiles::fromDisk(Yaml);
  EXPECT_EQ(C.at("layout.zero"), "3");
  EXPECT_EQ(C.at("batch.micro"), "4");
  EXPECT_EQ(C.at("precision.compute"), "bf16");
  EXPECT_EQ(C.at("target"), "accelerate");
  EXPECT_EQ(C.said(), "PL7030 error 2:52") << "an error of that file";
}

TEST(Accelerate, DeepSpeedInAFileThatIsNotThere) {
  Config C("distributed_type: DEEPSPEED\nnum_processes: 8\n"
           "deepspeed_config: {deepspeed_config_file: nowhere.json}\n");
  EXPECT_EQ(C.said(), "PL7075 hint 3:43");
  EXPECT_EQ(C.at("cluster.nodes"), "1");
}

TEST(Accelerate, Corpus) {
  std::filesystem::path Files = std::filesystem::path(PARLANCE_SOURCE_DIR) / "../shared/corpus/accelerate";
  if (!std::filesystem::is_directory(Files))
    GTEST_SKIP() << "no ../shared";
  unsigned Count = 0;
  for (const auto &Entry : std::filesystem::directory_iterator(Files)) {
    ++Count;
    std::string Name = Entry.path().filename().string();
    ReadFiles C = ReadFiles::fromDisk(Entry.path().string());
    EXPECT_TRUE(C.Read) << Name;
    std::string Said = C.said();
    // The one file that is made to be wrong has two keys that accelerate does not know.
    if (Name.ends_with("invalid_keys.yaml"))
      EXPECT_EQ(Said, "PL7030 error 14:1\nPL7030 error 15:1");
    else
      EXPECT_EQ(Said.find("error"), std::string::npos) << Name << "\n" << Said;
  }
  EXPECT_GT(Count, 10U);
}

} // namespace
