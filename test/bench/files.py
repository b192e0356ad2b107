#!/usr/bin/env python3
"""Files per second of one `parlance check` over a thousand configurations, beside `cat` of the same files.

usage: files.py PARLANCE SOURCE_ROOT [--files N] [--corpus FOLDER]

The files are made here: per framework one configuration with its figures varied, in the shares and sizes of a collection
of 246 real ones (half of them JSON, half YAML, some TOML; 2 KB on average), and job files of docs/examples. A corpus
beside the checkout is measured too. Target: 2,000 files/s on two cores, and as much per core by processor time.
"""
import argparse
import glob
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TARGET = 2_000


def deepspeed(n):
    return "ds_config.json", json.dumps({
        "train_micro_batch_size_per_gpu": 1 << n % 4, "gradient_accumulation_steps": 1 + n % 8,
        "gradient_clipping": 1.0, "steps_per_print": 10 + n, "bf16": {"enabled": True},
        "optimizer": {"type": "AdamW", "params": {"lr": 3e-4, "betas": [0.9, 0.95], "eps": 1e-8, "weight_decay": 0.1}},
        "scheduler": {"type": "WarmupLR", "params": {"warmup_min_lr": 0, "warmup_max_lr": 3e-4, "warmup_num_steps": n}},
        "zero_optimization": {"stage": n % 4, "overlap_comm": True, "contiguous_gradients": True,
                              "reduce_bucket_size": 500_000_000 + n, "allgather_bucket_size": 500_000_000},
        "wall_clock_breakdown": False}, indent=2)


def model(n):
    return "config.json", json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 1024 * (1 + n % 8),
        "intermediate_size": 4096 * (1 + n % 8), "num_attention_heads": 8 * (1 + n % 8), "num_key_value_heads": 8,
        "num_hidden_layers": 16 + n % 64, "vocab_size": 32000 + n, "max_position_embeddings": 4096,
        "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "hidden_act": "silu", "tie_word_embeddings": False,
        "torch_dtype": "bfloat16", "use_cache": True, "attention_bias": False,
        "_comment": "x" * (n * 37 % 1500)}, indent=2)


def accelerate(n):
    return "accelerate.yaml", f"""\
compute_environment: LOCAL_MACHINE
debug: false
distributed_type: FSDP
downcast_bf16: 'no'
fsdp_config:
  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP
  fsdp_backward_prefetch: BACKWARD_PRE
  fsdp_offload_params: false
  fsdp_sharding_strategy: FULL_SHARD
  fsdp_state_dict_type: SHARDED_STATE_DICT
  fsdp_sync_module_states: true
machine_rank: 0
main_training_function: main
mixed_precision: bf16
num_machines: {1 + n % 8}
num_processes: {8 * (1 + n % 8)}
rdzv_backend: static
same_network: true
use_cpu: false
"""


def neox(n):
    comments = "".join(f"  # a remark on setting {i}, as these files have many\n" for i in range(n % 40))
    return "model.yml", f"""\
{{
{comments}
  "pipe_parallel_size": {1 << n % 3},
  "model_parallel_size": {1 << n % 2},
  "num_layers": {16 + 8 * (n % 5)},
  "hidden_size": 2048,
  "num_attention_heads": 16,
  "seq_length": 2048,
  "max_position_embeddings": 2048,
  "norm": "layernorm",
  "pos_emb": "rotary",
  "no_weight_tying": true,
  "gpt_j_residual": false,
  "output_layer_parallelism": "column",
  "optimizer": {{ "type": "Adam", "params": {{ "lr": 0.0002, "betas": [0.9, 0.95], "eps": 1.0e-8 }} }},
  "zero_optimization": {{ "stage": 1, "allgather_partitions": true, "overlap_comm": true }},
  "train_micro_batch_size_per_gpu": {1 + n % 8},
  "data_impl": "mmap",
  "checkpoint_activations": true,
  "train_iters": {320000 + n},
  "lr_decay_iters": 320000,
  "warmup": 0.01,
  "weight_decay": 0.1
}}
"""


