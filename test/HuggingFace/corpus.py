"""Imports every config.json of a folder, and holds the outcome against the table below.

usage: corpus.py PARLANCE FOLDER SCRATCH
"""

import json
import os
import subprocess
import sys

# Total parameters, active ones, and the codes of warnings; or the code of the refusal, its line, and words it must name.
EXPECTED = {
    "MiniMaxAI--MiniMax-M2.5": ("PL7003", 5, "minimax_m2"),
    "Qwen--Qwen3-0.6B": (596049920, 596049920),
    "Qwen--Qwen3-235B-A22B-FP8": (235093634560, 22190763520),
    "Qwen--Qwen3-30B-A3B": (30532122624, 3353032704),
    "Qwen--Qwen3-32B": (32762123264, 32762123264),
    "Qwen--Qwen3-8B": (8190735360, 8190735360),
    "Qwen--Qwen3-VL-8B-Instruct": (8190735360, 8190735360, "PL7009"),
    "Qwen--Qwen3.5-35B-A3B": ("PL7003", 67, "qwen3_5_moe_text"),
    "XiaomiMiMo--MiMo-7B-Base": (7622619136, 7622619136),
    "deepseek-ai--DeepSeek-V3": (671026419200, 37552297472),
    "deepseek-ai--DeepSeek-V4-Flash": ("PL7003", 21, "deepseek_v4"),
    "google--gemma-4-26B-A4B": ("PL7003", 65, "gemma4_text"),
    "meta-llama--Llama-4-Scout-17B-16E-Instruct": (107769861120, 17172894720, "PL7009"),
    "meta-llama--Meta-Llama-3.1-405B": (405853388800, 405853388800),
    "meta-llama--Meta-Llama-3.1-70B": (70553706496, 70553706496),
    "mistralai--Mixtral-8x22B-v0.1": (140620634112, 39152031744),
    "mistralai--Mixtral-8x7B-v0.1": (46702792704, 12879925248),
    "moonshotai--Kimi-K2-Instruct": (1026408232448, 32861500928),
    "nvidia--Llama-3_3-Nemotron-Super-49B-v1": ("PL7003", 1466, "nemotron-nas"),
    "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": ("PL7003", 32, "nemotron_h"),
    "nvidia--Nemotron-H-56B-Base-8K": ("PL7003", 30, "nemotron_h"),
    "openai--gpt-oss-20b": ("PL7003", 42, "gpt_oss"),
    "zai-org--GLM-5": ("PL7003", 28, "glm_moe_dsa"),
}

IMPORT = 'model m = import "{path}"\n'
# Only a file with that many parameters passes.
TOTALS = """require params_total(m) == {total} elem
require params_active(m) == {active} elem
"""


def check(parlance, source, folder):
    run = subprocess.run([parlance, "check", "--format", "json", "--allow-outside", folder, source], capture_output=True, text=True, timeout=60)
    return run.returncode, json.loads(run.stdout)["diagnostics"]


def problems_of(parlance, name, path, scratch):
    wanted = EXPECTED[name]
    refused = isinstance(wanted[0], str)
    source = os.path.join(scratch, name + ".parl")
    with open(source, "w") as file:
        file.write(IMPORT.format(path=path))
        if not refused:
            file.write(TOTALS.format(total=wanted[0], active=wanted[1]))
    code, diagnostics = check(parlance, source, os.path.dirname(path))
    serious = [d for d in diagnostics if d["severity"] in ("error", "warning")]
    if refused:
        found = [d for d in serious if d["code"] == wanted[0]]
        if code != 1 or len(serious) != 1 or not found:
            return f"one {wanted[0]} wanted, not {serious}"
        if not found[0]["file"].endswith(".json") or found[0]["line"] != wanted[1] or wanted[2] not in found[0]["message"]:
            return f"not at line {wanted[1]} about {wanted[2]}: {found[0]}"
        return None
    if code != 0 or [d["code"] for d in serious] != list(wanted[2:]):
        return f"exit {code}: {serious}"
    return None


def main():
    parlance, folder, scratch = sys.argv[1:]
    os.makedirs(scratch, exist_ok=True)
    files = {f.removesuffix("_config.json"): f for f in os.listdir(folder) if f.endswith("_config.json")}
    failed = 0
    for name in sorted(files.keys() | EXPECTED.keys()):
        if name not in files or name not in EXPECTED:
            problem = "not in the folder" if name not in files else "not in the table"
        else:
            problem = problems_of(parlance, name, os.path.join(os.path.abspath(folder), files[name]), scratch)
        if problem:
            print(f"{name}: {problem}")
            failed += 1
    print(f"{len(files)} files, {failed} unexpected")
    return 1 if failed else 0


sys.exit(main())
