#!/usr/bin/env bash
#SBATCH --nodes=8
#SBATCH --gpus-per-node=8
# Llama 3 8B with Megatron-LM on 8 nodes of 8 GPUs.
set -euo pipefail

export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NNODES=${NNODES:-8}
TP=4
PP=1

MODEL_ARGS=(
  --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336
  --num-attention-heads 32 --group-query-attention --num-query-groups 8
  --seq-length 8192 --max-position-embeddings 8192
  --position-embedding-type rope --rotary-base 500000
  --swiglu --normalization RMSNorm --disable-bias-linear
  --untie-embeddings-and-output-weights
  --hidden-dropout 0 --attention-dropout 0
  --vocab-size 128256
)
TRAINING_ARGS=(
  --micro-batch-size 1 --global-batch-size 256
  --train-iters 100000 --lr 3e-4 --min-lr 3e-5
  --bf16 --attention-backend flash
)
PARALLEL_ARGS=(
  --tensor-model-parallel-size "$TP"
  --pipeline-model-parallel-size "$PP"
  --sequence-parallel
  --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather
)

torchrun --nproc-per-node="$GPUS_PER_NODE" --nnodes="$NNODES" \
  --node-rank="$SLURM_NODEID" --master-addr="$MASTER_ADDR" --master-port=29500 \
  pretrain_gpt.py "${MODEL_ARGS[@]}" "${TRAINING_ARGS[@]}" "${PARALLEL_ARGS[@]}" --mock-data --tokenizer-type NullTokenizer