def nanotron(n):
    return "config.yaml", f"""\
checkpoints:
  checkpoint_interval: {1000 + n}
  checkpoints_path: checkpoints
general:
  project: bench
  run: run{n}
  seed: 42
model:
  dtype: bfloat16
  init_method: {{ std: 0.025 }}
  model_config:
    bos_token_id: 1
    eos_token_id: 2
    hidden_act: silu
    hidden_size: {1024 * (1 + n % 4)}
    initializer_range: 0.02
    intermediate_size: 4096
    is_llama_config: true
    max_position_embeddings: 4096
    num_attention_heads: {16 * (1 + n % 4)}
    num_hidden_layers: {16 + n % 16}
    num_key_value_heads: 16
    rms_norm_eps: 1.0e-05
    tie_word_embeddings: true
    use_cache: true
    vocab_size: 32000
optimizer:
  accumulate_grad_in_fp32: true
  clip_grad: 1.0
  learning_rate_scheduler: {{ learning_rate: 0.0003, lr_decay_steps: 13, lr_decay_style: cosine, lr_warmup_steps: 2,
                              lr_warmup_style: linear, min_decay_lr: 1.0e-05 }}
  optimizer_factory: {{ adam_beta1: 0.9, adam_beta2: 0.95, adam_eps: 1.0e-08, name: adamW, torch_adam_is_fused: true }}
  weight_decay: 0.01
  zero_stage: {n % 2}
parallelism:
  dp: {1 << n % 4}
  pp: {1 << n % 3}
  tp: {1 << n % 4}
  pp_engine: 1f1b
  tp_mode: REDUCE_SCATTER
  tp_linear_async_communication: true
tokens:
  batch_accumulation_per_replica: {1 + n % 8}
  micro_batch_size: 2
  sequence_length: 4096
  train_steps: {15 + n}
"""


def torchtitan(n):
    return "train.toml", f"""\
[job]
dump_folder = "./outputs"
description = "run {n}"

[model]
name = "llama3"
flavor = "8B"

[optimizer]
name = "AdamW"
lr = 3e-4
eps = 1e-8

[lr_scheduler]
warmup_steps = {200 + n}

[training]
local_batch_size = {1 + n % 8}
seq_len = 8192
max_norm = 1.0
steps = 1000
dataset = "c4"

[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = {1 << n % 4}
pipeline_parallel_degree = 1
context_parallel_degree = 1

[activation_checkpoint]
mode = "selective"
selective_ac_option = "op"
"""


def generate(folder, examples, count):
    """Of every twenty files so many of each kind."""
    makers = [deepspeed] * 5 + [model] * 4 + [accelerate] * 3 + [neox] * 3 + [nanotron] * 2 + [torchtitan]
    for n in range(count):
        where = os.path.join(folder, f"run{n:04}")
        os.makedirs(where)
        kind = n % 20
        if kind >= len(makers):
            shutil.copy(examples[n // 20 % len(examples)], os.path.join(where, "job.parl"))
            continue
        name, text = makers[kind](n)
        with open(os.path.join(where, name), "w", encoding="utf-8") as out:
            out.write(text)


def timed(command):
    """Wall time and processor time of one run, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"files.py: exit {done.returncode}: {' '.join(command[:4])} …\n{done.stderr.decode()[-500:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(command, runs=5):
    """The least disturbed of several runs, by wall time and by processor time."""
    times = [timed(command) for _ in range(runs + 1)][1:]  # the first one warms the page cache
    return min(t[0] for t in times), min(t[1] for t in times)


def checked(parlance, words):
    """How many files a run takes for ones that it checks."""
    out = subprocess.run([parlance, "check", "--format", "junit", *words], stdout=subprocess.PIPE).stdout
    return out.count(b"<testsuite ")


def measure(title, parlance, words, files):
    wall, processor = best([parlance, "check", "--format", "concise", *words])
    cat, _ = best(["cat", *files])
    size = sum(os.path.getsize(f) for f in files)
    print(f"{title}: {len(files)} files ({checked(parlance, words)} checked), {size / len(files):.0f} bytes each; "
          f"{wall * 1e3:.0f} ms, processor {processor * 1e3:.0f} ms, {wall / cat:.0f} times `cat`")
    return len(files) / wall, len(files) / processor


def report(name, value):
    print(f"{name:44} {value:8.0f}   target {TARGET:,}   {'ok' if value >= TARGET else 'MISSED'}")
    return value >= TARGET


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parlance")
    parser.add_argument("source")
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--corpus")
    args = parser.parse_args()
    corpus = args.corpus or os.path.join(os.path.dirname(args.source), "shared", "corpus")
    examples = sorted(glob.glob(os.path.join(args.source, "docs", "examples", "*.parl")))

    with tempfile.TemporaryDirectory() as folder:
        generate(folder, examples, args.files)
        files = sorted(glob.glob(os.path.join(folder, "*", "*")))
        wall, processor = measure("made", args.parlance, [folder], files)
    good = report("files/s", wall)
    print(f"{'files/s of one core, by processor time':44} {processor:8.0f}")
    if os.path.isdir(corpus):
        endings = (".json", ".yaml", ".yml", ".toml")
        files = sorted(p for p in glob.glob(os.path.join(corpus, "*", "*")) if p.endswith(endings))
        wall, processor = measure("corpus", args.parlance, [corpus], files)
        print(f"{'files/s of the corpus':44} {wall:8.0f}   by processor time {processor:.0f} of one core")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
